"""Generated from `tenure/protocol/tables/offset_commit.py` by `python -m tenure.protocol.generate`."""

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
    GroupId,
    InstanceId,
    MemberId,
    PartitionId,
    TopicId,
    TopicName,
    ZERO_TOPIC_ID,
)
from tenure.protocol.wire import (
    UVARINT,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
    uvarint,
)

pack_16s: Final = Packer(">16s").pack
pack_h: Final = Packer(">h").pack
pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack
pack_ihx: Final = Packer(">ihx").pack
pack_ii: Final = Packer(">ii").pack
pack_iqh: Final = Packer(">iqh").pack
pack_iqi: Final = Packer(">iqi").pack
pack_iqih: Final = Packer(">iqih").pack
pack_qi: Final = Packer(">qi").pack
unpack_16sB: Final = Packer(">16sB").unpack_from
unpack_h: Final = Packer(">h").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ih: Final = Packer(">ih").unpack_from
unpack_ihB: Final = Packer(">ihB").unpack_from
unpack_ii: Final = Packer(">ii").unpack_from
unpack_iqh: Final = Packer(">iqh").unpack_from
unpack_iqiB: Final = Packer(">iqiB").unpack_from
unpack_iqih: Final = Packer(">iqih").unpack_from
unpack_qi: Final = Packer(">qi").unpack_from


class OffsetCommitRequestPartition(Struct):
    __slots__ = ('partition_index', 'committed_offset', 'committed_leader_epoch', 'committed_metadata')

    def __init__(
        self,
        partition_index: PartitionId = PartitionId(0),
        committed_offset: int = 0,
        committed_leader_epoch: int = -1,
        committed_metadata: str | None = "",
    ) -> None:
        self.partition_index: Final = partition_index
        self.committed_offset: Final = committed_offset
        self.committed_leader_epoch: Final = committed_leader_epoch
        self.committed_metadata: Final = committed_metadata


class OffsetCommitRequestTopic(Struct):
    __slots__ = ('name', 'topic_id', 'partitions')

    def __init__(
        self,
        name: TopicName = TopicName(""),
        topic_id: TopicId = ZERO_TOPIC_ID,
        partitions: list[OffsetCommitRequestPartition] = EMPTY,
    ) -> None:
        self.name: Final = name
        self.topic_id: Final = topic_id
        self.partitions: Final = [] if partitions is EMPTY else partitions


class OffsetCommitRequest(Message):
    __slots__ = ('group_id', 'generation_id_or_member_epoch', 'member_id', 'group_instance_id', 'retention_time_ms', 'topics')
    KEY = 8

    def __init__(
        self,
        group_id: GroupId = GroupId(""),
        generation_id_or_member_epoch: int = -1,
        member_id: MemberId = MemberId(""),
        group_instance_id: InstanceId | None = None,
        retention_time_ms: int = -1,
        topics: list[OffsetCommitRequestTopic] = EMPTY,
    ) -> None:
        self.group_id: Final = group_id
        self.generation_id_or_member_epoch: Final = generation_id_or_member_epoch
        self.member_id: Final = member_id
        self.group_instance_id: Final = group_instance_id
        self.retention_time_ms: Final = retention_time_ms
        self.topics: Final = [] if topics is EMPTY else topics


class OffsetCommitResponsePartition(Struct):
    __slots__ = ('partition_index', 'error_code')

    def __init__(
        self,
        partition_index: PartitionId = PartitionId(0),
        error_code: int = 0,
    ) -> None:
        self.partition_index: Final = partition_index
        self.error_code: Final = error_code


class OffsetCommitResponseTopic(Struct):
    __slots__ = ('name', 'topic_id', 'partitions')

    def __init__(
        self,
        name: TopicName = TopicName(""),
        topic_id: TopicId = ZERO_TOPIC_ID,
        partitions: list[OffsetCommitResponsePartition] = EMPTY,
    ) -> None:
        self.name: Final = name
        self.topic_id: Final = topic_id
        self.partitions: Final = [] if partitions is EMPTY else partitions


class OffsetCommitResponse(Message):
    __slots__ = ('throttle_time_ms', 'topics')
    KEY = 8

    def __init__(
        self,
        throttle_time_ms: int = 0,
        topics: list[OffsetCommitResponseTopic] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.topics: Final = [] if topics is EMPTY else topics


def read_offset_commit_request_partition_v2_list(data: bytes, at: int, n: int) -> tuple[list[OffsetCommitRequestPartition], int]:
    if n * 14 > len(data) - at:
        raise too_many(n, 14, data, at)
    found: list[OffsetCommitRequestPartition] = []
    for _ in range(n):
        partition_index, committed_offset, n = unpack_iqh(data, at)
        at += 14
        if n >= 0:
            end = at + n
            committed_metadata = utf8(data[at:end])
            at = end
        elif n == -1:
            committed_metadata = None
        else:
            raise MalformedMessage("OffsetCommitRequestPartition.committed_metadata has a negative length")
        found.append(OffsetCommitRequestPartition(partition_index, committed_offset, -1, committed_metadata))
    return found, at


def read_offset_commit_request_topic_v2_list(data: bytes, at: int, n: int) -> tuple[list[OffsetCommitRequestTopic], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[OffsetCommitRequestTopic] = []
    for _ in range(n):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("OffsetCommitRequestTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("OffsetCommitRequestTopic.partitions is null")
        partitions, at = read_offset_commit_request_partition_v2_list(data, at, n)
        found.append(OffsetCommitRequestTopic(name, ZERO_TOPIC_ID, partitions))
    return found, at


def read_offset_commit_request_v2(data: bytes, at: int) -> tuple[OffsetCommitRequest, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("OffsetCommitRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    generation_id_or_member_epoch, n = unpack_ih(data, at)
    at += 6
    if n < 0:
        raise MalformedMessage("OffsetCommitRequest.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    retention_time_ms, n = unpack_qi(data, at)
    at += 12
    if n < 0:
        raise MalformedMessage("OffsetCommitRequest.topics is null")
    topics, at = read_offset_commit_request_topic_v2_list(data, at, n)
    return OffsetCommitRequest(group_id, generation_id_or_member_epoch, member_id, None, retention_time_ms, topics), at


def read_offset_commit_request_v5(data: bytes, at: int) -> tuple[OffsetCommitRequest, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("OffsetCommitRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    generation_id_or_member_epoch, n = unpack_ih(data, at)
    at += 6
    if n < 0:
        raise MalformedMessage("OffsetCommitRequest.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("OffsetCommitRequest.topics is null")
    topics, at = read_offset_commit_request_topic_v2_list(data, at, n)
    return OffsetCommitRequest(group_id, generation_id_or_member_epoch, member_id, None, -1, topics), at


def read_offset_commit_request_partition_v6_list(data: bytes, at: int, n: int) -> tuple[list[OffsetCommitRequestPartition], int]:
    if n * 18 > len(data) - at:
        raise too_many(n, 18, data, at)
    found: list[OffsetCommitRequestPartition] = []
    for _ in range(n):
        partition_index, committed_offset, committed_leader_epoch, n = unpack_iqih(data, at)
        at += 18
        if n >= 0:
            end = at + n
            committed_metadata = utf8(data[at:end])
            at = end
        elif n == -1:
            committed_metadata = None
        else:
            raise MalformedMessage("OffsetCommitRequestPartition.committed_metadata has a negative length")
        found.append(OffsetCommitRequestPartition(partition_index, committed_offset, committed_leader_epoch, committed_metadata))
    return found, at


def read_offset_commit_request_topic_v6_list(data: bytes, at: int, n: int) -> tuple[list[OffsetCommitRequestTopic], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[OffsetCommitRequestTopic] = []
    for _ in range(n):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("OffsetCommitRequestTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("OffsetCommitRequestTopic.partitions is null")
        partitions, at = read_offset_commit_request_partition_v6_list(data, at, n)
        found.append(OffsetCommitRequestTopic(name, ZERO_TOPIC_ID, partitions))
    return found, at


def read_offset_commit_request_v6(data: bytes, at: int) -> tuple[OffsetCommitRequest, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("OffsetCommitRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    generation_id_or_member_epoch, n = unpack_ih(data, at)
    at += 6
    if n < 0:
        raise MalformedMessage("OffsetCommitRequest.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("OffsetCommitRequest.topics is null")
    topics, at = read_offset_commit_request_topic_v6_list(data, at, n)
    return OffsetCommitRequest(group_id, generation_id_or_member_epoch, member_id, None, -1, topics), at


def read_offset_commit_request_v7(data: bytes, at: int) -> tuple[OffsetCommitRequest, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("OffsetCommitRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    generation_id_or_member_epoch, n = unpack_ih(data, at)
    at += 6
    if n < 0:
        raise MalformedMessage("OffsetCommitRequest.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    (n,) = unpack_h(data, at)
    at += 2
    if n >= 0:
        end = at + n
        group_instance_id = utf8(data[at:end])
        at = end
    elif n == -1:
        group_instance_id = None
    else:
        raise MalformedMessage("OffsetCommitRequest.group_instance_id has a negative length")
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("OffsetCommitRequest.topics is null")
    topics, at = read_offset_commit_request_topic_v6_list(data, at, n)
    return OffsetCommitRequest(group_id, generation_id_or_member_epoch, member_id, group_instance_id, -1, topics), at


def read_offset_commit_request_partition_v8_list(data: bytes, at: int, n: int) -> tuple[list[OffsetCommitRequestPartition], int]:
    if n * 18 > len(data) - at:
        raise too_many(n, 18, data, at)
    found: list[OffsetCommitRequestPartition] = []
    for _ in range(n):
        partition_index, committed_offset, committed_leader_epoch, n = unpack_iqiB(data, at)
        at += 17
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            end = at + n
            committed_metadata = utf8(data[at:end])
            at = end
        else:
            committed_metadata = None
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(OffsetCommitRequestPartition(partition_index, committed_offset, committed_leader_epoch, committed_metadata))
    return found, at


def read_offset_commit_request_topic_v8_list(data: bytes, at: int, n: int) -> tuple[list[OffsetCommitRequestTopic], int]:
    if n * 3 > len(data) - at:
        raise too_many(n, 3, data, at)
    found: list[OffsetCommitRequestTopic] = []
    for _ in range(n):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OffsetCommitRequestTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OffsetCommitRequestTopic.partitions is null")
        partitions, at = read_offset_commit_request_partition_v8_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(OffsetCommitRequestTopic(name, ZERO_TOPIC_ID, partitions))
    return found, at


def read_offset_commit_request_v8(data: bytes, at: int) -> tuple[OffsetCommitRequest, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("OffsetCommitRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    generation_id_or_member_epoch, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("OffsetCommitRequest.member_id is null")
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
        group_instance_id = utf8(data[at:end])
        at = end
    else:
        group_instance_id = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("OffsetCommitRequest.topics is null")
    topics, at = read_offset_commit_request_topic_v8_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return OffsetCommitRequest(group_id, generation_id_or_member_epoch, member_id, group_instance_id, -1, topics), at


def read_offset_commit_request_topic_v10_list(data: bytes, at: int, n: int) -> tuple[list[OffsetCommitRequestTopic], int]:
    if n * 18 > len(data) - at:
        raise too_many(n, 18, data, at)
    found: list[OffsetCommitRequestTopic] = []
    for _ in range(n):
        topic_id, n = unpack_16sB(data, at)
        at += 17
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OffsetCommitRequestTopic.partitions is null")
        partitions, at = read_offset_commit_request_partition_v8_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(OffsetCommitRequestTopic(TopicName(""), topic_id, partitions))
    return found, at


def read_offset_commit_request_v10(data: bytes, at: int) -> tuple[OffsetCommitRequest, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("OffsetCommitRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    generation_id_or_member_epoch, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("OffsetCommitRequest.member_id is null")
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
        group_instance_id = utf8(data[at:end])
        at = end
    else:
        group_instance_id = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("OffsetCommitRequest.topics is null")
    topics, at = read_offset_commit_request_topic_v10_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return OffsetCommitRequest(group_id, generation_id_or_member_epoch, member_id, group_instance_id, -1, topics), at


def read_offset_commit_response_partition_v2_list(data: bytes, at: int, n: int) -> tuple[list[OffsetCommitResponsePartition], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[OffsetCommitResponsePartition] = []
    for _ in range(n):
        partition_index, error_code = unpack_ih(data, at)
        at += 6
        found.append(OffsetCommitResponsePartition(partition_index, error_code))
    return found, at


def read_offset_commit_response_topic_v2_list(data: bytes, at: int, n: int) -> tuple[list[OffsetCommitResponseTopic], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[OffsetCommitResponseTopic] = []
    for _ in range(n):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("OffsetCommitResponseTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("OffsetCommitResponseTopic.partitions is null")
        partitions, at = read_offset_commit_response_partition_v2_list(data, at, n)
        found.append(OffsetCommitResponseTopic(name, ZERO_TOPIC_ID, partitions))
    return found, at


def read_offset_commit_response_v2(data: bytes, at: int) -> tuple[OffsetCommitResponse, int]:
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("OffsetCommitResponse.topics is null")
    topics, at = read_offset_commit_response_topic_v2_list(data, at, n)
    return OffsetCommitResponse(0, topics), at


def read_offset_commit_response_v3(data: bytes, at: int) -> tuple[OffsetCommitResponse, int]:
    throttle_time_ms, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("OffsetCommitResponse.topics is null")
    topics, at = read_offset_commit_response_topic_v2_list(data, at, n)
    return OffsetCommitResponse(throttle_time_ms, topics), at


def read_offset_commit_response_partition_v8_list(data: bytes, at: int, n: int) -> tuple[list[OffsetCommitResponsePartition], int]:
    if n * 7 > len(data) - at:
        raise too_many(n, 7, data, at)
    found: list[OffsetCommitResponsePartition] = []
    for _ in range(n):
        partition_index, error_code, tags = unpack_ihB(data, at)
        at += 7
        if tags:
            at = skip_tags(data, at - 1)
        found.append(OffsetCommitResponsePartition(partition_index, error_code))
    return found, at


def read_offset_commit_response_topic_v8_list(data: bytes, at: int, n: int) -> tuple[list[OffsetCommitResponseTopic], int]:
    if n * 3 > len(data) - at:
        raise too_many(n, 3, data, at)
    found: list[OffsetCommitResponseTopic] = []
    for _ in range(n):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OffsetCommitResponseTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OffsetCommitResponseTopic.partitions is null")
        partitions, at = read_offset_commit_response_partition_v8_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(OffsetCommitResponseTopic(name, ZERO_TOPIC_ID, partitions))
    return found, at


def read_offset_commit_response_v8(data: bytes, at: int) -> tuple[OffsetCommitResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("OffsetCommitResponse.topics is null")
    topics, at = read_offset_commit_response_topic_v8_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return OffsetCommitResponse(throttle_time_ms, topics), at


def read_offset_commit_response_topic_v10_list(data: bytes, at: int, n: int) -> tuple[list[OffsetCommitResponseTopic], int]:
    if n * 18 > len(data) - at:
        raise too_many(n, 18, data, at)
    found: list[OffsetCommitResponseTopic] = []
    for _ in range(n):
        topic_id, n = unpack_16sB(data, at)
        at += 17
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OffsetCommitResponseTopic.partitions is null")
        partitions, at = read_offset_commit_response_partition_v8_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(OffsetCommitResponseTopic(TopicName(""), topic_id, partitions))
    return found, at


def read_offset_commit_response_v10(data: bytes, at: int) -> tuple[OffsetCommitResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("OffsetCommitResponse.topics is null")
    topics, at = read_offset_commit_response_topic_v10_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return OffsetCommitResponse(throttle_time_ms, topics), at


def write_offset_commit_request_partition_v2_list(out: list[bytes], items: list[OffsetCommitRequestPartition]) -> None:
    put = out.append
    for m in items:
        if m.committed_metadata is None:
            put(pack_iqh(m.partition_index, m.committed_offset, -1))
        else:
            text = m.committed_metadata.encode()
            put(pack_iqh(m.partition_index, m.committed_offset, len(text)))
            put(text)


def write_offset_commit_request_topic_v2_list(out: list[bytes], items: list[OffsetCommitRequestTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_offset_commit_request_partition_v2_list(out, m.partitions)


def write_offset_commit_request_v2(out: list[bytes], m: OffsetCommitRequest) -> None:
    put = out.append
    if m.group_instance_id is not None:
        raise UnsupportedVersion("OffsetCommitRequest.group_instance_id exists in versions 7+ only")
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)
    text = m.member_id.encode()
    put(pack_ih(m.generation_id_or_member_epoch, len(text)))
    put(text)
    put(pack_qi(m.retention_time_ms, len(m.topics)))
    write_offset_commit_request_topic_v2_list(out, m.topics)


def write_offset_commit_request_v5(out: list[bytes], m: OffsetCommitRequest) -> None:
    put = out.append
    if m.group_instance_id is not None:
        raise UnsupportedVersion("OffsetCommitRequest.group_instance_id exists in versions 7+ only")
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)
    text = m.member_id.encode()
    put(pack_ih(m.generation_id_or_member_epoch, len(text)))
    put(text)
    put(pack_i(len(m.topics)))
    write_offset_commit_request_topic_v2_list(out, m.topics)


def write_offset_commit_request_partition_v6_list(out: list[bytes], items: list[OffsetCommitRequestPartition]) -> None:
    put = out.append
    for m in items:
        if m.committed_metadata is None:
            put(pack_iqih(m.partition_index, m.committed_offset, m.committed_leader_epoch, -1))
        else:
            text = m.committed_metadata.encode()
            put(pack_iqih(m.partition_index, m.committed_offset, m.committed_leader_epoch, len(text)))
            put(text)


def write_offset_commit_request_topic_v6_list(out: list[bytes], items: list[OffsetCommitRequestTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_offset_commit_request_partition_v6_list(out, m.partitions)


def write_offset_commit_request_v6(out: list[bytes], m: OffsetCommitRequest) -> None:
    put = out.append
    if m.group_instance_id is not None:
        raise UnsupportedVersion("OffsetCommitRequest.group_instance_id exists in versions 7+ only")
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)
    text = m.member_id.encode()
    put(pack_ih(m.generation_id_or_member_epoch, len(text)))
    put(text)
    put(pack_i(len(m.topics)))
    write_offset_commit_request_topic_v6_list(out, m.topics)


def write_offset_commit_request_v7(out: list[bytes], m: OffsetCommitRequest) -> None:
    put = out.append
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)
    text = m.member_id.encode()
    put(pack_ih(m.generation_id_or_member_epoch, len(text)))
    put(text)
    if m.group_instance_id is None:
        put(pack_h(-1))
    else:
        text = m.group_instance_id.encode()
        put(pack_h(len(text)))
        put(text)
    put(pack_i(len(m.topics)))
    write_offset_commit_request_topic_v6_list(out, m.topics)


def write_offset_commit_request_partition_v8_list(out: list[bytes], items: list[OffsetCommitRequestPartition]) -> None:
    put = out.append
    for m in items:
        put(pack_iqi(m.partition_index, m.committed_offset, m.committed_leader_epoch))
        if m.committed_metadata is None:
            put(b"\0")
        else:
            text = m.committed_metadata.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(b"\0")


def write_offset_commit_request_topic_v8_list(out: list[bytes], items: list[OffsetCommitRequestTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_offset_commit_request_partition_v8_list(out, m.partitions)
        put(b"\0")


def write_offset_commit_request_v8(out: list[bytes], m: OffsetCommitRequest) -> None:
    put = out.append
    text = m.group_id.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    text = m.member_id.encode()
    put(pack_i(m.generation_id_or_member_epoch))
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    if m.group_instance_id is None:
        put(b"\0")
    else:
        text = m.group_instance_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_offset_commit_request_topic_v8_list(out, m.topics)
    put(b"\0")


def write_offset_commit_request_topic_v10_list(out: list[bytes], items: list[OffsetCommitRequestTopic]) -> None:
    put = out.append
    for m in items:
        put(pack_16s(m.topic_id))
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_offset_commit_request_partition_v8_list(out, m.partitions)
        put(b"\0")


def write_offset_commit_request_v10(out: list[bytes], m: OffsetCommitRequest) -> None:
    put = out.append
    text = m.group_id.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    text = m.member_id.encode()
    put(pack_i(m.generation_id_or_member_epoch))
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    if m.group_instance_id is None:
        put(b"\0")
    else:
        text = m.group_instance_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_offset_commit_request_topic_v10_list(out, m.topics)
    put(b"\0")


def write_offset_commit_response_partition_v2_list(out: list[bytes], items: list[OffsetCommitResponsePartition]) -> None:
    put = out.append
    for m in items:
        put(pack_ih(m.partition_index, m.error_code))


def write_offset_commit_response_topic_v2_list(out: list[bytes], items: list[OffsetCommitResponseTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_offset_commit_response_partition_v2_list(out, m.partitions)


def write_offset_commit_response_v2(out: list[bytes], m: OffsetCommitResponse) -> None:
    put = out.append
    put(pack_i(len(m.topics)))
    write_offset_commit_response_topic_v2_list(out, m.topics)


def write_offset_commit_response_v3(out: list[bytes], m: OffsetCommitResponse) -> None:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.topics)))
    write_offset_commit_response_topic_v2_list(out, m.topics)


def write_offset_commit_response_partition_v8_list(out: list[bytes], items: list[OffsetCommitResponsePartition]) -> None:
    put = out.append
    for m in items:
        put(pack_ihx(m.partition_index, m.error_code))


def write_offset_commit_response_topic_v8_list(out: list[bytes], items: list[OffsetCommitResponseTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_offset_commit_response_partition_v8_list(out, m.partitions)
        put(b"\0")


def write_offset_commit_response_v8(out: list[bytes], m: OffsetCommitResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_offset_commit_response_topic_v8_list(out, m.topics)
    put(b"\0")


def write_offset_commit_response_topic_v10_list(out: list[bytes], items: list[OffsetCommitResponseTopic]) -> None:
    put = out.append
    for m in items:
        put(pack_16s(m.topic_id))
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_offset_commit_response_partition_v8_list(out, m.partitions)
        put(b"\0")


def write_offset_commit_response_v10(out: list[bytes], m: OffsetCommitResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_offset_commit_response_topic_v10_list(out, m.topics)
    put(b"\0")


OffsetCommitRequest.READERS = {
    2: read_offset_commit_request_v2,
    3: read_offset_commit_request_v2,
    4: read_offset_commit_request_v2,
    5: read_offset_commit_request_v5,
    6: read_offset_commit_request_v6,
    7: read_offset_commit_request_v7,
    8: read_offset_commit_request_v8,
    9: read_offset_commit_request_v8,
    10: read_offset_commit_request_v10,
}
OffsetCommitRequest.WRITERS = {
    2: write_offset_commit_request_v2,
    3: write_offset_commit_request_v2,
    4: write_offset_commit_request_v2,
    5: write_offset_commit_request_v5,
    6: write_offset_commit_request_v6,
    7: write_offset_commit_request_v7,
    8: write_offset_commit_request_v8,
    9: write_offset_commit_request_v8,
    10: write_offset_commit_request_v10,
}
OffsetCommitResponse.READERS = {
    2: read_offset_commit_response_v2,
    3: read_offset_commit_response_v3,
    4: read_offset_commit_response_v3,
    5: read_offset_commit_response_v3,
    6: read_offset_commit_response_v3,
    7: read_offset_commit_response_v3,
    8: read_offset_commit_response_v8,
    9: read_offset_commit_response_v8,
    10: read_offset_commit_response_v10,
}
OffsetCommitResponse.WRITERS = {
    2: write_offset_commit_response_v2,
    3: write_offset_commit_response_v3,
    4: write_offset_commit_response_v3,
    5: write_offset_commit_response_v3,
    6: write_offset_commit_response_v3,
    7: write_offset_commit_response_v3,
    8: write_offset_commit_response_v8,
    9: write_offset_commit_response_v8,
    10: write_offset_commit_response_v10,
}
