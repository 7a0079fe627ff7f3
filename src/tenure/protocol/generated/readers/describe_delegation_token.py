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
    MalformedMessage,
)
from tenure.protocol.wire import (
    Elements,
    UNBOUNDED,
    UNCOUNTED_BYTES,
    read_text_length,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
)

unpack_h: Final = Packer(">h").unpack_from
unpack_hB: Final = Packer(">hB").unpack_from
unpack_hi: Final = Packer(">hi").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_qqqB: Final = Packer(">qqqB").unpack_from
unpack_qqqh: Final = Packer(">qqqh").unpack_from


def read_describe_delegation_token_owner_v1_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[DescribeDelegationTokenOwner], int]:
    if announced * 4 > len(data) - at:
        raise too_many(announced, 4, data, at)
    found: list[DescribeDelegationTokenOwner] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("DescribeDelegationTokenOwner.principal_type is null")
        end = at + n
        principal_type = utf8(data[at:end])
        at = end
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("DescribeDelegationTokenOwner.principal_name is null")
        end = at + n
        principal_name = utf8(data[at:end])
        at = end
        found.append(DescribeDelegationTokenOwner(principal_type, principal_name))
    return found, at


def read_describe_delegation_token_request_v1(data: bytes, at: int) -> tuple[DescribeDelegationTokenRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    (n,) = unpack_i(data, at)
    at += 4
    if n >= 0:
        if elements is not UNBOUNDED:
            elements.add(n)
        owners, at = read_describe_delegation_token_owner_v1_list(data, at, n, elements)
    elif n == -1:
        owners = None
    else:
        raise MalformedMessage("DescribeDelegationTokenRequest.owners has a negative length")
    return DescribeDelegationTokenRequest(owners), at


def read_describe_delegation_token_owner_v2_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[DescribeDelegationTokenOwner], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[DescribeDelegationTokenOwner] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribeDelegationTokenOwner.principal_type is null")
        end = at + n
        principal_type = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribeDelegationTokenOwner.principal_name is null")
        end = at + n
        principal_name = utf8(data[at:end])
        at = end
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(DescribeDelegationTokenOwner(principal_type, principal_name))
    return found, at


def read_describe_delegation_token_request_v2(data: bytes, at: int) -> tuple[DescribeDelegationTokenRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        if elements is not UNBOUNDED:
            elements.add(n)
        owners, at = read_describe_delegation_token_owner_v2_list(data, at, n, elements)
    else:
        owners = None
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return DescribeDelegationTokenRequest(owners), at


def read_described_delegation_token_renewer_v1_list(data: bytes, at: int, announced: int) -> tuple[list[DescribedDelegationTokenRenewer], int]:
    if announced * 4 > len(data) - at:
        raise too_many(announced, 4, data, at)
    found: list[DescribedDelegationTokenRenewer] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("DescribedDelegationTokenRenewer.principal_type is null")
        end = at + n
        principal_type = utf8(data[at:end])
        at = end
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("DescribedDelegationTokenRenewer.principal_name is null")
        end = at + n
        principal_name = utf8(data[at:end])
        at = end
        found.append(DescribedDelegationTokenRenewer(principal_type, principal_name))
    return found, at


def read_described_delegation_token_v1_list(data: bytes, at: int, announced: int) -> tuple[list[DescribedDelegationToken], int]:
    if announced * 38 > len(data) - at:
        raise too_many(announced, 38, data, at)
    found: list[DescribedDelegationToken] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("DescribedDelegationToken.principal_type is null")
        end = at + n
        principal_type = utf8(data[at:end])
        at = end
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("DescribedDelegationToken.principal_name is null")
        end = at + n
        principal_name = utf8(data[at:end])
        at = end
        issue_timestamp, expiry_timestamp, max_timestamp, n = unpack_qqqh(data, at)
        at += 26
        if n < 0:
            raise MalformedMessage("DescribedDelegationToken.token_id is null")
        end = at + n
        token_id = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("DescribedDelegationToken.hmac is null")
        end = at + n
        hmac = data[at:end]
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("DescribedDelegationToken.renewers is null")
        renewers, at = read_described_delegation_token_renewer_v1_list(data, at, n)
        found.append(DescribedDelegationToken(principal_type, principal_name, "", "", issue_timestamp, expiry_timestamp, max_timestamp, token_id, hmac, renewers))
    return found, at


def read_describe_delegation_token_response_v1(data: bytes, at: int) -> tuple[DescribeDelegationTokenResponse, int]:
    error_code, n = unpack_hi(data, at)
    at += 6
    if n < 0:
        raise MalformedMessage("DescribeDelegationTokenResponse.tokens is null")
    tokens, at = read_described_delegation_token_v1_list(data, at, n)
    (throttle_time_ms,) = unpack_i(data, at)
    at += 4
    return DescribeDelegationTokenResponse(error_code, tokens, throttle_time_ms), at


def read_described_delegation_token_renewer_v2_list(data: bytes, at: int, announced: int) -> tuple[list[DescribedDelegationTokenRenewer], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[DescribedDelegationTokenRenewer] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedDelegationTokenRenewer.principal_type is null")
        end = at + n
        principal_type = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedDelegationTokenRenewer.principal_name is null")
        end = at + n
        principal_name = utf8(data[at:end])
        at = end
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribedDelegationTokenRenewer(principal_type, principal_name))
    return found, at


def read_described_delegation_token_v2_list(data: bytes, at: int, announced: int) -> tuple[list[DescribedDelegationToken], int]:
    if announced * 30 > len(data) - at:
        raise too_many(announced, 30, data, at)
    found: list[DescribedDelegationToken] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedDelegationToken.principal_type is null")
        end = at + n
        principal_type = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedDelegationToken.principal_name is null")
        end = at + n
        principal_name = utf8(data[at:end])
        at = end
        issue_timestamp, expiry_timestamp, max_timestamp, n = unpack_qqqB(data, at)
        at += 25
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedDelegationToken.token_id is null")
        end = at + n
        token_id = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedDelegationToken.hmac is null")
        end = at + n
        hmac = data[at:end]
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedDelegationToken.renewers is null")
        renewers, at = read_described_delegation_token_renewer_v2_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribedDelegationToken(principal_type, principal_name, "", "", issue_timestamp, expiry_timestamp, max_timestamp, token_id, hmac, renewers))
    return found, at


def read_describe_delegation_token_response_v2(data: bytes, at: int) -> tuple[DescribeDelegationTokenResponse, int]:
    error_code, n = unpack_hB(data, at)
    at += 3
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribeDelegationTokenResponse.tokens is null")
    tokens, at = read_described_delegation_token_v2_list(data, at, n)
    throttle_time_ms, tags = unpack_iB(data, at)
    at += 5
    if tags:
        at = skip_tags(data, at - 1)
    return DescribeDelegationTokenResponse(error_code, tokens, throttle_time_ms), at


def read_described_delegation_token_v3_list(data: bytes, at: int, announced: int) -> tuple[list[DescribedDelegationToken], int]:
    if announced * 32 > len(data) - at:
        raise too_many(announced, 32, data, at)
    found: list[DescribedDelegationToken] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedDelegationToken.principal_type is null")
        end = at + n
        principal_type = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedDelegationToken.principal_name is null")
        end = at + n
        principal_name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedDelegationToken.token_requester_principal_type is null")
        end = at + n
        token_requester_principal_type = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedDelegationToken.token_requester_principal_name is null")
        end = at + n
        token_requester_principal_name = utf8(data[at:end])
        at = end
        issue_timestamp, expiry_timestamp, max_timestamp, n = unpack_qqqB(data, at)
        at += 25
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedDelegationToken.token_id is null")
        end = at + n
        token_id = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedDelegationToken.hmac is null")
        end = at + n
        hmac = data[at:end]
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribedDelegationToken.renewers is null")
        renewers, at = read_described_delegation_token_renewer_v2_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribedDelegationToken(principal_type, principal_name, token_requester_principal_type, token_requester_principal_name, issue_timestamp, expiry_timestamp, max_timestamp, token_id, hmac, renewers))
    return found, at


def read_describe_delegation_token_response_v3(data: bytes, at: int) -> tuple[DescribeDelegationTokenResponse, int]:
    error_code, n = unpack_hB(data, at)
    at += 3
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribeDelegationTokenResponse.tokens is null")
    tokens, at = read_described_delegation_token_v3_list(data, at, n)
    throttle_time_ms, tags = unpack_iB(data, at)
    at += 5
    if tags:
        at = skip_tags(data, at - 1)
    return DescribeDelegationTokenResponse(error_code, tokens, throttle_time_ms), at


DescribeDelegationTokenRequest.READERS = {
    1: read_describe_delegation_token_request_v1,
    2: read_describe_delegation_token_request_v2,
    3: read_describe_delegation_token_request_v2,
}
DescribeDelegationTokenResponse.READERS = {
    1: read_describe_delegation_token_response_v1,
    2: read_describe_delegation_token_response_v2,
    3: read_describe_delegation_token_response_v3,
}
