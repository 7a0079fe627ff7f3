"""Generated from `tenure/protocol/tables/list_transactions.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.list_transactions import (
    ListTransactionsRequest,
    ListTransactionsResponse,
    ListedTransaction,
)
from tenure.protocol.message import (
    MessagePart,
    UnsupportedVersion,
)
from tenure.protocol.wire import (
    UVARINT,
    pack_int64s,
    uvarint,
    write_compact_strings,
)

pack_ih: Final = Packer(">ih").pack
pack_q: Final = Packer(">q").pack
pack_qx: Final = Packer(">qx").pack


def write_list_transactions_request_v0(out: list[MessagePart], m: ListTransactionsRequest) -> None:
    put = out.append
    if m.duration_filter != -1:
        raise UnsupportedVersion("ListTransactionsRequest.duration_filter exists in versions 1+ only")
    if m.transactional_id_pattern is not None:
        raise UnsupportedVersion("ListTransactionsRequest.transactional_id_pattern exists in versions 2+ only")
    n = len(m.state_filters) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_compact_strings(out, m.state_filters)
    n = len(m.producer_id_filters) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(pack_int64s(m.producer_id_filters))
    put(b"\0")


def write_list_transactions_request_v1(out: list[MessagePart], m: ListTransactionsRequest) -> None:
    put = out.append
    if m.transactional_id_pattern is not None:
        raise UnsupportedVersion("ListTransactionsRequest.transactional_id_pattern exists in versions 2+ only")
    n = len(m.state_filters) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_compact_strings(out, m.state_filters)
    n = len(m.producer_id_filters) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(pack_int64s(m.producer_id_filters))
    put(pack_qx(m.duration_filter))


def write_list_transactions_request_v2(out: list[MessagePart], m: ListTransactionsRequest) -> None:
    put = out.append
    n = len(m.state_filters) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_compact_strings(out, m.state_filters)
    n = len(m.producer_id_filters) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(pack_int64s(m.producer_id_filters))
    put(pack_q(m.duration_filter))
    if m.transactional_id_pattern is None:
        put(b"\0")
    else:
        text = m.transactional_id_pattern.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    put(b"\0")


def write_listed_transaction_v0_list(out: list[MessagePart], items: list[ListedTransaction]) -> None:
    put = out.append
    for m in items:
        text = m.transactional_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.transaction_state.encode()
        put(pack_q(m.producer_id))
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(b"\0")


def write_list_transactions_response_v0(out: list[MessagePart], m: ListTransactionsResponse) -> None:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    n = len(m.unknown_state_filters) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_compact_strings(out, m.unknown_state_filters)
    n = len(m.transaction_states) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_listed_transaction_v0_list(out, m.transaction_states)
    put(b"\0")


ListTransactionsRequest.WRITERS = {
    0: write_list_transactions_request_v0,
    1: write_list_transactions_request_v1,
    2: write_list_transactions_request_v2,
}
ListTransactionsResponse.WRITERS = {
    0: write_list_transactions_response_v0,
    1: write_list_transactions_response_v0,
    2: write_list_transactions_response_v0,
}
