"""Generated from `tenure/protocol/tables/streams_group_describe.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.streams_group_describe import (
    DescribedStreamsAssignment,
    DescribedStreamsEndpoint,
    DescribedStreamsGroup,
    DescribedStreamsKeyValue,
    DescribedStreamsMember,
    DescribedStreamsSubtopology,
    DescribedStreamsTaskIds,
    DescribedStreamsTaskOffset,
    DescribedStreamsTopicInfo,
    DescribedStreamsTopology,
    DescribedTopology,
    DescribedTopologyGlobalStore,
    DescribedTopologyNode,
    DescribedTopologySubtopology,
    StreamsGroupDescribeRequest,
    StreamsGroupDescribeResponse,
)
from tenure.protocol.message import (
    MalformedMessage,
)
from tenure.protocol.wire import (
    Elements,
    UNBOUNDED,
    UNCOUNTED_BYTES,
    read_compact_strings,
    read_int32s,
    read_text_length,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
)

unpack_ZZB: Final = Packer(">??B").unpack_from
unpack_ZB: Final = Packer(">?B").unpack_from
unpack_HB: Final = Packer(">HB").unpack_from
unpack_b: Final = Packer(">b").unpack_from
unpack_bB: Final = Packer(">bB").unpack_from
unpack_hB: Final = Packer(">hB").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ihB: Final = Packer(">ihB").unpack_from
unpack_ii: Final = Packer(">ii").unpack_from
unpack_iqB: Final = Packer(">iqB").unpack_from


def read_streams_group_describe_request_v0(data: bytes, at: int) -> tuple[StreamsGroupDescribeRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("StreamsGroupDescribeRequest.group_ids is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    group_ids, at = read_compact_strings(data, at, n, read_text_length)
    include_authorized_operations, tags = unpack_ZB(data, at)
    at += 2
    if tags:
        at = skip_tags(data, at - 1, elements)
    return StreamsGroupDescribeRequest(group_ids, include_authorized_operations), at


def read_streams_group_describe_request_v1(data: bytes, at: int) -> tuple[StreamsGroupDescribeRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("StreamsGroupDescribeRequest.group_ids is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    group_ids, at = read_compact_strings(data, at, n, read_text_length)
    include_authorized_operations, include_topology_description, tags = unpack_ZZB(data, at)
    at += 3
    if tags:
        at = skip_tags(data, at - 1, elements)
    return StreamsGroupDescribeRequest(group_ids, include_authorized_operations, include_topology_description), at


def read_described_streams_key_value_v0_list(data: bytes, at: int, announced: int) -> tuple[list[DescribedStreamsKeyValue], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[DescribedStreamsKeyValue] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedStreamsKeyValue.key is null")
        end = at + n
        key = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedStreamsKeyValue.value is null")
        end = at + n
        value = utf8(data[at:end])
        at = end
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribedStreamsKeyValue(key, value))
    return found, at


def read_described_streams_topic_info_v0_list(data: bytes, at: int, announced: int) -> tuple[list[DescribedStreamsTopicInfo], int]:
    if announced * 9 > len(data) - at:
        raise too_many(announced, 9, data, at)
    found: list[DescribedStreamsTopicInfo] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedStreamsTopicInfo.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        partitions, replication_factor, n = unpack_ihB(data, at)
        at += 7
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedStreamsTopicInfo.topic_configs is null")
        topic_configs, at = read_described_streams_key_value_v0_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribedStreamsTopicInfo(name, partitions, replication_factor, topic_configs))
    return found, at


def read_described_streams_subtopology_v0_list(data: bytes, at: int, announced: int) -> tuple[list[DescribedStreamsSubtopology], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[DescribedStreamsSubtopology] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedStreamsSubtopology.subtopology_id is null")
        end = at + n
        subtopology_id = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedStreamsSubtopology.source_topics is null")
        source_topics, at = read_compact_strings(data, at, n)
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedStreamsSubtopology.repartition_sink_topics is null")
        repartition_sink_topics, at = read_compact_strings(data, at, n)
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedStreamsSubtopology.state_changelog_topics is null")
        state_changelog_topics, at = read_described_streams_topic_info_v0_list(data, at, n)
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedStreamsSubtopology.repartition_source_topics is null")
        repartition_source_topics, at = read_described_streams_topic_info_v0_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribedStreamsSubtopology(subtopology_id, source_topics, repartition_sink_topics, state_changelog_topics, repartition_source_topics))
    return found, at


def read_described_streams_topology_v0(data: bytes, at: int) -> tuple[DescribedStreamsTopology, int]:
    epoch, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        subtopologies, at = read_described_streams_subtopology_v0_list(data, at, n)
    else:
        subtopologies = None
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return DescribedStreamsTopology(epoch, subtopologies), at


def read_described_streams_endpoint_v0(data: bytes, at: int) -> tuple[DescribedStreamsEndpoint, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribedStreamsEndpoint.host is null")
    end = at + n
    host = utf8(data[at:end])
    at = end
    port, tags = unpack_HB(data, at)
    at += 3
    if tags:
        at = skip_tags(data, at - 1)
    return DescribedStreamsEndpoint(host, port), at


def read_described_streams_task_offset_v0_list(data: bytes, at: int, announced: int) -> tuple[list[DescribedStreamsTaskOffset], int]:
    if announced * 14 > len(data) - at:
        raise too_many(announced, 14, data, at)
    found: list[DescribedStreamsTaskOffset] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedStreamsTaskOffset.subtopology_id is null")
        end = at + n
        subtopology_id = utf8(data[at:end])
        at = end
        partition, offset, tags = unpack_iqB(data, at)
        at += 13
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribedStreamsTaskOffset(subtopology_id, partition, offset))
    return found, at


def read_described_streams_task_ids_v0_list(data: bytes, at: int, announced: int) -> tuple[list[DescribedStreamsTaskIds], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[DescribedStreamsTaskIds] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedStreamsTaskIds.subtopology_id is null")
        end = at + n
        subtopology_id = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedStreamsTaskIds.partitions is null")
        partitions = read_int32s(data, at, n)
        at += 4 * n
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribedStreamsTaskIds(subtopology_id, partitions))
    return found, at


def read_described_streams_assignment_v0(data: bytes, at: int) -> tuple[DescribedStreamsAssignment, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribedStreamsAssignment.active_tasks is null")
    active_tasks, at = read_described_streams_task_ids_v0_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribedStreamsAssignment.standby_tasks is null")
    standby_tasks, at = read_described_streams_task_ids_v0_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribedStreamsAssignment.warmup_tasks is null")
    warmup_tasks, at = read_described_streams_task_ids_v0_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return DescribedStreamsAssignment(active_tasks, standby_tasks, warmup_tasks), at


def read_described_streams_member_v0_list(data: bytes, at: int, announced: int) -> tuple[list[DescribedStreamsMember], int]:
    if announced * 28 > len(data) - at:
        raise too_many(announced, 28, data, at)
    found: list[DescribedStreamsMember] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedStreamsMember.member_id is null")
        end = at + n
        member_id = utf8(data[at:end])
        at = end
        member_epoch, n = unpack_iB(data, at)
        at += 5
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
            raise MalformedMessage("DescribedStreamsMember.client_id is null")
        end = at + n
        client_id = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedStreamsMember.client_host is null")
        end = at + n
        client_host = utf8(data[at:end])
        at = end
        topology_epoch, n = unpack_iB(data, at)
        at += 5
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedStreamsMember.process_id is null")
        end = at + n
        process_id = utf8(data[at:end])
        at = end
        (n,) = unpack_b(data, at)
        at += 1
        if n < 0:
            user_endpoint = None
        else:
            user_endpoint, at = read_described_streams_endpoint_v0(data, at)
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedStreamsMember.client_tags is null")
        client_tags, at = read_described_streams_key_value_v0_list(data, at, n)
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedStreamsMember.task_offsets is null")
        task_offsets, at = read_described_streams_task_offset_v0_list(data, at, n)
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedStreamsMember.task_end_offsets is null")
        task_end_offsets, at = read_described_streams_task_offset_v0_list(data, at, n)
        assignment, at = read_described_streams_assignment_v0(data, at)
        target_assignment, at = read_described_streams_assignment_v0(data, at)
        is_classic, tags = unpack_ZB(data, at)
        at += 2
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribedStreamsMember(member_id, member_epoch, instance_id, rack_id, client_id, client_host, topology_epoch, process_id, user_endpoint, client_tags, task_offsets, task_end_offsets, assignment, target_assignment, is_classic))
    return found, at


def read_described_streams_group_v0_list(data: bytes, at: int, announced: int) -> tuple[list[DescribedStreamsGroup], int]:
    if announced * 20 > len(data) - at:
        raise too_many(announced, 20, data, at)
    found: list[DescribedStreamsGroup] = []
    for _ in range(announced):
        error_code, n = unpack_hB(data, at)
        at += 3
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
            raise MalformedMessage("DescribedStreamsGroup.group_id is null")
        end = at + n
        group_id = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedStreamsGroup.group_state is null")
        end = at + n
        group_state = utf8(data[at:end])
        at = end
        group_epoch, assignment_epoch = unpack_ii(data, at)
        at += 8
        (n,) = unpack_b(data, at)
        at += 1
        if n < 0:
            topology = None
        else:
            topology, at = read_described_streams_topology_v0(data, at)
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedStreamsGroup.members is null")
        members, at = read_described_streams_member_v0_list(data, at, n)
        authorized_operations, tags = unpack_iB(data, at)
        at += 5
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribedStreamsGroup(error_code, error_message, group_id, group_state, group_epoch, assignment_epoch, topology, members, authorized_operations))
    return found, at


def read_streams_group_describe_response_v0(data: bytes, at: int) -> tuple[StreamsGroupDescribeResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("StreamsGroupDescribeResponse.groups is null")
    groups, at = read_described_streams_group_v0_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return StreamsGroupDescribeResponse(throttle_time_ms, groups), at


def read_described_topology_node_v1(data: bytes, at: int) -> tuple[DescribedTopologyNode, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribedTopologyNode.name is null")
    end = at + n
    name = utf8(data[at:end])
    at = end
    node_type, n = unpack_bB(data, at)
    at += 2
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribedTopologyNode.source_topics is null")
    source_topics, at = read_compact_strings(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        sink_topic = utf8(data[at:end])
        at = end
    else:
        sink_topic = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribedTopologyNode.stores is null")
    stores, at = read_compact_strings(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribedTopologyNode.successors is null")
    successors, at = read_compact_strings(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return DescribedTopologyNode(name, node_type, source_topics, sink_topic, stores, successors), at


def read_described_topology_node_v1_list(data: bytes, at: int, announced: int) -> tuple[list[DescribedTopologyNode], int]:
    if announced * 7 > len(data) - at:
        raise too_many(announced, 7, data, at)
    found: list[DescribedTopologyNode] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedTopologyNode.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        node_type, n = unpack_bB(data, at)
        at += 2
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedTopologyNode.source_topics is null")
        source_topics, at = read_compact_strings(data, at, n)
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            end = at + n
            sink_topic = utf8(data[at:end])
            at = end
        else:
            sink_topic = None
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedTopologyNode.stores is null")
        stores, at = read_compact_strings(data, at, n)
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedTopologyNode.successors is null")
        successors, at = read_compact_strings(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribedTopologyNode(name, node_type, source_topics, sink_topic, stores, successors))
    return found, at


def read_described_topology_subtopology_v1_list(data: bytes, at: int, announced: int) -> tuple[list[DescribedTopologySubtopology], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[DescribedTopologySubtopology] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedTopologySubtopology.subtopology_id is null")
        end = at + n
        subtopology_id = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedTopologySubtopology.nodes is null")
        nodes, at = read_described_topology_node_v1_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribedTopologySubtopology(subtopology_id, nodes))
    return found, at


def read_described_topology_global_store_v1_list(data: bytes, at: int, announced: int) -> tuple[list[DescribedTopologyGlobalStore], int]:
    if announced * 15 > len(data) - at:
        raise too_many(announced, 15, data, at)
    found: list[DescribedTopologyGlobalStore] = []
    for _ in range(announced):
        source, at = read_described_topology_node_v1(data, at)
        processor, at = read_described_topology_node_v1(data, at)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribedTopologyGlobalStore(source, processor))
    return found, at


def read_described_topology_v1(data: bytes, at: int) -> tuple[DescribedTopology, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribedTopology.subtopologies is null")
    subtopologies, at = read_described_topology_subtopology_v1_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribedTopology.global_stores is null")
    global_stores, at = read_described_topology_global_store_v1_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return DescribedTopology(subtopologies, global_stores), at


def read_described_streams_group_v1_list(data: bytes, at: int, announced: int) -> tuple[list[DescribedStreamsGroup], int]:
    if announced * 23 > len(data) - at:
        raise too_many(announced, 23, data, at)
    found: list[DescribedStreamsGroup] = []
    for _ in range(announced):
        error_code, n = unpack_hB(data, at)
        at += 3
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
            raise MalformedMessage("DescribedStreamsGroup.group_id is null")
        end = at + n
        group_id = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedStreamsGroup.group_state is null")
        end = at + n
        group_state = utf8(data[at:end])
        at = end
        group_epoch, assignment_epoch = unpack_ii(data, at)
        at += 8
        (n,) = unpack_b(data, at)
        at += 1
        if n < 0:
            topology = None
        else:
            topology, at = read_described_streams_topology_v0(data, at)
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedStreamsGroup.members is null")
        members, at = read_described_streams_member_v0_list(data, at, n)
        (authorized_operations,) = unpack_i(data, at)
        at += 4
        (n,) = unpack_b(data, at)
        at += 1
        if n < 0:
            topology_description = None
        else:
            topology_description, at = read_described_topology_v1(data, at)
        topology_description_status, n = unpack_bB(data, at)
        at += 2
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            end = at + n
            assignor_name = utf8(data[at:end])
            at = end
        else:
            assignor_name = None
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribedStreamsGroup(error_code, error_message, group_id, group_state, group_epoch, assignment_epoch, topology, members, authorized_operations, topology_description, topology_description_status, assignor_name))
    return found, at


def read_streams_group_describe_response_v1(data: bytes, at: int) -> tuple[StreamsGroupDescribeResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("StreamsGroupDescribeResponse.groups is null")
    groups, at = read_described_streams_group_v1_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return StreamsGroupDescribeResponse(throttle_time_ms, groups), at


StreamsGroupDescribeRequest.READERS = {
    0: read_streams_group_describe_request_v0,
    1: read_streams_group_describe_request_v1,
}
StreamsGroupDescribeResponse.READERS = {
    0: read_streams_group_describe_response_v0,
    1: read_streams_group_describe_response_v1,
}
