"""Generated from `tenure/protocol/tables/consumer_group_records.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.consumer_group_records import (
    ClassicMemberMetadata,
    ClassicProtocol,
    ConsumerGroupCurrentMemberAssignmentKey,
    ConsumerGroupCurrentMemberAssignmentValue,
    ConsumerGroupMemberMetadataKey,
    ConsumerGroupMemberMetadataValue,
    ConsumerGroupMetadataKey,
    ConsumerGroupMetadataValue,
    ConsumerGroupPartitionMetadataKey,
    ConsumerGroupPartitionMetadataValue,
    ConsumerGroupRegularExpressionKey,
    ConsumerGroupRegularExpressionValue,
    ConsumerGroupTargetAssignmentMemberKey,
    ConsumerGroupTargetAssignmentMemberValue,
    ConsumerGroupTargetAssignmentMetadataKey,
    ConsumerGroupTargetAssignmentMetadataValue,
    CurrentTopicPartitions,
    DEFAULT_CLASSIC_MEMBER_METADATA,
    PartitionMetadata,
    TargetTopicPartitions,
    TopicMetadata,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    joined,
    pack_compact_int32s,
    tagged,
    uvarint,
    write_compact_strings,
)

pack_16s: Final = Packer(">16s").pack
pack_h: Final = Packer(">h").pack
pack_i: Final = Packer(">i").pack
pack_iib: Final = Packer(">iib").pack
pack_q: Final = Packer(">q").pack
pack_qqx: Final = Packer(">qqx").pack


def write_consumer_group_metadata_key_v0(out: list[MessagePart], m: ConsumerGroupMetadataKey) -> None:
    put = out.append
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)


def write_consumer_group_metadata_value_v0(out: list[MessagePart], m: ConsumerGroupMetadataValue) -> None:
    put = out.append
    put(pack_i(m.epoch))
    tags: list[MessagePart] = []
    if m.metadata_hash != 0:
        tags.append(b'\x00\x08' + pack_q(m.metadata_hash))
    put(UVARINT[len(tags)])
    out.extend(tags)


def write_consumer_group_partition_metadata_key_v0(out: list[MessagePart], m: ConsumerGroupPartitionMetadataKey) -> None:
    put = out.append
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)


def write_partition_metadata_v0_list(out: list[MessagePart], items: list[PartitionMetadata]) -> None:
    put = out.append
    for m in items:
        put(pack_i(m.partition))
        n = len(m.racks) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_compact_strings(out, m.racks)
        put(b"\0")


def write_topic_metadata_v0_list(out: list[MessagePart], items: list[TopicMetadata]) -> None:
    put = out.append
    for m in items:
        text = m.topic_name.encode()
        put(pack_16s(m.topic_id))
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_i(m.num_partitions))
        n = len(m.partition_metadata) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_partition_metadata_v0_list(out, m.partition_metadata)
        put(b"\0")


def write_consumer_group_partition_metadata_value_v0(out: list[MessagePart], m: ConsumerGroupPartitionMetadataValue) -> None:
    put = out.append
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_topic_metadata_v0_list(out, m.topics)
    put(b"\0")


def write_consumer_group_member_metadata_key_v0(out: list[MessagePart], m: ConsumerGroupMemberMetadataKey) -> None:
    put = out.append
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)
    text = m.member_id.encode()
    put(pack_h(len(text)))
    put(text)


def write_classic_protocol_v0_list(out: list[MessagePart], items: list[ClassicProtocol]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.metadata) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(m.metadata)
        put(b"\0")


def write_classic_member_metadata_v0(out: list[MessagePart], m: ClassicMemberMetadata) -> None:
    put = out.append
    put(pack_i(m.session_timeout_ms))
    n = len(m.supported_protocols) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_classic_protocol_v0_list(out, m.supported_protocols)
    put(b"\0")


def write_consumer_group_member_metadata_value_v0(out: list[MessagePart], m: ConsumerGroupMemberMetadataValue) -> None:
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
    put(pack_i(m.rebalance_timeout_ms))
    if m.server_assignor is None:
        put(b"\0")
    else:
        text = m.server_assignor.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    tags: list[MessagePart] = []
    part: list[MessagePart]
    if m.classic_member_metadata is not DEFAULT_CLASSIC_MEMBER_METADATA and m.classic_member_metadata != DEFAULT_CLASSIC_MEMBER_METADATA:
        part = []
        if m.classic_member_metadata is None:
            part.append(b"\0")
        else:
            part.append(b"\x01")
            write_classic_member_metadata_v0(part, m.classic_member_metadata)
        tags.append(tagged(0, joined(part)))
    put(UVARINT[len(tags)])
    out.extend(tags)


def write_consumer_group_target_assignment_metadata_key_v0(out: list[MessagePart], m: ConsumerGroupTargetAssignmentMetadataKey) -> None:
    put = out.append
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)


def write_consumer_group_target_assignment_metadata_value_v0(out: list[MessagePart], m: ConsumerGroupTargetAssignmentMetadataValue) -> None:
    put = out.append
    put(pack_i(m.assignment_epoch))
    tags: list[MessagePart] = []
    if m.assignment_timestamp != 0:
        tags.append(b'\x00\x08' + pack_q(m.assignment_timestamp))
    put(UVARINT[len(tags)])
    out.extend(tags)


def write_consumer_group_target_assignment_member_key_v0(out: list[MessagePart], m: ConsumerGroupTargetAssignmentMemberKey) -> None:
    put = out.append
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)
    text = m.member_id.encode()
    put(pack_h(len(text)))
    put(text)


def write_target_topic_partitions_v0_list(out: list[MessagePart], items: list[TargetTopicPartitions]) -> None:
    put = out.append
    for m in items:
        put(pack_16s(m.topic_id))
        put(pack_compact_int32s(m.partitions))
        put(b"\0")


def write_consumer_group_target_assignment_member_value_v0(out: list[MessagePart], m: ConsumerGroupTargetAssignmentMemberValue) -> None:
    put = out.append
    n = len(m.topic_partitions) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_target_topic_partitions_v0_list(out, m.topic_partitions)
    put(b"\0")


def write_consumer_group_current_member_assignment_key_v0(out: list[MessagePart], m: ConsumerGroupCurrentMemberAssignmentKey) -> None:
    put = out.append
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)
    text = m.member_id.encode()
    put(pack_h(len(text)))
    put(text)


def write_current_topic_partitions_v0_list(out: list[MessagePart], items: list[CurrentTopicPartitions]) -> None:
    put = out.append
    for m in items:
        put(pack_16s(m.topic_id))
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


def write_consumer_group_current_member_assignment_value_v0(out: list[MessagePart], m: ConsumerGroupCurrentMemberAssignmentValue) -> None:
    put = out.append
    put(pack_iib(m.member_epoch, m.previous_member_epoch, m.state))
    n = len(m.assigned_partitions) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_current_topic_partitions_v0_list(out, m.assigned_partitions)
    n = len(m.partitions_pending_revocation) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_current_topic_partitions_v0_list(out, m.partitions_pending_revocation)
    put(b"\0")


def write_consumer_group_regular_expression_key_v0(out: list[MessagePart], m: ConsumerGroupRegularExpressionKey) -> None:
    put = out.append
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)
    text = m.regular_expression.encode()
    put(pack_h(len(text)))
    put(text)


def write_consumer_group_regular_expression_value_v0(out: list[MessagePart], m: ConsumerGroupRegularExpressionValue) -> None:
    put = out.append
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_compact_strings(out, m.topics)
    put(pack_qqx(m.version, m.timestamp))


ConsumerGroupMetadataKey.WRITERS = {
    0: write_consumer_group_metadata_key_v0,
}
ConsumerGroupMetadataValue.WRITERS = {
    0: write_consumer_group_metadata_value_v0,
}
ConsumerGroupPartitionMetadataKey.WRITERS = {
    0: write_consumer_group_partition_metadata_key_v0,
}
ConsumerGroupPartitionMetadataValue.WRITERS = {
    0: write_consumer_group_partition_metadata_value_v0,
}
ConsumerGroupMemberMetadataKey.WRITERS = {
    0: write_consumer_group_member_metadata_key_v0,
}
ConsumerGroupMemberMetadataValue.WRITERS = {
    0: write_consumer_group_member_metadata_value_v0,
}
ConsumerGroupTargetAssignmentMetadataKey.WRITERS = {
    0: write_consumer_group_target_assignment_metadata_key_v0,
}
ConsumerGroupTargetAssignmentMetadataValue.WRITERS = {
    0: write_consumer_group_target_assignment_metadata_value_v0,
}
ConsumerGroupTargetAssignmentMemberKey.WRITERS = {
    0: write_consumer_group_target_assignment_member_key_v0,
}
ConsumerGroupTargetAssignmentMemberValue.WRITERS = {
    0: write_consumer_group_target_assignment_member_value_v0,
}
ConsumerGroupCurrentMemberAssignmentKey.WRITERS = {
    0: write_consumer_group_current_member_assignment_key_v0,
}
ConsumerGroupCurrentMemberAssignmentValue.WRITERS = {
    0: write_consumer_group_current_member_assignment_value_v0,
}
ConsumerGroupRegularExpressionKey.WRITERS = {
    0: write_consumer_group_regular_expression_key_v0,
}
ConsumerGroupRegularExpressionValue.WRITERS = {
    0: write_consumer_group_regular_expression_value_v0,
}
