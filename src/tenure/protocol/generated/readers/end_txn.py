"""Generated from `tenure/protocol/tables/end_txn.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.end_txn import (
    EndTxnRequest,
    EndTxnResponse,
)
from tenure.protocol.message import (
    MalformedMessage,
)
from tenure.protocol.wire import (
    Elements,
    read_text_length,
    skip_tags,
    utf8,
)

unpack_h: Final = Packer(">h").unpack_from
unpack_ih: Final = Packer(">ih").unpack_from
unpack_ihB: Final = Packer(">ihB").unpack_from
unpack_ihqhB: Final = Packer(">ihqhB").unpack_from
unpack_qhZ: Final = Packer(">qh?").unpack_from
unpack_qhZB: Final = Packer(">qh?B").unpack_from


def read_end_txn_request_v0(data: bytes, at: int) -> tuple[EndTxnRequest, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("EndTxnRequest.transactional_id is null")
    end = at + n
    transactional_id = utf8(data[at:end])
    at = end
    producer_id, producer_epoch, committed = unpack_qhZ(data, at)
    at += 11
    return EndTxnRequest(transactional_id, producer_id, producer_epoch, committed), at


def read_end_txn_request_v3(data: bytes, at: int) -> tuple[EndTxnRequest, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("EndTxnRequest.transactional_id is null")
    end = at + n
    transactional_id = utf8(data[at:end])
    at = end
    producer_id, producer_epoch, committed, tags = unpack_qhZB(data, at)
    at += 12
    if tags:
        at = skip_tags(data, at - 1, Elements())
    return EndTxnRequest(transactional_id, producer_id, producer_epoch, committed), at


def read_end_txn_response_v0(data: bytes, at: int) -> tuple[EndTxnResponse, int]:
    throttle_time_ms, error_code = unpack_ih(data, at)
    at += 6
    return EndTxnResponse(throttle_time_ms, error_code), at


def read_end_txn_response_v3(data: bytes, at: int) -> tuple[EndTxnResponse, int]:
    throttle_time_ms, error_code, tags = unpack_ihB(data, at)
    at += 7
    if tags:
        at = skip_tags(data, at - 1)
    return EndTxnResponse(throttle_time_ms, error_code), at


def read_end_txn_response_v5(data: bytes, at: int) -> tuple[EndTxnResponse, int]:
    throttle_time_ms, error_code, producer_id, producer_epoch, tags = unpack_ihqhB(data, at)
    at += 17
    if tags:
        at = skip_tags(data, at - 1)
    return EndTxnResponse(throttle_time_ms, error_code, producer_id, producer_epoch), at


EndTxnRequest.READERS = {
    0: read_end_txn_request_v0,
    1: read_end_txn_request_v0,
    2: read_end_txn_request_v0,
    3: read_end_txn_request_v3,
    4: read_end_txn_request_v3,
    5: read_end_txn_request_v3,
}
EndTxnResponse.READERS = {
    0: read_end_txn_response_v0,
    1: read_end_txn_response_v0,
    2: read_end_txn_response_v0,
    3: read_end_txn_response_v3,
    4: read_end_txn_response_v3,
    5: read_end_txn_response_v5,
}
