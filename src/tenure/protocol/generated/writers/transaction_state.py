"""Generated from `tenure/protocol/tables/transaction_state.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.transaction_state import (
    TransactionLogKey,
    TransactionLogValue,
    TransactionPartitions,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    pack_compact_int32s,
    pack_int32s,
    uvarint,
)

pack_h: Final = Packer(">h").pack
pack_q: Final = Packer(">q").pack
pack_qhib: Final = Packer(">qhib").pack
pack_qhibi: Final = Packer(">qhibi").pack
pack_qq: Final = Packer(">qq").pack


def write_transaction_log_key_v0(out: list[MessagePart], m: TransactionLogKey) -> None:
    put = out.append
    text = m.transactional_id.encode()
    put(pack_h(len(text)))
    put(text)


def write_transaction_partitions_v0_list(out: list[MessagePart], items: list[TransactionPartitions]) -> None:
    put = out.append
    for m in items:
        text = m.topic.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_int32s(m.partition_ids))


def write_transaction_log_value_v0(out: list[MessagePart], m: TransactionLogValue) -> None:
    put = out.append
    if m.transaction_partitions is None:
        put(pack_qhibi(m.producer_id, m.producer_epoch, m.transaction_timeout_ms, m.transaction_status, -1))
    else:
        put(pack_qhibi(m.producer_id, m.producer_epoch, m.transaction_timeout_ms, m.transaction_status, len(m.transaction_partitions)))
        write_transaction_partitions_v0_list(out, m.transaction_partitions)
    put(pack_qq(m.transaction_last_update_timestamp_ms, m.transaction_start_timestamp_ms))


def write_transaction_partitions_v1_list(out: list[MessagePart], items: list[TransactionPartitions]) -> None:
    put = out.append
    for m in items:
        text = m.topic.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_compact_int32s(m.partition_ids))
        put(b"\0")


def write_transaction_log_value_v1(out: list[MessagePart], m: TransactionLogValue) -> None:
    put = out.append
    put(pack_qhib(m.producer_id, m.producer_epoch, m.transaction_timeout_ms, m.transaction_status))
    if m.transaction_partitions is None:
        put(b"\0")
    else:
        n = len(m.transaction_partitions) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_transaction_partitions_v1_list(out, m.transaction_partitions)
    put(pack_qq(m.transaction_last_update_timestamp_ms, m.transaction_start_timestamp_ms))
    tags: list[MessagePart] = []
    if m.previous_producer_id != -1:
        tags.append(b'\x00\x08' + pack_q(m.previous_producer_id))
    if m.next_producer_id != -1:
        tags.append(b'\x01\x08' + pack_q(m.next_producer_id))
    if m.client_transaction_version != 0:
        tags.append(b'\x02\x02' + pack_h(m.client_transaction_version))
    if m.next_producer_epoch != -1:
        tags.append(b'\x03\x02' + pack_h(m.next_producer_epoch))
    put(UVARINT[len(tags)])
    out.extend(tags)


TransactionLogKey.WRITERS = {
    0: write_transaction_log_key_v0,
}
TransactionLogValue.WRITERS = {
    0: write_transaction_log_value_v0,
    1: write_transaction_log_value_v1,
}
