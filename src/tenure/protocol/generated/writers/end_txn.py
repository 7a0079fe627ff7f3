"""Generated from `tenure/protocol/tables/end_txn.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.end_txn import (
    EndTxnRequest,
    EndTxnResponse,
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
pack_ihqhx: Final = Packer(">ihqhx").pack
pack_ihx: Final = Packer(">ihx").pack
pack_qhZ: Final = Packer(">qh?").pack
pack_qhZx: Final = Packer(">qh?x").pack


def write_end_txn_request_v0(out: list[MessagePart], m: EndTxnRequest) -> None:
    put = out.append
    text = m.transactional_id.encode()
    put(pack_h(len(text)))
    put(text)
    put(pack_qhZ(m.producer_id, m.producer_epoch, m.committed))


def write_end_txn_request_v3(out: list[MessagePart], m: EndTxnRequest) -> None:
    put = out.append
    text = m.transactional_id.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    put(pack_qhZx(m.producer_id, m.producer_epoch, m.committed))


def write_end_txn_response_v0(out: list[MessagePart], m: EndTxnResponse) -> None:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))


def write_end_txn_response_v3(out: list[MessagePart], m: EndTxnResponse) -> None:
    put = out.append
    put(pack_ihx(m.throttle_time_ms, m.error_code))


def write_end_txn_response_v5(out: list[MessagePart], m: EndTxnResponse) -> None:
    put = out.append
    put(pack_ihqhx(m.throttle_time_ms, m.error_code, m.producer_id, m.producer_epoch))


EndTxnRequest.WRITERS = {
    0: write_end_txn_request_v0,
    1: write_end_txn_request_v0,
    2: write_end_txn_request_v0,
    3: write_end_txn_request_v3,
    4: write_end_txn_request_v3,
    5: write_end_txn_request_v3,
}
EndTxnResponse.WRITERS = {
    0: write_end_txn_response_v0,
    1: write_end_txn_response_v0,
    2: write_end_txn_response_v0,
    3: write_end_txn_response_v3,
    4: write_end_txn_response_v3,
    5: write_end_txn_response_v5,
}
