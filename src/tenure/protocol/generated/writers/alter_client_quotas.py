"""Generated from `tenure/protocol/tables/alter_client_quotas.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.alter_client_quotas import (
    AlterClientQuotasEntity,
    AlterClientQuotasEntry,
    AlterClientQuotasEntryResult,
    AlterClientQuotasRequest,
    AlterClientQuotasResponse,
    OpData,
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
pack_dZ: Final = Packer(">d?").pack
pack_dZx: Final = Packer(">d?x").pack
pack_h: Final = Packer(">h").pack
pack_hh: Final = Packer(">hh").pack
pack_i: Final = Packer(">i").pack
pack_ii: Final = Packer(">ii").pack


def write_alter_client_quotas_entity_v0_list(out: list[MessagePart], items: list[AlterClientQuotasEntity]) -> None:
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


def write_op_data_v0_list(out: list[MessagePart], items: list[OpData]) -> None:
    put = out.append
    for m in items:
        text = m.key.encode()
        put(pack_h(len(text)))
        put(text)
        put(pack_dZ(m.value, m.remove))


def write_alter_client_quotas_entry_v0_list(out: list[MessagePart], items: list[AlterClientQuotasEntry]) -> None:
    put = out.append
    for m in items:
        put(pack_i(len(m.entity)))
        write_alter_client_quotas_entity_v0_list(out, m.entity)
        put(pack_i(len(m.ops)))
        write_op_data_v0_list(out, m.ops)


def write_alter_client_quotas_request_v0(out: list[MessagePart], m: AlterClientQuotasRequest) -> None:
    put = out.append
    put(pack_i(len(m.entries)))
    write_alter_client_quotas_entry_v0_list(out, m.entries)
    put(pack_Z(m.validate_only))


def write_alter_client_quotas_entity_v1_list(out: list[MessagePart], items: list[AlterClientQuotasEntity]) -> None:
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


def write_op_data_v1_list(out: list[MessagePart], items: list[OpData]) -> None:
    put = out.append
    for m in items:
        text = m.key.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_dZx(m.value, m.remove))


def write_alter_client_quotas_entry_v1_list(out: list[MessagePart], items: list[AlterClientQuotasEntry]) -> None:
    put = out.append
    for m in items:
        n = len(m.entity) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_alter_client_quotas_entity_v1_list(out, m.entity)
        n = len(m.ops) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        write_op_data_v1_list(out, m.ops)
        put(b"\0")


def write_alter_client_quotas_request_v1(out: list[MessagePart], m: AlterClientQuotasRequest) -> None:
    put = out.append
    n = len(m.entries) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_alter_client_quotas_entry_v1_list(out, m.entries)
    put(pack_Zx(m.validate_only))


def write_alter_client_quotas_entry_result_v0_list(out: list[MessagePart], items: list[AlterClientQuotasEntryResult]) -> None:
    put = out.append
    for m in items:
        if m.error_message is None:
            put(pack_hh(m.error_code, -1))
        else:
            text = m.error_message.encode()
            put(pack_hh(m.error_code, len(text)))
            put(text)
        put(pack_i(len(m.entity)))
        write_alter_client_quotas_entity_v0_list(out, m.entity)


def write_alter_client_quotas_response_v0(out: list[MessagePart], m: AlterClientQuotasResponse) -> None:
    put = out.append
    put(pack_ii(m.throttle_time_ms, len(m.entries)))
    write_alter_client_quotas_entry_result_v0_list(out, m.entries)


def write_alter_client_quotas_entry_result_v1_list(out: list[MessagePart], items: list[AlterClientQuotasEntryResult]) -> None:
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
        write_alter_client_quotas_entity_v1_list(out, m.entity)
        put(b"\0")


def write_alter_client_quotas_response_v1(out: list[MessagePart], m: AlterClientQuotasResponse) -> None:
    put = out.append
    put(pack_i(m.throttle_time_ms))
    n = len(m.entries) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_alter_client_quotas_entry_result_v1_list(out, m.entries)
    put(b"\0")


AlterClientQuotasRequest.WRITERS = {
    0: write_alter_client_quotas_request_v0,
    1: write_alter_client_quotas_request_v1,
}
AlterClientQuotasResponse.WRITERS = {
    0: write_alter_client_quotas_response_v0,
    1: write_alter_client_quotas_response_v1,
}
