"""Generated from `tenure/protocol/tables/consumer_protocol.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.message import (
    EMPTY,
    MalformedMessage,
    Message,
    Struct,
)
from tenure.protocol.types import (
    GenerationId,
    PartitionId,
    TopicName,
)
from tenure.protocol.wire import (
    pack_int32s,
    read_fixed,
    read_strings,
    too_many,
    utf8,
    write_strings,
)

pack_h: Final = Packer(">h").pack
pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack
unpack_h: Final = Packer(">h").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_ih: Final = Packer(">ih").unpack_from


class TopicPartition(Struct):
    __slots__ = ('topic', 'partitions')

    def __init__(
        self,
        topic: TopicName = TopicName(""),
        partitions: list[PartitionId] = EMPTY,
    ) -> None:
        self.topic: Final = topic
        self.partitions: Final = [] if partitions is EMPTY else partitions


class ConsumerProtocolSubscription(Message):
    __slots__ = ('topics', 'user_data', 'owned_partitions', 'generation_id', 'rack_id')
    KEY = -1

    def __init__(
        self,
        topics: list[TopicName] = EMPTY,
        user_data: bytes | None = None,
        owned_partitions: list[TopicPartition] = EMPTY,
        generation_id: GenerationId = GenerationId(-1),
        rack_id: str | None = None,
    ) -> None:
        self.topics: Final = [] if topics is EMPTY else topics
        self.user_data: Final = user_data
        self.owned_partitions: Final = [] if owned_partitions is EMPTY else owned_partitions
        self.generation_id: Final = generation_id
        self.rack_id: Final = rack_id


class ConsumerProtocolAssignment(Message):
    __slots__ = ('assigned_partitions', 'user_data')
    KEY = -1

    def __init__(
        self,
        assigned_partitions: list[TopicPartition] = EMPTY,
        user_data: bytes | None = None,
    ) -> None:
        self.assigned_partitions: Final = [] if assigned_partitions is EMPTY else assigned_partitions
        self.user_data: Final = user_data


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


def read_topic_partition_v1_list(data: bytes, at: int, n: int) -> tuple[list[TopicPartition], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[TopicPartition] = []
    for _ in range(n):
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
        partitions = read_fixed(data, at, n, "i", 4)
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


def write_consumer_protocol_subscription_v0(out: list[bytes], m: ConsumerProtocolSubscription) -> None:
    put = out.append
    put(pack_i(len(m.topics)))
    write_strings(out, m.topics)
    if m.user_data is None:
        put(pack_i(-1))
    else:
        put(pack_i(len(m.user_data)))
        put(m.user_data)


def write_topic_partition_v1_list(out: list[bytes], items: list[TopicPartition]) -> None:
    put = out.append
    for m in items:
        text = m.topic.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        put(pack_int32s(m.partitions))


def write_consumer_protocol_subscription_v1(out: list[bytes], m: ConsumerProtocolSubscription) -> None:
    put = out.append
    put(pack_i(len(m.topics)))
    write_strings(out, m.topics)
    if m.user_data is None:
        put(pack_i(-1))
    else:
        put(pack_i(len(m.user_data)))
        put(m.user_data)
    put(pack_i(len(m.owned_partitions)))
    write_topic_partition_v1_list(out, m.owned_partitions)


def write_consumer_protocol_subscription_v2(out: list[bytes], m: ConsumerProtocolSubscription) -> None:
    put = out.append
    put(pack_i(len(m.topics)))
    write_strings(out, m.topics)
    if m.user_data is None:
        put(pack_i(-1))
    else:
        put(pack_i(len(m.user_data)))
        put(m.user_data)
    put(pack_i(len(m.owned_partitions)))
    write_topic_partition_v1_list(out, m.owned_partitions)
    put(pack_i(m.generation_id))


def write_consumer_protocol_subscription_v3(out: list[bytes], m: ConsumerProtocolSubscription) -> None:
    put = out.append
    put(pack_i(len(m.topics)))
    write_strings(out, m.topics)
    if m.user_data is None:
        put(pack_i(-1))
    else:
        put(pack_i(len(m.user_data)))
        put(m.user_data)
    put(pack_i(len(m.owned_partitions)))
    write_topic_partition_v1_list(out, m.owned_partitions)
    if m.rack_id is None:
        put(pack_ih(m.generation_id, -1))
    else:
        text = m.rack_id.encode()
        put(pack_ih(m.generation_id, len(text)))
        put(text)


def write_consumer_protocol_assignment_v0(out: list[bytes], m: ConsumerProtocolAssignment) -> None:
    put = out.append
    put(pack_i(len(m.assigned_partitions)))
    write_topic_partition_v1_list(out, m.assigned_partitions)
    if m.user_data is None:
        put(pack_i(-1))
    else:
        put(pack_i(len(m.user_data)))
        put(m.user_data)


ConsumerProtocolSubscription.READERS = {
    0: read_consumer_protocol_subscription_v0,
    1: read_consumer_protocol_subscription_v1,
    2: read_consumer_protocol_subscription_v2,
    3: read_consumer_protocol_subscription_v3,
}
ConsumerProtocolSubscription.WRITERS = {
    0: write_consumer_protocol_subscription_v0,
    1: write_consumer_protocol_subscription_v1,
    2: write_consumer_protocol_subscription_v2,
    3: write_consumer_protocol_subscription_v3,
}
ConsumerProtocolAssignment.READERS = {
    0: read_consumer_protocol_assignment_v0,
    1: read_consumer_protocol_assignment_v0,
    2: read_consumer_protocol_assignment_v0,
    3: read_consumer_protocol_assignment_v0,
}
ConsumerProtocolAssignment.WRITERS = {
    0: write_consumer_protocol_assignment_v0,
    1: write_consumer_protocol_assignment_v0,
    2: write_consumer_protocol_assignment_v0,
    3: write_consumer_protocol_assignment_v0,
}
