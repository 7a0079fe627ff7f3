"""Generated from `tenure/protocol/tables/list_offsets.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.message import (
    EMPTY,
    MalformedMessage,
    Message,
    Struct,
    UnsupportedVersion,
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
pack_i: Final = Packer(">i").pack
pack_ib: Final = Packer(">ib").pack
pack_ibi: Final = Packer(">ibi").pack
pack_ihqq: Final = Packer(">ihqq").pack
pack_ihqqi: Final = Packer(">ihqqi").pack
pack_ihqqix: Final = Packer(">ihqqix").pack
pack_ii: Final = Packer(">ii").pack
pack_iiq: Final = Packer(">iiq").pack
pack_iiqx: Final = Packer(">iiqx").pack
pack_iq: Final = Packer(">iq").pack
pack_ix: Final = Packer(">ix").pack
unpack_h: Final = Packer(">h").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ibB: Final = Packer(">ibB").unpack_from
unpack_ibi: Final = Packer(">ibi").unpack_from
unpack_ihqq: Final = Packer(">ihqq").unpack_from
unpack_ihqqi: Final = Packer(">ihqqi").unpack_from
unpack_ihqqiB: Final = Packer(">ihqqiB").unpack_from
unpack_ii: Final = Packer(">ii").unpack_from
unpack_iiq: Final = Packer(">iiq").unpack_from
unpack_iiqB: Final = Packer(">iiqB").unpack_from
unpack_iq: Final = Packer(">iq").unpack_from


class ListOffsetsPartition(Struct):
    __slots__ = ('partition_index', 'current_leader_epoch', 'timestamp')

    def __init__(
        self,
        partition_index: PartitionId = PartitionId(0),
        current_leader_epoch: int = -1,
        timestamp: int = 0,
    ) -> None:
        self.partition_index: Final = partition_index
        self.current_leader_epoch: Final = current_leader_epoch
        self.timestamp: Final = timestamp


class ListOffsetsTopic(Struct):
    __slots__ = ('name', 'partitions')

    def __init__(
        self,
        name: TopicName = TopicName(""),
        partitions: list[ListOffsetsPartition] = EMPTY,
    ) -> None:
        self.name: Final = name
        self.partitions: Final = [] if partitions is EMPTY else partitions


class ListOffsetsRequest(Message):
    __slots__ = ('replica_id', 'isolation_level', 'topics', 'timeout_ms')
    KEY = 2

    def __init__(
        self,
        replica_id: BrokerId = BrokerId(0),
        isolation_level: int = 0,
        topics: list[ListOffsetsTopic] = EMPTY,
        timeout_ms: int = 0,
    ) -> None:
        self.replica_id: Final = replica_id
        self.isolation_level: Final = isolation_level
        self.topics: Final = [] if topics is EMPTY else topics
        self.timeout_ms: Final = timeout_ms


class ListOffsetsPartitionResponse(Struct):
    __slots__ = ('partition_index', 'error_code', 'timestamp', 'offset', 'leader_epoch')

    def __init__(
        self,
        partition_index: PartitionId = PartitionId(0),
        error_code: int = 0,
        timestamp: int = -1,
        offset: int = -1,
        leader_epoch: int = -1,
    ) -> None:
        self.partition_index: Final = partition_index
        self.error_code: Final = error_code
        self.timestamp: Final = timestamp
        self.offset: Final = offset
        self.leader_epoch: Final = leader_epoch


class ListOffsetsTopicResponse(Struct):
    __slots__ = ('name', 'partitions')

    def __init__(
        self,
        name: TopicName = TopicName(""),
        partitions: list[ListOffsetsPartitionResponse] = EMPTY,
    ) -> None:
        self.name: Final = name
        self.partitions: Final = [] if partitions is EMPTY else partitions


class ListOffsetsResponse(Message):
    __slots__ = ('throttle_time_ms', 'topics')
    KEY = 2

    def __init__(
        self,
        throttle_time_ms: int = 0,
        topics: list[ListOffsetsTopicResponse] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.topics: Final = [] if topics is EMPTY else topics


def read_list_offsets_partition_v1_list(data: bytes, at: int, n: int) -> tuple[list[ListOffsetsPartition], int]:
    if n * 12 > len(data) - at:
        raise too_many(n, 12, data, at)
    found: list[ListOffsetsPartition] = []
    for _ in range(n):
        partition_index, timestamp = unpack_iq(data, at)
        at += 12
        found.append(ListOffsetsPartition(partition_index, -1, timestamp))
    return found, at


def read_list_offsets_topic_v1_list(data: bytes, at: int, n: int) -> tuple[list[ListOffsetsTopic], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[ListOffsetsTopic] = []
    for _ in range(n):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("ListOffsetsTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("ListOffsetsTopic.partitions is null")
        partitions, at = read_list_offsets_partition_v1_list(data, at, n)
        found.append(ListOffsetsTopic(name, partitions))
    return found, at


def read_list_offsets_request_v1(data: bytes, at: int) -> tuple[ListOffsetsRequest, int]:
    replica_id, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("ListOffsetsRequest.topics is null")
    topics, at = read_list_offsets_topic_v1_list(data, at, n)
    return ListOffsetsRequest(replica_id, 0, topics), at


def read_list_offsets_request_v2(data: bytes, at: int) -> tuple[ListOffsetsRequest, int]:
    replica_id, isolation_level, n = unpack_ibi(data, at)
    at += 9
    if n < 0:
        raise MalformedMessage("ListOffsetsRequest.topics is null")
    topics, at = read_list_offsets_topic_v1_list(data, at, n)
    return ListOffsetsRequest(replica_id, isolation_level, topics), at


def read_list_offsets_partition_v4_list(data: bytes, at: int, n: int) -> tuple[list[ListOffsetsPartition], int]:
    if n * 16 > len(data) - at:
        raise too_many(n, 16, data, at)
    found: list[ListOffsetsPartition] = []
    for _ in range(n):
        partition_index, current_leader_epoch, timestamp = unpack_iiq(data, at)
        at += 16
        found.append(ListOffsetsPartition(partition_index, current_leader_epoch, timestamp))
    return found, at


def read_list_offsets_topic_v4_list(data: bytes, at: int, n: int) -> tuple[list[ListOffsetsTopic], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[ListOffsetsTopic] = []
    for _ in range(n):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("ListOffsetsTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("ListOffsetsTopic.partitions is null")
        partitions, at = read_list_offsets_partition_v4_list(data, at, n)
        found.append(ListOffsetsTopic(name, partitions))
    return found, at


def read_list_offsets_request_v4(data: bytes, at: int) -> tuple[ListOffsetsRequest, int]:
    replica_id, isolation_level, n = unpack_ibi(data, at)
    at += 9
    if n < 0:
        raise MalformedMessage("ListOffsetsRequest.topics is null")
    topics, at = read_list_offsets_topic_v4_list(data, at, n)
    return ListOffsetsRequest(replica_id, isolation_level, topics), at


def read_list_offsets_partition_v6_list(data: bytes, at: int, n: int) -> tuple[list[ListOffsetsPartition], int]:
    if n * 17 > len(data) - at:
        raise too_many(n, 17, data, at)
    found: list[ListOffsetsPartition] = []
    for _ in range(n):
        partition_index, current_leader_epoch, timestamp, tags = unpack_iiqB(data, at)
        at += 17
        if tags:
            at = skip_tags(data, at - 1)
        found.append(ListOffsetsPartition(partition_index, current_leader_epoch, timestamp))
    return found, at


def read_list_offsets_topic_v6_list(data: bytes, at: int, n: int) -> tuple[list[ListOffsetsTopic], int]:
    if n * 3 > len(data) - at:
        raise too_many(n, 3, data, at)
    found: list[ListOffsetsTopic] = []
    for _ in range(n):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ListOffsetsTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ListOffsetsTopic.partitions is null")
        partitions, at = read_list_offsets_partition_v6_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(ListOffsetsTopic(name, partitions))
    return found, at


def read_list_offsets_request_v6(data: bytes, at: int) -> tuple[ListOffsetsRequest, int]:
    replica_id, isolation_level, n = unpack_ibB(data, at)
    at += 6
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ListOffsetsRequest.topics is null")
    topics, at = read_list_offsets_topic_v6_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return ListOffsetsRequest(replica_id, isolation_level, topics), at


def read_list_offsets_request_v10(data: bytes, at: int) -> tuple[ListOffsetsRequest, int]:
    replica_id, isolation_level, n = unpack_ibB(data, at)
    at += 6
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ListOffsetsRequest.topics is null")
    topics, at = read_list_offsets_topic_v6_list(data, at, n)
    timeout_ms, tags = unpack_iB(data, at)
    at += 5
    if tags:
        at = skip_tags(data, at - 1)
    return ListOffsetsRequest(replica_id, isolation_level, topics, timeout_ms), at


def read_list_offsets_partition_response_v1_list(data: bytes, at: int, n: int) -> tuple[list[ListOffsetsPartitionResponse], int]:
    if n * 22 > len(data) - at:
        raise too_many(n, 22, data, at)
    found: list[ListOffsetsPartitionResponse] = []
    for _ in range(n):
        partition_index, error_code, timestamp, offset = unpack_ihqq(data, at)
        at += 22
        found.append(ListOffsetsPartitionResponse(partition_index, error_code, timestamp, offset))
    return found, at


def read_list_offsets_topic_response_v1_list(data: bytes, at: int, n: int) -> tuple[list[ListOffsetsTopicResponse], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[ListOffsetsTopicResponse] = []
    for _ in range(n):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("ListOffsetsTopicResponse.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("ListOffsetsTopicResponse.partitions is null")
        partitions, at = read_list_offsets_partition_response_v1_list(data, at, n)
        found.append(ListOffsetsTopicResponse(name, partitions))
    return found, at


def read_list_offsets_response_v1(data: bytes, at: int) -> tuple[ListOffsetsResponse, int]:
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("ListOffsetsResponse.topics is null")
    topics, at = read_list_offsets_topic_response_v1_list(data, at, n)
    return ListOffsetsResponse(0, topics), at


def read_list_offsets_response_v2(data: bytes, at: int) -> tuple[ListOffsetsResponse, int]:
    throttle_time_ms, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("ListOffsetsResponse.topics is null")
    topics, at = read_list_offsets_topic_response_v1_list(data, at, n)
    return ListOffsetsResponse(throttle_time_ms, topics), at


def read_list_offsets_partition_response_v4_list(data: bytes, at: int, n: int) -> tuple[list[ListOffsetsPartitionResponse], int]:
    if n * 26 > len(data) - at:
        raise too_many(n, 26, data, at)
    found: list[ListOffsetsPartitionResponse] = []
    for _ in range(n):
        partition_index, error_code, timestamp, offset, leader_epoch = unpack_ihqqi(data, at)
        at += 26
        found.append(ListOffsetsPartitionResponse(partition_index, error_code, timestamp, offset, leader_epoch))
    return found, at


def read_list_offsets_topic_response_v4_list(data: bytes, at: int, n: int) -> tuple[list[ListOffsetsTopicResponse], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[ListOffsetsTopicResponse] = []
    for _ in range(n):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("ListOffsetsTopicResponse.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("ListOffsetsTopicResponse.partitions is null")
        partitions, at = read_list_offsets_partition_response_v4_list(data, at, n)
        found.append(ListOffsetsTopicResponse(name, partitions))
    return found, at


def read_list_offsets_response_v4(data: bytes, at: int) -> tuple[ListOffsetsResponse, int]:
    throttle_time_ms, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("ListOffsetsResponse.topics is null")
    topics, at = read_list_offsets_topic_response_v4_list(data, at, n)
    return ListOffsetsResponse(throttle_time_ms, topics), at


def read_list_offsets_partition_response_v6_list(data: bytes, at: int, n: int) -> tuple[list[ListOffsetsPartitionResponse], int]:
    if n * 27 > len(data) - at:
        raise too_many(n, 27, data, at)
    found: list[ListOffsetsPartitionResponse] = []
    for _ in range(n):
        partition_index, error_code, timestamp, offset, leader_epoch, tags = unpack_ihqqiB(data, at)
        at += 27
        if tags:
            at = skip_tags(data, at - 1)
        found.append(ListOffsetsPartitionResponse(partition_index, error_code, timestamp, offset, leader_epoch))
    return found, at


def read_list_offsets_topic_response_v6_list(data: bytes, at: int, n: int) -> tuple[list[ListOffsetsTopicResponse], int]:
    if n * 3 > len(data) - at:
        raise too_many(n, 3, data, at)
    found: list[ListOffsetsTopicResponse] = []
    for _ in range(n):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ListOffsetsTopicResponse.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ListOffsetsTopicResponse.partitions is null")
        partitions, at = read_list_offsets_partition_response_v6_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(ListOffsetsTopicResponse(name, partitions))
    return found, at


def read_list_offsets_response_v6(data: bytes, at: int) -> tuple[ListOffsetsResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ListOffsetsResponse.topics is null")
    topics, at = read_list_offsets_topic_response_v6_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return ListOffsetsResponse(throttle_time_ms, topics), at


def write_list_offsets_partition_v1_list(out: list[bytes], items: list[ListOffsetsPartition]) -> None:
    put = out.append
    for m in items:
        put(pack_iq(m.partition_index, m.timestamp))


def write_list_offsets_topic_v1_list(out: list[bytes], items: list[ListOffsetsTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_list_offsets_partition_v1_list(out, m.partitions)


def write_list_offsets_request_v1(out: list[bytes], m: ListOffsetsRequest) -> None:
    put = out.append
    if m.isolation_level != 0:
        raise UnsupportedVersion("ListOffsetsRequest.isolation_level exists in versions 2+ only")
    put(pack_ii(m.replica_id, len(m.topics)))
    write_list_offsets_topic_v1_list(out, m.topics)


def write_list_offsets_request_v2(out: list[bytes], m: ListOffsetsRequest) -> None:
    put = out.append
    put(pack_ibi(m.replica_id, m.isolation_level, len(m.topics)))
    write_list_offsets_topic_v1_list(out, m.topics)


def write_list_offsets_partition_v4_list(out: list[bytes], items: list[ListOffsetsPartition]) -> None:
    put = out.append
    for m in items:
        put(pack_iiq(m.partition_index, m.current_leader_epoch, m.timestamp))


def write_list_offsets_topic_v4_list(out: list[bytes], items: list[ListOffsetsTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_list_offsets_partition_v4_list(out, m.partitions)


def write_list_offsets_request_v4(out: list[bytes], m: ListOffsetsRequest) -> None:
    put = out.append
    put(pack_ibi(m.replica_id, m.isolation_level, len(m.topics)))
    write_list_offsets_topic_v4_list(out, m.topics)


def write_list_offsets_partition_v6_list(out: list[bytes], items: list[ListOffsetsPartition]) -> None:
    put = out.append
    for m in items:
        put(pack_iiqx(m.partition_index, m.current_leader_epoch, m.timestamp))


def write_list_offsets_topic_v6_list(out: list[bytes], items: list[ListOffsetsTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_list_offsets_partition_v6_list(out, m.partitions)
        put(b"\0")


def write_list_offsets_request_v6(out: list[bytes], m: ListOffsetsRequest) -> None:
    put = out.append
    put(pack_ib(m.replica_id, m.isolation_level))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_list_offsets_topic_v6_list(out, m.topics)
    put(b"\0")


def write_list_offsets_request_v10(out: list[bytes], m: ListOffsetsRequest) -> None:
    put = out.append
    put(pack_ib(m.replica_id, m.isolation_level))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_list_offsets_topic_v6_list(out, m.topics)
    put(pack_ix(m.timeout_ms))


def write_list_offsets_partition_response_v1_list(out: list[bytes], items: list[ListOffsetsPartitionResponse]) -> None:
    put = out.append
    for m in items:
        if m.leader_epoch != -1:
            raise UnsupportedVersion("ListOffsetsPartitionResponse.leader_epoch exists in versions 4+ only")
        put(pack_ihqq(m.partition_index, m.error_code, m.timestamp, m.offset))


def write_list_offsets_topic_response_v1_list(out: list[bytes], items: list[ListOffsetsTopicResponse]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_list_offsets_partition_response_v1_list(out, m.partitions)


def write_list_offsets_response_v1(out: list[bytes], m: ListOffsetsResponse) -> None:
    put = out.append
    put(pack_i(len(m.topics)))
    write_list_offsets_topic_response_v1_list(out, m.topics)


def write_list_offsets_response_v2(out: list[bytes], m: ListOffsetsResponse) -> None:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.topics)))
    write_list_offsets_topic_response_v1_list(out, m.topics)


def write_list_offsets_partition_response_v4_list(out: list[bytes], items: list[ListOffsetsPartitionResponse]) -> None:
    put = out.append
    for m in items:
        put(pack_ihqqi(m.partition_index, m.error_code, m.timestamp, m.offset, m.leader_epoch))


def write_list_offsets_topic_response_v4_list(out: list[bytes], items: list[ListOffsetsTopicResponse]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_list_offsets_partition_response_v4_list(out, m.partitions)


def write_list_offsets_response_v4(out: list[bytes], m: ListOffsetsResponse) -> None:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.topics)))
    write_list_offsets_topic_response_v4_list(out, m.topics)


def write_list_offsets_partition_response_v6_list(out: list[bytes], items: list[ListOffsetsPartitionResponse]) -> None:
    put = out.append
    for m in items:
        put(pack_ihqqix(m.partition_index, m.error_code, m.timestamp, m.offset, m.leader_epoch))


def write_list_offsets_topic_response_v6_list(out: list[bytes], items: list[ListOffsetsTopicResponse]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_list_offsets_partition_response_v6_list(out, m.partitions)
        put(b"\0")


def write_list_offsets_response_v6(out: list[bytes], m: ListOffsetsResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_list_offsets_topic_response_v6_list(out, m.topics)
    put(b"\0")


ListOffsetsRequest.READERS = {
    1: read_list_offsets_request_v1,
    2: read_list_offsets_request_v2,
    3: read_list_offsets_request_v2,
    4: read_list_offsets_request_v4,
    5: read_list_offsets_request_v4,
    6: read_list_offsets_request_v6,
    7: read_list_offsets_request_v6,
    8: read_list_offsets_request_v6,
    9: read_list_offsets_request_v6,
    10: read_list_offsets_request_v10,
    11: read_list_offsets_request_v10,
}
ListOffsetsRequest.WRITERS = {
    1: write_list_offsets_request_v1,
    2: write_list_offsets_request_v2,
    3: write_list_offsets_request_v2,
    4: write_list_offsets_request_v4,
    5: write_list_offsets_request_v4,
    6: write_list_offsets_request_v6,
    7: write_list_offsets_request_v6,
    8: write_list_offsets_request_v6,
    9: write_list_offsets_request_v6,
    10: write_list_offsets_request_v10,
    11: write_list_offsets_request_v10,
}
ListOffsetsResponse.READERS = {
    1: read_list_offsets_response_v1,
    2: read_list_offsets_response_v2,
    3: read_list_offsets_response_v2,
    4: read_list_offsets_response_v4,
    5: read_list_offsets_response_v4,
    6: read_list_offsets_response_v6,
    7: read_list_offsets_response_v6,
    8: read_list_offsets_response_v6,
    9: read_list_offsets_response_v6,
    10: read_list_offsets_response_v6,
    11: read_list_offsets_response_v6,
}
ListOffsetsResponse.WRITERS = {
    1: write_list_offsets_response_v1,
    2: write_list_offsets_response_v2,
    3: write_list_offsets_response_v2,
    4: write_list_offsets_response_v4,
    5: write_list_offsets_response_v4,
    6: write_list_offsets_response_v6,
    7: write_list_offsets_response_v6,
    8: write_list_offsets_response_v6,
    9: write_list_offsets_response_v6,
    10: write_list_offsets_response_v6,
    11: write_list_offsets_response_v6,
}
