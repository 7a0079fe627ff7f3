"""Generated from `tenure/protocol/tables/describe_user_scram_credentials.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.describe_user_scram_credentials import (
    DescribeUserScramCredentialsResponse,
    DescribeUserScramCredentialsResult,
)
from tenure.protocol.generated.writers.describe_user_scram_credentials import (
    write_credential_info_v0_list,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_h: Final = Packer(">h").pack
pack_ih: Final = Packer(">ih").pack


def pieces_of_describe_user_scram_credentials_result_v0_list(out: list[MessagePart], items: list[DescribeUserScramCredentialsResult]) -> Iterator[None]:
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
        for start in range(0, len(m.credential_infos), 256):
            write_credential_info_v0_list(out, m.credential_infos[start : start + 256])
            yield
        put(b"\0")
        yield


def pieces_of_describe_user_scram_credentials_response_v0(out: list[MessagePart], m: DescribeUserScramCredentialsResponse) -> Iterator[None]:
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
    yield from pieces_of_describe_user_scram_credentials_result_v0_list(out, m.results)
    put(b"\0")


DescribeUserScramCredentialsResponse.PIECEWISE_WRITERS = {
    0: pieces_of_describe_user_scram_credentials_response_v0,
}
