"""Generated from `tenure/protocol/tables/alter_user_scram_credentials.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.alter_user_scram_credentials import (
    AlterUserScramCredentialsRequest,
    AlterUserScramCredentialsResponse,
    AlterUserScramCredentialsResult,
    ScramCredentialDeletion,
    ScramCredentialUpsertion,
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

unpack_bB: Final = Packer(">bB").unpack_from
unpack_biB: Final = Packer(">biB").unpack_from
unpack_hB: Final = Packer(">hB").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from


def read_scram_credential_deletion_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[ScramCredentialDeletion], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[ScramCredentialDeletion] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ScramCredentialDeletion.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        mechanism, tags = unpack_bB(data, at)
        at += 2
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(ScramCredentialDeletion(name, mechanism))
    return found, at


def read_scram_credential_upsertion_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[ScramCredentialUpsertion], int]:
    if announced * 9 > len(data) - at:
        raise too_many(announced, 9, data, at)
    found: list[ScramCredentialUpsertion] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ScramCredentialUpsertion.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        mechanism, iterations, n = unpack_biB(data, at)
        at += 6
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ScramCredentialUpsertion.salt is null")
        end = at + n
        salt = data[at:end]
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ScramCredentialUpsertion.salted_password is null")
        end = at + n
        salted_password = data[at:end]
        at = end
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(ScramCredentialUpsertion(name, mechanism, iterations, salt, salted_password))
    return found, at


def read_alter_user_scram_credentials_request_v0(data: bytes, at: int) -> tuple[AlterUserScramCredentialsRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("AlterUserScramCredentialsRequest.deletions is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    deletions, at = read_scram_credential_deletion_v0_list(data, at, n, elements)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("AlterUserScramCredentialsRequest.upsertions is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    upsertions, at = read_scram_credential_upsertion_v0_list(data, at, n, elements)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return AlterUserScramCredentialsRequest(deletions, upsertions), at


def read_alter_user_scram_credentials_result_v0_list(data: bytes, at: int, announced: int) -> tuple[list[AlterUserScramCredentialsResult], int]:
    if announced * 5 > len(data) - at:
        raise too_many(announced, 5, data, at)
    found: list[AlterUserScramCredentialsResult] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("AlterUserScramCredentialsResult.user is null")
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
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(AlterUserScramCredentialsResult(user, error_code, error_message))
    return found, at


def read_alter_user_scram_credentials_response_v0(data: bytes, at: int) -> tuple[AlterUserScramCredentialsResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("AlterUserScramCredentialsResponse.results is null")
    results, at = read_alter_user_scram_credentials_result_v0_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return AlterUserScramCredentialsResponse(throttle_time_ms, results), at


AlterUserScramCredentialsRequest.READERS = {
    0: read_alter_user_scram_credentials_request_v0,
}
AlterUserScramCredentialsResponse.READERS = {
    0: read_alter_user_scram_credentials_response_v0,
}
