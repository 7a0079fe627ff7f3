"""Generated from `tenure/protocol/tables/sasl_authenticate.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.sasl_authenticate import (
    SaslAuthenticateRequest,
    SaslAuthenticateResponse,
)
from tenure.protocol.message import (
    MalformedMessage,
)
from tenure.protocol.wire import (
    Elements,
    read_uvarint,
    skip_tags,
    utf8,
)

unpack_hB: Final = Packer(">hB").unpack_from
unpack_hh: Final = Packer(">hh").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_q: Final = Packer(">q").unpack_from
unpack_qB: Final = Packer(">qB").unpack_from


def read_sasl_authenticate_request_v0(data: bytes, at: int) -> tuple[SaslAuthenticateRequest, int]:
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("SaslAuthenticateRequest.auth_bytes is null")
    end = at + n
    auth_bytes = data[at:end]
    at = end
    return SaslAuthenticateRequest(auth_bytes), at


def read_sasl_authenticate_request_v2(data: bytes, at: int) -> tuple[SaslAuthenticateRequest, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("SaslAuthenticateRequest.auth_bytes is null")
    end = at + n
    auth_bytes = data[at:end]
    at = end
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, Elements())
    return SaslAuthenticateRequest(auth_bytes), at


def read_sasl_authenticate_response_v0(data: bytes, at: int) -> tuple[SaslAuthenticateResponse, int]:
    error_code, n = unpack_hh(data, at)
    at += 4
    if n >= 0:
        end = at + n
        error_message = utf8(data[at:end])
        at = end
    elif n == -1:
        error_message = None
    else:
        raise MalformedMessage("SaslAuthenticateResponse.error_message has a negative length")
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("SaslAuthenticateResponse.auth_bytes is null")
    end = at + n
    auth_bytes = data[at:end]
    at = end
    return SaslAuthenticateResponse(error_code, error_message, auth_bytes), at


def read_sasl_authenticate_response_v1(data: bytes, at: int) -> tuple[SaslAuthenticateResponse, int]:
    error_code, n = unpack_hh(data, at)
    at += 4
    if n >= 0:
        end = at + n
        error_message = utf8(data[at:end])
        at = end
    elif n == -1:
        error_message = None
    else:
        raise MalformedMessage("SaslAuthenticateResponse.error_message has a negative length")
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("SaslAuthenticateResponse.auth_bytes is null")
    end = at + n
    auth_bytes = data[at:end]
    at = end
    (session_lifetime_ms,) = unpack_q(data, at)
    at += 8
    return SaslAuthenticateResponse(error_code, error_message, auth_bytes, session_lifetime_ms), at


def read_sasl_authenticate_response_v2(data: bytes, at: int) -> tuple[SaslAuthenticateResponse, int]:
    error_code, n = unpack_hB(data, at)
    at += 3
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        error_message = utf8(data[at:end])
        at = end
    else:
        error_message = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("SaslAuthenticateResponse.auth_bytes is null")
    end = at + n
    auth_bytes = data[at:end]
    at = end
    session_lifetime_ms, tags = unpack_qB(data, at)
    at += 9
    if tags:
        at = skip_tags(data, at - 1)
    return SaslAuthenticateResponse(error_code, error_message, auth_bytes, session_lifetime_ms), at


SaslAuthenticateRequest.READERS = {
    0: read_sasl_authenticate_request_v0,
    1: read_sasl_authenticate_request_v0,
    2: read_sasl_authenticate_request_v2,
}
SaslAuthenticateResponse.READERS = {
    0: read_sasl_authenticate_response_v0,
    1: read_sasl_authenticate_response_v1,
    2: read_sasl_authenticate_response_v2,
}
