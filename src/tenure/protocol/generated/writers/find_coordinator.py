"""Generated from `tenure/protocol/tables/find_coordinator.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.find_coordinator import (
    Coordinator,
    FindCoordinatorRequest,
    FindCoordinatorResponse,
)
from tenure.protocol.message import (
    MessagePart,
    UnsupportedVersion,
)
from tenure.protocol.wire import (
    UVARINT,
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


def write_find_coordinator_request_v0(out: list[MessagePart], m: FindCoordinatorRequest) -> None:
    put = out.append
    if m.key_type != 0:
        raise UnsupportedVersion("FindCoordinatorRequest.key_type exists in versions 1+ only")
    if m.coordinator_keys:
        raise UnsupportedVersion("FindCoordinatorRequest.coordinator_keys exists in versions 4+ only")
    text = m.key.encode()
    put(pack_h(len(text)))
    put(text)


def write_find_coordinator_request_v1(out: list[MessagePart], m: FindCoordinatorRequest) -> None:
    put = out.append
    if m.coordinator_keys:
        raise UnsupportedVersion("FindCoordinatorRequest.coordinator_keys exists in versions 4+ only")
    text = m.key.encode()
    put(pack_h(len(text)))
    put(text)
    put(pack_b(m.key_type))


def write_find_coordinator_request_v3(out: list[MessagePart], m: FindCoordinatorRequest) -> None:
    put = out.append
    if m.coordinator_keys:
        raise UnsupportedVersion("FindCoordinatorRequest.coordinator_keys exists in versions 4+ only")
    text = m.key.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    put(pack_bx(m.key_type))


def write_find_coordinator_request_v4(out: list[MessagePart], m: FindCoordinatorRequest) -> None:
    put = out.append
    if m.key:
        raise UnsupportedVersion("FindCoordinatorRequest.key exists in versions 0-3 only")
    put(pack_b(m.key_type))
    n = len(m.coordinator_keys) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_compact_strings(out, m.coordinator_keys)
    put(b"\0")


def write_find_coordinator_response_v0(out: list[MessagePart], m: FindCoordinatorResponse) -> None:
    put = out.append
    if m.coordinators:
        raise UnsupportedVersion("FindCoordinatorResponse.coordinators exists in versions 4+ only")
    text = m.host.encode()
    put(pack_hih(m.error_code, m.node_id, len(text)))
    put(text)
    put(pack_i(m.port))


def write_find_coordinator_response_v1(out: list[MessagePart], m: FindCoordinatorResponse) -> None:
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


def write_find_coordinator_response_v3(out: list[MessagePart], m: FindCoordinatorResponse) -> None:
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


def write_coordinator_v4_list(out: list[MessagePart], items: list[Coordinator]) -> None:
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


def write_find_coordinator_response_v4(out: list[MessagePart], m: FindCoordinatorResponse) -> None:
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


FindCoordinatorRequest.WRITERS = {
    0: write_find_coordinator_request_v0,
    1: write_find_coordinator_request_v1,
    2: write_find_coordinator_request_v1,
    3: write_find_coordinator_request_v3,
    4: write_find_coordinator_request_v4,
    5: write_find_coordinator_request_v4,
    6: write_find_coordinator_request_v4,
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
