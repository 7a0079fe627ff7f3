"""Generated from `tenure/protocol/tables/add_partitions_to_txn.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.add_partitions_to_txn import (
    AddPartitionsToTxnPartitionResult,
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnResponse,
    AddPartitionsToTxnResult,
    AddPartitionsToTxnTopic,
    AddPartitionsToTxnTopicResult,
    AddPartitionsToTxnTransaction,
)
from tenure.protocol.message import (
    MalformedMessage,
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

unpack_h: Final = Packer(">h").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ih: Final = Packer(">ih").unpack_from
unpack_ihB: Final = Packer(">ihB").unpack_from
unpack_ii: Final = Packer(">ii").unpack_from
unpack_qhZB: Final = Packer(">qh?B").unpack_from
unpack_qhB: Final = Packer(">qhB").unpack_from
unpack_qhi: Final = Packer(">qhi").unpack_from


def read_add_partitions_to_txn_topic_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[AddPartitionsToTxnTopic], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[AddPartitionsToTxnTopic] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("AddPartitionsToTxnTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("AddPartitionsToTxnTopic.partitions is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        partitions = read_int32s(data, at, n)
        at += 4 * n
        found.append(AddPartitionsToTxnTopic(name, partitions))
    return found, at


def read_add_partitions_to_txn_request_v0(data: bytes, at: int) -> tuple[AddPartitionsToTxnRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("AddPartitionsToTxnRequest.v3_and_below_transactional_id is null")
    end = at + n
    v3_and_below_transactional_id = utf8(data[at:end])
    at = end
    v3_and_below_producer_id, v3_and_below_producer_epoch, n = unpack_qhi(data, at)
    at += 14
    if n < 0:
        raise MalformedMessage("AddPartitionsToTxnRequest.v3_and_below_topics is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    v3_and_below_topics, at = read_add_partitions_to_txn_topic_v0_list(data, at, n, elements)
    return AddPartitionsToTxnRequest([], v3_and_below_transactional_id, v3_and_below_producer_id, v3_and_below_producer_epoch, v3_and_below_topics), at


def read_add_partitions_to_txn_topic_v3_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[AddPartitionsToTxnTopic], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[AddPartitionsToTxnTopic] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("AddPartitionsToTxnTopic.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("AddPartitionsToTxnTopic.partitions is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        partitions = read_int32s(data, at, n)
        at += 4 * n
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(AddPartitionsToTxnTopic(name, partitions))
    return found, at


def read_add_partitions_to_txn_request_v3(data: bytes, at: int) -> tuple[AddPartitionsToTxnRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("AddPartitionsToTxnRequest.v3_and_below_transactional_id is null")
    end = at + n
    v3_and_below_transactional_id = utf8(data[at:end])
    at = end
    v3_and_below_producer_id, v3_and_below_producer_epoch, n = unpack_qhB(data, at)
    at += 11
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("AddPartitionsToTxnRequest.v3_and_below_topics is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    v3_and_below_topics, at = read_add_partitions_to_txn_topic_v3_list(data, at, n, elements)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return AddPartitionsToTxnRequest([], v3_and_below_transactional_id, v3_and_below_producer_id, v3_and_below_producer_epoch, v3_and_below_topics), at


def read_add_partitions_to_txn_transaction_v4_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[AddPartitionsToTxnTransaction], int]:
    if announced * 14 > len(data) - at:
        raise too_many(announced, 14, data, at)
    found: list[AddPartitionsToTxnTransaction] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("AddPartitionsToTxnTransaction.transactional_id is null")
        end = at + n
        transactional_id = utf8(data[at:end])
        at = end
        producer_id, producer_epoch, verify_only, n = unpack_qhZB(data, at)
        at += 12
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("AddPartitionsToTxnTransaction.topics is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        topics, at = read_add_partitions_to_txn_topic_v3_list(data, at, n, elements)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(AddPartitionsToTxnTransaction(transactional_id, producer_id, producer_epoch, verify_only, topics))
    return found, at


def read_add_partitions_to_txn_request_v4(data: bytes, at: int) -> tuple[AddPartitionsToTxnRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("AddPartitionsToTxnRequest.transactions is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    transactions, at = read_add_partitions_to_txn_transaction_v4_list(data, at, n, elements)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return AddPartitionsToTxnRequest(transactions), at


def read_add_partitions_to_txn_partition_result_v0_list(data: bytes, at: int, announced: int) -> tuple[list[AddPartitionsToTxnPartitionResult], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[AddPartitionsToTxnPartitionResult] = []
    for _ in range(announced):
        partition_index, partition_error_code = unpack_ih(data, at)
        at += 6
        found.append(AddPartitionsToTxnPartitionResult(partition_index, partition_error_code))
    return found, at


def read_add_partitions_to_txn_topic_result_v0_list(data: bytes, at: int, announced: int) -> tuple[list[AddPartitionsToTxnTopicResult], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[AddPartitionsToTxnTopicResult] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("AddPartitionsToTxnTopicResult.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("AddPartitionsToTxnTopicResult.results_by_partition is null")
        results_by_partition, at = read_add_partitions_to_txn_partition_result_v0_list(data, at, n)
        found.append(AddPartitionsToTxnTopicResult(name, results_by_partition))
    return found, at


def read_add_partitions_to_txn_response_v0(data: bytes, at: int) -> tuple[AddPartitionsToTxnResponse, int]:
    throttle_time_ms, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("AddPartitionsToTxnResponse.results_by_topic_v3_and_below is null")
    results_by_topic_v3_and_below, at = read_add_partitions_to_txn_topic_result_v0_list(data, at, n)
    return AddPartitionsToTxnResponse(throttle_time_ms, 0, [], results_by_topic_v3_and_below), at


def read_add_partitions_to_txn_partition_result_v3_list(data: bytes, at: int, announced: int) -> tuple[list[AddPartitionsToTxnPartitionResult], int]:
    if announced * 7 > len(data) - at:
        raise too_many(announced, 7, data, at)
    found: list[AddPartitionsToTxnPartitionResult] = []
    for _ in range(announced):
        partition_index, partition_error_code, tags = unpack_ihB(data, at)
        at += 7
        if tags:
            at = skip_tags(data, at - 1)
        found.append(AddPartitionsToTxnPartitionResult(partition_index, partition_error_code))
    return found, at


def read_add_partitions_to_txn_topic_result_v3_list(data: bytes, at: int, announced: int) -> tuple[list[AddPartitionsToTxnTopicResult], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[AddPartitionsToTxnTopicResult] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("AddPartitionsToTxnTopicResult.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("AddPartitionsToTxnTopicResult.results_by_partition is null")
        results_by_partition, at = read_add_partitions_to_txn_partition_result_v3_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(AddPartitionsToTxnTopicResult(name, results_by_partition))
    return found, at


def read_add_partitions_to_txn_response_v3(data: bytes, at: int) -> tuple[AddPartitionsToTxnResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("AddPartitionsToTxnResponse.results_by_topic_v3_and_below is null")
    results_by_topic_v3_and_below, at = read_add_partitions_to_txn_topic_result_v3_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return AddPartitionsToTxnResponse(throttle_time_ms, 0, [], results_by_topic_v3_and_below), at


def read_add_partitions_to_txn_result_v4_list(data: bytes, at: int, announced: int) -> tuple[list[AddPartitionsToTxnResult], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[AddPartitionsToTxnResult] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("AddPartitionsToTxnResult.transactional_id is null")
        end = at + n
        transactional_id = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("AddPartitionsToTxnResult.topic_results is null")
        topic_results, at = read_add_partitions_to_txn_topic_result_v3_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(AddPartitionsToTxnResult(transactional_id, topic_results))
    return found, at


def read_add_partitions_to_txn_response_v4(data: bytes, at: int) -> tuple[AddPartitionsToTxnResponse, int]:
    throttle_time_ms, error_code, n = unpack_ihB(data, at)
    at += 7
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("AddPartitionsToTxnResponse.results_by_transaction is null")
    results_by_transaction, at = read_add_partitions_to_txn_result_v4_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return AddPartitionsToTxnResponse(throttle_time_ms, error_code, results_by_transaction), at


AddPartitionsToTxnRequest.READERS = {
    0: read_add_partitions_to_txn_request_v0,
    1: read_add_partitions_to_txn_request_v0,
    2: read_add_partitions_to_txn_request_v0,
    3: read_add_partitions_to_txn_request_v3,
    4: read_add_partitions_to_txn_request_v4,
    5: read_add_partitions_to_txn_request_v4,
}
AddPartitionsToTxnResponse.READERS = {
    0: read_add_partitions_to_txn_response_v0,
    1: read_add_partitions_to_txn_response_v0,
    2: read_add_partitions_to_txn_response_v0,
    3: read_add_partitions_to_txn_response_v3,
    4: read_add_partitions_to_txn_response_v4,
    5: read_add_partitions_to_txn_response_v4,
}
