"""Generated from `tenure/protocol/tables/list_transactions.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.list_transactions import (
    ListTransactionsResponse,
)
from tenure.protocol.generated.writers.list_transactions import (
    write_listed_transaction_v0_list,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
    write_compact_strings,
)

pack_ih: Final = Packer(">ih").pack


def pieces_of_list_transactions_response_v0(out: list[MessagePart], m: ListTransactionsResponse) -> Iterator[None]:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    n = len(m.unknown_state_filters) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_compact_strings(out, m.unknown_state_filters)
    n = len(m.transaction_states) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    for start in range(0, len(m.transaction_states), 256):
        write_listed_transaction_v0_list(out, m.transaction_states[start : start + 256])
        yield
    put(b"\0")


ListTransactionsResponse.PIECEWISE_WRITERS = {
    0: pieces_of_list_transactions_response_v0,
    1: pieces_of_list_transactions_response_v0,
    2: pieces_of_list_transactions_response_v0,
}
