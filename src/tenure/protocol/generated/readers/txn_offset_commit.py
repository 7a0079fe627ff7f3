"""Generated from `tenure/protocol/tables/txn_offset_commit.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.txn_offset_commit import (
    TxnOffsetCommitRequest,
    TxnOffsetCommitRequestPartition,
    TxnOffsetCommitRequestTopic,
    TxnOffsetCommitResponse,
    TxnOffsetCommitResponsePartition,
    TxnOffsetCommitResponseTopic,
)
from tenure.protocol.message import (
    MalformedMessage,
)
from tenure.protocol.types import (
    GenerationId,
    MemberId,
    TopicName,
    ZERO_TOPIC_ID,
)
from tenure.protocol.wire import (
    Elements,
    UNBOUNDED,
    UNCOUNTED_BYTES,
    read_text_length,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
)

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
unpack_qhi: Final = Packer(">qhi").unpack_from
unpack_qhiB: Final = Packer(">qhiB").unpack_from


def read_txn_offset_commit_request_partition_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[TxnOffsetCommitRequestPartition], int]:
    if announced * 14 > len(data) - at:
        raise too_many(announced, 14, data, at)
    found: list[TxnOffsetCommitRequestPartition] = []
    for _ in range(announced):
        partition_index, committed_offset, n = unpack_iqh(data, at)
        at += 14
        if n >= 0:
            end = at + n
            committed_metadata = utf8(data[at:end])
            at = end
        elif n == -1:
            committed_metadata = None
        else:
            raise MalformedMessage("TxnOffsetCommitRequestPartition.committed_metadata has a negative length")
        found.append(TxnOffsetCommitRequestPartition(partition_index, committed_offset, -1, committed_metadata))
    return found, at


def read_txn_offset_commit_request_topic_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[TxnOffsetCommitRequestTopic], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[TxnOffsetCommitRequestTopic] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("TxnOffsetCommitRequestTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("TxnOffsetCommitRequestTopic.partitions is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        partitions, at = read_txn_offset_commit_request_partition_v0_list(data, at, n, elements)
        found.append(TxnOffsetCommitRequestTopic(name, ZERO_TOPIC_ID, partitions))
    return found, at


def read_txn_offset_commit_request_v0(data: bytes, at: int) -> tuple[TxnOffsetCommitRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("TxnOffsetCommitRequest.transactional_id is null")
    end = at + n
    transactional_id = utf8(data[at:end])
    at = end
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("TxnOffsetCommitRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    producer_id, producer_epoch, n = unpack_qhi(data, at)
    at += 14
    if n < 0:
        raise MalformedMessage("TxnOffsetCommitRequest.topics is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topics, at = read_txn_offset_commit_request_topic_v0_list(data, at, n, elements)
    return TxnOffsetCommitRequest(transactional_id, group_id, producer_id, producer_epoch, GenerationId(-1), MemberId(""), None, topics), at


def read_txn_offset_commit_request_partition_v2_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[TxnOffsetCommitRequestPartition], int]:
    if announced * 18 > len(data) - at:
        raise too_many(announced, 18, data, at)
    found: list[TxnOffsetCommitRequestPartition] = []
    for _ in range(announced):
        partition_index, committed_offset, committed_leader_epoch, n = unpack_iqih(data, at)
        at += 18
        if n >= 0:
            end = at + n
            committed_metadata = utf8(data[at:end])
            at = end
        elif n == -1:
            committed_metadata = None
        else:
            raise MalformedMessage("TxnOffsetCommitRequestPartition.committed_metadata has a negative length")
        found.append(TxnOffsetCommitRequestPartition(partition_index, committed_offset, committed_leader_epoch, committed_metadata))
    return found, at


def read_txn_offset_commit_request_topic_v2_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[TxnOffsetCommitRequestTopic], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[TxnOffsetCommitRequestTopic] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("TxnOffsetCommitRequestTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("TxnOffsetCommitRequestTopic.partitions is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        partitions, at = read_txn_offset_commit_request_partition_v2_list(data, at, n, elements)
        found.append(TxnOffsetCommitRequestTopic(name, ZERO_TOPIC_ID, partitions))
    return found, at


def read_txn_offset_commit_request_v2(data: bytes, at: int) -> tuple[TxnOffsetCommitRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("TxnOffsetCommitRequest.transactional_id is null")
    end = at + n
    transactional_id = utf8(data[at:end])
    at = end
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("TxnOffsetCommitRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    producer_id, producer_epoch, n = unpack_qhi(data, at)
    at += 14
    if n < 0:
        raise MalformedMessage("TxnOffsetCommitRequest.topics is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topics, at = read_txn_offset_commit_request_topic_v2_list(data, at, n, elements)
    return TxnOffsetCommitRequest(transactional_id, group_id, producer_id, producer_epoch, GenerationId(-1), MemberId(""), None, topics), at


def read_txn_offset_commit_request_partition_v3_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[TxnOffsetCommitRequestPartition], int]:
    if announced * 18 > len(data) - at:
        raise too_many(announced, 18, data, at)
    found: list[TxnOffsetCommitRequestPartition] = []
    for _ in range(announced):
        partition_index, committed_offset, committed_leader_epoch, n = unpack_iqiB(data, at)
        at += 17
        if n > 127:
            n, at = read_text_length(data, at - 1)
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
            at = skip_tags(data, at - 1, elements)
        found.append(TxnOffsetCommitRequestPartition(partition_index, committed_offset, committed_leader_epoch, committed_metadata))
    return found, at


def read_txn_offset_commit_request_topic_v3_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[TxnOffsetCommitRequestTopic], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[TxnOffsetCommitRequestTopic] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TxnOffsetCommitRequestTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TxnOffsetCommitRequestTopic.partitions is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        partitions, at = read_txn_offset_commit_request_partition_v3_list(data, at, n, elements)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(TxnOffsetCommitRequestTopic(name, ZERO_TOPIC_ID, partitions))
    return found, at


def read_txn_offset_commit_request_v3(data: bytes, at: int) -> tuple[TxnOffsetCommitRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("TxnOffsetCommitRequest.transactional_id is null")
    end = at + n
    transactional_id = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("TxnOffsetCommitRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    producer_id, producer_epoch, generation_id_or_member_epoch, n = unpack_qhiB(data, at)
    at += 15
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("TxnOffsetCommitRequest.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
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
        raise MalformedMessage("TxnOffsetCommitRequest.topics is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topics, at = read_txn_offset_commit_request_topic_v3_list(data, at, n, elements)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return TxnOffsetCommitRequest(transactional_id, group_id, producer_id, producer_epoch, generation_id_or_member_epoch, member_id, group_instance_id, topics), at


def read_txn_offset_commit_request_topic_v6_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[TxnOffsetCommitRequestTopic], int]:
    if announced * 18 > len(data) - at:
        raise too_many(announced, 18, data, at)
    found: list[TxnOffsetCommitRequestTopic] = []
    for _ in range(announced):
        topic_id, n = unpack_16sB(data, at)
        at += 17
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TxnOffsetCommitRequestTopic.partitions is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        partitions, at = read_txn_offset_commit_request_partition_v3_list(data, at, n, elements)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(TxnOffsetCommitRequestTopic(TopicName(""), topic_id, partitions))
    return found, at


def read_txn_offset_commit_request_v6(data: bytes, at: int) -> tuple[TxnOffsetCommitRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("TxnOffsetCommitRequest.transactional_id is null")
    end = at + n
    transactional_id = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("TxnOffsetCommitRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    producer_id, producer_epoch, generation_id_or_member_epoch, n = unpack_qhiB(data, at)
    at += 15
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("TxnOffsetCommitRequest.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
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
        raise MalformedMessage("TxnOffsetCommitRequest.topics is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    topics, at = read_txn_offset_commit_request_topic_v6_list(data, at, n, elements)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return TxnOffsetCommitRequest(transactional_id, group_id, producer_id, producer_epoch, generation_id_or_member_epoch, member_id, group_instance_id, topics), at


def read_txn_offset_commit_response_partition_v0_list(data: bytes, at: int, announced: int) -> tuple[list[TxnOffsetCommitResponsePartition], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[TxnOffsetCommitResponsePartition] = []
    for _ in range(announced):
        partition_index, error_code = unpack_ih(data, at)
        at += 6
        found.append(TxnOffsetCommitResponsePartition(partition_index, error_code))
    return found, at


def read_txn_offset_commit_response_topic_v0_list(data: bytes, at: int, announced: int) -> tuple[list[TxnOffsetCommitResponseTopic], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[TxnOffsetCommitResponseTopic] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("TxnOffsetCommitResponseTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("TxnOffsetCommitResponseTopic.partitions is null")
        partitions, at = read_txn_offset_commit_response_partition_v0_list(data, at, n)
        found.append(TxnOffsetCommitResponseTopic(name, ZERO_TOPIC_ID, partitions))
    return found, at


def read_txn_offset_commit_response_v0(data: bytes, at: int) -> tuple[TxnOffsetCommitResponse, int]:
    throttle_time_ms, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("TxnOffsetCommitResponse.topics is null")
    topics, at = read_txn_offset_commit_response_topic_v0_list(data, at, n)
    return TxnOffsetCommitResponse(throttle_time_ms, topics), at


def read_txn_offset_commit_response_partition_v3_list(data: bytes, at: int, announced: int) -> tuple[list[TxnOffsetCommitResponsePartition], int]:
    if announced * 7 > len(data) - at:
        raise too_many(announced, 7, data, at)
    found: list[TxnOffsetCommitResponsePartition] = []
    for _ in range(announced):
        partition_index, error_code, tags = unpack_ihB(data, at)
        at += 7
        if tags:
            at = skip_tags(data, at - 1)
        found.append(TxnOffsetCommitResponsePartition(partition_index, error_code))
    return found, at


def read_txn_offset_commit_response_topic_v3_list(data: bytes, at: int, announced: int) -> tuple[list[TxnOffsetCommitResponseTopic], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[TxnOffsetCommitResponseTopic] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TxnOffsetCommitResponseTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TxnOffsetCommitResponseTopic.partitions is null")
        partitions, at = read_txn_offset_commit_response_partition_v3_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(TxnOffsetCommitResponseTopic(name, ZERO_TOPIC_ID, partitions))
    return found, at


def read_txn_offset_commit_response_v3(data: bytes, at: int) -> tuple[TxnOffsetCommitResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("TxnOffsetCommitResponse.topics is null")
    topics, at = read_txn_offset_commit_response_topic_v3_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return TxnOffsetCommitResponse(throttle_time_ms, topics), at


def read_txn_offset_commit_response_topic_v6_list(data: bytes, at: int, announced: int) -> tuple[list[TxnOffsetCommitResponseTopic], int]:
    if announced * 18 > len(data) - at:
        raise too_many(announced, 18, data, at)
    found: list[TxnOffsetCommitResponseTopic] = []
    for _ in range(announced):
        topic_id, n = unpack_16sB(data, at)
        at += 17
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("TxnOffsetCommitResponseTopic.partitions is null")
        partitions, at = read_txn_offset_commit_response_partition_v3_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(TxnOffsetCommitResponseTopic(TopicName(""), topic_id, partitions))
    return found, at


def read_txn_offset_commit_response_v6(data: bytes, at: int) -> tuple[TxnOffsetCommitResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("TxnOffsetCommitResponse.topics is null")
    topics, at = read_txn_offset_commit_response_topic_v6_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return TxnOffsetCommitResponse(throttle_time_ms, topics), at


TxnOffsetCommitRequest.READERS = {
    0: read_txn_offset_commit_request_v0,
    1: read_txn_offset_commit_request_v0,
    2: read_txn_offset_commit_request_v2,
    3: read_txn_offset_commit_request_v3,
    4: read_txn_offset_commit_request_v3,
    5: read_txn_offset_commit_request_v3,
    6: read_txn_offset_commit_request_v6,
}
TxnOffsetCommitResponse.READERS = {
    0: read_txn_offset_commit_response_v0,
    1: read_txn_offset_commit_response_v0,
    2: read_txn_offset_commit_response_v0,
    3: read_txn_offset_commit_response_v3,
    4: read_txn_offset_commit_response_v3,
    5: read_txn_offset_commit_response_v3,
    6: read_txn_offset_commit_response_v6,
}
