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

unpack_Z: Final = Packer(">?").unpack_from
unpack_ZB: Final = Packer(">?B").unpack_from
unpack_dZ: Final = Packer(">d?").unpack_from
unpack_dZB: Final = Packer(">d?B").unpack_from
unpack_h: Final = Packer(">h").unpack_from
unpack_hB: Final = Packer(">hB").unpack_from
unpack_hh: Final = Packer(">hh").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ii: Final = Packer(">ii").unpack_from


def read_alter_client_quotas_entity_v0_list(data: bytes, at: int, announced: int, elements: Elements = UNBOUNDED) -> tuple[list[AlterClientQuotasEntity], int]:
    if announced * 4 > len(data) - at:
        raise too_many(announced, 4, data, at)
    found: list[AlterClientQuotasEntity] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("AlterClientQuotasEntity.entity_type is null")
        end = at + n
        entity_type = utf8(data[at:end])
        at = end
        (n,) = unpack_h(data, at)
        at += 2
        if n >= 0:
            end = at + n
            entity_name = utf8(data[at:end])
            at = end
        elif n == -1:
            entity_name = None
        else:
            raise MalformedMessage("AlterClientQuotasEntity.entity_name has a negative length")
        found.append(AlterClientQuotasEntity(entity_type, entity_name))
    return found, at


def read_op_data_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[OpData], int]:
    if announced * 11 > len(data) - at:
        raise too_many(announced, 11, data, at)
    found: list[OpData] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("OpData.key is null")
        end = at + n
        key = utf8(data[at:end])
        at = end
        value, remove = unpack_dZ(data, at)
        at += 9
        found.append(OpData(key, value, remove))
    return found, at


def read_alter_client_quotas_entry_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[AlterClientQuotasEntry], int]:
    if announced * 8 > len(data) - at:
        raise too_many(announced, 8, data, at)
    found: list[AlterClientQuotasEntry] = []
    for _ in range(announced):
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("AlterClientQuotasEntry.entity is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        entity, at = read_alter_client_quotas_entity_v0_list(data, at, n, elements)
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("AlterClientQuotasEntry.ops is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        ops, at = read_op_data_v0_list(data, at, n, elements)
        found.append(AlterClientQuotasEntry(entity, ops))
    return found, at


def read_alter_client_quotas_request_v0(data: bytes, at: int) -> tuple[AlterClientQuotasRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("AlterClientQuotasRequest.entries is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    entries, at = read_alter_client_quotas_entry_v0_list(data, at, n, elements)
    (validate_only,) = unpack_Z(data, at)
    at += 1
    return AlterClientQuotasRequest(entries, validate_only), at


def read_alter_client_quotas_entity_v1_list(data: bytes, at: int, announced: int, elements: Elements = UNBOUNDED) -> tuple[list[AlterClientQuotasEntity], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[AlterClientQuotasEntity] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("AlterClientQuotasEntity.entity_type is null")
        end = at + n
        entity_type = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n >= 0:
            end = at + n
            entity_name = utf8(data[at:end])
            at = end
        else:
            entity_name = None
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(AlterClientQuotasEntity(entity_type, entity_name))
    return found, at


def read_op_data_v1_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[OpData], int]:
    if announced * 11 > len(data) - at:
        raise too_many(announced, 11, data, at)
    found: list[OpData] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("OpData.key is null")
        end = at + n
        key = utf8(data[at:end])
        at = end
        value, remove, tags = unpack_dZB(data, at)
        at += 10
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(OpData(key, value, remove))
    return found, at


def read_alter_client_quotas_entry_v1_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[AlterClientQuotasEntry], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[AlterClientQuotasEntry] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("AlterClientQuotasEntry.entity is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        entity, at = read_alter_client_quotas_entity_v1_list(data, at, n, elements)
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("AlterClientQuotasEntry.ops is null")
        if elements is not UNBOUNDED:
            elements.add(n)
        ops, at = read_op_data_v1_list(data, at, n, elements)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(AlterClientQuotasEntry(entity, ops))
    return found, at


def read_alter_client_quotas_request_v1(data: bytes, at: int) -> tuple[AlterClientQuotasRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("AlterClientQuotasRequest.entries is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    entries, at = read_alter_client_quotas_entry_v1_list(data, at, n, elements)
    validate_only, tags = unpack_ZB(data, at)
    at += 2
    if tags:
        at = skip_tags(data, at - 1, elements)
    return AlterClientQuotasRequest(entries, validate_only), at


def read_alter_client_quotas_entry_result_v0_list(data: bytes, at: int, announced: int) -> tuple[list[AlterClientQuotasEntryResult], int]:
    if announced * 8 > len(data) - at:
        raise too_many(announced, 8, data, at)
    found: list[AlterClientQuotasEntryResult] = []
    for _ in range(announced):
        error_code, n = unpack_hh(data, at)
        at += 4
        if n >= 0:
            end = at + n
            error_message = utf8(data[at:end])
            at = end
        elif n == -1:
            error_message = None
        else:
            raise MalformedMessage("AlterClientQuotasEntryResult.error_message has a negative length")
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("AlterClientQuotasEntryResult.entity is null")
        entity, at = read_alter_client_quotas_entity_v0_list(data, at, n)
        found.append(AlterClientQuotasEntryResult(error_code, error_message, entity))
    return found, at


def read_alter_client_quotas_response_v0(data: bytes, at: int) -> tuple[AlterClientQuotasResponse, int]:
    throttle_time_ms, n = unpack_ii(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("AlterClientQuotasResponse.entries is null")
    entries, at = read_alter_client_quotas_entry_result_v0_list(data, at, n)
    return AlterClientQuotasResponse(throttle_time_ms, entries), at


def read_alter_client_quotas_entry_result_v1_list(data: bytes, at: int, announced: int) -> tuple[list[AlterClientQuotasEntryResult], int]:
    if announced * 5 > len(data) - at:
        raise too_many(announced, 5, data, at)
    found: list[AlterClientQuotasEntryResult] = []
    for _ in range(announced):
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
            raise MalformedMessage("AlterClientQuotasEntryResult.entity is null")
        entity, at = read_alter_client_quotas_entity_v1_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(AlterClientQuotasEntryResult(error_code, error_message, entity))
    return found, at


def read_alter_client_quotas_response_v1(data: bytes, at: int) -> tuple[AlterClientQuotasResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("AlterClientQuotasResponse.entries is null")
    entries, at = read_alter_client_quotas_entry_result_v1_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return AlterClientQuotasResponse(throttle_time_ms, entries), at


AlterClientQuotasRequest.READERS = {
    0: read_alter_client_quotas_request_v0,
    1: read_alter_client_quotas_request_v1,
}
AlterClientQuotasResponse.READERS = {
    0: read_alter_client_quotas_response_v0,
    1: read_alter_client_quotas_response_v1,
}
