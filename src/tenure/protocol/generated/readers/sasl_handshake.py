"""Generated from `tenure/protocol/tables/sasl_handshake.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.sasl_handshake import (
    SaslHandshakeRequest,
    SaslHandshakeResponse,
)
from tenure.protocol.message import (
    MalformedMessage,
)
from tenure.protocol.wire import (
    read_strings,
    utf8,
)

unpack_h: Final = Packer(">h").unpack_from
unpack_hi: Final = Packer(">hi").unpack_from


def read_sasl_handshake_request_v0(data: bytes, at: int) -> tuple[SaslHandshakeRequest, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("SaslHandshakeRequest.mechanism is null")
    end = at + n
    mechanism = utf8(data[at:end])
    at = end
    return SaslHandshakeRequest(mechanism), at


def read_sasl_handshake_response_v0(data: bytes, at: int) -> tuple[SaslHandshakeResponse, int]:
    error_code, n = unpack_hi(data, at)
    at += 6
    if n < 0:
        raise MalformedMessage("SaslHandshakeResponse.mechanisms is null")
    mechanisms, at = read_strings(data, at, n)
    return SaslHandshakeResponse(error_code, mechanisms), at


SaslHandshakeRequest.READERS = {
    0: read_sasl_handshake_request_v0,
    1: read_sasl_handshake_request_v0,
}
SaslHandshakeResponse.READERS = {
    0: read_sasl_handshake_response_v0,
    1: read_sasl_handshake_response_v0,
}
