"""Generated from `tenure/protocol/tables/streams_group_records.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.streams_group_records import (
    CurrentTaskIds,
    LastAssignmentConfig,
    StreamsClientTag,
    StreamsEndpoint,
    StreamsGroupCurrentMemberAssignmentKey,
    StreamsGroupCurrentMemberAssignmentValue,
    StreamsGroupMemberMetadataKey,
    StreamsGroupMemberMetadataValue,
    StreamsGroupMetadataKey,
    StreamsGroupMetadataValue,
    StreamsGroupTargetAssignmentMemberKey,
    StreamsGroupTargetAssignmentMemberValue,
    StreamsGroupTargetAssignmentMetadataKey,
    StreamsGroupTargetAssignmentMetadataValue,
    StreamsGroupTopologyKey,
    StreamsGroupTopologyValue,
    TargetTaskIds,
    TopologyCopartitionGroup,
    TopologySubtopology,
    TopologyTopicConfig,
    TopologyTopicInfo,
)
from tenure.protocol.message import (
    MalformedMessage,
)
from tenure.protocol.wire import (
    read_compact_strings,
    read_int16s,
    read_int32s,
    read_tag,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
)

unpack_HB: Final = Packer(">HB").unpack_from
unpack_b: Final = Packer(">b").unpack_from
unpack_h: Final = Packer(">h").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ihB: Final = Packer(">ihB").unpack_from
unpack_iiB: Final = Packer(">iiB").unpack_from
unpack_iibB: Final = Packer(">iibB").unpack_from
unpack_iqB: Final = Packer(">iqB").unpack_from
unpack_q: Final = Packer(">q").unpack_from


def read_streams_group_metadata_key_v0(data: bytes, at: int) -> tuple[StreamsGroupMetadataKey, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("StreamsGroupMetadataKey.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    return StreamsGroupMetadataKey(group_id), at


def read_last_assignment_config_v0_list(data: bytes, at: int, announced: int) -> tuple[list[LastAssignmentConfig], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[LastAssignmentConfig] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("LastAssignmentConfig.key is null")
        end = at + n
        key = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("LastAssignmentConfig.value is null")
        end = at + n
        value = utf8(data[at:end])
        at = end
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(LastAssignmentConfig(key, value))
    return found, at


def read_streams_group_metadata_value_v0(data: bytes, at: int) -> tuple[StreamsGroupMetadataValue, int]:
    epoch, metadata_hash, tags = unpack_iqB(data, at)
    at += 13
    validated_topology_epoch: int = -1
    last_assignment_configs: list[LastAssignmentConfig] | None = []
    stored_description_topology_epoch: int = -1
    failed_description_topology_epoch: int = -1
    if tags:
        tags, at = read_uvarint(data, at - 1)
        tag = -1
        for _ in range(tags):
            tag, n, at = read_tag(data, at, tag)
            stop = at + n
            if tag == 0:
                (validated_topology_epoch,) = unpack_i(data, at)
                at += 4
            elif tag == 1:
                n = data[at]
                at += 1
                if n > 127:
                    n, at = read_uvarint(data, at - 1)
                n -= 1
                if n >= 0:
                    last_assignment_configs, at = read_last_assignment_config_v0_list(data, at, n)
                else:
                    last_assignment_configs = None
            elif tag == 2:
                (stored_description_topology_epoch,) = unpack_i(data, at)
                at += 4
            elif tag == 3:
                (failed_description_topology_epoch,) = unpack_i(data, at)
                at += 4
            else:
                at = stop
            if at != stop:
                raise MalformedMessage(f"tag {tag} of StreamsGroupMetadataValue has a wrong size")
    return StreamsGroupMetadataValue(epoch, metadata_hash, validated_topology_epoch, last_assignment_configs, stored_description_topology_epoch, failed_description_topology_epoch), at


def read_streams_group_member_metadata_key_v0(data: bytes, at: int) -> tuple[StreamsGroupMemberMetadataKey, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("StreamsGroupMemberMetadataKey.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("StreamsGroupMemberMetadataKey.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    return StreamsGroupMemberMetadataKey(group_id, member_id), at


def read_streams_endpoint_v0(data: bytes, at: int) -> tuple[StreamsEndpoint, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("StreamsEndpoint.host is null")
    end = at + n
    host = utf8(data[at:end])
    at = end
    port, tags = unpack_HB(data, at)
    at += 3
    if tags:
        at = skip_tags(data, at - 1)
    return StreamsEndpoint(host, port), at


def read_streams_client_tag_v0_list(data: bytes, at: int, announced: int) -> tuple[list[StreamsClientTag], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[StreamsClientTag] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("StreamsClientTag.key is null")
        end = at + n
        key = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("StreamsClientTag.value is null")
        end = at + n
        value = utf8(data[at:end])
        at = end
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(StreamsClientTag(key, value))
    return found, at


def read_streams_group_member_metadata_value_v0(data: bytes, at: int) -> tuple[StreamsGroupMemberMetadataValue, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        instance_id = utf8(data[at:end])
        at = end
    else:
        instance_id = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        rack_id = utf8(data[at:end])
        at = end
    else:
        rack_id = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("StreamsGroupMemberMetadataValue.client_id is null")
    end = at + n
    client_id = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("StreamsGroupMemberMetadataValue.client_host is null")
    end = at + n
    client_host = utf8(data[at:end])
    at = end
    rebalance_timeout_ms, topology_epoch, n = unpack_iiB(data, at)
    at += 9
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("StreamsGroupMemberMetadataValue.process_id is null")
    end = at + n
    process_id = utf8(data[at:end])
    at = end
    (n,) = unpack_b(data, at)
    at += 1
    if n < 0:
        user_endpoint = None
    else:
        user_endpoint, at = read_streams_endpoint_v0(data, at)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("StreamsGroupMemberMetadataValue.client_tags is null")
    client_tags, at = read_streams_client_tag_v0_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return StreamsGroupMemberMetadataValue(instance_id, rack_id, client_id, client_host, rebalance_timeout_ms, topology_epoch, process_id, user_endpoint, client_tags), at


def read_streams_group_target_assignment_metadata_key_v0(data: bytes, at: int) -> tuple[StreamsGroupTargetAssignmentMetadataKey, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("StreamsGroupTargetAssignmentMetadataKey.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    return StreamsGroupTargetAssignmentMetadataKey(group_id), at


def read_streams_group_target_assignment_metadata_value_v0(data: bytes, at: int) -> tuple[StreamsGroupTargetAssignmentMetadataValue, int]:
    assignment_epoch, tags = unpack_iB(data, at)
    at += 5
    assignment_timestamp: int = 0
    if tags:
        tags, at = read_uvarint(data, at - 1)
        tag = -1
        for _ in range(tags):
            tag, n, at = read_tag(data, at, tag)
            stop = at + n
            if tag == 0:
                (assignment_timestamp,) = unpack_q(data, at)
                at += 8
            else:
                at = stop
            if at != stop:
                raise MalformedMessage(f"tag {tag} of StreamsGroupTargetAssignmentMetadataValue has a wrong size")
    return StreamsGroupTargetAssignmentMetadataValue(assignment_epoch, assignment_timestamp), at


def read_streams_group_target_assignment_member_key_v0(data: bytes, at: int) -> tuple[StreamsGroupTargetAssignmentMemberKey, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("StreamsGroupTargetAssignmentMemberKey.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("StreamsGroupTargetAssignmentMemberKey.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    return StreamsGroupTargetAssignmentMemberKey(group_id, member_id), at


def read_target_task_ids_v0_list(data: bytes, at: int, announced: int) -> tuple[list[TargetTaskIds], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[TargetTaskIds] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TargetTaskIds.subtopology_id is null")
        end = at + n
        subtopology_id = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TargetTaskIds.partitions is null")
        partitions = read_int32s(data, at, n)
        at += 4 * n
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(TargetTaskIds(subtopology_id, partitions))
    return found, at


def read_streams_group_target_assignment_member_value_v0(data: bytes, at: int) -> tuple[StreamsGroupTargetAssignmentMemberValue, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("StreamsGroupTargetAssignmentMemberValue.active_tasks is null")
    active_tasks, at = read_target_task_ids_v0_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("StreamsGroupTargetAssignmentMemberValue.standby_tasks is null")
    standby_tasks, at = read_target_task_ids_v0_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("StreamsGroupTargetAssignmentMemberValue.warmup_tasks is null")
    warmup_tasks, at = read_target_task_ids_v0_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return StreamsGroupTargetAssignmentMemberValue(active_tasks, standby_tasks, warmup_tasks), at


def read_streams_group_current_member_assignment_key_v0(data: bytes, at: int) -> tuple[StreamsGroupCurrentMemberAssignmentKey, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("StreamsGroupCurrentMemberAssignmentKey.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("StreamsGroupCurrentMemberAssignmentKey.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    return StreamsGroupCurrentMemberAssignmentKey(group_id, member_id), at


def read_current_task_ids_v0_list(data: bytes, at: int, announced: int) -> tuple[list[CurrentTaskIds], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[CurrentTaskIds] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("CurrentTaskIds.subtopology_id is null")
        end = at + n
        subtopology_id = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("CurrentTaskIds.partitions is null")
        partitions = read_int32s(data, at, n)
        at += 4 * n
        tags = data[at]
        at += 1
        assignment_epochs: list[int] | None = []
        if tags:
            tags, at = read_uvarint(data, at - 1)
            tag = -1
            for _ in range(tags):
                tag, n, at = read_tag(data, at, tag)
                stop = at + n
                if tag == 0:
                    n = data[at]
                    at += 1
                    if n > 127:
                        n, at = read_uvarint(data, at - 1)
                    n -= 1
                    if n >= 0:
                        assignment_epochs = read_int32s(data, at, n)
                        at += 4 * n
                    else:
                        assignment_epochs = None
                else:
                    at = stop
                if at != stop:
                    raise MalformedMessage(f"tag {tag} of CurrentTaskIds has a wrong size")
        found.append(CurrentTaskIds(subtopology_id, partitions, assignment_epochs))
    return found, at


def read_streams_group_current_member_assignment_value_v0(data: bytes, at: int) -> tuple[StreamsGroupCurrentMemberAssignmentValue, int]:
    member_epoch, previous_member_epoch, state, n = unpack_iibB(data, at)
    at += 10
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("StreamsGroupCurrentMemberAssignmentValue.active_tasks is null")
    active_tasks, at = read_current_task_ids_v0_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("StreamsGroupCurrentMemberAssignmentValue.standby_tasks is null")
    standby_tasks, at = read_current_task_ids_v0_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("StreamsGroupCurrentMemberAssignmentValue.warmup_tasks is null")
    warmup_tasks, at = read_current_task_ids_v0_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("StreamsGroupCurrentMemberAssignmentValue.active_tasks_pending_revocation is null")
    active_tasks_pending_revocation, at = read_current_task_ids_v0_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("StreamsGroupCurrentMemberAssignmentValue.standby_tasks_pending_revocation is null")
    standby_tasks_pending_revocation, at = read_current_task_ids_v0_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("StreamsGroupCurrentMemberAssignmentValue.warmup_tasks_pending_revocation is null")
    warmup_tasks_pending_revocation, at = read_current_task_ids_v0_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return StreamsGroupCurrentMemberAssignmentValue(member_epoch, previous_member_epoch, state, active_tasks, standby_tasks, warmup_tasks, active_tasks_pending_revocation, standby_tasks_pending_revocation, warmup_tasks_pending_revocation), at


def read_streams_group_topology_key_v0(data: bytes, at: int) -> tuple[StreamsGroupTopologyKey, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("StreamsGroupTopologyKey.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    return StreamsGroupTopologyKey(group_id), at


def read_topology_topic_config_v0_list(data: bytes, at: int, announced: int) -> tuple[list[TopologyTopicConfig], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[TopologyTopicConfig] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TopologyTopicConfig.key is null")
        end = at + n
        key = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TopologyTopicConfig.value is null")
        end = at + n
        value = utf8(data[at:end])
        at = end
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(TopologyTopicConfig(key, value))
    return found, at


def read_topology_topic_info_v0_list(data: bytes, at: int, announced: int) -> tuple[list[TopologyTopicInfo], int]:
    if announced * 9 > len(data) - at:
        raise too_many(announced, 9, data, at)
    found: list[TopologyTopicInfo] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TopologyTopicInfo.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        partitions, replication_factor, n = unpack_ihB(data, at)
        at += 7
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TopologyTopicInfo.topic_configs is null")
        topic_configs, at = read_topology_topic_config_v0_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(TopologyTopicInfo(name, partitions, replication_factor, topic_configs))
    return found, at


def read_topology_copartition_group_v0_list(data: bytes, at: int, announced: int) -> tuple[list[TopologyCopartitionGroup], int]:
    if announced * 4 > len(data) - at:
        raise too_many(announced, 4, data, at)
    found: list[TopologyCopartitionGroup] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TopologyCopartitionGroup.source_topics is null")
        source_topics = read_int16s(data, at, n)
        at += 2 * n
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TopologyCopartitionGroup.source_topic_regex is null")
        source_topic_regex = read_int16s(data, at, n)
        at += 2 * n
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TopologyCopartitionGroup.repartition_source_topics is null")
        repartition_source_topics = read_int16s(data, at, n)
        at += 2 * n
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(TopologyCopartitionGroup(source_topics, source_topic_regex, repartition_source_topics))
    return found, at


def read_topology_subtopology_v0_list(data: bytes, at: int, announced: int) -> tuple[list[TopologySubtopology], int]:
    if announced * 8 > len(data) - at:
        raise too_many(announced, 8, data, at)
    found: list[TopologySubtopology] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TopologySubtopology.subtopology_id is null")
        end = at + n
        subtopology_id = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TopologySubtopology.source_topics is null")
        source_topics, at = read_compact_strings(data, at, n)
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TopologySubtopology.source_topic_regex is null")
        source_topic_regex, at = read_compact_strings(data, at, n)
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TopologySubtopology.state_changelog_topics is null")
        state_changelog_topics, at = read_topology_topic_info_v0_list(data, at, n)
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TopologySubtopology.repartition_sink_topics is null")
        repartition_sink_topics, at = read_compact_strings(data, at, n)
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TopologySubtopology.repartition_source_topics is null")
        repartition_source_topics, at = read_topology_topic_info_v0_list(data, at, n)
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TopologySubtopology.copartition_groups is null")
        copartition_groups, at = read_topology_copartition_group_v0_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(TopologySubtopology(subtopology_id, source_topics, source_topic_regex, state_changelog_topics, repartition_sink_topics, repartition_source_topics, copartition_groups))
    return found, at


def read_streams_group_topology_value_v0(data: bytes, at: int) -> tuple[StreamsGroupTopologyValue, int]:
    epoch, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("StreamsGroupTopologyValue.subtopologies is null")
    subtopologies, at = read_topology_subtopology_v0_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return StreamsGroupTopologyValue(epoch, subtopologies), at


StreamsGroupMetadataKey.READERS = {
    0: read_streams_group_metadata_key_v0,
}
StreamsGroupMetadataValue.READERS = {
    0: read_streams_group_metadata_value_v0,
}
StreamsGroupMemberMetadataKey.READERS = {
    0: read_streams_group_member_metadata_key_v0,
}
StreamsGroupMemberMetadataValue.READERS = {
    0: read_streams_group_member_metadata_value_v0,
}
StreamsGroupTargetAssignmentMetadataKey.READERS = {
    0: read_streams_group_target_assignment_metadata_key_v0,
}
StreamsGroupTargetAssignmentMetadataValue.READERS = {
    0: read_streams_group_target_assignment_metadata_value_v0,
}
StreamsGroupTargetAssignmentMemberKey.READERS = {
    0: read_streams_group_target_assignment_member_key_v0,
}
StreamsGroupTargetAssignmentMemberValue.READERS = {
    0: read_streams_group_target_assignment_member_value_v0,
}
StreamsGroupCurrentMemberAssignmentKey.READERS = {
    0: read_streams_group_current_member_assignment_key_v0,
}
StreamsGroupCurrentMemberAssignmentValue.READERS = {
    0: read_streams_group_current_member_assignment_value_v0,
}
StreamsGroupTopologyKey.READERS = {
    0: read_streams_group_topology_key_v0,
}
StreamsGroupTopologyValue.READERS = {
    0: read_streams_group_topology_value_v0,
}
