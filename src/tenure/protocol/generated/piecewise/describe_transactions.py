"""Generated from `tenure/protocol/tables/describe_transactions.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.describe_transactions import (
    DescribeTransactionsResponse,
    DescribedTransaction,
)
from tenure.protocol.generated.writers.describe_transactions import (
    write_described_transaction_topic_v0_list,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_h: Final = Packer(">h").pack
pack_i: Final = Packer(">i").pack
pack_iqqh: Final = Packer(">iqqh").pack


def pieces_of_described_transaction_v0_list(out: list[MessagePart], items: list[DescribedTransaction]) -> Iterator[None]:
    put = out.append
    for m in items:
        text = m.transactional_id.encode()
        put(pack_h(m.error_code))
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.transaction_state.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_iqqh(m.transaction_timeout_ms, m.transaction_start_time_ms, m.producer_id, m.producer_epoch))
        n = len(m.topics) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.topics), 256):
            write_described_transaction_topic_v0_list(out, m.topics[start : start + 256])
            yield
        put(b"\0")
        yield


def pieces_of_describe_transactions_response_v0(out: list[MessagePart], m: DescribeTransactionsResponse) -> Iterator[None]:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.transaction_states) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_described_transaction_v0_list(out, m.transaction_states)
    put(b"\0")


DescribeTransactionsResponse.PIECEWISE_WRITERS = {
    0: pieces_of_describe_transactions_response_v0,
}
