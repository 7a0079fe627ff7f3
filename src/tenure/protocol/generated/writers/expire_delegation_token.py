"""Generated from `tenure/protocol/tables/expire_delegation_token.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.expire_delegation_token import (
    ExpireDelegationTokenRequest,
    ExpireDelegationTokenResponse,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_hqi: Final = Packer(">hqi").pack
pack_hqix: Final = Packer(">hqix").pack
pack_i: Final = Packer(">i").pack
pack_q: Final = Packer(">q").pack
pack_qx: Final = Packer(">qx").pack


def write_expire_delegation_token_request_v1(out: list[MessagePart], m: ExpireDelegationTokenRequest) -> None:
    put = out.append
    put(pack_i(len(m.hmac)))
    put(m.hmac)
    put(pack_q(m.expiry_time_period_ms))


def write_expire_delegation_token_request_v2(out: list[MessagePart], m: ExpireDelegationTokenRequest) -> None:
    put = out.append
    n = len(m.hmac) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(m.hmac)
    put(pack_qx(m.expiry_time_period_ms))


def write_expire_delegation_token_response_v1(out: list[MessagePart], m: ExpireDelegationTokenResponse) -> None:
    put = out.append
    put(pack_hqi(m.error_code, m.expiry_timestamp_ms, m.throttle_time_ms))


def write_expire_delegation_token_response_v2(out: list[MessagePart], m: ExpireDelegationTokenResponse) -> None:
    put = out.append
    put(pack_hqix(m.error_code, m.expiry_timestamp_ms, m.throttle_time_ms))


ExpireDelegationTokenRequest.WRITERS = {
    1: write_expire_delegation_token_request_v1,
    2: write_expire_delegation_token_request_v2,
}
ExpireDelegationTokenResponse.WRITERS = {
    1: write_expire_delegation_token_response_v1,
    2: write_expire_delegation_token_response_v2,
}
