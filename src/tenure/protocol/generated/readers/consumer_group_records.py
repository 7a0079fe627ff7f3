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
    MalformedMessage,
)
from tenure.protocol.wire import (
    read_compact_strings,
    read_int32s,
    read_tag,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
)

unpack_16sB: Final = Packer(">16sB").unpack_from
unpack_h: Final = Packer(">h").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_iibB: Final = Packer(">iibB").unpack_from
unpack_q: Final = Packer(">q").unpack_from
unpack_qqB: Final = Packer(">qqB").unpack_from


def read_consumer_group_metadata_key_v0(data: bytes, at: int) -> tuple[ConsumerGroupMetadataKey, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("ConsumerGroupMetadataKey.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    return ConsumerGroupMetadataKey(group_id), at


def read_consumer_group_metadata_value_v0(data: bytes, at: int) -> tuple[ConsumerGroupMetadataValue, int]:
    epoch, tags = unpack_iB(data, at)
    at += 5
    metadata_hash: int = 0
    if tags:
        tags, at = read_uvarint(data, at - 1)
        tag = -1
        for _ in range(tags):
            tag, n, at = read_tag(data, at, tag)
            stop = at + n
            if tag == 0:
                (metadata_hash,) = unpack_q(data, at)
                at += 8
            else:
                at = stop
            if at != stop:
                raise MalformedMessage(f"tag {tag} of ConsumerGroupMetadataValue has a wrong size")
    return ConsumerGroupMetadataValue(epoch, metadata_hash), at


def read_consumer_group_partition_metadata_key_v0(data: bytes, at: int) -> tuple[ConsumerGroupPartitionMetadataKey, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("ConsumerGroupPartitionMetadataKey.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    return ConsumerGroupPartitionMetadataKey(group_id), at


def read_partition_metadata_v0_list(data: bytes, at: int, announced: int) -> tuple[list[PartitionMetadata], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[PartitionMetadata] = []
    for _ in range(announced):
        partition, n = unpack_iB(data, at)
        at += 5
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("PartitionMetadata.racks is null")
        racks, at = read_compact_strings(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(PartitionMetadata(partition, racks))
    return found, at


def read_topic_metadata_v0_list(data: bytes, at: int, announced: int) -> tuple[list[TopicMetadata], int]:
    if announced * 23 > len(data) - at:
        raise too_many(announced, 23, data, at)
    found: list[TopicMetadata] = []
    for _ in range(announced):
        topic_id, n = unpack_16sB(data, at)
        at += 17
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TopicMetadata.topic_name is null")
        end = at + n
        topic_name = utf8(data[at:end])
        at = end
        num_partitions, n = unpack_iB(data, at)
        at += 5
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TopicMetadata.partition_metadata is null")
        partition_metadata, at = read_partition_metadata_v0_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(TopicMetadata(topic_id, topic_name, num_partitions, partition_metadata))
    return found, at


def read_consumer_group_partition_metadata_value_v0(data: bytes, at: int) -> tuple[ConsumerGroupPartitionMetadataValue, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ConsumerGroupPartitionMetadataValue.topics is null")
    topics, at = read_topic_metadata_v0_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return ConsumerGroupPartitionMetadataValue(topics), at


def read_consumer_group_member_metadata_key_v0(data: bytes, at: int) -> tuple[ConsumerGroupMemberMetadataKey, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("ConsumerGroupMemberMetadataKey.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("ConsumerGroupMemberMetadataKey.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    return ConsumerGroupMemberMetadataKey(group_id, member_id), at


def read_classic_protocol_v0_list(data: bytes, at: int, announced: int) -> tuple[list[ClassicProtocol], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[ClassicProtocol] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ClassicProtocol.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ClassicProtocol.metadata is null")
        end = at + n
        metadata = data[at:end]
        at = end
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(ClassicProtocol(name, metadata))
    return found, at


def read_classic_member_metadata_v0(data: bytes, at: int) -> tuple[ClassicMemberMetadata, int]:
    session_timeout_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ClassicMemberMetadata.supported_protocols is null")
    supported_protocols, at = read_classic_protocol_v0_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return ClassicMemberMetadata(session_timeout_ms, supported_protocols), at


def read_consumer_group_member_metadata_value_v0(data: bytes, at: int) -> tuple[ConsumerGroupMemberMetadataValue, int]:
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
        raise MalformedMessage("ConsumerGroupMemberMetadataValue.client_id is null")
    end = at + n
    client_id = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ConsumerGroupMemberMetadataValue.client_host is null")
    end = at + n
    client_host = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ConsumerGroupMemberMetadataValue.subscribed_topic_names is null")
    subscribed_topic_names, at = read_compact_strings(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        subscribed_topic_regex = utf8(data[at:end])
        at = end
    else:
        subscribed_topic_regex = None
    rebalance_timeout_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        server_assignor = utf8(data[at:end])
        at = end
    else:
        server_assignor = None
    tags = data[at]
    at += 1
    classic_member_metadata: ClassicMemberMetadata | None = DEFAULT_CLASSIC_MEMBER_METADATA
    if tags:
        tags, at = read_uvarint(data, at - 1)
        tag = -1
        for _ in range(tags):
            tag, n, at = read_tag(data, at, tag)
            stop = at + n
            if tag == 0:
                n, at = read_uvarint(data, at)
                if n == 0:
                    classic_member_metadata = None
                else:
                    classic_member_metadata, at = read_classic_member_metadata_v0(data, at)
            else:
                at = stop
            if at != stop:
                raise MalformedMessage(f"tag {tag} of ConsumerGroupMemberMetadataValue has a wrong size")
    return ConsumerGroupMemberMetadataValue(instance_id, rack_id, client_id, client_host, subscribed_topic_names, subscribed_topic_regex, rebalance_timeout_ms, server_assignor, classic_member_metadata), at


def read_consumer_group_target_assignment_metadata_key_v0(data: bytes, at: int) -> tuple[ConsumerGroupTargetAssignmentMetadataKey, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("ConsumerGroupTargetAssignmentMetadataKey.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    return ConsumerGroupTargetAssignmentMetadataKey(group_id), at


def read_consumer_group_target_assignment_metadata_value_v0(data: bytes, at: int) -> tuple[ConsumerGroupTargetAssignmentMetadataValue, int]:
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
                raise MalformedMessage(f"tag {tag} of ConsumerGroupTargetAssignmentMetadataValue has a wrong size")
    return ConsumerGroupTargetAssignmentMetadataValue(assignment_epoch, assignment_timestamp), at


def read_consumer_group_target_assignment_member_key_v0(data: bytes, at: int) -> tuple[ConsumerGroupTargetAssignmentMemberKey, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("ConsumerGroupTargetAssignmentMemberKey.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("ConsumerGroupTargetAssignmentMemberKey.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    return ConsumerGroupTargetAssignmentMemberKey(group_id, member_id), at


def read_target_topic_partitions_v0_list(data: bytes, at: int, announced: int) -> tuple[list[TargetTopicPartitions], int]:
    if announced * 18 > len(data) - at:
        raise too_many(announced, 18, data, at)
    found: list[TargetTopicPartitions] = []
    for _ in range(announced):
        topic_id, n = unpack_16sB(data, at)
        at += 17
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TargetTopicPartitions.partitions is null")
        partitions = read_int32s(data, at, n)
        at += 4 * n
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(TargetTopicPartitions(topic_id, partitions))
    return found, at


def read_consumer_group_target_assignment_member_value_v0(data: bytes, at: int) -> tuple[ConsumerGroupTargetAssignmentMemberValue, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ConsumerGroupTargetAssignmentMemberValue.topic_partitions is null")
    topic_partitions, at = read_target_topic_partitions_v0_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return ConsumerGroupTargetAssignmentMemberValue(topic_partitions), at


def read_consumer_group_current_member_assignment_key_v0(data: bytes, at: int) -> tuple[ConsumerGroupCurrentMemberAssignmentKey, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("ConsumerGroupCurrentMemberAssignmentKey.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("ConsumerGroupCurrentMemberAssignmentKey.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    return ConsumerGroupCurrentMemberAssignmentKey(group_id, member_id), at


def read_current_topic_partitions_v0_list(data: bytes, at: int, announced: int) -> tuple[list[CurrentTopicPartitions], int]:
    if announced * 18 > len(data) - at:
        raise too_many(announced, 18, data, at)
    found: list[CurrentTopicPartitions] = []
    for _ in range(announced):
        topic_id, n = unpack_16sB(data, at)
        at += 17
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("CurrentTopicPartitions.partitions is null")
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
                    raise MalformedMessage(f"tag {tag} of CurrentTopicPartitions has a wrong size")
        found.append(CurrentTopicPartitions(topic_id, partitions, assignment_epochs))
    return found, at


def read_consumer_group_current_member_assignment_value_v0(data: bytes, at: int) -> tuple[ConsumerGroupCurrentMemberAssignmentValue, int]:
    member_epoch, previous_member_epoch, state, n = unpack_iibB(data, at)
    at += 10
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ConsumerGroupCurrentMemberAssignmentValue.assigned_partitions is null")
    assigned_partitions, at = read_current_topic_partitions_v0_list(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ConsumerGroupCurrentMemberAssignmentValue.partitions_pending_revocation is null")
    partitions_pending_revocation, at = read_current_topic_partitions_v0_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return ConsumerGroupCurrentMemberAssignmentValue(member_epoch, previous_member_epoch, state, assigned_partitions, partitions_pending_revocation), at


def read_consumer_group_regular_expression_key_v0(data: bytes, at: int) -> tuple[ConsumerGroupRegularExpressionKey, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("ConsumerGroupRegularExpressionKey.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("ConsumerGroupRegularExpressionKey.regular_expression is null")
    end = at + n
    regular_expression = utf8(data[at:end])
    at = end
    return ConsumerGroupRegularExpressionKey(group_id, regular_expression), at


def read_consumer_group_regular_expression_value_v0(data: bytes, at: int) -> tuple[ConsumerGroupRegularExpressionValue, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ConsumerGroupRegularExpressionValue.topics is null")
    topics, at = read_compact_strings(data, at, n)
    version, timestamp, tags = unpack_qqB(data, at)
    at += 17
    if tags:
        at = skip_tags(data, at - 1)
    return ConsumerGroupRegularExpressionValue(topics, version, timestamp), at


ConsumerGroupMetadataKey.READERS = {
    0: read_consumer_group_metadata_key_v0,
}
ConsumerGroupMetadataValue.READERS = {
    0: read_consumer_group_metadata_value_v0,
}
ConsumerGroupPartitionMetadataKey.READERS = {
    0: read_consumer_group_partition_metadata_key_v0,
}
ConsumerGroupPartitionMetadataValue.READERS = {
    0: read_consumer_group_partition_metadata_value_v0,
}
ConsumerGroupMemberMetadataKey.READERS = {
    0: read_consumer_group_member_metadata_key_v0,
}
ConsumerGroupMemberMetadataValue.READERS = {
    0: read_consumer_group_member_metadata_value_v0,
}
ConsumerGroupTargetAssignmentMetadataKey.READERS = {
    0: read_consumer_group_target_assignment_metadata_key_v0,
}
ConsumerGroupTargetAssignmentMetadataValue.READERS = {
    0: read_consumer_group_target_assignment_metadata_value_v0,
}
ConsumerGroupTargetAssignmentMemberKey.READERS = {
    0: read_consumer_group_target_assignment_member_key_v0,
}
ConsumerGroupTargetAssignmentMemberValue.READERS = {
    0: read_consumer_group_target_assignment_member_value_v0,
}
ConsumerGroupCurrentMemberAssignmentKey.READERS = {
    0: read_consumer_group_current_member_assignment_key_v0,
}
ConsumerGroupCurrentMemberAssignmentValue.READERS = {
    0: read_consumer_group_current_member_assignment_value_v0,
}
ConsumerGroupRegularExpressionKey.READERS = {
    0: read_consumer_group_regular_expression_key_v0,
}
ConsumerGroupRegularExpressionValue.READERS = {
    0: read_consumer_group_regular_expression_value_v0,
}
