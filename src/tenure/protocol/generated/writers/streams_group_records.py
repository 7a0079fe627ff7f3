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
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    joined,
    pack_compact_int32s,
    pack_int16s,
    tagged,
    uvarint,
    write_compact_strings,
)

pack_Hx: Final = Packer(">Hx").pack
pack_h: Final = Packer(">h").pack
pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack
pack_ii: Final = Packer(">ii").pack
pack_iib: Final = Packer(">iib").pack
pack_iq: Final = Packer(">iq").pack
pack_q: Final = Packer(">q").pack


def write_streams_group_metadata_key_v0(out: list[MessagePart], m: StreamsGroupMetadataKey) -> None:
    put = out.append
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)


def write_last_assignment_config_v0_list(out: list[MessagePart], items: list[LastAssignmentConfig]) -> None:
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


def write_streams_group_metadata_value_v0(out: list[MessagePart], m: StreamsGroupMetadataValue) -> None:
    put = out.append
    put(pack_iq(m.epoch, m.metadata_hash))
    tags: list[MessagePart] = []
    part: list[MessagePart]
    if m.validated_topology_epoch != -1:
        tags.append(b'\x00\x04' + pack_i(m.validated_topology_epoch))
    if (m.last_assignment_configs is None or m.last_assignment_configs):
        part = []
        if m.last_assignment_configs is None:
            part.append(b"\0")
        else:
            n = len(m.last_assignment_configs) + 1
            part.append(UVARINT[n] if n < 128 else uvarint(n))
            write_last_assignment_config_v0_list(part, m.last_assignment_configs)
        tags.append(tagged(1, joined(part)))
    if m.stored_description_topology_epoch != -1:
        tags.append(b'\x02\x04' + pack_i(m.stored_description_topology_epoch))
    if m.failed_description_topology_epoch != -1:
        tags.append(b'\x03\x04' + pack_i(m.failed_description_topology_epoch))
    put(UVARINT[len(tags)])
    out.extend(tags)


def write_streams_group_member_metadata_key_v0(out: list[MessagePart], m: StreamsGroupMemberMetadataKey) -> None:
    put = out.append
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)
    text = m.member_id.encode()
    put(pack_h(len(text)))
    put(text)


def write_streams_endpoint_v0(out: list[MessagePart], m: StreamsEndpoint) -> None:
    put = out.append
    text = m.host.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    put(pack_Hx(m.port))


def write_streams_client_tag_v0_list(out: list[MessagePart], items: list[StreamsClientTag]) -> None:
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


def write_streams_group_member_metadata_value_v0(out: list[MessagePart], m: StreamsGroupMemberMetadataValue) -> None:
    put = out.append
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
    put(pack_ii(m.rebalance_timeout_ms, m.topology_epoch))
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    if m.user_endpoint is None:
        put(b"\xff")
    else:
        put(b"\x01")
        write_streams_endpoint_v0(out, m.user_endpoint)
    n = len(m.client_tags) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_streams_client_tag_v0_list(out, m.client_tags)
    put(b"\0")


def write_streams_group_target_assignment_metadata_key_v0(out: list[MessagePart], m: StreamsGroupTargetAssignmentMetadataKey) -> None:
    put = out.append
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)


def write_streams_group_target_assignment_metadata_value_v0(out: list[MessagePart], m: StreamsGroupTargetAssignmentMetadataValue) -> None:
    put = out.append
    put(pack_i(m.assignment_epoch))
    tags: list[MessagePart] = []
    if m.assignment_timestamp != 0:
        tags.append(b'\x00\x08' + pack_q(m.assignment_timestamp))
    put(UVARINT[len(tags)])
    out.extend(tags)


def write_streams_group_target_assignment_member_key_v0(out: list[MessagePart], m: StreamsGroupTargetAssignmentMemberKey) -> None:
    put = out.append
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)
    text = m.member_id.encode()
    put(pack_h(len(text)))
    put(text)


def write_target_task_ids_v0_list(out: list[MessagePart], items: list[TargetTaskIds]) -> None:
    put = out.append
    for m in items:
        text = m.subtopology_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_compact_int32s(m.partitions))
        put(b"\0")


def write_streams_group_target_assignment_member_value_v0(out: list[MessagePart], m: StreamsGroupTargetAssignmentMemberValue) -> None:
    put = out.append
    n = len(m.active_tasks) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_target_task_ids_v0_list(out, m.active_tasks)
    n = len(m.standby_tasks) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_target_task_ids_v0_list(out, m.standby_tasks)
    n = len(m.warmup_tasks) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_target_task_ids_v0_list(out, m.warmup_tasks)
    put(b"\0")


def write_streams_group_current_member_assignment_key_v0(out: list[MessagePart], m: StreamsGroupCurrentMemberAssignmentKey) -> None:
    put = out.append
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)
    text = m.member_id.encode()
    put(pack_h(len(text)))
    put(text)


def write_current_task_ids_v0_list(out: list[MessagePart], items: list[CurrentTaskIds]) -> None:
    put = out.append
    for m in items:
        text = m.subtopology_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_compact_int32s(m.partitions))
        tags: list[MessagePart] = []
        part: list[MessagePart]
        if (m.assignment_epochs is None or m.assignment_epochs):
            part = []
            if m.assignment_epochs is None:
                part.append(b"\0")
            else:
                part.append(pack_compact_int32s(m.assignment_epochs))
            tags.append(tagged(0, joined(part)))
        put(UVARINT[len(tags)])
        out.extend(tags)


def write_streams_group_current_member_assignment_value_v0(out: list[MessagePart], m: StreamsGroupCurrentMemberAssignmentValue) -> None:
    put = out.append
    put(pack_iib(m.member_epoch, m.previous_member_epoch, m.state))
    n = len(m.active_tasks) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_current_task_ids_v0_list(out, m.active_tasks)
    n = len(m.standby_tasks) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_current_task_ids_v0_list(out, m.standby_tasks)
    n = len(m.warmup_tasks) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_current_task_ids_v0_list(out, m.warmup_tasks)
    n = len(m.active_tasks_pending_revocation) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_current_task_ids_v0_list(out, m.active_tasks_pending_revocation)
    n = len(m.standby_tasks_pending_revocation) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_current_task_ids_v0_list(out, m.standby_tasks_pending_revocation)
    n = len(m.warmup_tasks_pending_revocation) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_current_task_ids_v0_list(out, m.warmup_tasks_pending_revocation)
    put(b"\0")


def write_streams_group_topology_key_v0(out: list[MessagePart], m: StreamsGroupTopologyKey) -> None:
    put = out.append
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)


def write_topology_topic_config_v0_list(out: list[MessagePart], items: list[TopologyTopicConfig]) -> None:
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


def write_topology_topic_info_v0_list(out: list[MessagePart], items: list[TopologyTopicInfo]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_ih(m.partitions, m.replication_factor))
        n = len(m.topic_configs) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_topology_topic_config_v0_list(out, m.topic_configs)
        put(b"\0")


def write_topology_copartition_group_v0_list(out: list[MessagePart], items: list[TopologyCopartitionGroup]) -> None:
    put = out.append
    for m in items:
        n = len(m.source_topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(pack_int16s(m.source_topics))
        n = len(m.source_topic_regex) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(pack_int16s(m.source_topic_regex))
        n = len(m.repartition_source_topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(pack_int16s(m.repartition_source_topics))
        put(b"\0")


def write_topology_subtopology_v0_list(out: list[MessagePart], items: list[TopologySubtopology]) -> None:
    put = out.append
    for m in items:
        text = m.subtopology_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.source_topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_compact_strings(out, m.source_topics)
        n = len(m.source_topic_regex) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_compact_strings(out, m.source_topic_regex)
        n = len(m.state_changelog_topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_topology_topic_info_v0_list(out, m.state_changelog_topics)
        n = len(m.repartition_sink_topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_compact_strings(out, m.repartition_sink_topics)
        n = len(m.repartition_source_topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_topology_topic_info_v0_list(out, m.repartition_source_topics)
        n = len(m.copartition_groups) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_topology_copartition_group_v0_list(out, m.copartition_groups)
        put(b"\0")


def write_streams_group_topology_value_v0(out: list[MessagePart], m: StreamsGroupTopologyValue) -> None:
    put = out.append
    put(pack_i(m.epoch))
    n = len(m.subtopologies) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_topology_subtopology_v0_list(out, m.subtopologies)
    put(b"\0")


StreamsGroupMetadataKey.WRITERS = {
    0: write_streams_group_metadata_key_v0,
}
StreamsGroupMetadataValue.WRITERS = {
    0: write_streams_group_metadata_value_v0,
}
StreamsGroupMemberMetadataKey.WRITERS = {
    0: write_streams_group_member_metadata_key_v0,
}
StreamsGroupMemberMetadataValue.WRITERS = {
    0: write_streams_group_member_metadata_value_v0,
}
StreamsGroupTargetAssignmentMetadataKey.WRITERS = {
    0: write_streams_group_target_assignment_metadata_key_v0,
}
StreamsGroupTargetAssignmentMetadataValue.WRITERS = {
    0: write_streams_group_target_assignment_metadata_value_v0,
}
StreamsGroupTargetAssignmentMemberKey.WRITERS = {
    0: write_streams_group_target_assignment_member_key_v0,
}
StreamsGroupTargetAssignmentMemberValue.WRITERS = {
    0: write_streams_group_target_assignment_member_value_v0,
}
StreamsGroupCurrentMemberAssignmentKey.WRITERS = {
    0: write_streams_group_current_member_assignment_key_v0,
}
StreamsGroupCurrentMemberAssignmentValue.WRITERS = {
    0: write_streams_group_current_member_assignment_value_v0,
}
StreamsGroupTopologyKey.WRITERS = {
    0: write_streams_group_topology_key_v0,
}
StreamsGroupTopologyValue.WRITERS = {
    0: write_streams_group_topology_value_v0,
}
