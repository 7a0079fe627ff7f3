"""Generated from `tenure/protocol/tables/heartbeat.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.heartbeat import (
    HeartbeatRequest,
    HeartbeatResponse,
)
from tenure.protocol.message import (
    MalformedMessage,
)
from tenure.protocol.wire import (
    Elements,
    read_text_length,
    skip_tags,
    utf8,
)

unpack_h: Final = Packer(">h").unpack_from
unpack_iB: Final = Packer(">iB").unpack_from
unpack_ih: Final = Packer(">ih").unpack_from
unpack_ihB: Final = Packer(">ihB").unpack_from


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
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("HeartbeatRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    generation_id, n = unpack_iB(data, at)
    at += 5
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("HeartbeatRequest.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
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
        at = skip_tags(data, at - 1, Elements())
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


HeartbeatRequest.READERS = {
    0: read_heartbeat_request_v0,
    1: read_heartbeat_request_v0,
    2: read_heartbeat_request_v0,
    3: read_heartbeat_request_v3,
    4: read_heartbeat_request_v4,
}
HeartbeatResponse.READERS = {
    0: read_heartbeat_response_v0,
    1: read_heartbeat_response_v1,
    2: read_heartbeat_response_v1,
    3: read_heartbeat_response_v1,
    4: read_heartbeat_response_v4,
}
