"""Generated from `tenure/protocol/tables/init_producer_id.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.message import (
    MalformedMessage,
    Message,
    UnsupportedVersion,
)
from tenure.protocol.types import (
    ProducerId,
)
from tenure.protocol.wire import (
    UVARINT,
    read_uvarint,
    skip_tags,
    utf8,
    uvarint,
)

pack_h: Final = Packer(">h").pack
pack_i: Final = Packer(">i").pack
pack_ihqh: Final = Packer(">ihqh").pack
pack_ihqhx: Final = Packer(">ihqhx").pack
pack_iqhx: Final = Packer(">iqhx").pack
pack_ix: Final = Packer(">ix").pack
unpack_h: Final = Packer(">h").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ihqh: Final = Packer(">ihqh").unpack_from
unpack_ihqhB: Final = Packer(">ihqhB").unpack_from
unpack_iqhB: Final = Packer(">iqhB").unpack_from


class InitProducerIdRequest(Message):
    __slots__ = ('transactional_id', 'transaction_timeout_ms', 'producer_id', 'producer_epoch')
    KEY = 22

    def __init__(
        self,
        transactional_id: str | None = "",
        transaction_timeout_ms: int = 0,
        producer_id: ProducerId = ProducerId(-1),
        producer_epoch: int = -1,
    ) -> None:
        self.transactional_id: Final = transactional_id
        self.transaction_timeout_ms: Final = transaction_timeout_ms
        self.producer_id: Final = producer_id
        self.producer_epoch: Final = producer_epoch


class InitProducerIdResponse(Message):
    __slots__ = ('throttle_time_ms', 'error_code', 'producer_id', 'producer_epoch')
    KEY = 22

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        producer_id: ProducerId = ProducerId(-1),
        producer_epoch: int = 0,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.producer_id: Final = producer_id
        self.producer_epoch: Final = producer_epoch


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
        n, at = read_uvarint(data, at - 1)
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
        at = skip_tags(data, at - 1)
    return InitProducerIdRequest(transactional_id, transaction_timeout_ms), at


def read_init_producer_id_request_v3(data: bytes, at: int) -> tuple[InitProducerIdRequest, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
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
        at = skip_tags(data, at - 1)
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


def write_init_producer_id_request_v0(out: list[bytes], m: InitProducerIdRequest) -> None:
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


def write_init_producer_id_request_v2(out: list[bytes], m: InitProducerIdRequest) -> None:
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


def write_init_producer_id_request_v3(out: list[bytes], m: InitProducerIdRequest) -> None:
    put = out.append
    if m.transactional_id is None:
        put(b"\0")
    else:
        text = m.transactional_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    put(pack_iqhx(m.transaction_timeout_ms, m.producer_id, m.producer_epoch))


def write_init_producer_id_response_v0(out: list[bytes], m: InitProducerIdResponse) -> None:
    put = out.append
    put(pack_ihqh(m.throttle_time_ms, m.error_code, m.producer_id, m.producer_epoch))


def write_init_producer_id_response_v2(out: list[bytes], m: InitProducerIdResponse) -> None:
    put = out.append
    put(pack_ihqhx(m.throttle_time_ms, m.error_code, m.producer_id, m.producer_epoch))


InitProducerIdRequest.READERS = {
    0: read_init_producer_id_request_v0,
    1: read_init_producer_id_request_v0,
    2: read_init_producer_id_request_v2,
    3: read_init_producer_id_request_v3,
    4: read_init_producer_id_request_v3,
    5: read_init_producer_id_request_v3,
}
InitProducerIdRequest.WRITERS = {
    0: write_init_producer_id_request_v0,
    1: write_init_producer_id_request_v0,
    2: write_init_producer_id_request_v2,
    3: write_init_producer_id_request_v3,
    4: write_init_producer_id_request_v3,
    5: write_init_producer_id_request_v3,
}
InitProducerIdResponse.READERS = {
    0: read_init_producer_id_response_v0,
    1: read_init_producer_id_response_v0,
    2: read_init_producer_id_response_v2,
    3: read_init_producer_id_response_v2,
    4: read_init_producer_id_response_v2,
    5: read_init_producer_id_response_v2,
}
InitProducerIdResponse.WRITERS = {
    0: write_init_producer_id_response_v0,
    1: write_init_producer_id_response_v0,
    2: write_init_producer_id_response_v2,
    3: write_init_producer_id_response_v2,
    4: write_init_producer_id_response_v2,
    5: write_init_producer_id_response_v2,
}
