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
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_bi: Final = Packer(">bi").pack
pack_bx: Final = Packer(">bx").pack
pack_h: Final = Packer(">h").pack
pack_i: Final = Packer(">i").pack


def write_scram_credential_deletion_v0_list(out: list[MessagePart], items: list[ScramCredentialDeletion]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_bx(m.mechanism))


def write_scram_credential_upsertion_v0_list(out: list[MessagePart], items: list[ScramCredentialUpsertion]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_bi(m.mechanism, m.iterations))
        n = len(m.salt) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(m.salt)
        n = len(m.salted_password) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(m.salted_password)
        put(b"\0")


def write_alter_user_scram_credentials_request_v0(out: list[MessagePart], m: AlterUserScramCredentialsRequest) -> None:
    put = out.append
    n = len(m.deletions) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_scram_credential_deletion_v0_list(out, m.deletions)
    n = len(m.upsertions) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_scram_credential_upsertion_v0_list(out, m.upsertions)
    put(b"\0")


def write_alter_user_scram_credentials_result_v0_list(out: list[MessagePart], items: list[AlterUserScramCredentialsResult]) -> None:
    put = out.append
    for m in items:
        text = m.user.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_h(m.error_code))
        if m.error_message is None:
            put(b"\0")
        else:
            text = m.error_message.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(b"\0")


def write_alter_user_scram_credentials_response_v0(out: list[MessagePart], m: AlterUserScramCredentialsResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.results) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_alter_user_scram_credentials_result_v0_list(out, m.results)
    put(b"\0")


AlterUserScramCredentialsRequest.WRITERS = {
    0: write_alter_user_scram_credentials_request_v0,
}
AlterUserScramCredentialsResponse.WRITERS = {
    0: write_alter_user_scram_credentials_response_v0,
}
