"""Generated from `tenure/protocol/tables/init_producer_id.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.init_producer_id import (
    InitProducerIdRequest,
    InitProducerIdResponse,
)
from tenure.protocol.message import (
    MessagePart,
    UnsupportedVersion,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_h: Final = Packer(">h").pack
pack_i: Final = Packer(">i").pack
pack_ihqh: Final = Packer(">ihqh").pack
pack_ihqhx: Final = Packer(">ihqhx").pack
pack_iqhx: Final = Packer(">iqhx").pack
pack_ix: Final = Packer(">ix").pack


def write_init_producer_id_request_v0(out: list[MessagePart], m: InitProducerIdRequest) -> None:
    put = out.append
    if m.producer_id != -1:
        raise UnsupportedVersion("InitProducerIdRequest.producer_id exists in versions 3+ only")
    if m.producer_epoch != -1:
        raise UnsupportedVersion("InitProducerIdRequest.producer_epoch exists in versions 3+ only")
    if m.transactional_id is None:
        put(pack_h(-1))
    else:
        text = m.transactional_id.encode()
        put(pack_h(len(text)))
        put(text)
    put(pack_i(m.transaction_timeout_ms))


def write_init_producer_id_request_v2(out: list[MessagePart], m: InitProducerIdRequest) -> None:
    put = out.append
    if m.producer_id != -1:
        raise UnsupportedVersion("InitProducerIdRequest.producer_id exists in versions 3+ only")
    if m.producer_epoch != -1:
        raise UnsupportedVersion("InitProducerIdRequest.producer_epoch exists in versions 3+ only")
    if m.transactional_id is None:
        put(b"\0")
    else:
        text = m.transactional_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    put(pack_ix(m.transaction_timeout_ms))


def write_init_producer_id_request_v3(out: list[MessagePart], m: InitProducerIdRequest) -> None:
    put = out.append
    if m.transactional_id is None:
        put(b"\0")
    else:
        text = m.transactional_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    put(pack_iqhx(m.transaction_timeout_ms, m.producer_id, m.producer_epoch))


def write_init_producer_id_response_v0(out: list[MessagePart], m: InitProducerIdResponse) -> None:
    put = out.append
    put(pack_ihqh(m.throttle_time_ms, m.error_code, m.producer_id, m.producer_epoch))


def write_init_producer_id_response_v2(out: list[MessagePart], m: InitProducerIdResponse) -> None:
    put = out.append
    put(pack_ihqhx(m.throttle_time_ms, m.error_code, m.producer_id, m.producer_epoch))


InitProducerIdRequest.WRITERS = {
    0: write_init_producer_id_request_v0,
    1: write_init_producer_id_request_v0,
    2: write_init_producer_id_request_v2,
    3: write_init_producer_id_request_v3,
    4: write_init_producer_id_request_v3,
    5: write_init_producer_id_request_v3,
}
InitProducerIdResponse.WRITERS = {
    0: write_init_producer_id_response_v0,
    1: write_init_producer_id_response_v0,
    2: write_init_producer_id_response_v2,
    3: write_init_producer_id_response_v2,
    4: write_init_producer_id_response_v2,
    5: write_init_producer_id_response_v2,
}
