"""Generated from `tenure/protocol/tables/create_delegation_token.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.create_delegation_token import (
    CreatableRenewers,
    CreateDelegationTokenRequest,
    CreateDelegationTokenResponse,
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
unpack_hh: Final = Packer(">hh").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_q: Final = Packer(">q").unpack_from
unpack_qB: Final = Packer(">qB").unpack_from
unpack_qqqB: Final = Packer(">qqqB").unpack_from
unpack_qqqh: Final = Packer(">qqqh").unpack_from


def read_creatable_renewers_v1_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[CreatableRenewers], int]:
    if announced * 4 > len(data) - at:
        raise too_many(announced, 4, data, at)
    found: list[CreatableRenewers] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("CreatableRenewers.principal_type is null")
        end = at + n
        principal_type = utf8(data[at:end])
        at = end
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("CreatableRenewers.principal_name is null")
        end = at + n
        principal_name = utf8(data[at:end])
        at = end
        found.append(CreatableRenewers(principal_type, principal_name))
    return found, at


def read_create_delegation_token_request_v1(data: bytes, at: int) -> tuple[CreateDelegationTokenRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("CreateDelegationTokenRequest.renewers is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    renewers, at = read_creatable_renewers_v1_list(data, at, n, elements)
    (max_lifetime_ms,) = unpack_q(data, at)
    at += 8
    return CreateDelegationTokenRequest("", "", renewers, max_lifetime_ms), at


def read_creatable_renewers_v2_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[CreatableRenewers], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[CreatableRenewers] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("CreatableRenewers.principal_type is null")
        end = at + n
        principal_type = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("CreatableRenewers.principal_name is null")
        end = at + n
        principal_name = utf8(data[at:end])
        at = end
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(CreatableRenewers(principal_type, principal_name))
    return found, at


def read_create_delegation_token_request_v2(data: bytes, at: int) -> tuple[CreateDelegationTokenRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("CreateDelegationTokenRequest.renewers is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    renewers, at = read_creatable_renewers_v2_list(data, at, n, elements)
    max_lifetime_ms, tags = unpack_qB(data, at)
    at += 9
    if tags:
        at = skip_tags(data, at - 1, elements)
    return CreateDelegationTokenRequest("", "", renewers, max_lifetime_ms), at


def read_create_delegation_token_request_v3(data: bytes, at: int) -> tuple[CreateDelegationTokenRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        owner_principal_type = utf8(data[at:end])
        at = end
    else:
        owner_principal_type = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        owner_principal_name = utf8(data[at:end])
        at = end
    else:
        owner_principal_name = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("CreateDelegationTokenRequest.renewers is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    renewers, at = read_creatable_renewers_v2_list(data, at, n, elements)
    max_lifetime_ms, tags = unpack_qB(data, at)
    at += 9
    if tags:
        at = skip_tags(data, at - 1, elements)
    return CreateDelegationTokenRequest(owner_principal_type, owner_principal_name, renewers, max_lifetime_ms), at


def read_create_delegation_token_response_v1(data: bytes, at: int) -> tuple[CreateDelegationTokenResponse, int]:
    error_code, n = unpack_hh(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("CreateDelegationTokenResponse.principal_type is null")
    end = at + n
    principal_type = utf8(data[at:end])
    at = end
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("CreateDelegationTokenResponse.principal_name is null")
    end = at + n
    principal_name = utf8(data[at:end])
    at = end
    issue_timestamp_ms, expiry_timestamp_ms, max_timestamp_ms, n = unpack_qqqh(data, at)
    at += 26
    if n < 0:
        raise MalformedMessage("CreateDelegationTokenResponse.token_id is null")
    end = at + n
    token_id = utf8(data[at:end])
    at = end
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("CreateDelegationTokenResponse.hmac is null")
    end = at + n
    hmac = data[at:end]
    at = end
    (throttle_time_ms,) = unpack_i(data, at)
    at += 4
    return CreateDelegationTokenResponse(error_code, principal_type, principal_name, "", "", issue_timestamp_ms, expiry_timestamp_ms, max_timestamp_ms, token_id, hmac, throttle_time_ms), at


def read_create_delegation_token_response_v2(data: bytes, at: int) -> tuple[CreateDelegationTokenResponse, int]:
    error_code, n = unpack_hB(data, at)
    at += 3
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("CreateDelegationTokenResponse.principal_type is null")
    end = at + n
    principal_type = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("CreateDelegationTokenResponse.principal_name is null")
    end = at + n
    principal_name = utf8(data[at:end])
    at = end
    issue_timestamp_ms, expiry_timestamp_ms, max_timestamp_ms, n = unpack_qqqB(data, at)
    at += 25
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("CreateDelegationTokenResponse.token_id is null")
    end = at + n
    token_id = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("CreateDelegationTokenResponse.hmac is null")
    end = at + n
    hmac = data[at:end]
    at = end
    throttle_time_ms, tags = unpack_iB(data, at)
    at += 5
    if tags:
        at = skip_tags(data, at - 1)
    return CreateDelegationTokenResponse(error_code, principal_type, principal_name, "", "", issue_timestamp_ms, expiry_timestamp_ms, max_timestamp_ms, token_id, hmac, throttle_time_ms), at


def read_create_delegation_token_response_v3(data: bytes, at: int) -> tuple[CreateDelegationTokenResponse, int]:
    error_code, n = unpack_hB(data, at)
    at += 3
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("CreateDelegationTokenResponse.principal_type is null")
    end = at + n
    principal_type = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("CreateDelegationTokenResponse.principal_name is null")
    end = at + n
    principal_name = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("CreateDelegationTokenResponse.token_requester_principal_type is null")
    end = at + n
    token_requester_principal_type = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("CreateDelegationTokenResponse.token_requester_principal_name is null")
    end = at + n
    token_requester_principal_name = utf8(data[at:end])
    at = end
    issue_timestamp_ms, expiry_timestamp_ms, max_timestamp_ms, n = unpack_qqqB(data, at)
    at += 25
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("CreateDelegationTokenResponse.token_id is null")
    end = at + n
    token_id = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("CreateDelegationTokenResponse.hmac is null")
    end = at + n
    hmac = data[at:end]
    at = end
    throttle_time_ms, tags = unpack_iB(data, at)
    at += 5
    if tags:
        at = skip_tags(data, at - 1)
    return CreateDelegationTokenResponse(error_code, principal_type, principal_name, token_requester_principal_type, token_requester_principal_name, issue_timestamp_ms, expiry_timestamp_ms, max_timestamp_ms, token_id, hmac, throttle_time_ms), at


CreateDelegationTokenRequest.READERS = {
    1: read_create_delegation_token_request_v1,
    2: read_create_delegation_token_request_v2,
    3: read_create_delegation_token_request_v3,
}
CreateDelegationTokenResponse.READERS = {
    1: read_create_delegation_token_response_v1,
    2: read_create_delegation_token_response_v2,
    3: read_create_delegation_token_response_v3,
}
