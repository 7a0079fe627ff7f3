"""Generated from `tenure/protocol/tables/init_producer_id.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.init_producer_id import (
    InitProducerIdRequest,
    InitProducerIdResponse,
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
unpack_i: Final = Packer(">i").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ihqh: Final = Packer(">ihqh").unpack_from
unpack_ihqhB: Final = Packer(">ihqhB").unpack_from
unpack_iqhB: Final = Packer(">iqhB").unpack_from


def read_init_producer_id_request_v0(data: bytes, at: int) -> tuple[InitProducerIdRequest, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n >= 0:
        end = at + n
        transactional_id = utf8(data[at:end])
        at = end
    elif n == -1:
        transactional_id = None
    else:
        raise MalformedMessage("InitProducerIdRequest.transactional_id has a negative length")
    (transaction_timeout_ms,) = unpack_i(data, at)
    at += 4
    return InitProducerIdRequest(transactional_id, transaction_timeout_ms), at


def read_init_producer_id_request_v2(data: bytes, at: int) -> tuple[InitProducerIdRequest, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        transactional_id = utf8(data[at:end])
        at = end
    else:
        transactional_id = None
    transaction_timeout_ms, tags = unpack_iB(data, at)
    at += 5
    if tags:
        at = skip_tags(data, at - 1, Elements())
    return InitProducerIdRequest(transactional_id, transaction_timeout_ms), at


def read_init_producer_id_request_v3(data: bytes, at: int) -> tuple[InitProducerIdRequest, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        transactional_id = utf8(data[at:end])
        at = end
    else:
        transactional_id = None
    transaction_timeout_ms, producer_id, producer_epoch, tags = unpack_iqhB(data, at)
    at += 15
    if tags:
        at = skip_tags(data, at - 1, Elements())
    return InitProducerIdRequest(transactional_id, transaction_timeout_ms, producer_id, producer_epoch), at


def read_init_producer_id_response_v0(data: bytes, at: int) -> tuple[InitProducerIdResponse, int]:
    throttle_time_ms, error_code, producer_id, producer_epoch = unpack_ihqh(data, at)
    at += 16
    return InitProducerIdResponse(throttle_time_ms, error_code, producer_id, producer_epoch), at


def read_init_producer_id_response_v2(data: bytes, at: int) -> tuple[InitProducerIdResponse, int]:
    throttle_time_ms, error_code, producer_id, producer_epoch, tags = unpack_ihqhB(data, at)
    at += 17
    if tags:
        at = skip_tags(data, at - 1)
    return InitProducerIdResponse(throttle_time_ms, error_code, producer_id, producer_epoch), at


InitProducerIdRequest.READERS = {
    0: read_init_producer_id_request_v0,
    1: read_init_producer_id_request_v0,
    2: read_init_producer_id_request_v2,
    3: read_init_producer_id_request_v3,
    4: read_init_producer_id_request_v3,
    5: read_init_producer_id_request_v3,
}
InitProducerIdResponse.READERS = {
    0: read_init_producer_id_response_v0,
    1: read_init_producer_id_response_v0,
    2: read_init_producer_id_response_v2,
    3: read_init_producer_id_response_v2,
    4: read_init_producer_id_response_v2,
    5: read_init_producer_id_response_v2,
}
