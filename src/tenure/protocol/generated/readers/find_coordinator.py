"""Generated from `tenure/protocol/tables/find_coordinator.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.find_coordinator import (
    Coordinator,
    FindCoordinatorRequest,
    FindCoordinatorResponse,
)
from tenure.protocol.message import (
    MalformedMessage,
)
from tenure.protocol.types import (
    BrokerId,
)
from tenure.protocol.wire import (
    Elements,
    UNBOUNDED,
    UNCOUNTED_BYTES,
    read_compact_strings,
    read_text_length,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
)

unpack_b: Final = Packer(">b").unpack_from
unpack_bB: Final = Packer(">bB").unpack_from
unpack_h: Final = Packer(">h").unpack_from
unpack_hih: Final = Packer(">hih").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ih: Final = Packer(">ih").unpack_from
unpack_ihB: Final = Packer(">ihB").unpack_from
unpack_ihh: Final = Packer(">ihh").unpack_from


def read_find_coordinator_request_v0(data: bytes, at: int) -> tuple[FindCoordinatorRequest, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("FindCoordinatorRequest.key is null")
    end = at + n
    key = utf8(data[at:end])
    at = end
    return FindCoordinatorRequest(key), at


def read_find_coordinator_request_v1(data: bytes, at: int) -> tuple[FindCoordinatorRequest, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("FindCoordinatorRequest.key is null")
    end = at + n
    key = utf8(data[at:end])
    at = end
    (key_type,) = unpack_b(data, at)
    at += 1
    return FindCoordinatorRequest(key, key_type), at


def read_find_coordinator_request_v3(data: bytes, at: int) -> tuple[FindCoordinatorRequest, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("FindCoordinatorRequest.key is null")
    end = at + n
    key = utf8(data[at:end])
    at = end
    key_type, tags = unpack_bB(data, at)
    at += 2
    if tags:
        at = skip_tags(data, at - 1, Elements())
    return FindCoordinatorRequest(key, key_type), at


def read_find_coordinator_request_v4(data: bytes, at: int) -> tuple[FindCoordinatorRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    key_type, n = unpack_bB(data, at)
    at += 2
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("FindCoordinatorRequest.coordinator_keys is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    coordinator_keys, at = read_compact_strings(data, at, n, read_text_length)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return FindCoordinatorRequest("", key_type, coordinator_keys), at


def read_find_coordinator_response_v0(data: bytes, at: int) -> tuple[FindCoordinatorResponse, int]:
    error_code, node_id, n = unpack_hih(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("FindCoordinatorResponse.host is null")
    end = at + n
    host = utf8(data[at:end])
    at = end
    (port,) = unpack_i(data, at)
    at += 4
    return FindCoordinatorResponse(0, error_code, "", node_id, host, port), at


def read_find_coordinator_response_v1(data: bytes, at: int) -> tuple[FindCoordinatorResponse, int]:
    throttle_time_ms, error_code, n = unpack_ihh(data, at)
    at += 8
    if n >= 0:
        end = at + n
        error_message = utf8(data[at:end])
        at = end
    elif n == -1:
        error_message = None
    else:
        raise MalformedMessage("FindCoordinatorResponse.error_message has a negative length")
    node_id, n = unpack_ih(data, at)
    at += 6
    if n < 0:
        raise MalformedMessage("FindCoordinatorResponse.host is null")
    end = at + n
    host = utf8(data[at:end])
    at = end
    (port,) = unpack_i(data, at)
    at += 4
    return FindCoordinatorResponse(throttle_time_ms, error_code, error_message, node_id, host, port), at


def read_find_coordinator_response_v3(data: bytes, at: int) -> tuple[FindCoordinatorResponse, int]:
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
    node_id, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("FindCoordinatorResponse.host is null")
    end = at + n
    host = utf8(data[at:end])
    at = end
    port, tags = unpack_iB(data, at)
    at += 5
    if tags:
        at = skip_tags(data, at - 1)
    return FindCoordinatorResponse(throttle_time_ms, error_code, error_message, node_id, host, port), at


def read_coordinator_v4_list(data: bytes, at: int, announced: int) -> tuple[list[Coordinator], int]:
    if announced * 14 > len(data) - at:
        raise too_many(announced, 14, data, at)
    found: list[Coordinator] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("Coordinator.key is null")
        end = at + n
        key = utf8(data[at:end])
        at = end
        node_id, n = unpack_iB(data, at)
        at += 5
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("Coordinator.host is null")
        end = at + n
        host = utf8(data[at:end])
        at = end
        port, error_code, n = unpack_ihB(data, at)
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
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(Coordinator(key, node_id, host, port, error_code, error_message))
    return found, at


def read_find_coordinator_response_v4(data: bytes, at: int) -> tuple[FindCoordinatorResponse, int]:
    throttle_time_ms, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("FindCoordinatorResponse.coordinators is null")
    coordinators, at = read_coordinator_v4_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return FindCoordinatorResponse(throttle_time_ms, 0, "", BrokerId(0), "", 0, coordinators), at


FindCoordinatorRequest.READERS = {
    0: read_find_coordinator_request_v0,
    1: read_find_coordinator_request_v1,
    2: read_find_coordinator_request_v1,
    3: read_find_coordinator_request_v3,
    4: read_find_coordinator_request_v4,
    5: read_find_coordinator_request_v4,
    6: read_find_coordinator_request_v4,
}
FindCoordinatorResponse.READERS = {
    0: read_find_coordinator_response_v0,
    1: read_find_coordinator_response_v1,
    2: read_find_coordinator_response_v1,
    3: read_find_coordinator_response_v3,
    4: read_find_coordinator_response_v4,
    5: read_find_coordinator_response_v4,
    6: read_find_coordinator_response_v4,
}
