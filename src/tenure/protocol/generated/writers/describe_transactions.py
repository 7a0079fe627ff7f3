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
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    pack_compact_int32s,
    uvarint,
    write_compact_strings,
)

pack_h: Final = Packer(">h").pack
pack_i: Final = Packer(">i").pack
pack_iqqh: Final = Packer(">iqqh").pack


def write_describe_transactions_request_v0(out: list[MessagePart], m: DescribeTransactionsRequest) -> None:
    put = out.append
    n = len(m.transactional_ids) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_compact_strings(out, m.transactional_ids)
    put(b"\0")


def write_described_transaction_topic_v0_list(out: list[MessagePart], items: list[DescribedTransactionTopic]) -> None:
    put = out.append
    for m in items:
        text = m.topic.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_compact_int32s(m.partitions))
        put(b"\0")


def write_described_transaction_v0_list(out: list[MessagePart], items: list[DescribedTransaction]) -> None:
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
        write_described_transaction_topic_v0_list(out, m.topics)
        put(b"\0")


def write_describe_transactions_response_v0(out: list[MessagePart], m: DescribeTransactionsResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.transaction_states) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_described_transaction_v0_list(out, m.transaction_states)
    put(b"\0")


DescribeTransactionsRequest.WRITERS = {
    0: write_describe_transactions_request_v0,
}
DescribeTransactionsResponse.WRITERS = {
    0: write_describe_transactions_response_v0,
}
