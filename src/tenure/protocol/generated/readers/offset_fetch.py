"""Generated from `tenure/protocol/tables/offset_fetch.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.offset_fetch import (
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopic,
    OffsetFetchRequestTopics,
    OffsetFetchResponse,
    OffsetFetchResponseGroup,
    OffsetFetchResponsePartition,
    OffsetFetchResponsePartitions,
    OffsetFetchResponseTopic,
    OffsetFetchResponseTopics,
)
from tenure.protocol.message import (
    MalformedMessage,
)
from tenure.protocol.types import (
    GroupId,
    TopicName,
    ZERO_TOPIC_ID,
)
from tenure.protocol.wire import (
    Elements,
    UNBOUNDED,
    UNCOUNTED_BYTES,
    read_int32s,
    read_text_length,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
)

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


def read_offset_fetch_request_topic_v1_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[OffsetFetchRequestTopic], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[OffsetFetchRequestTopic] = []
    for _ in range(announced):
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
        if elements is not UNBOUNDED:
            elements.add(n)
        partition_indexes = read_int32s(data, at, n)
        at += 4 * n
        found.append(OffsetFetchRequestTopic(name, partition_indexes))
    return found, at


def read_offset_fetch_request_v1(data: bytes, at: int) -> tuple[OffsetFetchRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
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
    if elements is not UNBOUNDED:
        elements.add(n)
    topics, at = read_offset_fetch_request_topic_v1_list(data, at, n, elements)
    return OffsetFetchRequest(group_id, topics), at


def read_offset_fetch_request_v2(data: bytes, at: int) -> tuple[OffsetFetchRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
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
        if elements is not UNBOUNDED:
            elements.add(n)
        topics, at = read_offset_fetch_request_topic_v1_list(data, at, n, elements)
    elif n == -1:
        topics = None
    else:
        raise MalformedMessage("OffsetFetchRequest.topics has a negative length")
    return OffsetFetchRequest(group_id, topics), at


def read_offset_fetch_request_topic_v6_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[OffsetFetchRequestTopic], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[OffsetFetchRequestTopic] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
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
        if elements is not UNBOUNDED:
            elements.add(n)
        partition_indexes = read_int32s(data, at, n)
        at += 4 * n
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(OffsetFetchRequestTopic(name, partition_indexes))
    return found, at


def read_offset_fetch_request_v6(data: bytes, at: int) -> tuple[OffsetFetchRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
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
        if elements is not UNBOUNDED:
            elements.add(n)
        topics, at = read_offset_fetch_request_topic_v6_list(data, at, n, elements)
    else:
        topics = None
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return OffsetFetchRequest(group_id, topics), at


def read_offset_fetch_request_v7(data: bytes, at: int) -> tuple[OffsetFetchRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
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
        if elements is not UNBOUNDED:
            elements.add(n)
        topics, at = read_offset_fetch_request_topic_v6_list(data, at, n, elements)
    else:
        topics = None
    require_stable, tags = unpack_ZB(data, at)
    at += 2
    if tags:
        at = skip_tags(data, at - 1, elements)
    return OffsetFetchRequest(group_id, topics, [], require_stable), at


def read_offset_fetch_request_topics_v8_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[OffsetFetchRequestTopics], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[OffsetFetchRequestTopics] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
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
        if elements is not UNBOUNDED:
            elements.add(n)
        partition_indexes = read_int32s(data, at, n)
        at += 4 * n
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(OffsetFetchRequestTopics(name, ZERO_TOPIC_ID, partition_indexes))
    return found, at


def read_offset_fetch_request_group_v8_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[OffsetFetchRequestGroup], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[OffsetFetchRequestGroup] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
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
            if elements is not UNBOUNDED:
                elements.add(n)
            topics, at = read_offset_fetch_request_topics_v8_list(data, at, n, elements)
        else:
            topics = None
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(OffsetFetchRequestGroup(group_id, None, -1, topics))
    return found, at


def read_offset_fetch_request_v8(data: bytes, at: int) -> tuple[OffsetFetchRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("OffsetFetchRequest.groups is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    groups, at = read_offset_fetch_request_group_v8_list(data, at, n, elements)
    require_stable, tags = unpack_ZB(data, at)
    at += 2
    if tags:
        at = skip_tags(data, at - 1, elements)
    return OffsetFetchRequest(GroupId(""), [], groups, require_stable), at


def read_offset_fetch_request_group_v9_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[OffsetFetchRequestGroup], int]:
    if announced * 8 > len(data) - at:
        raise too_many(announced, 8, data, at)
    found: list[OffsetFetchRequestGroup] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OffsetFetchRequestGroup.group_id is null")
        end = at + n
        group_id = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
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
            if elements is not UNBOUNDED:
                elements.add(n)
            topics, at = read_offset_fetch_request_topics_v8_list(data, at, n, elements)
        else:
            topics = None
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(OffsetFetchRequestGroup(group_id, member_id, member_epoch, topics))
    return found, at


def read_offset_fetch_request_v9(data: bytes, at: int) -> tuple[OffsetFetchRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("OffsetFetchRequest.groups is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    groups, at = read_offset_fetch_request_group_v9_list(data, at, n, elements)
    require_stable, tags = unpack_ZB(data, at)
    at += 2
    if tags:
        at = skip_tags(data, at - 1, elements)
    return OffsetFetchRequest(GroupId(""), [], groups, require_stable), at


def read_offset_fetch_request_topics_v10_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[OffsetFetchRequestTopics], int]:
    if announced * 18 > len(data) - at:
        raise too_many(announced, 18, data, at)
    found: list[OffsetFetchRequestTopics] = []
    for _ in range(announced):
        topic_id, n = unpack_16sB(data, at)
        at += 17
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OffsetFetchRequestTopics.partition_indexes is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        partition_indexes = read_int32s(data, at, n)
        at += 4 * n
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(OffsetFetchRequestTopics(TopicName(""), topic_id, partition_indexes))
    return found, at


def read_offset_fetch_request_group_v10_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[OffsetFetchRequestGroup], int]:
    if announced * 8 > len(data) - at:
        raise too_many(announced, 8, data, at)
    found: list[OffsetFetchRequestGroup] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OffsetFetchRequestGroup.group_id is null")
        end = at + n
        group_id = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
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
            if elements is not UNBOUNDED:
                elements.add(n)
            topics, at = read_offset_fetch_request_topics_v10_list(data, at, n, elements)
        else:
            topics = None
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(OffsetFetchRequestGroup(group_id, member_id, member_epoch, topics))
    return found, at


def read_offset_fetch_request_v10(data: bytes, at: int) -> tuple[OffsetFetchRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("OffsetFetchRequest.groups is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    groups, at = read_offset_fetch_request_group_v10_list(data, at, n, elements)
    require_stable, tags = unpack_ZB(data, at)
    at += 2
    if tags:
        at = skip_tags(data, at - 1, elements)
    return OffsetFetchRequest(GroupId(""), [], groups, require_stable), at


def read_offset_fetch_response_partition_v1_list(data: bytes, at: int, announced: int) -> tuple[list[OffsetFetchResponsePartition], int]:
    if announced * 16 > len(data) - at:
        raise too_many(announced, 16, data, at)
    found: list[OffsetFetchResponsePartition] = []
    for _ in range(announced):
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


def read_offset_fetch_response_topic_v1_list(data: bytes, at: int, announced: int) -> tuple[list[OffsetFetchResponseTopic], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[OffsetFetchResponseTopic] = []
    for _ in range(announced):
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


def read_offset_fetch_response_partition_v5_list(data: bytes, at: int, announced: int) -> tuple[list[OffsetFetchResponsePartition], int]:
    if announced * 20 > len(data) - at:
        raise too_many(announced, 20, data, at)
    found: list[OffsetFetchResponsePartition] = []
    for _ in range(announced):
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


def read_offset_fetch_response_topic_v5_list(data: bytes, at: int, announced: int) -> tuple[list[OffsetFetchResponseTopic], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[OffsetFetchResponseTopic] = []
    for _ in range(announced):
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


def read_offset_fetch_response_partition_v6_list(data: bytes, at: int, announced: int) -> tuple[list[OffsetFetchResponsePartition], int]:
    if announced * 20 > len(data) - at:
        raise too_many(announced, 20, data, at)
    found: list[OffsetFetchResponsePartition] = []
    for _ in range(announced):
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


def read_offset_fetch_response_topic_v6_list(data: bytes, at: int, announced: int) -> tuple[list[OffsetFetchResponseTopic], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[OffsetFetchResponseTopic] = []
    for _ in range(announced):
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


def read_offset_fetch_response_partitions_v8_list(data: bytes, at: int, announced: int) -> tuple[list[OffsetFetchResponsePartitions], int]:
    if announced * 20 > len(data) - at:
        raise too_many(announced, 20, data, at)
    found: list[OffsetFetchResponsePartitions] = []
    for _ in range(announced):
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


def read_offset_fetch_response_topics_v8_list(data: bytes, at: int, announced: int) -> tuple[list[OffsetFetchResponseTopics], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[OffsetFetchResponseTopics] = []
    for _ in range(announced):
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


def read_offset_fetch_response_group_v8_list(data: bytes, at: int, announced: int) -> tuple[list[OffsetFetchResponseGroup], int]:
    if announced * 5 > len(data) - at:
        raise too_many(announced, 5, data, at)
    found: list[OffsetFetchResponseGroup] = []
    for _ in range(announced):
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


def read_offset_fetch_response_topics_v10_list(data: bytes, at: int, announced: int) -> tuple[list[OffsetFetchResponseTopics], int]:
    if announced * 18 > len(data) - at:
        raise too_many(announced, 18, data, at)
    found: list[OffsetFetchResponseTopics] = []
    for _ in range(announced):
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


def read_offset_fetch_response_group_v10_list(data: bytes, at: int, announced: int) -> tuple[list[OffsetFetchResponseGroup], int]:
    if announced * 5 > len(data) - at:
        raise too_many(announced, 5, data, at)
    found: list[OffsetFetchResponseGroup] = []
    for _ in range(announced):
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
