"""Generated from `tenure/protocol/tables/expire_delegation_token.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.expire_delegation_token import (
    ExpireDelegationTokenRequest,
    ExpireDelegationTokenResponse,
)
from tenure.protocol.message import (
    MalformedMessage,
)
from tenure.protocol.wire import (
    Elements,
    read_uvarint,
    skip_tags,
)

unpack_hqi: Final = Packer(">hqi").unpack_from
unpack_hqiB: Final = Packer(">hqiB").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_q: Final = Packer(">q").unpack_from
unpack_qB: Final = Packer(">qB").unpack_from


def read_expire_delegation_token_request_v1(data: bytes, at: int) -> tuple[ExpireDelegationTokenRequest, int]:
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("ExpireDelegationTokenRequest.hmac is null")
    end = at + n
    hmac = data[at:end]
    at = end
    (expiry_time_period_ms,) = unpack_q(data, at)
    at += 8
    return ExpireDelegationTokenRequest(hmac, expiry_time_period_ms), at


def read_expire_delegation_token_request_v2(data: bytes, at: int) -> tuple[ExpireDelegationTokenRequest, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("ExpireDelegationTokenRequest.hmac is null")
    end = at + n
    hmac = data[at:end]
    at = end
    expiry_time_period_ms, tags = unpack_qB(data, at)
    at += 9
    if tags:
        at = skip_tags(data, at - 1, Elements())
    return ExpireDelegationTokenRequest(hmac, expiry_time_period_ms), at


def read_expire_delegation_token_response_v1(data: bytes, at: int) -> tuple[ExpireDelegationTokenResponse, int]:
    error_code, expiry_timestamp_ms, throttle_time_ms = unpack_hqi(data, at)
    at += 14
    return ExpireDelegationTokenResponse(error_code, expiry_timestamp_ms, throttle_time_ms), at


def read_expire_delegation_token_response_v2(data: bytes, at: int) -> tuple[ExpireDelegationTokenResponse, int]:
    error_code, expiry_timestamp_ms, throttle_time_ms, tags = unpack_hqiB(data, at)
    at += 15
    if tags:
        at = skip_tags(data, at - 1)
    return ExpireDelegationTokenResponse(error_code, expiry_timestamp_ms, throttle_time_ms), at


ExpireDelegationTokenRequest.READERS = {
    1: read_expire_delegation_token_request_v1,
    2: read_expire_delegation_token_request_v2,
}
ExpireDelegationTokenResponse.READERS = {
    1: read_expire_delegation_token_response_v1,
    2: read_expire_delegation_token_response_v2,
}
