"""Generated from `tenure/protocol/tables/offset_fetch.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.message import (
    EMPTY,
    InvalidMessage,
    MalformedMessage,
    Message,
    Struct,
    UnsupportedVersion,
)
from tenure.protocol.types import (
    GroupId,
    MemberId,
    PartitionId,
    TopicId,
    TopicName,
    ZERO_TOPIC_ID,
)
from tenure.protocol.wire import (
    UVARINT,
    pack_int32s,
    read_fixed,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
    uvarint,
)

pack_16s: Final = Packer(">16s").pack
pack_Zx: Final = Packer(">?x").pack
pack_h: Final = Packer(">h").pack
pack_hx: Final = Packer(">hx").pack
pack_i: Final = Packer(">i").pack
pack_ii: Final = Packer(">ii").pack
pack_iqh: Final = Packer(">iqh").pack
pack_iqi: Final = Packer(">iqi").pack
pack_iqih: Final = Packer(">iqih").pack
unpack_16sB: Final = Packer(">16sB").unpack_from
unpack_ZB: Final = Packer(">?B").unpack_from
unpack_h: Final = Packer(">h").unpack_from
unpack_hB: Final = Packer(">hB").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ii: Final = Packer(">ii").unpack_from
unpack_iqh: Final = Packer(">iqh").unpack_from
unpack_iqiB: Final = Packer(">iqiB").unpack_from
unpack_iqih: Final = Packer(">iqih").unpack_from


class OffsetFetchRequestTopic(Struct):
    __slots__ = ('name', 'partition_indexes')

    def __init__(
        self,
        name: TopicName = TopicName(""),
        partition_indexes: list[PartitionId] = EMPTY,
    ) -> None:
        self.name: Final = name
        self.partition_indexes: Final = [] if partition_indexes is EMPTY else partition_indexes


class OffsetFetchRequestTopics(Struct):
    __slots__ = ('name', 'topic_id', 'partition_indexes')

    def __init__(
        self,
        name: TopicName = TopicName(""),
        topic_id: TopicId = ZERO_TOPIC_ID,
        partition_indexes: list[PartitionId] = EMPTY,
    ) -> None:
        self.name: Final = name
        self.topic_id: Final = topic_id
        self.partition_indexes: Final = [] if partition_indexes is EMPTY else partition_indexes


class OffsetFetchRequestGroup(Struct):
    __slots__ = ('group_id', 'member_id', 'member_epoch', 'topics')

    def __init__(
        self,
        group_id: GroupId = GroupId(""),
        member_id: MemberId | None = None,
        member_epoch: int = -1,
        topics: list[OffsetFetchRequestTopics] | None = EMPTY,
    ) -> None:
        self.group_id: Final = group_id
        self.member_id: Final = member_id
        self.member_epoch: Final = member_epoch
        self.topics: Final = [] if topics is EMPTY else topics


class OffsetFetchRequest(Message):
    __slots__ = ('group_id', 'topics', 'groups', 'require_stable')
    KEY = 9

    def __init__(
        self,
        group_id: GroupId = GroupId(""),
        topics: list[OffsetFetchRequestTopic] | None = EMPTY,
        groups: list[OffsetFetchRequestGroup] = EMPTY,
        require_stable: bool = False,
    ) -> None:
        self.group_id: Final = group_id
        self.topics: Final = [] if topics is EMPTY else topics
        self.groups: Final = [] if groups is EMPTY else groups
        self.require_stable: Final = require_stable


class OffsetFetchResponsePartition(Struct):
    __slots__ = ('partition_index', 'committed_offset', 'committed_leader_epoch', 'metadata', 'error_code')

    def __init__(
        self,
        partition_index: PartitionId = PartitionId(0),
        committed_offset: int = 0,
        committed_leader_epoch: int = -1,
        metadata: str | None = "",
        error_code: int = 0,
    ) -> None:
        self.partition_index: Final = partition_index
        self.committed_offset: Final = committed_offset
        self.committed_leader_epoch: Final = committed_leader_epoch
        self.metadata: Final = metadata
        self.error_code: Final = error_code


class OffsetFetchResponseTopic(Struct):
    __slots__ = ('name', 'partitions')

    def __init__(
        self,
        name: TopicName = TopicName(""),
        partitions: list[OffsetFetchResponsePartition] = EMPTY,
    ) -> None:
        self.name: Final = name
        self.partitions: Final = [] if partitions is EMPTY else partitions


class OffsetFetchResponsePartitions(Struct):
    __slots__ = ('partition_index', 'committed_offset', 'committed_leader_epoch', 'metadata', 'error_code')

    def __init__(
        self,
        partition_index: PartitionId = PartitionId(0),
        committed_offset: int = 0,
        committed_leader_epoch: int = -1,
        metadata: str | None = "",
        error_code: int = 0,
    ) -> None:
        self.partition_index: Final = partition_index
        self.committed_offset: Final = committed_offset
        self.committed_leader_epoch: Final = committed_leader_epoch
        self.metadata: Final = metadata
        self.error_code: Final = error_code


class OffsetFetchResponseTopics(Struct):
    __slots__ = ('name', 'topic_id', 'partitions')

    def __init__(
        self,
        name: TopicName = TopicName(""),
        topic_id: TopicId = ZERO_TOPIC_ID,
        partitions: list[OffsetFetchResponsePartitions] = EMPTY,
    ) -> None:
        self.name: Final = name
        self.topic_id: Final = topic_id
        self.partitions: Final = [] if partitions is EMPTY else partitions


class OffsetFetchResponseGroup(Struct):
    __slots__ = ('group_id', 'topics', 'error_code')

    def __init__(
        self,
        group_id: GroupId = GroupId(""),
        topics: list[OffsetFetchResponseTopics] = EMPTY,
        error_code: int = 0,
    ) -> None:
        self.group_id: Final = group_id
        self.topics: Final = [] if topics is EMPTY else topics
        self.error_code: Final = error_code


class OffsetFetchResponse(Message):
    __slots__ = ('throttle_time_ms', 'topics', 'error_code', 'groups')
    KEY = 9

    def __init__(
        self,
        throttle_time_ms: int = 0,
        topics: list[OffsetFetchResponseTopic] = EMPTY,
        error_code: int = 0,
        groups: list[OffsetFetchResponseGroup] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.topics: Final = [] if topics is EMPTY else topics
        self.error_code: Final = error_code
        self.groups: Final = [] if groups is EMPTY else groups


def read_offset_fetch_request_topic_v1_list(data: bytes, at: int, n: int) -> tuple[list[OffsetFetchRequestTopic], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[OffsetFetchRequestTopic] = []
    for _ in range(n):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("OffsetFetchRequestTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("OffsetFetchRequestTopic.partition_indexes is null")
        partition_indexes = read_fixed(data, at, n, "i", 4)
        at += 4 * n
        found.append(OffsetFetchRequestTopic(name, partition_indexes))
    return found, at


def read_offset_fetch_request_v1(data: bytes, at: int) -> tuple[OffsetFetchRequest, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("OffsetFetchRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("OffsetFetchRequest.topics is null")
    topics, at = read_offset_fetch_request_topic_v1_list(data, at, n)
    return OffsetFetchRequest(group_id, topics), at


def read_offset_fetch_request_v2(data: bytes, at: int) -> tuple[OffsetFetchRequest, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("OffsetFetchRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    (n,) = unpack_i(data, at)
    at += 4
    if n >= 0:
        topics, at = read_offset_fetch_request_topic_v1_list(data, at, n)
    elif n == -1:
        topics = None
    else:
        raise MalformedMessage("OffsetFetchRequest.topics has a negative length")
    return OffsetFetchRequest(group_id, topics), at


def read_offset_fetch_request_topic_v6_list(data: bytes, at: int, n: int) -> tuple[list[OffsetFetchRequestTopic], int]:
    if n * 3 > len(data) - at:
        raise too_many(n, 3, data, at)
    found: list[OffsetFetchRequestTopic] = []
    for _ in range(n):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OffsetFetchRequestTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OffsetFetchRequestTopic.partition_indexes is null")
        partition_indexes = read_fixed(data, at, n, "i", 4)
        at += 4 * n
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(OffsetFetchRequestTopic(name, partition_indexes))
    return found, at


def read_offset_fetch_request_v6(data: bytes, at: int) -> tuple[OffsetFetchRequest, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("OffsetFetchRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        topics, at = read_offset_fetch_request_topic_v6_list(data, at, n)
    else:
        topics = None
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return OffsetFetchRequest(group_id, topics), at


def read_offset_fetch_request_v7(data: bytes, at: int) -> tuple[OffsetFetchRequest, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("OffsetFetchRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        topics, at = read_offset_fetch_request_topic_v6_list(data, at, n)
    else:
        topics = None
    require_stable, tags = unpack_ZB(data, at)
    at += 2
    if tags:
        at = skip_tags(data, at - 1)
    return OffsetFetchRequest(group_id, topics, [], require_stable), at


def read_offset_fetch_request_topics_v8_list(data: bytes, at: int, n: int) -> tuple[list[OffsetFetchRequestTopics], int]:
    if n * 3 > len(data) - at:
        raise too_many(n, 3, data, at)
    found: list[OffsetFetchRequestTopics] = []
    for _ in range(n):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OffsetFetchRequestTopics.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OffsetFetchRequestTopics.partition_indexes is null")
        partition_indexes = read_fixed(data, at, n, "i", 4)
        at += 4 * n
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(OffsetFetchRequestTopics(name, ZERO_TOPIC_ID, partition_indexes))
    return found, at


def read_offset_fetch_request_group_v8_list(data: bytes, at: int, n: int) -> tuple[list[OffsetFetchRequestGroup], int]:
    if n * 3 > len(data) - at:
        raise too_many(n, 3, data, at)
    found: list[OffsetFetchRequestGroup] = []
    for _ in range(n):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OffsetFetchRequestGroup.group_id is null")
        end = at + n
        group_id = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            topics, at = read_offset_fetch_request_topics_v8_list(data, at, n)
        else:
            topics = None
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(OffsetFetchRequestGroup(group_id, None, -1, topics))
    return found, at


def read_offset_fetch_request_v8(data: bytes, at: int) -> tuple[OffsetFetchRequest, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("OffsetFetchRequest.groups is null")
    groups, at = read_offset_fetch_request_group_v8_list(data, at, n)
    require_stable, tags = unpack_ZB(data, at)
    at += 2
    if tags:
        at = skip_tags(data, at - 1)
    return OffsetFetchRequest(GroupId(""), [], groups, require_stable), at


def read_offset_fetch_request_group_v9_list(data: bytes, at: int, n: int) -> tuple[list[OffsetFetchRequestGroup], int]:
    if n * 8 > len(data) - at:
        raise too_many(n, 8, data, at)
    found: list[OffsetFetchRequestGroup] = []
    for _ in range(n):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OffsetFetchRequestGroup.group_id is null")
        end = at + n
        group_id = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            end = at + n
            member_id = utf8(data[at:end])
            at = end
        else:
            member_id = None
        member_epoch, n = unpack_iB(data, at)
        at += 5
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            topics, at = read_offset_fetch_request_topics_v8_list(data, at, n)
        else:
            topics = None
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(OffsetFetchRequestGroup(group_id, member_id, member_epoch, topics))
    return found, at


def read_offset_fetch_request_v9(data: bytes, at: int) -> tuple[OffsetFetchRequest, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("OffsetFetchRequest.groups is null")
    groups, at = read_offset_fetch_request_group_v9_list(data, at, n)
    require_stable, tags = unpack_ZB(data, at)
    at += 2
    if tags:
        at = skip_tags(data, at - 1)
    return OffsetFetchRequest(GroupId(""), [], groups, require_stable), at


def read_offset_fetch_request_topics_v10_list(data: bytes, at: int, n: int) -> tuple[list[OffsetFetchRequestTopics], int]:
    if n * 18 > len(data) - at:
        raise too_many(n, 18, data, at)
    found: list[OffsetFetchRequestTopics] = []
    for _ in range(n):
        topic_id, n = unpack_16sB(data, at)
        at += 17
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OffsetFetchRequestTopics.partition_indexes is null")
        partition_indexes = read_fixed(data, at, n, "i", 4)
        at += 4 * n
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(OffsetFetchRequestTopics(TopicName(""), topic_id, partition_indexes))
    return found, at


def read_offset_fetch_request_group_v10_list(data: bytes, at: int, n: int) -> tuple[list[OffsetFetchRequestGroup], int]:
    if n * 8 > len(data) - at:
        raise too_many(n, 8, data, at)
    found: list[OffsetFetchRequestGroup] = []
    for _ in range(n):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OffsetFetchRequestGroup.group_id is null")
        end = at + n
        group_id = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            end = at + n
            member_id = utf8(data[at:end])
            at = end
        else:
            member_id = None
        member_epoch, n = unpack_iB(data, at)
        at += 5
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            topics, at = read_offset_fetch_request_topics_v10_list(data, at, n)
        else:
            topics = None
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(OffsetFetchRequestGroup(group_id, member_id, member_epoch, topics))
    return found, at


def read_offset_fetch_request_v10(data: bytes, at: int) -> tuple[OffsetFetchRequest, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("OffsetFetchRequest.groups is null")
    groups, at = read_offset_fetch_request_group_v10_list(data, at, n)
    require_stable, tags = unpack_ZB(data, at)
    at += 2
    if tags:
        at = skip_tags(data, at - 1)
    return OffsetFetchRequest(GroupId(""), [], groups, require_stable), at


def read_offset_fetch_response_partition_v1_list(data: bytes, at: int, n: int) -> tuple[list[OffsetFetchResponsePartition], int]:
    if n * 16 > len(data) - at:
        raise too_many(n, 16, data, at)
    found: list[OffsetFetchResponsePartition] = []
    for _ in range(n):
        partition_index, committed_offset, n = unpack_iqh(data, at)
        at += 14
        if n >= 0:
            end = at + n
            metadata = utf8(data[at:end])
            at = end
        elif n == -1:
            metadata = None
        else:
            raise MalformedMessage("OffsetFetchResponsePartition.metadata has a negative length")
        (error_code,) = unpack_h(data, at)
        at += 2
        found.append(OffsetFetchResponsePartition(partition_index, committed_offset, -1, metadata, error_code))
    return found, at


def read_offset_fetch_response_topic_v1_list(data: bytes, at: int, n: int) -> tuple[list[OffsetFetchResponseTopic], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[OffsetFetchResponseTopic] = []
    for _ in range(n):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("OffsetFetchResponseTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("OffsetFetchResponseTopic.partitions is null")
        partitions, at = read_offset_fetch_response_partition_v1_list(data, at, n)
        found.append(OffsetFetchResponseTopic(name, partitions))
    return found, at


def read_offset_fetch_response_v1(data: bytes, at: int) -> tuple[OffsetFetchResponse, int]:
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("OffsetFetchResponse.topics is null")
    topics, at = read_offset_fetch_response_topic_v1_list(data, at, n)
    return OffsetFetchResponse(0, topics), at


def read_offset_fetch_response_v2(data: bytes, at: int) -> tuple[OffsetFetchResponse, int]:
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("OffsetFetchResponse.topics is null")
    topics, at = read_offset_fetch_response_topic_v1_list(data, at, n)
    (error_code,) = unpack_h(data, at)
    at += 2
    return OffsetFetchResponse(0, topics, error_code), at


def read_offset_fetch_response_v3(data: bytes, at: int) -> tuple[OffsetFetchResponse, int]:
    throttle_time_ms, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("OffsetFetchResponse.topics is null")
    topics, at = read_offset_fetch_response_topic_v1_list(data, at, n)
    (error_code,) = unpack_h(data, at)
    at += 2
    return OffsetFetchResponse(throttle_time_ms, topics, error_code), at


def read_offset_fetch_response_partition_v5_list(data: bytes, at: int, n: int) -> tuple[list[OffsetFetchResponsePartition], int]:
    if n * 20 > len(data) - at:
        raise too_many(n, 20, data, at)
    found: list[OffsetFetchResponsePartition] = []
    for _ in range(n):
        partition_index, committed_offset, committed_leader_epoch, n = unpack_iqih(data, at)
        at += 18
        if n >= 0:
            end = at + n
            metadata = utf8(data[at:end])
            at = end
        elif n == -1:
            metadata = None
        else:
            raise MalformedMessage("OffsetFetchResponsePartition.metadata has a negative length")
        (error_code,) = unpack_h(data, at)
        at += 2
        found.append(OffsetFetchResponsePartition(partition_index, committed_offset, committed_leader_epoch, metadata, error_code))
    return found, at


def read_offset_fetch_response_topic_v5_list(data: bytes, at: int, n: int) -> tuple[list[OffsetFetchResponseTopic], int]:
    if n * 6 > len(data) - at:
        raise too_many(n, 6, data, at)
    found: list[OffsetFetchResponseTopic] = []
    for _ in range(n):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("OffsetFetchResponseTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("OffsetFetchResponseTopic.partitions is null")
        partitions, at = read_offset_fetch_response_partition_v5_list(data, at, n)
        found.append(OffsetFetchResponseTopic(name, partitions))
    return found, at


def read_offset_fetch_response_v5(data: bytes, at: int) -> tuple[OffsetFetchResponse, int]:
    throttle_time_ms, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("OffsetFetchResponse.topics is null")
    topics, at = read_offset_fetch_response_topic_v5_list(data, at, n)
    (error_code,) = unpack_h(data, at)
    at += 2
    return OffsetFetchResponse(throttle_time_ms, topics, error_code), at


def read_offset_fetch_response_partition_v6_list(data: bytes, at: int, n: int) -> tuple[list[OffsetFetchResponsePartition], int]:
    if n * 20 > len(data) - at:
        raise too_many(n, 20, data, at)
    found: list[OffsetFetchResponsePartition] = []
    for _ in range(n):
        partition_index, committed_offset, committed_leader_epoch, n = unpack_iqiB(data, at)
        at += 17
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            end = at + n
            metadata = utf8(data[at:end])
            at = end
        else:
            metadata = None
        error_code, tags = unpack_hB(data, at)
        at += 3
        if tags:
            at = skip_tags(data, at - 1)
        found.append(OffsetFetchResponsePartition(partition_index, committed_offset, committed_leader_epoch, metadata, error_code))
    return found, at


def read_offset_fetch_response_topic_v6_list(data: bytes, at: int, n: int) -> tuple[list[OffsetFetchResponseTopic], int]:
    if n * 3 > len(data) - at:
        raise too_many(n, 3, data, at)
    found: list[OffsetFetchResponseTopic] = []
    for _ in range(n):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OffsetFetchResponseTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OffsetFetchResponseTopic.partitions is null")
        partitions, at = read_offset_fetch_response_partition_v6_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(OffsetFetchResponseTopic(name, partitions))
    return found, at


def read_offset_fetch_response_v6(data: bytes, at: int) -> tuple[OffsetFetchResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("OffsetFetchResponse.topics is null")
    topics, at = read_offset_fetch_response_topic_v6_list(data, at, n)
    error_code, tags = unpack_hB(data, at)
    at += 3
    if tags:
        at = skip_tags(data, at - 1)
    return OffsetFetchResponse(throttle_time_ms, topics, error_code), at


def read_offset_fetch_response_partitions_v8_list(data: bytes, at: int, n: int) -> tuple[list[OffsetFetchResponsePartitions], int]:
    if n * 20 > len(data) - at:
        raise too_many(n, 20, data, at)
    found: list[OffsetFetchResponsePartitions] = []
    for _ in range(n):
        partition_index, committed_offset, committed_leader_epoch, n = unpack_iqiB(data, at)
        at += 17
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n >= 0:
            end = at + n
            metadata = utf8(data[at:end])
            at = end
        else:
            metadata = None
        error_code, tags = unpack_hB(data, at)
        at += 3
        if tags:
            at = skip_tags(data, at - 1)
        found.append(OffsetFetchResponsePartitions(partition_index, committed_offset, committed_leader_epoch, metadata, error_code))
    return found, at


def read_offset_fetch_response_topics_v8_list(data: bytes, at: int, n: int) -> tuple[list[OffsetFetchResponseTopics], int]:
    if n * 3 > len(data) - at:
        raise too_many(n, 3, data, at)
    found: list[OffsetFetchResponseTopics] = []
    for _ in range(n):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OffsetFetchResponseTopics.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OffsetFetchResponseTopics.partitions is null")
        partitions, at = read_offset_fetch_response_partitions_v8_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(OffsetFetchResponseTopics(name, ZERO_TOPIC_ID, partitions))
    return found, at


def read_offset_fetch_response_group_v8_list(data: bytes, at: int, n: int) -> tuple[list[OffsetFetchResponseGroup], int]:
    if n * 5 > len(data) - at:
        raise too_many(n, 5, data, at)
    found: list[OffsetFetchResponseGroup] = []
    for _ in range(n):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OffsetFetchResponseGroup.group_id is null")
        end = at + n
        group_id = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OffsetFetchResponseGroup.topics is null")
        topics, at = read_offset_fetch_response_topics_v8_list(data, at, n)
        error_code, tags = unpack_hB(data, at)
        at += 3
        if tags:
            at = skip_tags(data, at - 1)
        found.append(OffsetFetchResponseGroup(group_id, topics, error_code))
    return found, at


def read_offset_fetch_response_v8(data: bytes, at: int) -> tuple[OffsetFetchResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("OffsetFetchResponse.groups is null")
    groups, at = read_offset_fetch_response_group_v8_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return OffsetFetchResponse(throttle_time_ms, [], 0, groups), at


def read_offset_fetch_response_topics_v10_list(data: bytes, at: int, n: int) -> tuple[list[OffsetFetchResponseTopics], int]:
    if n * 18 > len(data) - at:
        raise too_many(n, 18, data, at)
    found: list[OffsetFetchResponseTopics] = []
    for _ in range(n):
        topic_id, n = unpack_16sB(data, at)
        at += 17
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OffsetFetchResponseTopics.partitions is null")
        partitions, at = read_offset_fetch_response_partitions_v8_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(OffsetFetchResponseTopics(TopicName(""), topic_id, partitions))
    return found, at


def read_offset_fetch_response_group_v10_list(data: bytes, at: int, n: int) -> tuple[list[OffsetFetchResponseGroup], int]:
    if n * 5 > len(data) - at:
        raise too_many(n, 5, data, at)
    found: list[OffsetFetchResponseGroup] = []
    for _ in range(n):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OffsetFetchResponseGroup.group_id is null")
        end = at + n
        group_id = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OffsetFetchResponseGroup.topics is null")
        topics, at = read_offset_fetch_response_topics_v10_list(data, at, n)
        error_code, tags = unpack_hB(data, at)
        at += 3
        if tags:
            at = skip_tags(data, at - 1)
        found.append(OffsetFetchResponseGroup(group_id, topics, error_code))
    return found, at


def read_offset_fetch_response_v10(data: bytes, at: int) -> tuple[OffsetFetchResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("OffsetFetchResponse.groups is null")
    groups, at = read_offset_fetch_response_group_v10_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return OffsetFetchResponse(throttle_time_ms, [], 0, groups), at


def write_offset_fetch_request_topic_v1_list(out: list[bytes], items: list[OffsetFetchRequestTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partition_indexes)))
        put(pack_int32s(m.partition_indexes))


def write_offset_fetch_request_v1(out: list[bytes], m: OffsetFetchRequest) -> None:
    put = out.append
    if m.groups:
        raise UnsupportedVersion("OffsetFetchRequest.groups exists in versions 8+ only")
    if m.require_stable:
        raise UnsupportedVersion("OffsetFetchRequest.require_stable exists in versions 7+ only")
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)
    if m.topics is None:
        raise InvalidMessage("OffsetFetchRequest.topics may be null in versions 2-7 only")
    put(pack_i(len(m.topics)))
    write_offset_fetch_request_topic_v1_list(out, m.topics)


def write_offset_fetch_request_v2(out: list[bytes], m: OffsetFetchRequest) -> None:
    put = out.append
    if m.groups:
        raise UnsupportedVersion("OffsetFetchRequest.groups exists in versions 8+ only")
    if m.require_stable:
        raise UnsupportedVersion("OffsetFetchRequest.require_stable exists in versions 7+ only")
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)
    if m.topics is None:
        put(pack_i(-1))
    else:
        put(pack_i(len(m.topics)))
        write_offset_fetch_request_topic_v1_list(out, m.topics)


def write_offset_fetch_request_topic_v6_list(out: list[bytes], items: list[OffsetFetchRequestTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partition_indexes) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(pack_int32s(m.partition_indexes))
        put(b"\0")


def write_offset_fetch_request_v6(out: list[bytes], m: OffsetFetchRequest) -> None:
    put = out.append
    if m.groups:
        raise UnsupportedVersion("OffsetFetchRequest.groups exists in versions 8+ only")
    if m.require_stable:
        raise UnsupportedVersion("OffsetFetchRequest.require_stable exists in versions 7+ only")
    text = m.group_id.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    if m.topics is None:
        put(b"\0")
    else:
        n = len(m.topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_offset_fetch_request_topic_v6_list(out, m.topics)
    put(b"\0")


def write_offset_fetch_request_v7(out: list[bytes], m: OffsetFetchRequest) -> None:
    put = out.append
    if m.groups:
        raise UnsupportedVersion("OffsetFetchRequest.groups exists in versions 8+ only")
    text = m.group_id.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    if m.topics is None:
        put(b"\0")
    else:
        n = len(m.topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_offset_fetch_request_topic_v6_list(out, m.topics)
    put(pack_Zx(m.require_stable))


def write_offset_fetch_request_topics_v8_list(out: list[bytes], items: list[OffsetFetchRequestTopics]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partition_indexes) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(pack_int32s(m.partition_indexes))
        put(b"\0")


def write_offset_fetch_request_group_v8_list(out: list[bytes], items: list[OffsetFetchRequestGroup]) -> None:
    put = out.append
    for m in items:
        text = m.group_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        if m.topics is None:
            put(b"\0")
        else:
            n = len(m.topics) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            write_offset_fetch_request_topics_v8_list(out, m.topics)
        put(b"\0")


def write_offset_fetch_request_v8(out: list[bytes], m: OffsetFetchRequest) -> None:
    put = out.append
    if m.group_id:
        raise UnsupportedVersion("OffsetFetchRequest.group_id exists in versions 0-7 only")
    if (m.topics is None or m.topics):
        raise UnsupportedVersion("OffsetFetchRequest.topics exists in versions 0-7 only")
    n = len(m.groups) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_offset_fetch_request_group_v8_list(out, m.groups)
    put(pack_Zx(m.require_stable))


def write_offset_fetch_request_group_v9_list(out: list[bytes], items: list[OffsetFetchRequestGroup]) -> None:
    put = out.append
    for m in items:
        text = m.group_id.encode()
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
        put(pack_i(m.member_epoch))
        if m.topics is None:
            put(b"\0")
        else:
            n = len(m.topics) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            write_offset_fetch_request_topics_v8_list(out, m.topics)
        put(b"\0")


def write_offset_fetch_request_v9(out: list[bytes], m: OffsetFetchRequest) -> None:
    put = out.append
    if m.group_id:
        raise UnsupportedVersion("OffsetFetchRequest.group_id exists in versions 0-7 only")
    if (m.topics is None or m.topics):
        raise UnsupportedVersion("OffsetFetchRequest.topics exists in versions 0-7 only")
    n = len(m.groups) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_offset_fetch_request_group_v9_list(out, m.groups)
    put(pack_Zx(m.require_stable))


def write_offset_fetch_request_topics_v10_list(out: list[bytes], items: list[OffsetFetchRequestTopics]) -> None:
    put = out.append
    for m in items:
        put(pack_16s(m.topic_id))
        n = len(m.partition_indexes) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(pack_int32s(m.partition_indexes))
        put(b"\0")


def write_offset_fetch_request_group_v10_list(out: list[bytes], items: list[OffsetFetchRequestGroup]) -> None:
    put = out.append
    for m in items:
        text = m.group_id.encode()
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
        put(pack_i(m.member_epoch))
        if m.topics is None:
            put(b"\0")
        else:
            n = len(m.topics) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            write_offset_fetch_request_topics_v10_list(out, m.topics)
        put(b"\0")


def write_offset_fetch_request_v10(out: list[bytes], m: OffsetFetchRequest) -> None:
    put = out.append
    if m.group_id:
        raise UnsupportedVersion("OffsetFetchRequest.group_id exists in versions 0-7 only")
    if (m.topics is None or m.topics):
        raise UnsupportedVersion("OffsetFetchRequest.topics exists in versions 0-7 only")
    n = len(m.groups) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_offset_fetch_request_group_v10_list(out, m.groups)
    put(pack_Zx(m.require_stable))


def write_offset_fetch_response_partition_v1_list(out: list[bytes], items: list[OffsetFetchResponsePartition]) -> None:
    put = out.append
    for m in items:
        if m.metadata is None:
            put(pack_iqh(m.partition_index, m.committed_offset, -1))
        else:
            text = m.metadata.encode()
            put(pack_iqh(m.partition_index, m.committed_offset, len(text)))
            put(text)
        put(pack_h(m.error_code))


def write_offset_fetch_response_topic_v1_list(out: list[bytes], items: list[OffsetFetchResponseTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_offset_fetch_response_partition_v1_list(out, m.partitions)


def write_offset_fetch_response_v1(out: list[bytes], m: OffsetFetchResponse) -> None:
    put = out.append
    if m.groups:
        raise UnsupportedVersion("OffsetFetchResponse.groups exists in versions 8+ only")
    put(pack_i(len(m.topics)))
    write_offset_fetch_response_topic_v1_list(out, m.topics)


def write_offset_fetch_response_v2(out: list[bytes], m: OffsetFetchResponse) -> None:
    put = out.append
    if m.groups:
        raise UnsupportedVersion("OffsetFetchResponse.groups exists in versions 8+ only")
    put(pack_i(len(m.topics)))
    write_offset_fetch_response_topic_v1_list(out, m.topics)
    put(pack_h(m.error_code))


def write_offset_fetch_response_v3(out: list[bytes], m: OffsetFetchResponse) -> None:
    put = out.append
    if m.groups:
        raise UnsupportedVersion("OffsetFetchResponse.groups exists in versions 8+ only")
    put(pack_ii(m.throttle_time_ms, len(m.topics)))
    write_offset_fetch_response_topic_v1_list(out, m.topics)
    put(pack_h(m.error_code))


def write_offset_fetch_response_partition_v5_list(out: list[bytes], items: list[OffsetFetchResponsePartition]) -> None:
    put = out.append
    for m in items:
        if m.metadata is None:
            put(pack_iqih(m.partition_index, m.committed_offset, m.committed_leader_epoch, -1))
        else:
            text = m.metadata.encode()
            put(pack_iqih(m.partition_index, m.committed_offset, m.committed_leader_epoch, len(text)))
            put(text)
        put(pack_h(m.error_code))


def write_offset_fetch_response_topic_v5_list(out: list[bytes], items: list[OffsetFetchResponseTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_i(len(m.partitions)))
        write_offset_fetch_response_partition_v5_list(out, m.partitions)


def write_offset_fetch_response_v5(out: list[bytes], m: OffsetFetchResponse) -> None:
    put = out.append
    if m.groups:
        raise UnsupportedVersion("OffsetFetchResponse.groups exists in versions 8+ only")
    put(pack_ii(m.throttle_time_ms, len(m.topics)))
    write_offset_fetch_response_topic_v5_list(out, m.topics)
    put(pack_h(m.error_code))


def write_offset_fetch_response_partition_v6_list(out: list[bytes], items: list[OffsetFetchResponsePartition]) -> None:
    put = out.append
    for m in items:
        put(pack_iqi(m.partition_index, m.committed_offset, m.committed_leader_epoch))
        if m.metadata is None:
            put(b"\0")
        else:
            text = m.metadata.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(pack_hx(m.error_code))


def write_offset_fetch_response_topic_v6_list(out: list[bytes], items: list[OffsetFetchResponseTopic]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_offset_fetch_response_partition_v6_list(out, m.partitions)
        put(b"\0")


def write_offset_fetch_response_v6(out: list[bytes], m: OffsetFetchResponse) -> None:
    put = out.append
    if m.groups:
        raise UnsupportedVersion("OffsetFetchResponse.groups exists in versions 8+ only")
    put(pack_i(m.throttle_time_ms))
    n = len(m.topics) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_offset_fetch_response_topic_v6_list(out, m.topics)
    put(pack_hx(m.error_code))


def write_offset_fetch_response_partitions_v8_list(out: list[bytes], items: list[OffsetFetchResponsePartitions]) -> None:
    put = out.append
    for m in items:
        put(pack_iqi(m.partition_index, m.committed_offset, m.committed_leader_epoch))
        if m.metadata is None:
            put(b"\0")
        else:
            text = m.metadata.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(pack_hx(m.error_code))


def write_offset_fetch_response_topics_v8_list(out: list[bytes], items: list[OffsetFetchResponseTopics]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_offset_fetch_response_partitions_v8_list(out, m.partitions)
        put(b"\0")


def write_offset_fetch_response_group_v8_list(out: list[bytes], items: list[OffsetFetchResponseGroup]) -> None:
    put = out.append
    for m in items:
        text = m.group_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_offset_fetch_response_topics_v8_list(out, m.topics)
        put(pack_hx(m.error_code))


def write_offset_fetch_response_v8(out: list[bytes], m: OffsetFetchResponse) -> None:
    put = out.append
    if m.topics:
        raise UnsupportedVersion("OffsetFetchResponse.topics exists in versions 0-7 only")
    put(pack_i(m.throttle_time_ms))
    n = len(m.groups) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_offset_fetch_response_group_v8_list(out, m.groups)
    put(b"\0")


def write_offset_fetch_response_topics_v10_list(out: list[bytes], items: list[OffsetFetchResponseTopics]) -> None:
    put = out.append
    for m in items:
        put(pack_16s(m.topic_id))
        n = len(m.partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_offset_fetch_response_partitions_v8_list(out, m.partitions)
        put(b"\0")


def write_offset_fetch_response_group_v10_list(out: list[bytes], items: list[OffsetFetchResponseGroup]) -> None:
    put = out.append
    for m in items:
        text = m.group_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_offset_fetch_response_topics_v10_list(out, m.topics)
        put(pack_hx(m.error_code))


def write_offset_fetch_response_v10(out: list[bytes], m: OffsetFetchResponse) -> None:
    put = out.append
    if m.topics:
        raise UnsupportedVersion("OffsetFetchResponse.topics exists in versions 0-7 only")
    put(pack_i(m.throttle_time_ms))
    n = len(m.groups) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_offset_fetch_response_group_v10_list(out, m.groups)
    put(b"\0")


OffsetFetchRequest.READERS = {
    1: read_offset_fetch_request_v1,
    2: read_offset_fetch_request_v2,
    3: read_offset_fetch_request_v2,
    4: read_offset_fetch_request_v2,
    5: read_offset_fetch_request_v2,
    6: read_offset_fetch_request_v6,
    7: read_offset_fetch_request_v7,
    8: read_offset_fetch_request_v8,
    9: read_offset_fetch_request_v9,
    10: read_offset_fetch_request_v10,
}
OffsetFetchRequest.WRITERS = {
    1: write_offset_fetch_request_v1,
    2: write_offset_fetch_request_v2,
    3: write_offset_fetch_request_v2,
    4: write_offset_fetch_request_v2,
    5: write_offset_fetch_request_v2,
    6: write_offset_fetch_request_v6,
    7: write_offset_fetch_request_v7,
    8: write_offset_fetch_request_v8,
    9: write_offset_fetch_request_v9,
    10: write_offset_fetch_request_v10,
}
OffsetFetchResponse.READERS = {
    1: read_offset_fetch_response_v1,
    2: read_offset_fetch_response_v2,
    3: read_offset_fetch_response_v3,
    4: read_offset_fetch_response_v3,
    5: read_offset_fetch_response_v5,
    6: read_offset_fetch_response_v6,
    7: read_offset_fetch_response_v6,
    8: read_offset_fetch_response_v8,
    9: read_offset_fetch_response_v8,
    10: read_offset_fetch_response_v10,
}
OffsetFetchResponse.WRITERS = {
    1: write_offset_fetch_response_v1,
    2: write_offset_fetch_response_v2,
    3: write_offset_fetch_response_v3,
    4: write_offset_fetch_response_v3,
    5: write_offset_fetch_response_v5,
    6: write_offset_fetch_response_v6,
    7: write_offset_fetch_response_v6,
    8: write_offset_fetch_response_v8,
    9: write_offset_fetch_response_v8,
    10: write_offset_fetch_response_v10,
}
