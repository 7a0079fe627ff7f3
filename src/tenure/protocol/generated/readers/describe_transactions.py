"""Generated from `tenure/protocol/tables/describe_transactions.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.describe_transactions import (
    DescribeTransactionsRequest,
    DescribeTransactionsResponse,
    DescribedTransaction,
    DescribedTransactionTopic,
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

unpack_hB: Final = Packer(">hB").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_iqqhB: Final = Packer(">iqqhB").unpack_from


def read_describe_transactions_request_v0(data: bytes, at: int) -> tuple[DescribeTransactionsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribeTransactionsRequest.transactional_ids is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    transactional_ids, at = read_compact_strings(data, at, n, read_text_length)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return DescribeTransactionsRequest(transactional_ids), at


def read_described_transaction_topic_v0_list(data: bytes, at: int, announced: int) -> tuple[list[DescribedTransactionTopic], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[DescribedTransactionTopic] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedTransactionTopic.topic is null")
        end = at + n
        topic = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedTransactionTopic.partitions is null")
        partitions = read_int32s(data, at, n)
        at += 4 * n
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribedTransactionTopic(topic, partitions))
    return found, at


def read_described_transaction_v0_list(data: bytes, at: int, announced: int) -> tuple[list[DescribedTransaction], int]:
    if announced * 28 > len(data) - at:
        raise too_many(announced, 28, data, at)
    found: list[DescribedTransaction] = []
    for _ in range(announced):
        error_code, n = unpack_hB(data, at)
        at += 3
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedTransaction.transactional_id is null")
        end = at + n
        transactional_id = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedTransaction.transaction_state is null")
        end = at + n
        transaction_state = utf8(data[at:end])
        at = end
        transaction_timeout_ms, transaction_start_time_ms, producer_id, producer_epoch, n = unpack_iqqhB(data, at)
        at += 23
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedTransaction.topics is null")
        topics, at = read_described_transaction_topic_v0_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribedTransaction(error_code, transactional_id, transaction_state, transaction_timeout_ms, transaction_start_time_ms, producer_id, producer_epoch, topics))
    return found, at


def read_describe_transactions_response_v0(data: bytes, at: int) -> tuple[DescribeTransactionsResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribeTransactionsResponse.transaction_states is null")
    transaction_states, at = read_described_transaction_v0_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return DescribeTransactionsResponse(throttle_time_ms, transaction_states), at


DescribeTransactionsRequest.READERS = {
    0: read_describe_transactions_request_v0,
}
DescribeTransactionsResponse.READERS = {
    0: read_describe_transactions_response_v0,
}
