"""Generated from `tenure/protocol/tables/describe_user_scram_credentials.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.describe_user_scram_credentials import (
    CredentialInfo,
    DescribeUserScramCredentialsRequest,
    DescribeUserScramCredentialsResponse,
    DescribeUserScramCredentialsResult,
    UserName,
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

unpack_biB: Final = Packer(">biB").unpack_from
unpack_hB: Final = Packer(">hB").unpack_from
unpack_ihB: Final = Packer(">ihB").unpack_from


def read_user_name_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[UserName], int]:
    if announced * 2 > len(data) - at:
        raise too_many(announced, 2, data, at)
    found: list[UserName] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("UserName.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(UserName(name))
    return found, at


def read_describe_user_scram_credentials_request_v0(data: bytes, at: int) -> tuple[DescribeUserScramCredentialsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        if elements is not UNBOUNDED:
            elements.add(n)
        users, at = read_user_name_v0_list(data, at, n, elements)
    else:
        users = None
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return DescribeUserScramCredentialsRequest(users), at


def read_credential_info_v0_list(data: bytes, at: int, announced: int) -> tuple[list[CredentialInfo], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[CredentialInfo] = []
    for _ in range(announced):
        mechanism, iterations, tags = unpack_biB(data, at)
        at += 6
        if tags:
            at = skip_tags(data, at - 1)
        found.append(CredentialInfo(mechanism, iterations))
    return found, at


def read_describe_user_scram_credentials_result_v0_list(data: bytes, at: int, announced: int) -> tuple[list[DescribeUserScramCredentialsResult], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[DescribeUserScramCredentialsResult] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribeUserScramCredentialsResult.user is null")
        end = at + n
        user = utf8(data[at:end])
        at = end
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
            raise MalformedMessage("DescribeUserScramCredentialsResult.credential_infos is null")
        credential_infos, at = read_credential_info_v0_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribeUserScramCredentialsResult(user, error_code, error_message, credential_infos))
    return found, at


def read_describe_user_scram_credentials_response_v0(data: bytes, at: int) -> tuple[DescribeUserScramCredentialsResponse, int]:
    throttle_time_ms, error_code, n = unpack_ihB(data, at)
    at += 7
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
        raise MalformedMessage("DescribeUserScramCredentialsResponse.results is null")
    results, at = read_describe_user_scram_credentials_result_v0_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return DescribeUserScramCredentialsResponse(throttle_time_ms, error_code, error_message, results), at


DescribeUserScramCredentialsRequest.READERS = {
    0: read_describe_user_scram_credentials_request_v0,
}
DescribeUserScramCredentialsResponse.READERS = {
    0: read_describe_user_scram_credentials_response_v0,
}
