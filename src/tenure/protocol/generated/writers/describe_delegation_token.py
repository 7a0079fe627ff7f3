"""Generated from `tenure/protocol/tables/describe_delegation_token.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.describe_delegation_token import (
    DescribeDelegationTokenOwner,
    DescribeDelegationTokenRequest,
    DescribeDelegationTokenResponse,
    DescribedDelegationToken,
    DescribedDelegationTokenRenewer,
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
pack_hi: Final = Packer(">hi").pack
pack_i: Final = Packer(">i").pack
pack_ix: Final = Packer(">ix").pack
pack_qqq: Final = Packer(">qqq").pack
pack_qqqh: Final = Packer(">qqqh").pack


def write_describe_delegation_token_owner_v1_list(out: list[MessagePart], items: list[DescribeDelegationTokenOwner]) -> None:
    put = out.append
    for m in items:
        text = m.principal_type.encode()
        put(pack_h(len(text)))
        put(text)
        text = m.principal_name.encode()
        put(pack_h(len(text)))
        put(text)


def write_describe_delegation_token_request_v1(out: list[MessagePart], m: DescribeDelegationTokenRequest) -> None:
    put = out.append
    if m.owners is None:
        put(pack_i(-1))
    else:
        put(pack_i(len(m.owners)))
        write_describe_delegation_token_owner_v1_list(out, m.owners)


def write_describe_delegation_token_owner_v2_list(out: list[MessagePart], items: list[DescribeDelegationTokenOwner]) -> None:
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


def write_describe_delegation_token_request_v2(out: list[MessagePart], m: DescribeDelegationTokenRequest) -> None:
    put = out.append
    if m.owners is None:
        put(b"\0")
    else:
        n = len(m.owners) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_describe_delegation_token_owner_v2_list(out, m.owners)
    put(b"\0")


def write_described_delegation_token_renewer_v1_list(out: list[MessagePart], items: list[DescribedDelegationTokenRenewer]) -> None:
    put = out.append
    for m in items:
        text = m.principal_type.encode()
        put(pack_h(len(text)))
        put(text)
        text = m.principal_name.encode()
        put(pack_h(len(text)))
        put(text)


def write_described_delegation_token_v1_list(out: list[MessagePart], items: list[DescribedDelegationToken]) -> None:
    put = out.append
    for m in items:
        if m.token_requester_principal_type:
            raise UnsupportedVersion("DescribedDelegationToken.token_requester_principal_type exists in versions 3+ only")
        if m.token_requester_principal_name:
            raise UnsupportedVersion("DescribedDelegationToken.token_requester_principal_name exists in versions 3+ only")
        text = m.principal_type.encode()
        put(pack_h(len(text)))
        put(text)
        text = m.principal_name.encode()
        put(pack_h(len(text)))
        put(text)
        text = m.token_id.encode()
        put(pack_qqqh(m.issue_timestamp, m.expiry_timestamp, m.max_timestamp, len(text)))
        put(text)
        put(pack_i(len(m.hmac)))
        put(m.hmac)
        put(pack_i(len(m.renewers)))
        write_described_delegation_token_renewer_v1_list(out, m.renewers)


def write_describe_delegation_token_response_v1(out: list[MessagePart], m: DescribeDelegationTokenResponse) -> None:
    put = out.append
    put(pack_hi(m.error_code, len(m.tokens)))
    write_described_delegation_token_v1_list(out, m.tokens)
    put(pack_i(m.throttle_time_ms))


def write_described_delegation_token_renewer_v2_list(out: list[MessagePart], items: list[DescribedDelegationTokenRenewer]) -> None:
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


def write_described_delegation_token_v2_list(out: list[MessagePart], items: list[DescribedDelegationToken]) -> None:
    put = out.append
    for m in items:
        if m.token_requester_principal_type:
            raise UnsupportedVersion("DescribedDelegationToken.token_requester_principal_type exists in versions 3+ only")
        if m.token_requester_principal_name:
            raise UnsupportedVersion("DescribedDelegationToken.token_requester_principal_name exists in versions 3+ only")
        text = m.principal_type.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.principal_name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.token_id.encode()
        put(pack_qqq(m.issue_timestamp, m.expiry_timestamp, m.max_timestamp))
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.hmac) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(m.hmac)
        n = len(m.renewers) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_described_delegation_token_renewer_v2_list(out, m.renewers)
        put(b"\0")


def write_describe_delegation_token_response_v2(out: list[MessagePart], m: DescribeDelegationTokenResponse) -> None:
    put = out.append
    put(pack_h(m.error_code))
    n = len(m.tokens) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_described_delegation_token_v2_list(out, m.tokens)
    put(pack_ix(m.throttle_time_ms))


def write_described_delegation_token_v3_list(out: list[MessagePart], items: list[DescribedDelegationToken]) -> None:
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
        text = m.token_requester_principal_type.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.token_requester_principal_name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.token_id.encode()
        put(pack_qqq(m.issue_timestamp, m.expiry_timestamp, m.max_timestamp))
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        n = len(m.hmac) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(m.hmac)
        n = len(m.renewers) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_described_delegation_token_renewer_v2_list(out, m.renewers)
        put(b"\0")


def write_describe_delegation_token_response_v3(out: list[MessagePart], m: DescribeDelegationTokenResponse) -> None:
    put = out.append
    put(pack_h(m.error_code))
    n = len(m.tokens) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_described_delegation_token_v3_list(out, m.tokens)
    put(pack_ix(m.throttle_time_ms))


DescribeDelegationTokenRequest.WRITERS = {
    1: write_describe_delegation_token_request_v1,
    2: write_describe_delegation_token_request_v2,
    3: write_describe_delegation_token_request_v2,
}
DescribeDelegationTokenResponse.WRITERS = {
    1: write_describe_delegation_token_response_v1,
    2: write_describe_delegation_token_response_v2,
    3: write_describe_delegation_token_response_v3,
}
