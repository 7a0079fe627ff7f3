"""Generated from `tenure/protocol/tables/consumer_group_describe.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.consumer_group_describe import (
    ConsumerGroupDescribeRequest,
    ConsumerGroupDescribeResponse,
    DescribedAssignment,
    DescribedConsumerGroup,
    DescribedConsumerGroupMember,
    DescribedTopicPartitions,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    pack_compact_int32s,
    uvarint,
    write_compact_strings,
)

pack_16s: Final = Packer(">16s").pack
pack_Zx: Final = Packer(">?x").pack
pack_bx: Final = Packer(">bx").pack
pack_h: Final = Packer(">h").pack
pack_i: Final = Packer(">i").pack
pack_ii: Final = Packer(">ii").pack
pack_ix: Final = Packer(">ix").pack


def write_consumer_group_describe_request_v0(out: list[MessagePart], m: ConsumerGroupDescribeRequest) -> None:
    put = out.append
    n = len(m.group_ids) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_compact_strings(out, m.group_ids)
    put(pack_Zx(m.include_authorized_operations))


def write_described_topic_partitions_v0_list(out: list[MessagePart], items: list[DescribedTopicPartitions]) -> None:
    put = out.append
    for m in items:
        text = m.topic_name.encode()
        put(pack_16s(m.topic_id))
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_compact_int32s(m.partitions))
        put(b"\0")


def write_described_assignment_v0(out: list[MessagePart], m: DescribedAssignment) -> None:
    put = out.append
    n = len(m.topic_partitions) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_described_topic_partitions_v0_list(out, m.topic_partitions)
    put(b"\0")


def write_described_consumer_group_member_v0_list(out: list[MessagePart], items: list[DescribedConsumerGroupMember]) -> None:
    put = out.append
    for m in items:
        text = m.member_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
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
        put(pack_i(m.member_epoch))
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.client_host.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
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
        write_described_assignment_v0(out, m.assignment)
        write_described_assignment_v0(out, m.target_assignment)
        put(b"\0")


def write_described_consumer_group_v0_list(out: list[MessagePart], items: list[DescribedConsumerGroup]) -> None:
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
        text = m.assignor_name.encode()
        put(pack_ii(m.group_epoch, m.assignment_epoch))
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.members) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_described_consumer_group_member_v0_list(out, m.members)
        put(pack_ix(m.authorized_operations))


def write_consumer_group_describe_response_v0(out: list[MessagePart], m: ConsumerGroupDescribeResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.groups) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_described_consumer_group_v0_list(out, m.groups)
    put(b"\0")


def write_described_consumer_group_member_v1_list(out: list[MessagePart], items: list[DescribedConsumerGroupMember]) -> None:
    put = out.append
    for m in items:
        text = m.member_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
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
        put(pack_i(m.member_epoch))
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.client_host.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
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
        write_described_assignment_v0(out, m.assignment)
        write_described_assignment_v0(out, m.target_assignment)
        put(pack_bx(m.member_type))


def write_described_consumer_group_v1_list(out: list[MessagePart], items: list[DescribedConsumerGroup]) -> None:
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
        text = m.assignor_name.encode()
        put(pack_ii(m.group_epoch, m.assignment_epoch))
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.members) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_described_consumer_group_member_v1_list(out, m.members)
        put(pack_ix(m.authorized_operations))


def write_consumer_group_describe_response_v1(out: list[MessagePart], m: ConsumerGroupDescribeResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.groups) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_described_consumer_group_v1_list(out, m.groups)
    put(b"\0")


ConsumerGroupDescribeRequest.WRITERS = {
    0: write_consumer_group_describe_request_v0,
    1: write_consumer_group_describe_request_v0,
}
ConsumerGroupDescribeResponse.WRITERS = {
    0: write_consumer_group_describe_response_v0,
    1: write_consumer_group_describe_response_v1,
}
