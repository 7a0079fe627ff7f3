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
unpack_bB: Final = Packer(">bB").unpack_from
unpack_bh: Final = Packer(">bh").unpack_from
unpack_d: Final = Packer(">d").unpack_from
unpack_dB: Final = Packer(">dB").unpack_from
unpack_h: Final = Packer(">h").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_ihB: Final = Packer(">ihB").unpack_from
unpack_ihh: Final = Packer(">ihh").unpack_from


def read_component_data_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[ComponentData], int]:
    if announced * 5 > len(data) - at:
        raise too_many(announced, 5, data, at)
    found: list[ComponentData] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("ComponentData.entity_type is null")
        end = at + n
        entity_type = utf8(data[at:end])
        at = end
        match_type, n = unpack_bh(data, at)
        at += 3
        if n >= 0:
            end = at + n
            match = utf8(data[at:end])
            at = end
        elif n == -1:
            match = None
        else:
            raise MalformedMessage("ComponentData.match has a negative length")
        found.append(ComponentData(entity_type, match_type, match))
    return found, at


def read_describe_client_quotas_request_v0(data: bytes, at: int) -> tuple[DescribeClientQuotasRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("DescribeClientQuotasRequest.components is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    components, at = read_component_data_v0_list(data, at, n, elements)
    (strict,) = unpack_Z(data, at)
    at += 1
    return DescribeClientQuotasRequest(components, strict), at


def read_component_data_v1_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[ComponentData], int]:
    if announced * 4 > len(data) - at:
        raise too_many(announced, 4, data, at)
    found: list[ComponentData] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ComponentData.entity_type is null")
        end = at + n
        entity_type = utf8(data[at:end])
        at = end
        match_type, n = unpack_bB(data, at)
        at += 2
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n >= 0:
            end = at + n
            match = utf8(data[at:end])
            at = end
        else:
            match = None
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(ComponentData(entity_type, match_type, match))
    return found, at


def read_describe_client_quotas_request_v1(data: bytes, at: int) -> tuple[DescribeClientQuotasRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("DescribeClientQuotasRequest.components is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    components, at = read_component_data_v1_list(data, at, n, elements)
    strict, tags = unpack_ZB(data, at)
    at += 2
    if tags:
        at = skip_tags(data, at - 1, elements)
    return DescribeClientQuotasRequest(components, strict), at


def read_describe_client_quotas_entity_v0_list(data: bytes, at: int, announced: int) -> tuple[list[DescribeClientQuotasEntity], int]:
    if announced * 4 > len(data) - at:
        raise too_many(announced, 4, data, at)
    found: list[DescribeClientQuotasEntity] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("DescribeClientQuotasEntity.entity_type is null")
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
            raise MalformedMessage("DescribeClientQuotasEntity.entity_name has a negative length")
        found.append(DescribeClientQuotasEntity(entity_type, entity_name))
    return found, at


def read_value_data_v0_list(data: bytes, at: int, announced: int) -> tuple[list[ValueData], int]:
    if announced * 10 > len(data) - at:
        raise too_many(announced, 10, data, at)
    found: list[ValueData] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("ValueData.key is null")
        end = at + n
        key = utf8(data[at:end])
        at = end
        (value,) = unpack_d(data, at)
        at += 8
        found.append(ValueData(key, value))
    return found, at


def read_describe_client_quotas_entry_v0_list(data: bytes, at: int, announced: int) -> tuple[list[DescribeClientQuotasEntry], int]:
    if announced * 8 > len(data) - at:
        raise too_many(announced, 8, data, at)
    found: list[DescribeClientQuotasEntry] = []
    for _ in range(announced):
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("DescribeClientQuotasEntry.entity is null")
        entity, at = read_describe_client_quotas_entity_v0_list(data, at, n)
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("DescribeClientQuotasEntry.values is null")
        values, at = read_value_data_v0_list(data, at, n)
        found.append(DescribeClientQuotasEntry(entity, values))
    return found, at


def read_describe_client_quotas_response_v0(data: bytes, at: int) -> tuple[DescribeClientQuotasResponse, int]:
    throttle_time_ms, error_code, n = unpack_ihh(data, at)
    at += 8
    if n >= 0:
        end = at + n
        error_message = utf8(data[at:end])
        at = end
    elif n == -1:
        error_message = None
    else:
        raise MalformedMessage("DescribeClientQuotasResponse.error_message has a negative length")
    (n,) = unpack_i(data, at)
    at += 4
    if n >= 0:
        entries, at = read_describe_client_quotas_entry_v0_list(data, at, n)
    elif n == -1:
        entries = None
    else:
        raise MalformedMessage("DescribeClientQuotasResponse.entries has a negative length")
    return DescribeClientQuotasResponse(throttle_time_ms, error_code, error_message, entries), at


def read_describe_client_quotas_entity_v1_list(data: bytes, at: int, announced: int) -> tuple[list[DescribeClientQuotasEntity], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[DescribeClientQuotasEntity] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribeClientQuotasEntity.entity_type is null")
        end = at + n
        entity_type = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
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
            at = skip_tags(data, at - 1)
        found.append(DescribeClientQuotasEntity(entity_type, entity_name))
    return found, at


def read_value_data_v1_list(data: bytes, at: int, announced: int) -> tuple[list[ValueData], int]:
    if announced * 10 > len(data) - at:
        raise too_many(announced, 10, data, at)
    found: list[ValueData] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("ValueData.key is null")
        end = at + n
        key = utf8(data[at:end])
        at = end
        value, tags = unpack_dB(data, at)
        at += 9
        if tags:
            at = skip_tags(data, at - 1)
        found.append(ValueData(key, value))
    return found, at


def read_describe_client_quotas_entry_v1_list(data: bytes, at: int, announced: int) -> tuple[list[DescribeClientQuotasEntry], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[DescribeClientQuotasEntry] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribeClientQuotasEntry.entity is null")
        entity, at = read_describe_client_quotas_entity_v1_list(data, at, n)
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("DescribeClientQuotasEntry.values is null")
        values, at = read_value_data_v1_list(data, at, n)
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(DescribeClientQuotasEntry(entity, values))
    return found, at


def read_describe_client_quotas_response_v1(data: bytes, at: int) -> tuple[DescribeClientQuotasResponse, int]:
    throttle_time_ms, error_code, n = unpack_ihB(data, at)
    at += 7
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
    if n >= 0:
        entries, at = read_describe_client_quotas_entry_v1_list(data, at, n)
    else:
        entries = None
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return DescribeClientQuotasResponse(throttle_time_ms, error_code, error_message, entries), at


DescribeClientQuotasRequest.READERS = {
    0: read_describe_client_quotas_request_v0,
    1: read_describe_client_quotas_request_v1,
}
DescribeClientQuotasResponse.READERS = {
    0: read_describe_client_quotas_response_v0,
    1: read_describe_client_quotas_response_v1,
}
