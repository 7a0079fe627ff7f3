"""Generated from `tenure/protocol/tables/alter_user_scram_credentials.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.alter_user_scram_credentials import (
    AlterUserScramCredentialsResponse,
)
from tenure.protocol.generated.writers.alter_user_scram_credentials import (
    write_alter_user_scram_credentials_result_v0_list,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_i: Final = Packer(">i").pack


def pieces_of_alter_user_scram_credentials_response_v0(out: list[MessagePart], m: AlterUserScramCredentialsResponse) -> Iterator[None]:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.results) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    for start in range(0, len(m.results), 256):
        write_alter_user_scram_credentials_result_v0_list(out, m.results[start : start + 256])
        yield
    put(b"\0")


AlterUserScramCredentialsResponse.PIECEWISE_WRITERS = {
    0: pieces_of_alter_user_scram_credentials_response_v0,
}
