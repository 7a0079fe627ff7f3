"""Generated from `tenure/protocol/tables/describe_client_quotas.py` by `python -m tenure.protocol.generate`."""

from collections.abc import Iterator
from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.describe_client_quotas import (
    DescribeClientQuotasEntry,
    DescribeClientQuotasResponse,
)
from tenure.protocol.generated.writers.describe_client_quotas import (
    write_describe_client_quotas_entity_v0_list,
    write_describe_client_quotas_entity_v1_list,
    write_value_data_v0_list,
    write_value_data_v1_list,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack
pack_ihh: Final = Packer(">ihh").pack


def pieces_of_describe_client_quotas_entry_v0_list(out: list[MessagePart], items: list[DescribeClientQuotasEntry]) -> Iterator[None]:
    put = out.append
    for m in items:
        put(pack_i(len(m.entity)))
        for start in range(0, len(m.entity), 256):
            write_describe_client_quotas_entity_v0_list(out, m.entity[start : start + 256])
            yield
        put(pack_i(len(m.values)))
        for start in range(0, len(m.values), 256):
            write_value_data_v0_list(out, m.values[start : start + 256])
            yield
        yield


def pieces_of_describe_client_quotas_response_v0(out: list[MessagePart], m: DescribeClientQuotasResponse) -> Iterator[None]:
    put = out.append
    if m.error_message is None:
        put(pack_ihh(m.throttle_time_ms, m.error_code, -1))
    else:
        text = m.error_message.encode()
        put(pack_ihh(m.throttle_time_ms, m.error_code, len(text)))
        put(text)
    if m.entries is None:
        put(pack_i(-1))
    else:
        put(pack_i(len(m.entries)))
        yield from pieces_of_describe_client_quotas_entry_v0_list(out, m.entries)


def pieces_of_describe_client_quotas_entry_v1_list(out: list[MessagePart], items: list[DescribeClientQuotasEntry]) -> Iterator[None]:
    put = out.append
    for m in items:
        n = len(m.entity) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.entity), 256):
            write_describe_client_quotas_entity_v1_list(out, m.entity[start : start + 256])
            yield
        n = len(m.values) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        for start in range(0, len(m.values), 256):
            write_value_data_v1_list(out, m.values[start : start + 256])
            yield
        put(b"\0")
        yield


def pieces_of_describe_client_quotas_response_v1(out: list[MessagePart], m: DescribeClientQuotasResponse) -> Iterator[None]:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    if m.error_message is None:
        put(b"\0")
    else:
        text = m.error_message.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    if m.entries is None:
        put(b"\0")
    else:
        n = len(m.entries) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        yield from pieces_of_describe_client_quotas_entry_v1_list(out, m.entries)
    put(b"\0")


DescribeClientQuotasResponse.PIECEWISE_WRITERS = {
    0: pieces_of_describe_client_quotas_response_v0,
    1: pieces_of_describe_client_quotas_response_v1,
}
