"""Generated from `tenure/protocol/tables/alter_client_quotas.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.alter_client_quotas import (
    AlterClientQuotasEntryResult,
    AlterClientQuotasResponse,
)
from tenure.protocol.generated.writers.alter_client_quotas import (
    write_alter_client_quotas_entity_v0_list,
    write_alter_client_quotas_entity_v1_list,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_h: Final = Packer(">h").pack
pack_hh: Final = Packer(">hh").pack
pack_i: Final = Packer(">i").pack
pack_ii: Final = Packer(">ii").pack


def pieces_of_alter_client_quotas_entry_result_v0_list(out: list[MessagePart], items: list[AlterClientQuotasEntryResult]) -> Iterator[None]:
    put = out.append
    for m in items:
        if m.error_message is None:
            put(pack_hh(m.error_code, -1))
        else:
            text = m.error_message.encode()
            put(pack_hh(m.error_code, len(text)))
            put(text)
        put(pack_i(len(m.entity)))
        for start in range(0, len(m.entity), 256):
            write_alter_client_quotas_entity_v0_list(out, m.entity[start : start + 256])
            yield
        yield


def pieces_of_alter_client_quotas_response_v0(out: list[MessagePart], m: AlterClientQuotasResponse) -> Iterator[None]:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.entries)))
    yield from pieces_of_alter_client_quotas_entry_result_v0_list(out, m.entries)


def pieces_of_alter_client_quotas_entry_result_v1_list(out: list[MessagePart], items: list[AlterClientQuotasEntryResult]) -> Iterator[None]:
    put = out.append
    for m in items:
        put(pack_h(m.error_code))
        if m.error_message is None:
            put(b"\0")
        else:
            text = m.error_message.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        n = len(m.entity) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.entity), 256):
            write_alter_client_quotas_entity_v1_list(out, m.entity[start : start + 256])
            yield
        put(b"\0")
        yield


def pieces_of_alter_client_quotas_response_v1(out: list[MessagePart], m: AlterClientQuotasResponse) -> Iterator[None]:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.entries) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    yield from pieces_of_alter_client_quotas_entry_result_v1_list(out, m.entries)
    put(b"\0")


AlterClientQuotasResponse.PIECEWISE_WRITERS = {
    0: pieces_of_alter_client_quotas_response_v0,
    1: pieces_of_alter_client_quotas_response_v1,
}
