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
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_bix: Final = Packer(">bix").pack
pack_h: Final = Packer(">h").pack
pack_ih: Final = Packer(">ih").pack


def write_user_name_v0_list(out: list[MessagePart], items: list[UserName]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(b"\0")


def write_describe_user_scram_credentials_request_v0(out: list[MessagePart], m: DescribeUserScramCredentialsRequest) -> None:
    put = out.append
    if m.users is None:
        put(b"\0")
    else:
        n = len(m.users) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_user_name_v0_list(out, m.users)
    put(b"\0")


def write_credential_info_v0_list(out: list[MessagePart], items: list[CredentialInfo]) -> None:
    put = out.append
    for m in items:
        put(pack_bix(m.mechanism, m.iterations))


def write_describe_user_scram_credentials_result_v0_list(out: list[MessagePart], items: list[DescribeUserScramCredentialsResult]) -> None:
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
        n = len(m.credential_infos) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_credential_info_v0_list(out, m.credential_infos)
        put(b"\0")


def write_describe_user_scram_credentials_response_v0(out: list[MessagePart], m: DescribeUserScramCredentialsResponse) -> None:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    if m.error_message is None:
        put(b"\0")
    else:
        text = m.error_message.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    n = len(m.results) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_describe_user_scram_credentials_result_v0_list(out, m.results)
    put(b"\0")


DescribeUserScramCredentialsRequest.WRITERS = {
    0: write_describe_user_scram_credentials_request_v0,
}
DescribeUserScramCredentialsResponse.WRITERS = {
    0: write_describe_user_scram_credentials_response_v0,
}
