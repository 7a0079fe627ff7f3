"""Generated from `tenure/protocol/tables/add_offsets_to_txn.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.add_offsets_to_txn import (
    AddOffsetsToTxnRequest,
    AddOffsetsToTxnResponse,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_h: Final = Packer(">h").pack
pack_ih: Final = Packer(">ih").pack
pack_ihx: Final = Packer(">ihx").pack
pack_qh: Final = Packer(">qh").pack
pack_qhh: Final = Packer(">qhh").pack


def write_add_offsets_to_txn_request_v0(out: list[MessagePart], m: AddOffsetsToTxnRequest) -> None:
    put = out.append
    text = m.transactional_id.encode()
    put(pack_h(len(text)))
    put(text)
    text = m.group_id.encode()
    put(pack_qhh(m.producer_id, m.producer_epoch, len(text)))
    put(text)


def write_add_offsets_to_txn_request_v3(out: list[MessagePart], m: AddOffsetsToTxnRequest) -> None:
    put = out.append
    text = m.transactional_id.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    text = m.group_id.encode()
    put(pack_qh(m.producer_id, m.producer_epoch))
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    put(b"\0")


def write_add_offsets_to_txn_response_v0(out: list[MessagePart], m: AddOffsetsToTxnResponse) -> None:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))


def write_add_offsets_to_txn_response_v3(out: list[MessagePart], m: AddOffsetsToTxnResponse) -> None:
    put = out.append
    put(pack_ihx(m.throttle_time_ms, m.error_code))


AddOffsetsToTxnRequest.WRITERS = {
    0: write_add_offsets_to_txn_request_v0,
    1: write_add_offsets_to_txn_request_v0,
    2: write_add_offsets_to_txn_request_v0,
    3: write_add_offsets_to_txn_request_v3,
    4: write_add_offsets_to_txn_request_v3,
}
AddOffsetsToTxnResponse.WRITERS = {
    0: write_add_offsets_to_txn_response_v0,
    1: write_add_offsets_to_txn_response_v0,
    2: write_add_offsets_to_txn_response_v0,
    3: write_add_offsets_to_txn_response_v3,
    4: write_add_offsets_to_txn_response_v3,
}
