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
    MessagePart,
    UnsupportedVersion,
)
from tenure.protocol.wire import (
    UVARINT,
    pack_compact_int32s,
    pack_int16s,
    uvarint,
    write_compact_strings,
)

pack_Zi: Final = Packer(">?i").pack
pack_Zx: Final = Packer(">?x").pack
pack_Hx: Final = Packer(">Hx").pack
pack_b: Final = Packer(">b").pack
pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack
pack_ii: Final = Packer(">ii").pack
pack_iiii: Final = Packer(">iiii").pack
pack_iiiq: Final = Packer(">iiiq").pack
pack_iqx: Final = Packer(">iqx").pack


def write_streams_heartbeat_key_value_v0_list(out: list[MessagePart], items: list[StreamsHeartbeatKeyValue]) -> None:
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


def write_streams_heartbeat_topic_info_v0_list(out: list[MessagePart], items: list[StreamsHeartbeatTopicInfo]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_ih(m.partitions, m.replication_factor))
        n = len(m.topic_configs) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_streams_heartbeat_key_value_v0_list(out, m.topic_configs)
        put(b"\0")


def write_streams_heartbeat_copartition_group_v0_list(out: list[MessagePart], items: list[StreamsHeartbeatCopartitionGroup]) -> None:
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


def write_streams_heartbeat_subtopology_v0_list(out: list[MessagePart], items: list[StreamsHeartbeatSubtopology]) -> None:
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
        write_streams_heartbeat_topic_info_v0_list(out, m.state_changelog_topics)
        n = len(m.repartition_sink_topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_compact_strings(out, m.repartition_sink_topics)
        n = len(m.repartition_source_topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_streams_heartbeat_topic_info_v0_list(out, m.repartition_source_topics)
        n = len(m.copartition_groups) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_streams_heartbeat_copartition_group_v0_list(out, m.copartition_groups)
        put(b"\0")


def write_streams_heartbeat_topology_v0(out: list[MessagePart], m: StreamsHeartbeatTopology) -> None:
    put = out.append
    put(pack_i(m.epoch))
    n = len(m.subtopologies) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_streams_heartbeat_subtopology_v0_list(out, m.subtopologies)
    put(b"\0")


def write_streams_heartbeat_task_ids_v0_list(out: list[MessagePart], items: list[StreamsHeartbeatTaskIds]) -> None:
    put = out.append
    for m in items:
        text = m.subtopology_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_compact_int32s(m.partitions))
        put(b"\0")


def write_streams_heartbeat_endpoint_v0(out: list[MessagePart], m: StreamsHeartbeatEndpoint) -> None:
    put = out.append
    text = m.host.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    put(pack_Hx(m.port))


def write_streams_heartbeat_task_offset_v0_list(out: list[MessagePart], items: list[StreamsHeartbeatTaskOffset]) -> None:
    put = out.append
    for m in items:
        text = m.subtopology_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_iqx(m.partition, m.offset))


def write_streams_group_heartbeat_request_v0(out: list[MessagePart], m: StreamsGroupHeartbeatRequest) -> None:
    put = out.append
    text = m.group_id.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    text = m.member_id.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    put(pack_ii(m.member_epoch, m.endpoint_information_epoch))
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
    put(pack_i(m.rebalance_timeout_ms))
    if m.topology is None:
        put(b"\xff")
    else:
        put(b"\x01")
        write_streams_heartbeat_topology_v0(out, m.topology)
    if m.active_tasks is None:
        put(b"\0")
    else:
        n = len(m.active_tasks) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_streams_heartbeat_task_ids_v0_list(out, m.active_tasks)
    if m.standby_tasks is None:
        put(b"\0")
    else:
        n = len(m.standby_tasks) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_streams_heartbeat_task_ids_v0_list(out, m.standby_tasks)
    if m.warmup_tasks is None:
        put(b"\0")
    else:
        n = len(m.warmup_tasks) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_streams_heartbeat_task_ids_v0_list(out, m.warmup_tasks)
    if m.process_id is None:
        put(b"\0")
    else:
        text = m.process_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    if m.user_endpoint is None:
        put(b"\xff")
    else:
        put(b"\x01")
        write_streams_heartbeat_endpoint_v0(out, m.user_endpoint)
    if m.client_tags is None:
        put(b"\0")
    else:
        n = len(m.client_tags) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_streams_heartbeat_key_value_v0_list(out, m.client_tags)
    if m.task_offsets is None:
        put(b"\0")
    else:
        n = len(m.task_offsets) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_streams_heartbeat_task_offset_v0_list(out, m.task_offsets)
    if m.task_end_offsets is None:
        put(b"\0")
    else:
        n = len(m.task_end_offsets) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_streams_heartbeat_task_offset_v0_list(out, m.task_end_offsets)
    put(pack_Zx(m.shutdown_application))


def write_streams_heartbeat_status_v0_list(out: list[MessagePart], items: list[StreamsHeartbeatStatus]) -> None:
    put = out.append
    for m in items:
        text = m.status_detail.encode()
        put(pack_b(m.status_code))
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(b"\0")


def write_streams_heartbeat_topic_partition_v0_list(out: list[MessagePart], items: list[StreamsHeartbeatTopicPartition]) -> None:
    put = out.append
    for m in items:
        text = m.topic.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_compact_int32s(m.partitions))
        put(b"\0")


def write_streams_heartbeat_endpoint_to_partitions_v0_list(out: list[MessagePart], items: list[StreamsHeartbeatEndpointToPartitions]) -> None:
    put = out.append
    for m in items:
        write_streams_heartbeat_endpoint_v0(out, m.user_endpoint)
        n = len(m.active_partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_streams_heartbeat_topic_partition_v0_list(out, m.active_partitions)
        n = len(m.standby_partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_streams_heartbeat_topic_partition_v0_list(out, m.standby_partitions)
        put(b"\0")


def write_streams_group_heartbeat_response_v0(out: list[MessagePart], m: StreamsGroupHeartbeatResponse) -> None:
    put = out.append
    if m.topology_description_required:
        raise UnsupportedVersion("StreamsGroupHeartbeatResponse.topology_description_required exists in versions 1+ only")
    put(pack_ih(m.throttle_time_ms, m.error_code))
    if m.error_message is None:
        put(b"\0")
    else:
        text = m.error_message.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    text = m.member_id.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    put(pack_iiii(m.member_epoch, m.heartbeat_interval_ms, m.acceptable_recovery_lag_legacy, m.task_offset_interval_ms))
    if m.status is None:
        put(b"\0")
    else:
        n = len(m.status) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_streams_heartbeat_status_v0_list(out, m.status)
    if m.active_tasks is None:
        put(b"\0")
    else:
        n = len(m.active_tasks) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_streams_heartbeat_task_ids_v0_list(out, m.active_tasks)
    if m.standby_tasks is None:
        put(b"\0")
    else:
        n = len(m.standby_tasks) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_streams_heartbeat_task_ids_v0_list(out, m.standby_tasks)
    if m.warmup_tasks is None:
        put(b"\0")
    else:
        n = len(m.warmup_tasks) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_streams_heartbeat_task_ids_v0_list(out, m.warmup_tasks)
    put(pack_i(m.endpoint_information_epoch))
    if m.partitions_by_user_endpoint is None:
        put(b"\0")
    else:
        n = len(m.partitions_by_user_endpoint) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_streams_heartbeat_endpoint_to_partitions_v0_list(out, m.partitions_by_user_endpoint)
    put(b"\0")


def write_streams_group_heartbeat_response_v1(out: list[MessagePart], m: StreamsGroupHeartbeatResponse) -> None:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    if m.error_message is None:
        put(b"\0")
    else:
        text = m.error_message.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    text = m.member_id.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    put(pack_iiiq(m.member_epoch, m.heartbeat_interval_ms, m.task_offset_interval_ms, m.acceptable_recovery_lag))
    if m.status is None:
        put(b"\0")
    else:
        n = len(m.status) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_streams_heartbeat_status_v0_list(out, m.status)
    if m.active_tasks is None:
        put(b"\0")
    else:
        n = len(m.active_tasks) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_streams_heartbeat_task_ids_v0_list(out, m.active_tasks)
    if m.standby_tasks is None:
        put(b"\0")
    else:
        n = len(m.standby_tasks) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_streams_heartbeat_task_ids_v0_list(out, m.standby_tasks)
    if m.warmup_tasks is None:
        put(b"\0")
    else:
        n = len(m.warmup_tasks) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_streams_heartbeat_task_ids_v0_list(out, m.warmup_tasks)
    put(pack_Zi(m.topology_description_required, m.endpoint_information_epoch))
    if m.partitions_by_user_endpoint is None:
        put(b"\0")
    else:
        n = len(m.partitions_by_user_endpoint) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_streams_heartbeat_endpoint_to_partitions_v0_list(out, m.partitions_by_user_endpoint)
    put(b"\0")


StreamsGroupHeartbeatRequest.WRITERS = {
    0: write_streams_group_heartbeat_request_v0,
    1: write_streams_group_heartbeat_request_v0,
}
StreamsGroupHeartbeatResponse.WRITERS = {
    0: write_streams_group_heartbeat_response_v0,
    1: write_streams_group_heartbeat_response_v1,
}
