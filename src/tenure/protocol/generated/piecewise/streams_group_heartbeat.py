"""Generated from `tenure/protocol/tables/streams_group_heartbeat.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.streams_group_heartbeat import (
    StreamsGroupHeartbeatResponse,
    StreamsHeartbeatEndpointToPartitions,
)
from tenure.protocol.generated.writers.streams_group_heartbeat import (
    write_streams_heartbeat_endpoint_v0,
    write_streams_heartbeat_status_v0_list,
    write_streams_heartbeat_task_ids_v0_list,
    write_streams_heartbeat_topic_partition_v0_list,
)
from tenure.protocol.message import (
    MessagePart,
    UnsupportedVersion,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_Zi: Final = Packer(">?i").pack
pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack
pack_iiii: Final = Packer(">iiii").pack
pack_iiiq: Final = Packer(">iiiq").pack


def pieces_of_streams_heartbeat_endpoint_to_partitions_v0_list(out: list[MessagePart], items: list[StreamsHeartbeatEndpointToPartitions]) -> Iterator[None]:
    put = out.append
    for m in items:
        write_streams_heartbeat_endpoint_v0(out, m.user_endpoint)
        n = len(m.active_partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.active_partitions), 256):
            write_streams_heartbeat_topic_partition_v0_list(out, m.active_partitions[start : start + 256])
            yield
        n = len(m.standby_partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.standby_partitions), 256):
            write_streams_heartbeat_topic_partition_v0_list(out, m.standby_partitions[start : start + 256])
            yield
        put(b"\0")
        yield


def pieces_of_streams_group_heartbeat_response_v0(out: list[MessagePart], m: StreamsGroupHeartbeatResponse) -> Iterator[None]:
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
        for start in range(0, len(m.status), 256):
            write_streams_heartbeat_status_v0_list(out, m.status[start : start + 256])
            yield
    if m.active_tasks is None:
        put(b"\0")
    else:
        n = len(m.active_tasks) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.active_tasks), 256):
            write_streams_heartbeat_task_ids_v0_list(out, m.active_tasks[start : start + 256])
            yield
    if m.standby_tasks is None:
        put(b"\0")
    else:
        n = len(m.standby_tasks) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.standby_tasks), 256):
            write_streams_heartbeat_task_ids_v0_list(out, m.standby_tasks[start : start + 256])
            yield
    if m.warmup_tasks is None:
        put(b"\0")
    else:
        n = len(m.warmup_tasks) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.warmup_tasks), 256):
            write_streams_heartbeat_task_ids_v0_list(out, m.warmup_tasks[start : start + 256])
            yield
    put(pack_i(m.endpoint_information_epoch))
    if m.partitions_by_user_endpoint is None:
        put(b"\0")
    else:
        n = len(m.partitions_by_user_endpoint) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        yield from pieces_of_streams_heartbeat_endpoint_to_partitions_v0_list(out, m.partitions_by_user_endpoint)
    put(b"\0")


def pieces_of_streams_group_heartbeat_response_v1(out: list[MessagePart], m: StreamsGroupHeartbeatResponse) -> Iterator[None]:
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
        for start in range(0, len(m.status), 256):
            write_streams_heartbeat_status_v0_list(out, m.status[start : start + 256])
            yield
    if m.active_tasks is None:
        put(b"\0")
    else:
        n = len(m.active_tasks) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.active_tasks), 256):
            write_streams_heartbeat_task_ids_v0_list(out, m.active_tasks[start : start + 256])
            yield
    if m.standby_tasks is None:
        put(b"\0")
    else:
        n = len(m.standby_tasks) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.standby_tasks), 256):
            write_streams_heartbeat_task_ids_v0_list(out, m.standby_tasks[start : start + 256])
            yield
    if m.warmup_tasks is None:
        put(b"\0")
    else:
        n = len(m.warmup_tasks) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.warmup_tasks), 256):
            write_streams_heartbeat_task_ids_v0_list(out, m.warmup_tasks[start : start + 256])
            yield
    put(pack_Zi(m.topology_description_required, m.endpoint_information_epoch))
    if m.partitions_by_user_endpoint is None:
        put(b"\0")
    else:
        n = len(m.partitions_by_user_endpoint) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        yield from pieces_of_streams_heartbeat_endpoint_to_partitions_v0_list(out, m.partitions_by_user_endpoint)
    put(b"\0")


StreamsGroupHeartbeatResponse.PIECEWISE_WRITERS = {
    0: pieces_of_streams_group_heartbeat_response_v0,
    1: pieces_of_streams_group_heartbeat_response_v1,
}
