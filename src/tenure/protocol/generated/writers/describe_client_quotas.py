"""Generated from `tenure/protocol/tables/describe_client_quotas.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.describe_client_quotas import (
    ComponentData,
    DescribeClientQuotasEntity,
    DescribeClientQuotasEntry,
    DescribeClientQuotasRequest,
    DescribeClientQuotasResponse,
    ValueData,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_Z: Final = Packer(">?").pack
pack_Zx: Final = Packer(">?x").pack
pack_b: Final = Packer(">b").pack
pack_bh: Final = Packer(">bh").pack
pack_d: Final = Packer(">d").pack
pack_dx: Final = Packer(">dx").pack
pack_h: Final = Packer(">h").pack
pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack
pack_ihh: Final = Packer(">ihh").pack


def write_component_data_v0_list(out: list[MessagePart], items: list[ComponentData]) -> None:
    put = out.append
    for m in items:
        text = m.entity_type.encode()
        put(pack_h(len(text)))
        put(text)
        if m.match is None:
            put(pack_bh(m.match_type, -1))
        else:
            text = m.match.encode()
            put(pack_bh(m.match_type, len(text)))
            put(text)


def write_describe_client_quotas_request_v0(out: list[MessagePart], m: DescribeClientQuotasRequest) -> None:
    put = out.append
    put(pack_i(len(m.components)))
    write_component_data_v0_list(out, m.components)
    put(pack_Z(m.strict))


def write_component_data_v1_list(out: list[MessagePart], items: list[ComponentData]) -> None:
    put = out.append
    for m in items:
        text = m.entity_type.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_b(m.match_type))
        if m.match is None:
            put(b"\0")
        else:
            text = m.match.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(b"\0")


def write_describe_client_quotas_request_v1(out: list[MessagePart], m: DescribeClientQuotasRequest) -> None:
    put = out.append
    n = len(m.components) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_component_data_v1_list(out, m.components)
    put(pack_Zx(m.strict))


def write_describe_client_quotas_entity_v0_list(out: list[MessagePart], items: list[DescribeClientQuotasEntity]) -> None:
    put = out.append
    for m in items:
        text = m.entity_type.encode()
        put(pack_h(len(text)))
        put(text)
        if m.entity_name is None:
            put(pack_h(-1))
        else:
            text = m.entity_name.encode()
            put(pack_h(len(text)))
            put(text)


def write_value_data_v0_list(out: list[MessagePart], items: list[ValueData]) -> None:
    put = out.append
    for m in items:
        text = m.key.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_d(m.value))


def write_describe_client_quotas_entry_v0_list(out: list[MessagePart], items: list[DescribeClientQuotasEntry]) -> None:
    put = out.append
    for m in items:
        put(pack_i(len(m.entity)))
        write_describe_client_quotas_entity_v0_list(out, m.entity)
        put(pack_i(len(m.values)))
        write_value_data_v0_list(out, m.values)


def write_describe_client_quotas_response_v0(out: list[MessagePart], m: DescribeClientQuotasResponse) -> None:
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
        write_describe_client_quotas_entry_v0_list(out, m.entries)


def write_describe_client_quotas_entity_v1_list(out: list[MessagePart], items: list[DescribeClientQuotasEntity]) -> None:
    put = out.append
    for m in items:
        text = m.entity_type.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        if m.entity_name is None:
            put(b"\0")
        else:
            text = m.entity_name.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(b"\0")


def write_value_data_v1_list(out: list[MessagePart], items: list[ValueData]) -> None:
    put = out.append
    for m in items:
        text = m.key.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_dx(m.value))


def write_describe_client_quotas_entry_v1_list(out: list[MessagePart], items: list[DescribeClientQuotasEntry]) -> None:
    put = out.append
    for m in items:
        n = len(m.entity) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_describe_client_quotas_entity_v1_list(out, m.entity)
        n = len(m.values) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_value_data_v1_list(out, m.values)
        put(b"\0")


def write_describe_client_quotas_response_v1(out: list[MessagePart], m: DescribeClientQuotasResponse) -> None:
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
        write_describe_client_quotas_entry_v1_list(out, m.entries)
    put(b"\0")


DescribeClientQuotasRequest.WRITERS = {
    0: write_describe_client_quotas_request_v0,
    1: write_describe_client_quotas_request_v1,
}
DescribeClientQuotasResponse.WRITERS = {
    0: write_describe_client_quotas_response_v0,
    1: write_describe_client_quotas_response_v1,
}
