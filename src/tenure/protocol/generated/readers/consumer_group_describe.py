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

unpack_16sB: Final = Packer(">16sB").unpack_from
unpack_ZB: Final = Packer(">?B").unpack_from
unpack_bB: Final = Packer(">bB").unpack_from
unpack_hB: Final = Packer(">hB").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_iiB: Final = Packer(">iiB").unpack_from


def read_consumer_group_describe_request_v0(data: bytes, at: int) -> tuple[ConsumerGroupDescribeRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ConsumerGroupDescribeRequest.group_ids is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    group_ids, at = read_compact_strings(data, at, n, read_text_length)
    include_authorized_operations, tags = unpack_ZB(data, at)
    at += 2
    if tags:
        at = skip_tags(data, at - 1, elements)
    return ConsumerGroupDescribeRequest(group_ids, include_authorized_operations), at


def read_described_topic_partitions_v0_list(data: bytes, at: int, announced: int) -> tuple[list[DescribedTopicPartitions], int]:
    if announced * 19 > len(data) - at:
        raise too_many(announced, 19, data, at)
    found: list[DescribedTopicPartitions] = []
    for _ in range(announced):
        topic_id, n = unpack_16sB(data, at)
        at += 17
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedTopicPartitions.topic_name is null")
        end = at + n
        topic_name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedTopicPartitions.partitions is null")
        partitions = read_int32s(data, at, n)
        at += 4 * n
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribedTopicPartitions(topic_id, topic_name, partitions))
    return found, at


def read_described_assignment_v0(data: bytes, at: int) -> tuple[DescribedAssignment, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribedAssignment.topic_partitions is null")
    topic_partitions, at = read_described_topic_partitions_v0_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return DescribedAssignment(topic_partitions), at


def read_described_consumer_group_member_v0_list(data: bytes, at: int, announced: int) -> tuple[list[DescribedConsumerGroupMember], int]:
    if announced * 16 > len(data) - at:
        raise too_many(announced, 16, data, at)
    found: list[DescribedConsumerGroupMember] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedConsumerGroupMember.member_id is null")
        end = at + n
        member_id = utf8(data[at:end])
        at = end
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
        member_epoch, n = unpack_iB(data, at)
        at += 5
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedConsumerGroupMember.client_id is null")
        end = at + n
        client_id = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedConsumerGroupMember.client_host is null")
        end = at + n
        client_host = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedConsumerGroupMember.subscribed_topic_names is null")
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
        assignment, at = read_described_assignment_v0(data, at)
        target_assignment, at = read_described_assignment_v0(data, at)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribedConsumerGroupMember(member_id, instance_id, rack_id, member_epoch, client_id, client_host, subscribed_topic_names, subscribed_topic_regex, assignment, target_assignment))
    return found, at


def read_described_consumer_group_v0_list(data: bytes, at: int, announced: int) -> tuple[list[DescribedConsumerGroup], int]:
    if announced * 20 > len(data) - at:
        raise too_many(announced, 20, data, at)
    found: list[DescribedConsumerGroup] = []
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
            raise MalformedMessage("DescribedConsumerGroup.group_id is null")
        end = at + n
        group_id = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedConsumerGroup.group_state is null")
        end = at + n
        group_state = utf8(data[at:end])
        at = end
        group_epoch, assignment_epoch, n = unpack_iiB(data, at)
        at += 9
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedConsumerGroup.assignor_name is null")
        end = at + n
        assignor_name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedConsumerGroup.members is null")
        members, at = read_described_consumer_group_member_v0_list(data, at, n)
        authorized_operations, tags = unpack_iB(data, at)
        at += 5
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribedConsumerGroup(error_code, error_message, group_id, group_state, group_epoch, assignment_epoch, assignor_name, members, authorized_operations))
    return found, at


def read_consumer_group_describe_response_v0(data: bytes, at: int) -> tuple[ConsumerGroupDescribeResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ConsumerGroupDescribeResponse.groups is null")
    groups, at = read_described_consumer_group_v0_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return ConsumerGroupDescribeResponse(throttle_time_ms, groups), at


def read_described_consumer_group_member_v1_list(data: bytes, at: int, announced: int) -> tuple[list[DescribedConsumerGroupMember], int]:
    if announced * 17 > len(data) - at:
        raise too_many(announced, 17, data, at)
    found: list[DescribedConsumerGroupMember] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedConsumerGroupMember.member_id is null")
        end = at + n
        member_id = utf8(data[at:end])
        at = end
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
        member_epoch, n = unpack_iB(data, at)
        at += 5
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedConsumerGroupMember.client_id is null")
        end = at + n
        client_id = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedConsumerGroupMember.client_host is null")
        end = at + n
        client_host = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedConsumerGroupMember.subscribed_topic_names is null")
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
        assignment, at = read_described_assignment_v0(data, at)
        target_assignment, at = read_described_assignment_v0(data, at)
        member_type, tags = unpack_bB(data, at)
        at += 2
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribedConsumerGroupMember(member_id, instance_id, rack_id, member_epoch, client_id, client_host, subscribed_topic_names, subscribed_topic_regex, assignment, target_assignment, member_type))
    return found, at


def read_described_consumer_group_v1_list(data: bytes, at: int, announced: int) -> tuple[list[DescribedConsumerGroup], int]:
    if announced * 20 > len(data) - at:
        raise too_many(announced, 20, data, at)
    found: list[DescribedConsumerGroup] = []
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
            raise MalformedMessage("DescribedConsumerGroup.group_id is null")
        end = at + n
        group_id = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedConsumerGroup.group_state is null")
        end = at + n
        group_state = utf8(data[at:end])
        at = end
        group_epoch, assignment_epoch, n = unpack_iiB(data, at)
        at += 9
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedConsumerGroup.assignor_name is null")
        end = at + n
        assignor_name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedConsumerGroup.members is null")
        members, at = read_described_consumer_group_member_v1_list(data, at, n)
        authorized_operations, tags = unpack_iB(data, at)
        at += 5
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribedConsumerGroup(error_code, error_message, group_id, group_state, group_epoch, assignment_epoch, assignor_name, members, authorized_operations))
    return found, at


def read_consumer_group_describe_response_v1(data: bytes, at: int) -> tuple[ConsumerGroupDescribeResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ConsumerGroupDescribeResponse.groups is null")
    groups, at = read_described_consumer_group_v1_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return ConsumerGroupDescribeResponse(throttle_time_ms, groups), at


ConsumerGroupDescribeRequest.READERS = {
    0: read_consumer_group_describe_request_v0,
    1: read_consumer_group_describe_request_v0,
}
ConsumerGroupDescribeResponse.READERS = {
    0: read_consumer_group_describe_response_v0,
    1: read_consumer_group_describe_response_v1,
}
