"""Generated from `tenure/protocol/tables/list_transactions.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.list_transactions import (
    ListTransactionsRequest,
    ListTransactionsResponse,
    ListedTransaction,
)
from tenure.protocol.message import (
    MalformedMessage,
)
from tenure.protocol.wire import (
    Elements,
    UNBOUNDED,
    UNCOUNTED_BYTES,
    read_compact_strings,
    read_int64s,
    read_text_length,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
)

unpack_ihB: Final = Packer(">ihB").unpack_from
unpack_qB: Final = Packer(">qB").unpack_from


def read_list_transactions_request_v0(data: bytes, at: int) -> tuple[ListTransactionsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ListTransactionsRequest.state_filters is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    state_filters, at = read_compact_strings(data, at, n, read_text_length)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ListTransactionsRequest.producer_id_filters is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    producer_id_filters = read_int64s(data, at, n)
    at += 8 * n
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return ListTransactionsRequest(state_filters, producer_id_filters), at


def read_list_transactions_request_v1(data: bytes, at: int) -> tuple[ListTransactionsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ListTransactionsRequest.state_filters is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    state_filters, at = read_compact_strings(data, at, n, read_text_length)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ListTransactionsRequest.producer_id_filters is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    producer_id_filters = read_int64s(data, at, n)
    at += 8 * n
    duration_filter, tags = unpack_qB(data, at)
    at += 9
    if tags:
        at = skip_tags(data, at - 1, elements)
    return ListTransactionsRequest(state_filters, producer_id_filters, duration_filter), at


def read_list_transactions_request_v2(data: bytes, at: int) -> tuple[ListTransactionsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ListTransactionsRequest.state_filters is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    state_filters, at = read_compact_strings(data, at, n, read_text_length)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ListTransactionsRequest.producer_id_filters is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    producer_id_filters = read_int64s(data, at, n)
    at += 8 * n
    duration_filter, n = unpack_qB(data, at)
    at += 9
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        transactional_id_pattern = utf8(data[at:end])
        at = end
    else:
        transactional_id_pattern = None
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return ListTransactionsRequest(state_filters, producer_id_filters, duration_filter, transactional_id_pattern), at


def read_listed_transaction_v0_list(data: bytes, at: int, announced: int) -> tuple[list[ListedTransaction], int]:
    if announced * 11 > len(data) - at:
        raise too_many(announced, 11, data, at)
    found: list[ListedTransaction] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ListedTransaction.transactional_id is null")
        end = at + n
        transactional_id = utf8(data[at:end])
        at = end
        producer_id, n = unpack_qB(data, at)
        at += 9
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ListedTransaction.transaction_state is null")
        end = at + n
        transaction_state = utf8(data[at:end])
        at = end
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(ListedTransaction(transactional_id, producer_id, transaction_state))
    return found, at


def read_list_transactions_response_v0(data: bytes, at: int) -> tuple[ListTransactionsResponse, int]:
    throttle_time_ms, error_code, n = unpack_ihB(data, at)
    at += 7
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ListTransactionsResponse.unknown_state_filters is null")
    unknown_state_filters, at = read_compact_strings(data, at, n)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ListTransactionsResponse.transaction_states is null")
    transaction_states, at = read_listed_transaction_v0_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return ListTransactionsResponse(throttle_time_ms, error_code, unknown_state_filters, transaction_states), at


ListTransactionsRequest.READERS = {
    0: read_list_transactions_request_v0,
    1: read_list_transactions_request_v1,
    2: read_list_transactions_request_v2,
}
ListTransactionsResponse.READERS = {
    0: read_list_transactions_response_v0,
    1: read_list_transactions_response_v0,
    2: read_list_transactions_response_v0,
}
