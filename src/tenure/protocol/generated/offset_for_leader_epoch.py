"""Generated from `tenure/protocol/tables/offset_for_leader_epoch.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.message import (
    EMPTY,
    MalformedMessage,
    Message,
    Struct,
)
from tenure.protocol.types import (
    BrokerId,
    PartitionId,
    TopicName,
)
from tenure.protocol.wire import (
    UVARINT,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
    uvarint,
)

pack_h: Final = Packer(">h").pack
pack_hiiq: Final = Packer(">hiiq").pack
pack_hiiqx: Final = Packer(">hiiqx").pack
pack_i: Final = Packer(">i").pack
pack_ii: Final = Packer(">ii").pack
pack_iii: Final = Packer(">iii").pack
pack_iiix: Final = Packer(">iiix").pack
unpack_h: Final = Packer(">h").unpack_from
unpack_hiiq: Final = Packer(">hiiq").unpack_from
unpack_hiiqB: Final = Packer(">hiiqB").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ii: Final = Packer(">ii").unpack_from
unpack_iii: Final = Packer(">iii").unpack_from
unpack_iiiB: Final = Packer(">iiiB").unpack_from


class OffsetForLeaderPartition(Struct):
    __slots__ = ('partition', 'current_leader_epoch', 'leader_epoch')

    def __init__(
        self,
        partition: PartitionId = PartitionId(0),
        current_leader_epoch: int = -1,
        leader_epoch: int = 0,
    ) -> None:
        self.partition: Final = partition
        self.current_leader_epoch: Final = current_leader_epoch
        self.leader_epoch: Final = leader_epoch


class OffsetForLeaderTopic(Struct):
    __slots__ = ('topic', 'partitions')

    def __init__(
        self,
        topic: TopicName = TopicName(""),
        partitions: list[OffsetForLeaderPartition] = EMPTY,
    ) -> None:
        self.topic: Final = topic
        self.partitions: Final = [] if partitions is EMPTY else partitions


class OffsetForLeaderEpochRequest(Message):
    __slots__ = ('replica_id', 'topics')
    KEY = 23

    def __init__(
        self,
        replica_id: BrokerId = BrokerId(-2),
        topics: list[OffsetForLeaderTopic] = EMPTY,
    ) -> None:
        self.replica_id: Final = replica_id
        self.topics: Final = [] if topics is EMPTY else topics


class EpochEndOffset(Struct):
    __slots__ = ('error_code', 'partition', 'leader_epoch', 'end_offset')

    def __init__(
        self,
        error_code: int = 0,
        partition: PartitionId = PartitionId(0),
        leader_epoch: int = -1,
        end_offset: int = -1,
    ) -> None:
        self.error_code: Final = error_code
        self.partition: Final = partition
        self.leader_epoch: Final = leader_epoch
        self.end_offset: Final = end_offset


class OffsetForLeaderTopicResult(Struct):
    __slots__ = ('topic', 'partitions')

    def __init__(
        self,
        topic: TopicName = TopicName(""),
        partitions: list[EpochEndOffset] = EMPTY,
    ) -> None:
        self.topic: Final = topic
        self.partitions: Final = [] if partitions is EMPTY else partitions


class OffsetForLeaderEpochResponse(Message):
    __slots__ = ('throttle_time_ms', 'topics')
    KEY = 23

    def __init__(
        self,
        throttle_time_ms: int = 0,
        topics: list[OffsetForLeaderTopicResult] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.topics: Final = [] if topics is EMPTY else topics


def read_offset_for_leader_partition_v2_list(data: bytes, at: int, n: int) -> tuple[list[OffsetForLeaderPartition], int]:
    if n * 12 > len(data) - at:
        raise too_many(n, 12, data, at)
    found: list[OffsetForLeaderPartition] = []
    for _ in range(n):
        partition, current_leader_epoch, leader_epoch = unpack_iii(data, at)
        at += 12
        found.append(OffsetForLeaderPartition(partition, current_leader_epoch, leader_epoch))
    return found, at


def read_offset_for_leader_topic_v2_list(data: bytes, at: int, n: int) -> tuple[list[OffsetForLeaderTopic], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[OffsetForLeaderTopic] = []
    for _ in range(n):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("OffsetForLeaderTopic.topic is null")
        end = at + n
        topic = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("OffsetForLeaderTopic.partitions is null")
        partitions, at = read_offset_for_leader_partition_v2_list(data, at, n)
        found.append(OffsetForLeaderTopic(topic, partitions))
    return found, at


def read_offset_for_leader_epoch_request_v2(data: bytes, at: int) -> tuple[OffsetForLeaderEpochRequest, int]:
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("OffsetForLeaderEpochRequest.topics is null")
    topics, at = read_offset_for_leader_topic_v2_list(data, at, n)
    return OffsetForLeaderEpochRequest(BrokerId(-2), topics), at


def read_offset_for_leader_epoch_request_v3(data: bytes, at: int) -> tuple[OffsetForLeaderEpochRequest, int]:
    replica_id, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("OffsetForLeaderEpochRequest.topics is null")
    topics, at = read_offset_for_leader_topic_v2_list(data, at, n)
    return OffsetForLeaderEpochRequest(replica_id, topics), at


def read_offset_for_leader_partition_v4_list(data: bytes, at: int, n: int) -> tuple[list[OffsetForLeaderPartition], int]:
    if n * 13 > len(data) - at:
        raise too_many(n, 13, data, at)
    found: list[OffsetForLeaderPartition] = []
    for _ in range(n):
        partition, current_leader_epoch, leader_epoch, tags = unpack_iiiB(data, at)
        at += 13
        if tags:
            at = skip_tags(data, at - 1)
        found.append(OffsetForLeaderPartition(partition, current_leader_epoch, leader_epoch))
    return found, at


def read_offset_for_leader_topic_v4_list(data: bytes, at: int, n: int) -> tuple[list[OffsetForLeaderTopic], int]:
    if n * 3 > len(data) - at:
        raise too_many(n, 3, data, at)
    found: list[OffsetForLeaderTopic] = []
    for _ in range(n):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OffsetForLeaderTopic.topic is null")
        end = at + n
        topic = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OffsetForLeaderTopic.partitions is null")
        partitions, at = read_offset_for_leader_partition_v4_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(OffsetForLeaderTopic(topic, partitions))
    return found, at


def read_offset_for_leader_epoch_request_v4(data: bytes, at: int) -> tuple[OffsetForLeaderEpochRequest, int]:
    replica_id, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("OffsetForLeaderEpochRequest.topics is null")
    topics, at = read_offset_for_leader_topic_v4_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return OffsetForLeaderEpochRequest(replica_id, topics), at


def read_epoch_end_offset_v2_list(data: bytes, at: int, n: int) -> tuple[list[EpochEndOffset], int]:
    if n * 18 > len(data) - at:
        raise too_many(n, 18, data, at)
    found: list[EpochEndOffset] = []
    for _ in range(n):
        error_code, partition, leader_epoch, end_offset = unpack_hiiq(data, at)
        at += 18
        found.append(EpochEndOffset(error_code, partition, leader_epoch, end_offset))
    return found, at


def read_offset_for_leader_topic_result_v2_list(data: bytes, at: int, n: int) -> tuple[list[OffsetForLeaderTopicResult], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[OffsetForLeaderTopicResult] = []
    for _ in range(n):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("OffsetForLeaderTopicResult.topic is null")
        end = at + n
        topic = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("OffsetForLeaderTopicResult.partitions is null")
        partitions, at = read_epoch_end_offset_v2_list(data, at, n)
        found.append(OffsetForLeaderTopicResult(topic, partitions))
    return found, at


def read_offset_for_leader_epoch_response_v2(data: bytes, at: int) -> tuple[OffsetForLeaderEpochResponse, int]:
    throttle_time_ms, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("OffsetForLeaderEpochResponse.topics is null")
    topics, at = read_offset_for_leader_topic_result_v2_list(data, at, n)
    return OffsetForLeaderEpochResponse(throttle_time_ms, topics), at


def read_epoch_end_offset_v4_list(data: bytes, at: int, n: int) -> tuple[list[EpochEndOffset], int]:
    if n * 19 > len(data) - at:
        raise too_many(n, 19, data, at)
    found: list[EpochEndOffset] = []
    for _ in range(n):
        error_code, partition, leader_epoch, end_offset, tags = unpack_hiiqB(data, at)
        at += 19
        if tags:
            at = skip_tags(data, at - 1)
        found.append(EpochEndOffset(error_code, partition, leader_epoch, end_offset))
    return found, at


def read_offset_for_leader_topic_result_v4_list(data: bytes, at: int, n: int) -> tuple[list[OffsetForLeaderTopicResult], int]:
    if n * 3 > len(data) - at:
        raise too_many(n, 3, data, at)
    found: list[OffsetForLeaderTopicResult] = []
    for _ in range(n):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OffsetForLeaderTopicResult.topic is null")
        end = at + n
        topic = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OffsetForLeaderTopicResult.partitions is null")
        partitions, at = read_epoch_end_offset_v4_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(OffsetForLeaderTopicResult(topic, partitions))
    return found, at


def read_offset_for_leader_epoch_response_v4(data: bytes, at: int) -> tuple[OffsetForLeaderEpochResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("OffsetForLeaderEpochResponse.topics is null")
    topics, at = read_offset_for_leader_topic_result_v4_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return OffsetForLeaderEpochResponse(throttle_time_ms, topics), at


def write_offset_for_leader_partition_v2_list(out: list[bytes], items: list[OffsetForLeaderPartition]) -> None:
    put = out.append
    for m in items:
        put(pack_iii(m.partition, m.current_leader_epoch, m.leader_epoch))


def write_offset_for_leader_topic_v2_list(out: list[bytes], items: list[OffsetForLeaderTopic]) -> None:
    put = out.append
    for m in items:
        text = m.topic.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_offset_for_leader_partition_v2_list(out, m.partitions)


def write_offset_for_leader_epoch_request_v2(out: list[bytes], m: OffsetForLeaderEpochRequest) -> None:
    put = out.append
    put(pack_i(len(m.topics)))
    write_offset_for_leader_topic_v2_list(out, m.topics)


def write_offset_for_leader_epoch_request_v3(out: list[bytes], m: OffsetForLeaderEpochRequest) -> None:
    put = out.append
    put(pack_ii(m.replica_id, len(m.topics)))
    write_offset_for_leader_topic_v2_list(out, m.topics)


def write_offset_for_leader_partition_v4_list(out: list[bytes], items: list[OffsetForLeaderPartition]) -> None:
    put = out.append
    for m in items:
        put(pack_iiix(m.partition, m.current_leader_epoch, m.leader_epoch))


def write_offset_for_leader_topic_v4_list(out: list[bytes], items: list[OffsetForLeaderTopic]) -> None:
    put = out.append
    for m in items:
        text = m.topic.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_offset_for_leader_partition_v4_list(out, m.partitions)
        put(b"\0")


def write_offset_for_leader_epoch_request_v4(out: list[bytes], m: OffsetForLeaderEpochRequest) -> None:
    put = out.append
    put(pack_i(m.replica_id))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_offset_for_leader_topic_v4_list(out, m.topics)
    put(b"\0")


def write_epoch_end_offset_v2_list(out: list[bytes], items: list[EpochEndOffset]) -> None:
    put = out.append
    for m in items:
        put(pack_hiiq(m.error_code, m.partition, m.leader_epoch, m.end_offset))


def write_offset_for_leader_topic_result_v2_list(out: list[bytes], items: list[OffsetForLeaderTopicResult]) -> None:
    put = out.append
    for m in items:
        text = m.topic.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_epoch_end_offset_v2_list(out, m.partitions)


def write_offset_for_leader_epoch_response_v2(out: list[bytes], m: OffsetForLeaderEpochResponse) -> None:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.topics)))
    write_offset_for_leader_topic_result_v2_list(out, m.topics)


def write_epoch_end_offset_v4_list(out: list[bytes], items: list[EpochEndOffset]) -> None:
    put = out.append
    for m in items:
        put(pack_hiiqx(m.error_code, m.partition, m.leader_epoch, m.end_offset))


def write_offset_for_leader_topic_result_v4_list(out: list[bytes], items: list[OffsetForLeaderTopicResult]) -> None:
    put = out.append
    for m in items:
        text = m.topic.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_epoch_end_offset_v4_list(out, m.partitions)
        put(b"\0")


def write_offset_for_leader_epoch_response_v4(out: list[bytes], m: OffsetForLeaderEpochResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_offset_for_leader_topic_result_v4_list(out, m.topics)
    put(b"\0")


OffsetForLeaderEpochRequest.READERS = {
    2: read_offset_for_leader_epoch_request_v2,
    3: read_offset_for_leader_epoch_request_v3,
    4: read_offset_for_leader_epoch_request_v4,
}
OffsetForLeaderEpochRequest.WRITERS = {
    2: write_offset_for_leader_epoch_request_v2,
    3: write_offset_for_leader_epoch_request_v3,
    4: write_offset_for_leader_epoch_request_v4,
}
OffsetForLeaderEpochResponse.READERS = {
    2: read_offset_for_leader_epoch_response_v2,
    3: read_offset_for_leader_epoch_response_v2,
    4: read_offset_for_leader_epoch_response_v4,
}
OffsetForLeaderEpochResponse.WRITERS = {
    2: write_offset_for_leader_epoch_response_v2,
    3: write_offset_for_leader_epoch_response_v2,
    4: write_offset_for_leader_epoch_response_v4,
}
