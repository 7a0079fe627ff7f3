"""Generated from `tenure/protocol/tables/find_coordinator.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.message import (
    EMPTY,
    MalformedMessage,
    Message,
    Struct,
    UnsupportedVersion,
)
from tenure.protocol.types import (
    BrokerId,
)
from tenure.protocol.wire import (
    UVARINT,
    read_compact_strings,
    read_uvarint,
    skip_tags,
    too_many,
    utf8,
    uvarint,
    write_compact_strings,
)

pack_b: Final = Packer(">b").pack
pack_bx: Final = Packer(">bx").pack
pack_h: Final = Packer(">h").pack
pack_hih: Final = Packer(">hih").pack
pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack
pack_ihh: Final = Packer(">ihh").pack
pack_ix: Final = Packer(">ix").pack
unpack_b: Final = Packer(">b").unpack_from
unpack_bB: Final = Packer(">bB").unpack_from
unpack_h: Final = Packer(">h").unpack_from
unpack_hih: Final = Packer(">hih").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ih: Final = Packer(">ih").unpack_from
unpack_ihB: Final = Packer(">ihB").unpack_from
unpack_ihh: Final = Packer(">ihh").unpack_from


class FindCoordinatorRequest(Message):
    __slots__ = ('key', 'key_type', 'coordinator_keys')
    KEY = 10

    def __init__(
        self,
        key: str = "",
        key_type: int = 0,
        coordinator_keys: list[str] = EMPTY,
    ) -> None:
        self.key: Final = key
        self.key_type: Final = key_type
        self.coordinator_keys: Final = [] if coordinator_keys is EMPTY else coordinator_keys


class Coordinator(Struct):
    __slots__ = ('key', 'node_id', 'host', 'port', 'error_code', 'error_message')

    def __init__(
        self,
        key: str = "",
        node_id: BrokerId = BrokerId(0),
        host: str = "",
        port: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
    ) -> None:
        self.key: Final = key
        self.node_id: Final = node_id
        self.host: Final = host
        self.port: Final = port
        self.error_code: Final = error_code
        self.error_message: Final = error_message


class FindCoordinatorResponse(Message):
    __slots__ = ('throttle_time_ms', 'error_code', 'error_message', 'node_id', 'host', 'port', 'coordinators')
    KEY = 10

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        node_id: BrokerId = BrokerId(0),
        host: str = "",
        port: int = 0,
        coordinators: list[Coordinator] = EMPTY,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code
        self.error_message: Final = error_message
        self.node_id: Final = node_id
        self.host: Final = host
        self.port: Final = port
        self.coordinators: Final = [] if coordinators is EMPTY else coordinators


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
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("FindCoordinatorRequest.key is null")
    end = at + n
    key = utf8(data[at:end])
    at = end
    key_type, tags = unpack_bB(data, at)
    at += 2
    if tags:
        at = skip_tags(data, at - 1)
    return FindCoordinatorRequest(key, key_type), at


def read_find_coordinator_request_v4(data: bytes, at: int) -> tuple[FindCoordinatorRequest, int]:
    key_type, n = unpack_bB(data, at)
    at += 2
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("FindCoordinatorRequest.coordinator_keys is null")
    coordinator_keys, at = read_compact_strings(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
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


def read_coordinator_v4_list(data: bytes, at: int, n: int) -> tuple[list[Coordinator], int]:
    if n * 14 > len(data) - at:
        raise too_many(n, 14, data, at)
    found: list[Coordinator] = []
    for _ in range(n):
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


def write_find_coordinator_request_v0(out: list[bytes], m: FindCoordinatorRequest) -> None:
    put = out.append
    if m.key_type != 0:
        raise UnsupportedVersion("FindCoordinatorRequest.key_type exists in versions 1+ only")
    if m.coordinator_keys:
        raise UnsupportedVersion("FindCoordinatorRequest.coordinator_keys exists in versions 4+ only")
    text = m.key.encode()
    put(pack_h(len(text)))
    put(text)


def write_find_coordinator_request_v1(out: list[bytes], m: FindCoordinatorRequest) -> None:
    put = out.append
    if m.coordinator_keys:
        raise UnsupportedVersion("FindCoordinatorRequest.coordinator_keys exists in versions 4+ only")
    text = m.key.encode()
    put(pack_h(len(text)))
    put(text)
    put(pack_b(m.key_type))


def write_find_coordinator_request_v3(out: list[bytes], m: FindCoordinatorRequest) -> None:
    put = out.append
    if m.coordinator_keys:
        raise UnsupportedVersion("FindCoordinatorRequest.coordinator_keys exists in versions 4+ only")
    text = m.key.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    put(pack_bx(m.key_type))


def write_find_coordinator_request_v4(out: list[bytes], m: FindCoordinatorRequest) -> None:
    put = out.append
    if m.key:
        raise UnsupportedVersion("FindCoordinatorRequest.key exists in versions 0-3 only")
    put(pack_b(m.key_type))
    n = len(m.coordinator_keys) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_compact_strings(out, m.coordinator_keys)
    put(b"\0")


def write_find_coordinator_response_v0(out: list[bytes], m: FindCoordinatorResponse) -> None:
    put = out.append
    if m.coordinators:
        raise UnsupportedVersion("FindCoordinatorResponse.coordinators exists in versions 4+ only")
    text = m.host.encode()
    put(pack_hih(m.error_code, m.node_id, len(text)))
    put(text)
    put(pack_i(m.port))


def write_find_coordinator_response_v1(out: list[bytes], m: FindCoordinatorResponse) -> None:
    put = out.append
    if m.coordinators:
        raise UnsupportedVersion("FindCoordinatorResponse.coordinators exists in versions 4+ only")
    if m.error_message is None:
        put(pack_ihh(m.throttle_time_ms, m.error_code, -1))
    else:
        text = m.error_message.encode()
        put(pack_ihh(m.throttle_time_ms, m.error_code, len(text)))
        put(text)
    text = m.host.encode()
    put(pack_ih(m.node_id, len(text)))
    put(text)
    put(pack_i(m.port))


def write_find_coordinator_response_v3(out: list[bytes], m: FindCoordinatorResponse) -> None:
    put = out.append
    if m.coordinators:
        raise UnsupportedVersion("FindCoordinatorResponse.coordinators exists in versions 4+ only")
    put(pack_ih(m.throttle_time_ms, m.error_code))
    if m.error_message is None:
        put(b"\0")
    else:
        text = m.error_message.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    text = m.host.encode()
    put(pack_i(m.node_id))
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    put(pack_ix(m.port))


def write_coordinator_v4_list(out: list[bytes], items: list[Coordinator]) -> None:
    put = out.append
    for m in items:
        text = m.key.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.host.encode()
        put(pack_i(m.node_id))
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_ih(m.port, m.error_code))
        if m.error_message is None:
            put(b"\0")
        else:
            text = m.error_message.encode()
            n = len(text) + 1
            put(UVARINT[n] if n < 128 else uvarint(n))
            put(text)
        put(b"\0")


def write_find_coordinator_response_v4(out: list[bytes], m: FindCoordinatorResponse) -> None:
    put = out.append
    if m.error_code != 0:
        raise UnsupportedVersion("FindCoordinatorResponse.error_code exists in versions 0-3 only")
    if m.node_id != 0:
        raise UnsupportedVersion("FindCoordinatorResponse.node_id exists in versions 0-3 only")
    if m.host:
        raise UnsupportedVersion("FindCoordinatorResponse.host exists in versions 0-3 only")
    if m.port != 0:
        raise UnsupportedVersion("FindCoordinatorResponse.port exists in versions 0-3 only")
    put(pack_i(m.throttle_time_ms))
    n = len(m.coordinators) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_coordinator_v4_list(out, m.coordinators)
    put(b"\0")


FindCoordinatorRequest.READERS = {
    0: read_find_coordinator_request_v0,
    1: read_find_coordinator_request_v1,
    2: read_find_coordinator_request_v1,
    3: read_find_coordinator_request_v3,
    4: read_find_coordinator_request_v4,
    5: read_find_coordinator_request_v4,
    6: read_find_coordinator_request_v4,
}
FindCoordinatorRequest.WRITERS = {
    0: write_find_coordinator_request_v0,
    1: write_find_coordinator_request_v1,
    2: write_find_coordinator_request_v1,
    3: write_find_coordinator_request_v3,
    4: write_find_coordinator_request_v4,
    5: write_find_coordinator_request_v4,
    6: write_find_coordinator_request_v4,
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
FindCoordinatorResponse.WRITERS = {
    0: write_find_coordinator_response_v0,
    1: write_find_coordinator_response_v1,
    2: write_find_coordinator_response_v1,
    3: write_find_coordinator_response_v3,
    4: write_find_coordinator_response_v4,
    5: write_find_coordinator_response_v4,
    6: write_find_coordinator_response_v4,
}
