"""Generated from `tenure/protocol/tables/consumer_protocol.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.consumer_protocol import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
    CooperativeStickyAssignorUserData,
    StickyAssignorUserData,
    TopicPartition,
)
from tenure.protocol.message import (
    MalformedMessage,
)
from tenure.protocol.wire import (
    read_int32s,
    read_strings,
    too_many,
    utf8,
)

unpack_h: Final = Packer(">h").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_ih: Final = Packer(">ih").unpack_from


def read_consumer_protocol_subscription_v0(data: bytes, at: int) -> tuple[ConsumerProtocolSubscription, int]:
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("ConsumerProtocolSubscription.topics is null")
    topics, at = read_strings(data, at, n)
    (n,) = unpack_i(data, at)
    at += 4
    if n >= 0:
        end = at + n
        user_data = data[at:end]
        at = end
    elif n == -1:
        user_data = None
    else:
        raise MalformedMessage("ConsumerProtocolSubscription.user_data has a negative length")
    return ConsumerProtocolSubscription(topics, user_data), at


def read_topic_partition_v1_list(data: bytes, at: int, announced: int) -> tuple[list[TopicPartition], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[TopicPartition] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("TopicPartition.topic is null")
        end = at + n
        topic = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("TopicPartition.partitions is null")
        partitions = read_int32s(data, at, n)
        at += 4 * n
        found.append(TopicPartition(topic, partitions))
    return found, at


def read_consumer_protocol_subscription_v1(data: bytes, at: int) -> tuple[ConsumerProtocolSubscription, int]:
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("ConsumerProtocolSubscription.topics is null")
    topics, at = read_strings(data, at, n)
    (n,) = unpack_i(data, at)
    at += 4
    if n >= 0:
        end = at + n
        user_data = data[at:end]
        at = end
    elif n == -1:
        user_data = None
    else:
        raise MalformedMessage("ConsumerProtocolSubscription.user_data has a negative length")
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("ConsumerProtocolSubscription.owned_partitions is null")
    owned_partitions, at = read_topic_partition_v1_list(data, at, n)
    return ConsumerProtocolSubscription(topics, user_data, owned_partitions), at


def read_consumer_protocol_subscription_v2(data: bytes, at: int) -> tuple[ConsumerProtocolSubscription, int]:
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("ConsumerProtocolSubscription.topics is null")
    topics, at = read_strings(data, at, n)
    (n,) = unpack_i(data, at)
    at += 4
    if n >= 0:
        end = at + n
        user_data = data[at:end]
        at = end
    elif n == -1:
        user_data = None
    else:
        raise MalformedMessage("ConsumerProtocolSubscription.user_data has a negative length")
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("ConsumerProtocolSubscription.owned_partitions is null")
    owned_partitions, at = read_topic_partition_v1_list(data, at, n)
    (generation_id,) = unpack_i(data, at)
    at += 4
    return ConsumerProtocolSubscription(topics, user_data, owned_partitions, generation_id), at


def read_consumer_protocol_subscription_v3(data: bytes, at: int) -> tuple[ConsumerProtocolSubscription, int]:
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("ConsumerProtocolSubscription.topics is null")
    topics, at = read_strings(data, at, n)
    (n,) = unpack_i(data, at)
    at += 4
    if n >= 0:
        end = at + n
        user_data = data[at:end]
        at = end
    elif n == -1:
        user_data = None
    else:
        raise MalformedMessage("ConsumerProtocolSubscription.user_data has a negative length")
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("ConsumerProtocolSubscription.owned_partitions is null")
    owned_partitions, at = read_topic_partition_v1_list(data, at, n)
    generation_id, n = unpack_ih(data, at)
    at += 6
    if n >= 0:
        end = at + n
        rack_id = utf8(data[at:end])
        at = end
    elif n == -1:
        rack_id = None
    else:
        raise MalformedMessage("ConsumerProtocolSubscription.rack_id has a negative length")
    return ConsumerProtocolSubscription(topics, user_data, owned_partitions, generation_id, rack_id), at


def read_consumer_protocol_assignment_v0(data: bytes, at: int) -> tuple[ConsumerProtocolAssignment, int]:
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("ConsumerProtocolAssignment.assigned_partitions is null")
    assigned_partitions, at = read_topic_partition_v1_list(data, at, n)
    (n,) = unpack_i(data, at)
    at += 4
    if n >= 0:
        end = at + n
        user_data = data[at:end]
        at = end
    elif n == -1:
        user_data = None
    else:
        raise MalformedMessage("ConsumerProtocolAssignment.user_data has a negative length")
    return ConsumerProtocolAssignment(assigned_partitions, user_data), at


def read_sticky_assignor_user_data_v0(data: bytes, at: int) -> tuple[StickyAssignorUserData, int]:
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("StickyAssignorUserData.previous_assignment is null")
    previous_assignment, at = read_topic_partition_v1_list(data, at, n)
    return StickyAssignorUserData(previous_assignment), at


def read_sticky_assignor_user_data_v1(data: bytes, at: int) -> tuple[StickyAssignorUserData, int]:
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("StickyAssignorUserData.previous_assignment is null")
    previous_assignment, at = read_topic_partition_v1_list(data, at, n)
    (generation,) = unpack_i(data, at)
    at += 4
    return StickyAssignorUserData(previous_assignment, generation), at


def read_cooperative_sticky_assignor_user_data_v0(data: bytes, at: int) -> tuple[CooperativeStickyAssignorUserData, int]:
    (generation,) = unpack_i(data, at)
    at += 4
    return CooperativeStickyAssignorUserData(generation), at


ConsumerProtocolSubscription.READERS = {
    0: read_consumer_protocol_subscription_v0,
    1: read_consumer_protocol_subscription_v1,
    2: read_consumer_protocol_subscription_v2,
    3: read_consumer_protocol_subscription_v3,
}
ConsumerProtocolAssignment.READERS = {
    0: read_consumer_protocol_assignment_v0,
    1: read_consumer_protocol_assignment_v0,
    2: read_consumer_protocol_assignment_v0,
    3: read_consumer_protocol_assignment_v0,
}
StickyAssignorUserData.READERS = {
    0: read_sticky_assignor_user_data_v0,
    1: read_sticky_assignor_user_data_v1,
}
CooperativeStickyAssignorUserData.READERS = {
    0: read_cooperative_sticky_assignor_user_data_v0,
}
