"""Generated from `tenure/protocol/tables/sasl_authenticate.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.sasl_authenticate import (
    SaslAuthenticateRequest,
    SaslAuthenticateResponse,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_h: Final = Packer(">h").pack
pack_hh: Final = Packer(">hh").pack
pack_i: Final = Packer(">i").pack
pack_q: Final = Packer(">q").pack
pack_qx: Final = Packer(">qx").pack


def write_sasl_authenticate_request_v0(out: list[MessagePart], m: SaslAuthenticateRequest) -> None:
    put = out.append
    put(pack_i(len(m.auth_bytes)))
    put(m.auth_bytes)


def write_sasl_authenticate_request_v2(out: list[MessagePart], m: SaslAuthenticateRequest) -> None:
    put = out.append
    n = len(m.auth_bytes) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(m.auth_bytes)
    put(b"\0")


def write_sasl_authenticate_response_v0(out: list[MessagePart], m: SaslAuthenticateResponse) -> None:
    put = out.append
    if m.error_message is None:
        put(pack_hh(m.error_code, -1))
    else:
        text = m.error_message.encode()
        put(pack_hh(m.error_code, len(text)))
        put(text)
    put(pack_i(len(m.auth_bytes)))
    put(m.auth_bytes)


def write_sasl_authenticate_response_v1(out: list[MessagePart], m: SaslAuthenticateResponse) -> None:
    put = out.append
    if m.error_message is None:
        put(pack_hh(m.error_code, -1))
    else:
        text = m.error_message.encode()
        put(pack_hh(m.error_code, len(text)))
        put(text)
    put(pack_i(len(m.auth_bytes)))
    put(m.auth_bytes)
    put(pack_q(m.session_lifetime_ms))


def write_sasl_authenticate_response_v2(out: list[MessagePart], m: SaslAuthenticateResponse) -> None:
    put = out.append
    put(pack_h(m.error_code))
    if m.error_message is None:
        put(b"\0")
    else:
        text = m.error_message.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    n = len(m.auth_bytes) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(m.auth_bytes)
    put(pack_qx(m.session_lifetime_ms))


SaslAuthenticateRequest.WRITERS = {
    0: write_sasl_authenticate_request_v0,
    1: write_sasl_authenticate_request_v0,
    2: write_sasl_authenticate_request_v2,
}
SaslAuthenticateResponse.WRITERS = {
    0: write_sasl_authenticate_response_v0,
    1: write_sasl_authenticate_response_v1,
    2: write_sasl_authenticate_response_v2,
}
