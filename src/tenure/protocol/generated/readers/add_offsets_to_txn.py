"""Generated from `tenure/protocol/tables/add_offsets_to_txn.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.add_offsets_to_txn import (
    AddOffsetsToTxnRequest,
    AddOffsetsToTxnResponse,
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
unpack_qhB: Final = Packer(">qhB").unpack_from
unpack_qhh: Final = Packer(">qhh").unpack_from


def read_add_offsets_to_txn_request_v0(data: bytes, at: int) -> tuple[AddOffsetsToTxnRequest, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("AddOffsetsToTxnRequest.transactional_id is null")
    end = at + n
    transactional_id = utf8(data[at:end])
    at = end
    producer_id, producer_epoch, n = unpack_qhh(data, at)
    at += 12
    if n < 0:
        raise MalformedMessage("AddOffsetsToTxnRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    return AddOffsetsToTxnRequest(transactional_id, producer_id, producer_epoch, group_id), at


def read_add_offsets_to_txn_request_v3(data: bytes, at: int) -> tuple[AddOffsetsToTxnRequest, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("AddOffsetsToTxnRequest.transactional_id is null")
    end = at + n
    transactional_id = utf8(data[at:end])
    at = end
    producer_id, producer_epoch, n = unpack_qhB(data, at)
    at += 11
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("AddOffsetsToTxnRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, Elements())
    return AddOffsetsToTxnRequest(transactional_id, producer_id, producer_epoch, group_id), at


def read_add_offsets_to_txn_response_v0(data: bytes, at: int) -> tuple[AddOffsetsToTxnResponse, int]:
    throttle_time_ms, error_code = unpack_ih(data, at)
    at += 6
    return AddOffsetsToTxnResponse(throttle_time_ms, error_code), at


def read_add_offsets_to_txn_response_v3(data: bytes, at: int) -> tuple[AddOffsetsToTxnResponse, int]:
    throttle_time_ms, error_code, tags = unpack_ihB(data, at)
    at += 7
    if tags:
        at = skip_tags(data, at - 1)
    return AddOffsetsToTxnResponse(throttle_time_ms, error_code), at


AddOffsetsToTxnRequest.READERS = {
    0: read_add_offsets_to_txn_request_v0,
    1: read_add_offsets_to_txn_request_v0,
    2: read_add_offsets_to_txn_request_v0,
    3: read_add_offsets_to_txn_request_v3,
    4: read_add_offsets_to_txn_request_v3,
}
AddOffsetsToTxnResponse.READERS = {
    0: read_add_offsets_to_txn_response_v0,
    1: read_add_offsets_to_txn_response_v0,
    2: read_add_offsets_to_txn_response_v0,
    3: read_add_offsets_to_txn_response_v3,
    4: read_add_offsets_to_txn_response_v3,
}
