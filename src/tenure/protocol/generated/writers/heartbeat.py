"""Generated from `tenure/protocol/tables/heartbeat.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.heartbeat import (
    HeartbeatRequest,
    HeartbeatResponse,
)
from tenure.protocol.message import (
    MessagePart,
    UnsupportedVersion,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_h: Final = Packer(">h").pack
pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack
pack_ihx: Final = Packer(">ihx").pack


def write_heartbeat_request_v0(out: list[MessagePart], m: HeartbeatRequest) -> None:
    put = out.append
    if m.group_instance_id is not None:
        raise UnsupportedVersion("HeartbeatRequest.group_instance_id exists in versions 3+ only")
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)
    text = m.member_id.encode()
    put(pack_ih(m.generation_id, len(text)))
    put(text)


def write_heartbeat_request_v3(out: list[MessagePart], m: HeartbeatRequest) -> None:
    put = out.append
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)
    text = m.member_id.encode()
    put(pack_ih(m.generation_id, len(text)))
    put(text)
    if m.group_instance_id is None:
        put(pack_h(-1))
    else:
        text = m.group_instance_id.encode()
        put(pack_h(len(text)))
        put(text)


def write_heartbeat_request_v4(out: list[MessagePart], m: HeartbeatRequest) -> None:
    put = out.append
    text = m.group_id.encode()
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    text = m.member_id.encode()
    put(pack_i(m.generation_id))
    n = len(text) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    put(text)
    if m.group_instance_id is None:
        put(b"\0")
    else:
        text = m.group_instance_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    put(b"\0")


def write_heartbeat_response_v0(out: list[MessagePart], m: HeartbeatResponse) -> None:
    put = out.append
    put(pack_h(m.error_code))


def write_heartbeat_response_v1(out: list[MessagePart], m: HeartbeatResponse) -> None:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))


def write_heartbeat_response_v4(out: list[MessagePart], m: HeartbeatResponse) -> None:
    put = out.append
    put(pack_ihx(m.throttle_time_ms, m.error_code))


HeartbeatRequest.WRITERS = {
    0: write_heartbeat_request_v0,
    1: write_heartbeat_request_v0,
    2: write_heartbeat_request_v0,
    3: write_heartbeat_request_v3,
    4: write_heartbeat_request_v4,
}
HeartbeatResponse.WRITERS = {
    0: write_heartbeat_response_v0,
    1: write_heartbeat_response_v1,
    2: write_heartbeat_response_v1,
    3: write_heartbeat_response_v1,
    4: write_heartbeat_response_v4,
}
