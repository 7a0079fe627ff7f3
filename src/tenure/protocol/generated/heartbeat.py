"""Generated from `tenure/protocol/tables/heartbeat.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.message import (
    MalformedMessage,
    Message,
    UnsupportedVersion,
)
from tenure.protocol.types import (
    GenerationId,
    GroupId,
    InstanceId,
    MemberId,
)
from tenure.protocol.wire import (
    UVARINT,
    read_uvarint,
    skip_tags,
    utf8,
    uvarint,
)

pack_h: Final = Packer(">h").pack
pack_i: Final = Packer(">i").pack
pack_ih: Final = Packer(">ih").pack
pack_ihx: Final = Packer(">ihx").pack
unpack_h: Final = Packer(">h").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ih: Final = Packer(">ih").unpack_from
unpack_ihB: Final = Packer(">ihB").unpack_from


class HeartbeatRequest(Message):
    __slots__ = ('group_id', 'generation_id', 'member_id', 'group_instance_id')
    KEY = 12

    def __init__(
        self,
        group_id: GroupId = GroupId(""),
        generation_id: GenerationId = GenerationId(0),
        member_id: MemberId = MemberId(""),
        group_instance_id: InstanceId | None = None,
    ) -> None:
        self.group_id: Final = group_id
        self.generation_id: Final = generation_id
        self.member_id: Final = member_id
        self.group_instance_id: Final = group_instance_id


class HeartbeatResponse(Message):
    __slots__ = ('throttle_time_ms', 'error_code')
    KEY = 12

    def __init__(
        self,
        throttle_time_ms: int = 0,
        error_code: int = 0,
    ) -> None:
        self.throttle_time_ms: Final = throttle_time_ms
        self.error_code: Final = error_code


def read_heartbeat_request_v0(data: bytes, at: int) -> tuple[HeartbeatRequest, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("HeartbeatRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    generation_id, n = unpack_ih(data, at)
    at += 6
    if n < 0:
        raise MalformedMessage("HeartbeatRequest.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    return HeartbeatRequest(group_id, generation_id, member_id), at


def read_heartbeat_request_v3(data: bytes, at: int) -> tuple[HeartbeatRequest, int]:
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("HeartbeatRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    generation_id, n = unpack_ih(data, at)
    at += 6
    if n < 0:
        raise MalformedMessage("HeartbeatRequest.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    (n,) = unpack_h(data, at)
    at += 2
    if n >= 0:
        end = at + n
        group_instance_id = utf8(data[at:end])
        at = end
    elif n == -1:
        group_instance_id = None
    else:
        raise MalformedMessage("HeartbeatRequest.group_instance_id has a negative length")
    return HeartbeatRequest(group_id, generation_id, member_id, group_instance_id), at


def read_heartbeat_request_v4(data: bytes, at: int) -> tuple[HeartbeatRequest, int]:
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("HeartbeatRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    generation_id, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("HeartbeatRequest.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        group_instance_id = utf8(data[at:end])
        at = end
    else:
        group_instance_id = None
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return HeartbeatRequest(group_id, generation_id, member_id, group_instance_id), at


def read_heartbeat_response_v0(data: bytes, at: int) -> tuple[HeartbeatResponse, int]:
    (error_code,) = unpack_h(data, at)
    at += 2
    return HeartbeatResponse(0, error_code), at


def read_heartbeat_response_v1(data: bytes, at: int) -> tuple[HeartbeatResponse, int]:
    throttle_time_ms, error_code = unpack_ih(data, at)
    at += 6
    return HeartbeatResponse(throttle_time_ms, error_code), at


def read_heartbeat_response_v4(data: bytes, at: int) -> tuple[HeartbeatResponse, int]:
    throttle_time_ms, error_code, tags = unpack_ihB(data, at)
    at += 7
    if tags:
        at = skip_tags(data, at - 1)
    return HeartbeatResponse(throttle_time_ms, error_code), at


def write_heartbeat_request_v0(out: list[bytes], m: HeartbeatRequest) -> None:
    put = out.append
    if m.group_instance_id is not None:
        raise UnsupportedVersion("HeartbeatRequest.group_instance_id exists in versions 3+ only")
    text = m.group_id.encode()
    put(pack_h(len(text)))
    put(text)
    text = m.member_id.encode()
    put(pack_ih(m.generation_id, len(text)))
    put(text)


def write_heartbeat_request_v3(out: list[bytes], m: HeartbeatRequest) -> None:
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


def write_heartbeat_request_v4(out: list[bytes], m: HeartbeatRequest) -> None:
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


def write_heartbeat_response_v0(out: list[bytes], m: HeartbeatResponse) -> None:
    put = out.append
    put(pack_h(m.error_code))


def write_heartbeat_response_v1(out: list[bytes], m: HeartbeatResponse) -> None:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))


def write_heartbeat_response_v4(out: list[bytes], m: HeartbeatResponse) -> None:
    put = out.append
    put(pack_ihx(m.throttle_time_ms, m.error_code))


HeartbeatRequest.READERS = {
    0: read_heartbeat_request_v0,
    1: read_heartbeat_request_v0,
    2: read_heartbeat_request_v0,
    3: read_heartbeat_request_v3,
    4: read_heartbeat_request_v4,
}
HeartbeatRequest.WRITERS = {
    0: write_heartbeat_request_v0,
    1: write_heartbeat_request_v0,
    2: write_heartbeat_request_v0,
    3: write_heartbeat_request_v3,
    4: write_heartbeat_request_v4,
}
HeartbeatResponse.READERS = {
    0: read_heartbeat_response_v0,
    1: read_heartbeat_response_v1,
    2: read_heartbeat_response_v1,
    3: read_heartbeat_response_v1,
    4: read_heartbeat_response_v4,
}
HeartbeatResponse.WRITERS = {
    0: write_heartbeat_response_v0,
    1: write_heartbeat_response_v1,
    2: write_heartbeat_response_v1,
    3: write_heartbeat_response_v1,
    4: write_heartbeat_response_v4,
}
