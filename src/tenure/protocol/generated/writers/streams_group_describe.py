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
    MessagePart,
    UnsupportedVersion,
)
from tenure.protocol.wire import (
    UVARINT,
    pack_compact_int32s,
    uvarint,
    write_compact_strings,
)

pack_ZZx: Final = Packer(">??x").pack
pack_Zx: Final = Packer(">?x").pack
pack_Hx: Final = Packer(">Hx").pack
pack_b: Final = Packer(">b").pack
pack_h: Final = Packer(">h").pack
pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack
pack_ii: Final = Packer(">ii").pack
pack_iqx: Final = Packer(">iqx").pack
pack_ix: Final = Packer(">ix").pack


def write_streams_group_describe_request_v0(out: list[MessagePart], m: StreamsGroupDescribeRequest) -> None:
    put = out.append
    if m.include_topology_description:
        raise UnsupportedVersion("StreamsGroupDescribeRequest.include_topology_description exists in versions 1+ only")
    n = len(m.group_ids) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_compact_strings(out, m.group_ids)
    put(pack_Zx(m.include_authorized_operations))


def write_streams_group_describe_request_v1(out: list[MessagePart], m: StreamsGroupDescribeRequest) -> None:
    put = out.append
    n = len(m.group_ids) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_compact_strings(out, m.group_ids)
    put(pack_ZZx(m.include_authorized_operations, m.include_topology_description))


def write_described_streams_key_value_v0_list(out: list[MessagePart], items: list[DescribedStreamsKeyValue]) -> None:
    put = out.append
    for m in items:
        text = m.key.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.value.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(b"\0")


def write_described_streams_topic_info_v0_list(out: list[MessagePart], items: list[DescribedStreamsTopicInfo]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_ih(m.partitions, m.replication_factor))
        n = len(m.topic_configs) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_described_streams_key_value_v0_list(out, m.topic_configs)
        put(b"\0")


def write_described_streams_subtopology_v0_list(out: list[MessagePart], items: list[DescribedStreamsSubtopology]) -> None:
    put = out.append
    for m in items:
        text = m.subtopology_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.source_topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_compact_strings(out, m.source_topics)
        n = len(m.repartition_sink_topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_compact_strings(out, m.repartition_sink_topics)
        n = len(m.state_changelog_topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_described_streams_topic_info_v0_list(out, m.state_changelog_topics)
        n = len(m.repartition_source_topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_described_streams_topic_info_v0_list(out, m.repartition_source_topics)
        put(b"\0")


def write_described_streams_topology_v0(out: list[MessagePart], m: DescribedStreamsTopology) -> None:
    put = out.append
    put(pack_i(m.epoch))
    if m.subtopologies is None:
        put(b"\0")
    else:
        n = len(m.subtopologies) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_described_streams_subtopology_v0_list(out, m.subtopologies)
    put(b"\0")


def write_described_streams_endpoint_v0(out: list[MessagePart], m: DescribedStreamsEndpoint) -> None:
    put = out.append
    text = m.host.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    put(pack_Hx(m.port))


def write_described_streams_task_offset_v0_list(out: list[MessagePart], items: list[DescribedStreamsTaskOffset]) -> None:
    put = out.append
    for m in items:
        text = m.subtopology_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_iqx(m.partition, m.offset))


def write_described_streams_task_ids_v0_list(out: list[MessagePart], items: list[DescribedStreamsTaskIds]) -> None:
    put = out.append
    for m in items:
        text = m.subtopology_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_compact_int32s(m.partitions))
        put(b"\0")


def write_described_streams_assignment_v0(out: list[MessagePart], m: DescribedStreamsAssignment) -> None:
    put = out.append
    n = len(m.active_tasks) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_described_streams_task_ids_v0_list(out, m.active_tasks)
    n = len(m.standby_tasks) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_described_streams_task_ids_v0_list(out, m.standby_tasks)
    n = len(m.warmup_tasks) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_described_streams_task_ids_v0_list(out, m.warmup_tasks)
    put(b"\0")


def write_described_streams_member_v0_list(out: list[MessagePart], items: list[DescribedStreamsMember]) -> None:
    put = out.append
    for m in items:
        text = m.member_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_i(m.member_epoch))
        if m.instance_id is None:
            put(b"\0")
        else:
            text = m.instance_id.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        if m.rack_id is None:
            put(b"\0")
        else:
            text = m.rack_id.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        text = m.client_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.client_host.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.process_id.encode()
        put(pack_i(m.topology_epoch))
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        if m.user_endpoint is None:
            put(b"\xff")
        else:
            put(b"\x01")
            write_described_streams_endpoint_v0(out, m.user_endpoint)
        n = len(m.client_tags) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_described_streams_key_value_v0_list(out, m.client_tags)
        n = len(m.task_offsets) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_described_streams_task_offset_v0_list(out, m.task_offsets)
        n = len(m.task_end_offsets) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_described_streams_task_offset_v0_list(out, m.task_end_offsets)
        write_described_streams_assignment_v0(out, m.assignment)
        write_described_streams_assignment_v0(out, m.target_assignment)
        put(pack_Zx(m.is_classic))


def write_described_streams_group_v0_list(out: list[MessagePart], items: list[DescribedStreamsGroup]) -> None:
    put = out.append
    for m in items:
        if m.topology_description is not None:
            raise UnsupportedVersion("DescribedStreamsGroup.topology_description exists in versions 1+ only")
        if m.topology_description_status != 0:
            raise UnsupportedVersion("DescribedStreamsGroup.topology_description_status exists in versions 1+ only")
        put(pack_h(m.error_code))
        if m.error_message is None:
            put(b"\0")
        else:
            text = m.error_message.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        text = m.group_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.group_state.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_ii(m.group_epoch, m.assignment_epoch))
        if m.topology is None:
            put(b"\xff")
        else:
            put(b"\x01")
            write_described_streams_topology_v0(out, m.topology)
        n = len(m.members) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_described_streams_member_v0_list(out, m.members)
        put(pack_ix(m.authorized_operations))


def write_streams_group_describe_response_v0(out: list[MessagePart], m: StreamsGroupDescribeResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.groups) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_described_streams_group_v0_list(out, m.groups)
    put(b"\0")


def write_described_topology_node_v1(out: list[MessagePart], m: DescribedTopologyNode) -> None:
    put = out.append
    text = m.name.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    put(pack_b(m.node_type))
    n = len(m.source_topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_compact_strings(out, m.source_topics)
    if m.sink_topic is None:
        put(b"\0")
    else:
        text = m.sink_topic.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    n = len(m.stores) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_compact_strings(out, m.stores)
    n = len(m.successors) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_compact_strings(out, m.successors)
    put(b"\0")


def write_described_topology_node_v1_list(out: list[MessagePart], items: list[DescribedTopologyNode]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_b(m.node_type))
        n = len(m.source_topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_compact_strings(out, m.source_topics)
        if m.sink_topic is None:
            put(b"\0")
        else:
            text = m.sink_topic.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        n = len(m.stores) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_compact_strings(out, m.stores)
        n = len(m.successors) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_compact_strings(out, m.successors)
        put(b"\0")


def write_described_topology_subtopology_v1_list(out: list[MessagePart], items: list[DescribedTopologySubtopology]) -> None:
    put = out.append
    for m in items:
        text = m.subtopology_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.nodes) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_described_topology_node_v1_list(out, m.nodes)
        put(b"\0")


def write_described_topology_global_store_v1_list(out: list[MessagePart], items: list[DescribedTopologyGlobalStore]) -> None:
    put = out.append
    for m in items:
        write_described_topology_node_v1(out, m.source)
        write_described_topology_node_v1(out, m.processor)
        put(b"\0")


def write_described_topology_v1(out: list[MessagePart], m: DescribedTopology) -> None:
    put = out.append
    n = len(m.subtopologies) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_described_topology_subtopology_v1_list(out, m.subtopologies)
    n = len(m.global_stores) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_described_topology_global_store_v1_list(out, m.global_stores)
    put(b"\0")


def write_described_streams_group_v1_list(out: list[MessagePart], items: list[DescribedStreamsGroup]) -> None:
    put = out.append
    for m in items:
        put(pack_h(m.error_code))
        if m.error_message is None:
            put(b"\0")
        else:
            text = m.error_message.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        text = m.group_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.group_state.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_ii(m.group_epoch, m.assignment_epoch))
        if m.topology is None:
            put(b"\xff")
        else:
            put(b"\x01")
            write_described_streams_topology_v0(out, m.topology)
        n = len(m.members) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_described_streams_member_v0_list(out, m.members)
        put(pack_i(m.authorized_operations))
        if m.topology_description is None:
            put(b"\xff")
        else:
            put(b"\x01")
            write_described_topology_v1(out, m.topology_description)
        put(pack_b(m.topology_description_status))
        if m.assignor_name is None:
            put(b"\0")
        else:
            text = m.assignor_name.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(b"\0")


def write_streams_group_describe_response_v1(out: list[MessagePart], m: StreamsGroupDescribeResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.groups) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_described_streams_group_v1_list(out, m.groups)
    put(b"\0")


StreamsGroupDescribeRequest.WRITERS = {
    0: write_streams_group_describe_request_v0,
    1: write_streams_group_describe_request_v1,
}
StreamsGroupDescribeResponse.WRITERS = {
    0: write_streams_group_describe_response_v0,
    1: write_streams_group_describe_response_v1,
}
