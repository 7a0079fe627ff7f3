"""Generated from `tenure/protocol/tables/create_delegation_token.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.create_delegation_token import (
    CreatableRenewers,
    CreateDelegationTokenRequest,
    CreateDelegationTokenResponse,
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
pack_hh: Final = Packer(">hh").pack
pack_i: Final = Packer(">i").pack
pack_ix: Final = Packer(">ix").pack
pack_q: Final = Packer(">q").pack
pack_qqq: Final = Packer(">qqq").pack
pack_qqqh: Final = Packer(">qqqh").pack
pack_qx: Final = Packer(">qx").pack


def write_creatable_renewers_v1_list(out: list[MessagePart], items: list[CreatableRenewers]) -> None:
    put = out.append
    for m in items:
        text = m.principal_type.encode()
        put(pack_h(len(text)))
        put(text)
        text = m.principal_name.encode()
        put(pack_h(len(text)))
        put(text)


def write_create_delegation_token_request_v1(out: list[MessagePart], m: CreateDelegationTokenRequest) -> None:
    put = out.append
    if (m.owner_principal_type is None or m.owner_principal_type):
        raise UnsupportedVersion("CreateDelegationTokenRequest.owner_principal_type exists in versions 3+ only")
    if (m.owner_principal_name is None or m.owner_principal_name):
        raise UnsupportedVersion("CreateDelegationTokenRequest.owner_principal_name exists in versions 3+ only")
    put(pack_i(len(m.renewers)))
    write_creatable_renewers_v1_list(out, m.renewers)
    put(pack_q(m.max_lifetime_ms))


def write_creatable_renewers_v2_list(out: list[MessagePart], items: list[CreatableRenewers]) -> None:
    put = out.append
    for m in items:
        text = m.principal_type.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.principal_name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(b"\0")


def write_create_delegation_token_request_v2(out: list[MessagePart], m: CreateDelegationTokenRequest) -> None:
    put = out.append
    if (m.owner_principal_type is None or m.owner_principal_type):
        raise UnsupportedVersion("CreateDelegationTokenRequest.owner_principal_type exists in versions 3+ only")
    if (m.owner_principal_name is None or m.owner_principal_name):
        raise UnsupportedVersion("CreateDelegationTokenRequest.owner_principal_name exists in versions 3+ only")
    n = len(m.renewers) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_creatable_renewers_v2_list(out, m.renewers)
    put(pack_qx(m.max_lifetime_ms))


def write_create_delegation_token_request_v3(out: list[MessagePart], m: CreateDelegationTokenRequest) -> None:
    put = out.append
    if m.owner_principal_type is None:
        put(b"\0")
    else:
        text = m.owner_principal_type.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    if m.owner_principal_name is None:
        put(b"\0")
    else:
        text = m.owner_principal_name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    n = len(m.renewers) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_creatable_renewers_v2_list(out, m.renewers)
    put(pack_qx(m.max_lifetime_ms))


def write_create_delegation_token_response_v1(out: list[MessagePart], m: CreateDelegationTokenResponse) -> None:
    put = out.append
    if m.token_requester_principal_type:
        raise UnsupportedVersion("CreateDelegationTokenResponse.token_requester_principal_type exists in versions 3+ only")
    if m.token_requester_principal_name:
        raise UnsupportedVersion("CreateDelegationTokenResponse.token_requester_principal_name exists in versions 3+ only")
    text = m.principal_type.encode()
    put(pack_hh(m.error_code, len(text)))
    put(text)
    text = m.principal_name.encode()
    put(pack_h(len(text)))
    put(text)
    text = m.token_id.encode()
    put(pack_qqqh(m.issue_timestamp_ms, m.expiry_timestamp_ms, m.max_timestamp_ms, len(text)))
    put(text)
    put(pack_i(len(m.hmac)))
    put(m.hmac)
    put(pack_i(m.throttle_time_ms))


def write_create_delegation_token_response_v2(out: list[MessagePart], m: CreateDelegationTokenResponse) -> None:
    put = out.append
    if m.token_requester_principal_type:
        raise UnsupportedVersion("CreateDelegationTokenResponse.token_requester_principal_type exists in versions 3+ only")
    if m.token_requester_principal_name:
        raise UnsupportedVersion("CreateDelegationTokenResponse.token_requester_principal_name exists in versions 3+ only")
    text = m.principal_type.encode()
    put(pack_h(m.error_code))
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    text = m.principal_name.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    text = m.token_id.encode()
    put(pack_qqq(m.issue_timestamp_ms, m.expiry_timestamp_ms, m.max_timestamp_ms))
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    n = len(m.hmac) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(m.hmac)
    put(pack_ix(m.throttle_time_ms))


def write_create_delegation_token_response_v3(out: list[MessagePart], m: CreateDelegationTokenResponse) -> None:
    put = out.append
    text = m.principal_type.encode()
    put(pack_h(m.error_code))
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    text = m.principal_name.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    text = m.token_requester_principal_type.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    text = m.token_requester_principal_name.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    text = m.token_id.encode()
    put(pack_qqq(m.issue_timestamp_ms, m.expiry_timestamp_ms, m.max_timestamp_ms))
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    n = len(m.hmac) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(m.hmac)
    put(pack_ix(m.throttle_time_ms))


CreateDelegationTokenRequest.WRITERS = {
    1: write_create_delegation_token_request_v1,
    2: write_create_delegation_token_request_v2,
    3: write_create_delegation_token_request_v3,
}
CreateDelegationTokenResponse.WRITERS = {
    1: write_create_delegation_token_response_v1,
    2: write_create_delegation_token_response_v2,
    3: write_create_delegation_token_response_v3,
}
