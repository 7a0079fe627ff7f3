"""Generated from `tenure/protocol/tables/streams_group_heartbeat.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.streams_group_heartbeat import (
    StreamsGroupHeartbeatRequest,
    StreamsGroupHeartbeatResponse,
    StreamsHeartbeatCopartitionGroup,
    StreamsHeartbeatEndpoint,
    StreamsHeartbeatEndpointToPartitions,
    StreamsHeartbeatKeyValue,
    StreamsHeartbeatStatus,
    StreamsHeartbeatSubtopology,
    StreamsHeartbeatTaskIds,
    StreamsHeartbeatTaskOffset,
    StreamsHeartbeatTopicInfo,
    StreamsHeartbeatTopicPartition,
    StreamsHeartbeatTopology,
)
from tenure.protocol.message import (
    MalformedMessage,
)
from tenure.protocol.wire import (
    Elements,
    UNBOUNDED,
    UNCOUNTED_BYTES,
    read_compact_strings,
    read_int16s,
    read_int32s,
    read_text_length,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
)

unpack_ZB: Final = Packer(">?B").unpack_from
unpack_ZiB: Final = Packer(">?iB").unpack_from
unpack_HB: Final = Packer(">HB").unpack_from
unpack_b: Final = Packer(">b").unpack_from
unpack_bB: Final = Packer(">bB").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ihB: Final = Packer(">ihB").unpack_from
unpack_iiB: Final = Packer(">iiB").unpack_from
unpack_iiiiB: Final = Packer(">iiiiB").unpack_from
unpack_iiiqB: Final = Packer(">iiiqB").unpack_from
unpack_iqB: Final = Packer(">iqB").unpack_from


def read_streams_heartbeat_key_value_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[StreamsHeartbeatKeyValue], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[StreamsHeartbeatKeyValue] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("StreamsHeartbeatKeyValue.key is null")
        end = at + n
        key = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("StreamsHeartbeatKeyValue.value is null")
        end = at + n
        value = utf8(data[at:end])
        at = end
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(StreamsHeartbeatKeyValue(key, value))
    return found, at


def read_streams_heartbeat_topic_info_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[StreamsHeartbeatTopicInfo], int]:
    if announced * 9 > len(data) - at:
        raise too_many(announced, 9, data, at)
    found: list[StreamsHeartbeatTopicInfo] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("StreamsHeartbeatTopicInfo.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        partitions, replication_factor, n = unpack_ihB(data, at)
        at += 7
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("StreamsHeartbeatTopicInfo.topic_configs is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        topic_configs, at = read_streams_heartbeat_key_value_v0_list(data, at, n, elements)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(StreamsHeartbeatTopicInfo(name, partitions, replication_factor, topic_configs))
    return found, at


def read_streams_heartbeat_copartition_group_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[StreamsHeartbeatCopartitionGroup], int]:
    if announced * 4 > len(data) - at:
        raise too_many(announced, 4, data, at)
    found: list[StreamsHeartbeatCopartitionGroup] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("StreamsHeartbeatCopartitionGroup.source_topics is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        source_topics = read_int16s(data, at, n)
        at += 2 * n
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("StreamsHeartbeatCopartitionGroup.source_topic_regex is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        source_topic_regex = read_int16s(data, at, n)
        at += 2 * n
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("StreamsHeartbeatCopartitionGroup.repartition_source_topics is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        repartition_source_topics = read_int16s(data, at, n)
        at += 2 * n
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(StreamsHeartbeatCopartitionGroup(source_topics, source_topic_regex, repartition_source_topics))
    return found, at


def read_streams_heartbeat_subtopology_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[StreamsHeartbeatSubtopology], int]:
    if announced * 8 > len(data) - at:
        raise too_many(announced, 8, data, at)
    found: list[StreamsHeartbeatSubtopology] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("StreamsHeartbeatSubtopology.subtopology_id is null")
        end = at + n
        subtopology_id = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("StreamsHeartbeatSubtopology.source_topics is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        source_topics, at = read_compact_strings(data, at, n, read_text_length)
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("StreamsHeartbeatSubtopology.source_topic_regex is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        source_topic_regex, at = read_compact_strings(data, at, n, read_text_length)
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("StreamsHeartbeatSubtopology.state_changelog_topics is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        state_changelog_topics, at = read_streams_heartbeat_topic_info_v0_list(data, at, n, elements)
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("StreamsHeartbeatSubtopology.repartition_sink_topics is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        repartition_sink_topics, at = read_compact_strings(data, at, n, read_text_length)
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("StreamsHeartbeatSubtopology.repartition_source_topics is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        repartition_source_topics, at = read_streams_heartbeat_topic_info_v0_list(data, at, n, elements)
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("StreamsHeartbeatSubtopology.copartition_groups is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        copartition_groups, at = read_streams_heartbeat_copartition_group_v0_list(data, at, n, elements)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(StreamsHeartbeatSubtopology(subtopology_id, source_topics, source_topic_regex, state_changelog_topics, repartition_sink_topics, repartition_source_topics, copartition_groups))
    return found, at


def read_streams_heartbeat_topology_v0(data: bytes, at: int, elements: Elements) -> tuple[StreamsHeartbeatTopology, int]:
    epoch, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("StreamsHeartbeatTopology.subtopologies is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    subtopologies, at = read_streams_heartbeat_subtopology_v0_list(data, at, n, elements)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return StreamsHeartbeatTopology(epoch, subtopologies), at


def read_streams_heartbeat_task_ids_v0_list(data: bytes, at: int, announced: int, elements: Elements = UNBOUNDED) -> tuple[list[StreamsHeartbeatTaskIds], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[StreamsHeartbeatTaskIds] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("StreamsHeartbeatTaskIds.subtopology_id is null")
        end = at + n
        subtopology_id = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("StreamsHeartbeatTaskIds.partitions is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        partitions = read_int32s(data, at, n)
        at += 4 * n
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(StreamsHeartbeatTaskIds(subtopology_id, partitions))
    return found, at


def read_streams_heartbeat_endpoint_v0(data: bytes, at: int, elements: Elements = UNBOUNDED) -> tuple[StreamsHeartbeatEndpoint, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("StreamsHeartbeatEndpoint.host is null")
    end = at + n
    host = utf8(data[at:end])
    at = end
    port, tags = unpack_HB(data, at)
    at += 3
    if tags:
        at = skip_tags(data, at - 1, elements)
    return StreamsHeartbeatEndpoint(host, port), at


def read_streams_heartbeat_task_offset_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[StreamsHeartbeatTaskOffset], int]:
    if announced * 14 > len(data) - at:
        raise too_many(announced, 14, data, at)
    found: list[StreamsHeartbeatTaskOffset] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("StreamsHeartbeatTaskOffset.subtopology_id is null")
        end = at + n
        subtopology_id = utf8(data[at:end])
        at = end
        partition, offset, tags = unpack_iqB(data, at)
        at += 13
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(StreamsHeartbeatTaskOffset(subtopology_id, partition, offset))
    return found, at


def read_streams_group_heartbeat_request_v0(data: bytes, at: int) -> tuple[StreamsGroupHeartbeatRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("StreamsGroupHeartbeatRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("StreamsGroupHeartbeatRequest.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    member_epoch, endpoint_information_epoch, n = unpack_iiB(data, at)
    at += 9
    if n > 127:
        n, at = read_text_length(data, at - 1)
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
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        rack_id = utf8(data[at:end])
        at = end
    else:
        rack_id = None
    (rebalance_timeout_ms,) = unpack_i(data, at)
    at += 4
    (n,) = unpack_b(data, at)
    at += 1
    if n < 0:
        topology = None
    else:
        topology, at = read_streams_heartbeat_topology_v0(data, at, elements)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        if elements is not UNBOUNDED:
            elements.add(n)
        active_tasks, at = read_streams_heartbeat_task_ids_v0_list(data, at, n, elements)
    else:
        active_tasks = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        if elements is not UNBOUNDED:
            elements.add(n)
        standby_tasks, at = read_streams_heartbeat_task_ids_v0_list(data, at, n, elements)
    else:
        standby_tasks = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        if elements is not UNBOUNDED:
            elements.add(n)
        warmup_tasks, at = read_streams_heartbeat_task_ids_v0_list(data, at, n, elements)
    else:
        warmup_tasks = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        process_id = utf8(data[at:end])
        at = end
    else:
        process_id = None
    (n,) = unpack_b(data, at)
    at += 1
    if n < 0:
        user_endpoint = None
    else:
        user_endpoint, at = read_streams_heartbeat_endpoint_v0(data, at, elements)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        if elements is not UNBOUNDED:
            elements.add(n)
        client_tags, at = read_streams_heartbeat_key_value_v0_list(data, at, n, elements)
    else:
        client_tags = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        if elements is not UNBOUNDED:
            elements.add(n)
        task_offsets, at = read_streams_heartbeat_task_offset_v0_list(data, at, n, elements)
    else:
        task_offsets = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        if elements is not UNBOUNDED:
            elements.add(n)
        task_end_offsets, at = read_streams_heartbeat_task_offset_v0_list(data, at, n, elements)
    else:
        task_end_offsets = None
    shutdown_application, tags = unpack_ZB(data, at)
    at += 2
    if tags:
        at = skip_tags(data, at - 1, elements)
    return StreamsGroupHeartbeatRequest(group_id, member_id, member_epoch, endpoint_information_epoch, instance_id, rack_id, rebalance_timeout_ms, topology, active_tasks, standby_tasks, warmup_tasks, process_id, user_endpoint, client_tags, task_offsets, task_end_offsets, shutdown_application), at


def read_streams_heartbeat_status_v0_list(data: bytes, at: int, announced: int) -> tuple[list[StreamsHeartbeatStatus], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[StreamsHeartbeatStatus] = []
    for _ in range(announced):
        status_code, n = unpack_bB(data, at)
        at += 2
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("StreamsHeartbeatStatus.status_detail is null")
        end = at + n
        status_detail = utf8(data[at:end])
        at = end
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(StreamsHeartbeatStatus(status_code, status_detail))
    return found, at


def read_streams_heartbeat_topic_partition_v0_list(data: bytes, at: int, announced: int) -> tuple[list[StreamsHeartbeatTopicPartition], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[StreamsHeartbeatTopicPartition] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("StreamsHeartbeatTopicPartition.topic is null")
        end = at + n
        topic = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("StreamsHeartbeatTopicPartition.partitions is null")
        partitions = read_int32s(data, at, n)
        at += 4 * n
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(StreamsHeartbeatTopicPartition(topic, partitions))
    return found, at


def read_streams_heartbeat_endpoint_to_partitions_v0_list(data: bytes, at: int, announced: int) -> tuple[list[StreamsHeartbeatEndpointToPartitions], int]:
    if announced * 7 > len(data) - at:
        raise too_many(announced, 7, data, at)
    found: list[StreamsHeartbeatEndpointToPartitions] = []
    for _ in range(announced):
        user_endpoint, at = read_streams_heartbeat_endpoint_v0(data, at)
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("StreamsHeartbeatEndpointToPartitions.active_partitions is null")
        active_partitions, at = read_streams_heartbeat_topic_partition_v0_list(data, at, n)
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("StreamsHeartbeatEndpointToPartitions.standby_partitions is null")
        standby_partitions, at = read_streams_heartbeat_topic_partition_v0_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(StreamsHeartbeatEndpointToPartitions(user_endpoint, active_partitions, standby_partitions))
    return found, at


def read_streams_group_heartbeat_response_v0(data: bytes, at: int) -> tuple[StreamsGroupHeartbeatResponse, int]:
    throttle_time_ms, error_code, n = unpack_ihB(data, at)
    at += 7
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        error_message = utf8(data[at:end])
        at = end
    else:
        error_message = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("StreamsGroupHeartbeatResponse.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    member_epoch, heartbeat_interval_ms, acceptable_recovery_lag_legacy, task_offset_interval_ms, n = unpack_iiiiB(data, at)
    at += 17
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        status, at = read_streams_heartbeat_status_v0_list(data, at, n)
    else:
        status = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        active_tasks, at = read_streams_heartbeat_task_ids_v0_list(data, at, n)
    else:
        active_tasks = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        standby_tasks, at = read_streams_heartbeat_task_ids_v0_list(data, at, n)
    else:
        standby_tasks = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        warmup_tasks, at = read_streams_heartbeat_task_ids_v0_list(data, at, n)
    else:
        warmup_tasks = None
    endpoint_information_epoch, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        partitions_by_user_endpoint, at = read_streams_heartbeat_endpoint_to_partitions_v0_list(data, at, n)
    else:
        partitions_by_user_endpoint = None
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return StreamsGroupHeartbeatResponse(throttle_time_ms, error_code, error_message, member_id, member_epoch, heartbeat_interval_ms, acceptable_recovery_lag_legacy, task_offset_interval_ms, -1, status, active_tasks, standby_tasks, warmup_tasks, False, endpoint_information_epoch, partitions_by_user_endpoint), at


def read_streams_group_heartbeat_response_v1(data: bytes, at: int) -> tuple[StreamsGroupHeartbeatResponse, int]:
    throttle_time_ms, error_code, n = unpack_ihB(data, at)
    at += 7
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        error_message = utf8(data[at:end])
        at = end
    else:
        error_message = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("StreamsGroupHeartbeatResponse.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    member_epoch, heartbeat_interval_ms, task_offset_interval_ms, acceptable_recovery_lag, n = unpack_iiiqB(data, at)
    at += 21
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        status, at = read_streams_heartbeat_status_v0_list(data, at, n)
    else:
        status = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        active_tasks, at = read_streams_heartbeat_task_ids_v0_list(data, at, n)
    else:
        active_tasks = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        standby_tasks, at = read_streams_heartbeat_task_ids_v0_list(data, at, n)
    else:
        standby_tasks = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        warmup_tasks, at = read_streams_heartbeat_task_ids_v0_list(data, at, n)
    else:
        warmup_tasks = None
    topology_description_required, endpoint_information_epoch, n = unpack_ZiB(data, at)
    at += 6
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        partitions_by_user_endpoint, at = read_streams_heartbeat_endpoint_to_partitions_v0_list(data, at, n)
    else:
        partitions_by_user_endpoint = None
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return StreamsGroupHeartbeatResponse(throttle_time_ms, error_code, error_message, member_id, member_epoch, heartbeat_interval_ms, 0, task_offset_interval_ms, acceptable_recovery_lag, status, active_tasks, standby_tasks, warmup_tasks, topology_description_required, endpoint_information_epoch, partitions_by_user_endpoint), at


StreamsGroupHeartbeatRequest.READERS = {
    0: read_streams_group_heartbeat_request_v0,
    1: read_streams_group_heartbeat_request_v0,
}
StreamsGroupHeartbeatResponse.READERS = {
    0: read_streams_group_heartbeat_response_v0,
    1: read_streams_group_heartbeat_response_v1,
}
