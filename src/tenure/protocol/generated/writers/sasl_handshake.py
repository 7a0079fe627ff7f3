"""Generated from `tenure/protocol/tables/sasl_handshake.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.sasl_handshake import (
    SaslHandshakeRequest,
    SaslHandshakeResponse,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    write_strings,
)

pack_h: Final = Packer(">h").pack
pack_hi: Final = Packer(">hi").pack


def write_sasl_handshake_request_v0(out: list[MessagePart], m: SaslHandshakeRequest) -> None:
    put = out.append
    text = m.mechanism.encode()
    put(pack_h(len(text)))
    put(text)


def write_sasl_handshake_response_v0(out: list[MessagePart], m: SaslHandshakeResponse) -> None:
    put = out.append
    put(pack_hi(m.error_code, len(m.mechanisms)))
    write_strings(out, m.mechanisms)


SaslHandshakeRequest.WRITERS = {
    0: write_sasl_handshake_request_v0,
    1: write_sasl_handshake_request_v0,
}
SaslHandshakeResponse.WRITERS = {
    0: write_sasl_handshake_response_v0,
    1: write_sasl_handshake_response_v0,
}
