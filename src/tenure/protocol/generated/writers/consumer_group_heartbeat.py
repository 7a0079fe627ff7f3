"""Generated from `tenure/protocol/tables/consumer_group_heartbeat.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.consumer_group_heartbeat import (
    ConsumerGroupHeartbeatRequest,
    ConsumerGroupHeartbeatResponse,
    HeartbeatAssignment,
    HeartbeatTopicPartitions,
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

pack_16s: Final = Packer(">16s").pack
pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack
pack_ii: Final = Packer(">ii").pack


def write_heartbeat_topic_partitions_v0_list(out: list[MessagePart], items: list[HeartbeatTopicPartitions]) -> None:
    put = out.append
    for m in items:
        put(pack_16s(m.topic_id))
        put(pack_compact_int32s(m.partitions))
        put(b"\0")


def write_consumer_group_heartbeat_request_v0(out: list[MessagePart], m: ConsumerGroupHeartbeatRequest) -> None:
    put = out.append
    if m.subscribed_topic_regex is not None:
        raise UnsupportedVersion("ConsumerGroupHeartbeatRequest.subscribed_topic_regex exists in versions 1+ only")
    text = m.group_id.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
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
    put(pack_i(m.rebalance_timeout_ms))
    if m.subscribed_topic_names is None:
        put(b"\0")
    else:
        n = len(m.subscribed_topic_names) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_compact_strings(out, m.subscribed_topic_names)
    if m.server_assignor is None:
        put(b"\0")
    else:
        text = m.server_assignor.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    if m.topic_partitions is None:
        put(b"\0")
    else:
        n = len(m.topic_partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_heartbeat_topic_partitions_v0_list(out, m.topic_partitions)
    put(b"\0")


def write_consumer_group_heartbeat_request_v1(out: list[MessagePart], m: ConsumerGroupHeartbeatRequest) -> None:
    put = out.append
    text = m.group_id.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
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
    put(pack_i(m.rebalance_timeout_ms))
    if m.subscribed_topic_names is None:
        put(b"\0")
    else:
        n = len(m.subscribed_topic_names) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_compact_strings(out, m.subscribed_topic_names)
    if m.subscribed_topic_regex is None:
        put(b"\0")
    else:
        text = m.subscribed_topic_regex.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    if m.server_assignor is None:
        put(b"\0")
    else:
        text = m.server_assignor.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    if m.topic_partitions is None:
        put(b"\0")
    else:
        n = len(m.topic_partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_heartbeat_topic_partitions_v0_list(out, m.topic_partitions)
    put(b"\0")


def write_heartbeat_assignment_v0(out: list[MessagePart], m: HeartbeatAssignment) -> None:
    put = out.append
    n = len(m.topic_partitions) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_heartbeat_topic_partitions_v0_list(out, m.topic_partitions)
    put(b"\0")


def write_consumer_group_heartbeat_response_v0(out: list[MessagePart], m: ConsumerGroupHeartbeatResponse) -> None:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    if m.error_message is None:
        put(b"\0")
    else:
        text = m.error_message.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    if m.member_id is None:
        put(b"\0")
    else:
        text = m.member_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    put(pack_ii(m.member_epoch, m.heartbeat_interval_ms))
    if m.assignment is None:
        put(b"\xff")
    else:
        put(b"\x01")
        write_heartbeat_assignment_v0(out, m.assignment)
    put(b"\0")


ConsumerGroupHeartbeatRequest.WRITERS = {
    0: write_consumer_group_heartbeat_request_v0,
    1: write_consumer_group_heartbeat_request_v1,
}
ConsumerGroupHeartbeatResponse.WRITERS = {
    0: write_consumer_group_heartbeat_response_v0,
    1: write_consumer_group_heartbeat_response_v0,
}
