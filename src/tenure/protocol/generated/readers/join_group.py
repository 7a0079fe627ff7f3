"""Generated from `tenure/protocol/tables/join_group.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.join_group import (
    JoinGroupRequest,
    JoinGroupRequestProtocol,
    JoinGroupResponse,
    JoinGroupResponseMember,
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

unpack_ZB: Final = Packer(">?B").unpack_from
unpack_h: Final = Packer(">h").unpack_from
unpack_hih: Final = Packer(">hih").unpack_from
unpack_i: Final = Packer(">i").unpack_from
unpack_ih: Final = Packer(">ih").unpack_from
unpack_ihiB: Final = Packer(">ihiB").unpack_from
unpack_ihih: Final = Packer(">ihih").unpack_from
unpack_iiB: Final = Packer(">iiB").unpack_from
unpack_iih: Final = Packer(">iih").unpack_from


def read_join_group_request_protocol_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[JoinGroupRequestProtocol], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[JoinGroupRequestProtocol] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("JoinGroupRequestProtocol.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("JoinGroupRequestProtocol.metadata is null")
        end = at + n
        metadata = data[at:end]
        at = end
        found.append(JoinGroupRequestProtocol(name, metadata))
    return found, at


def read_join_group_request_v0(data: bytes, at: int) -> tuple[JoinGroupRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    session_timeout_ms, n = unpack_ih(data, at)
    at += 6
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.protocol_type is null")
    end = at + n
    protocol_type = utf8(data[at:end])
    at = end
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.protocols is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    protocols, at = read_join_group_request_protocol_v0_list(data, at, n, elements)
    return JoinGroupRequest(group_id, session_timeout_ms, -1, member_id, None, protocol_type, protocols), at


def read_join_group_request_v1(data: bytes, at: int) -> tuple[JoinGroupRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    session_timeout_ms, rebalance_timeout_ms, n = unpack_iih(data, at)
    at += 10
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.protocol_type is null")
    end = at + n
    protocol_type = utf8(data[at:end])
    at = end
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.protocols is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    protocols, at = read_join_group_request_protocol_v0_list(data, at, n, elements)
    return JoinGroupRequest(group_id, session_timeout_ms, rebalance_timeout_ms, member_id, None, protocol_type, protocols), at


def read_join_group_request_v5(data: bytes, at: int) -> tuple[JoinGroupRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    session_timeout_ms, rebalance_timeout_ms, n = unpack_iih(data, at)
    at += 10
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.member_id is null")
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
        raise MalformedMessage("JoinGroupRequest.group_instance_id has a negative length")
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.protocol_type is null")
    end = at + n
    protocol_type = utf8(data[at:end])
    at = end
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.protocols is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    protocols, at = read_join_group_request_protocol_v0_list(data, at, n, elements)
    return JoinGroupRequest(group_id, session_timeout_ms, rebalance_timeout_ms, member_id, group_instance_id, protocol_type, protocols), at


def read_join_group_request_protocol_v6_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[JoinGroupRequestProtocol], int]:
    if announced * 3 > len(data) - at:
        raise too_many(announced, 3, data, at)
    found: list[JoinGroupRequestProtocol] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("JoinGroupRequestProtocol.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("JoinGroupRequestProtocol.metadata is null")
        end = at + n
        metadata = data[at:end]
        at = end
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(JoinGroupRequestProtocol(name, metadata))
    return found, at


def read_join_group_request_v6(data: bytes, at: int) -> tuple[JoinGroupRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    session_timeout_ms, rebalance_timeout_ms, n = unpack_iiB(data, at)
    at += 9
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.member_id is null")
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
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.protocol_type is null")
    end = at + n
    protocol_type = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.protocols is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    protocols, at = read_join_group_request_protocol_v6_list(data, at, n, elements)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return JoinGroupRequest(group_id, session_timeout_ms, rebalance_timeout_ms, member_id, group_instance_id, protocol_type, protocols), at


def read_join_group_request_v8(data: bytes, at: int) -> tuple[JoinGroupRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.group_id is null")
    end = at + n
    group_id = utf8(data[at:end])
    at = end
    session_timeout_ms, rebalance_timeout_ms, n = unpack_iiB(data, at)
    at += 9
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.member_id is null")
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
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.protocol_type is null")
    end = at + n
    protocol_type = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("JoinGroupRequest.protocols is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    protocols, at = read_join_group_request_protocol_v6_list(data, at, n, elements)
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        reason = utf8(data[at:end])
        at = end
    else:
        reason = None
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return JoinGroupRequest(group_id, session_timeout_ms, rebalance_timeout_ms, member_id, group_instance_id, protocol_type, protocols, reason), at


def read_join_group_response_member_v0_list(data: bytes, at: int, announced: int) -> tuple[list[JoinGroupResponseMember], int]:
    if announced * 6 > len(data) - at:
        raise too_many(announced, 6, data, at)
    found: list[JoinGroupResponseMember] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("JoinGroupResponseMember.member_id is null")
        end = at + n
        member_id = utf8(data[at:end])
        at = end
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("JoinGroupResponseMember.metadata is null")
        end = at + n
        metadata = data[at:end]
        at = end
        found.append(JoinGroupResponseMember(member_id, None, metadata))
    return found, at


def read_join_group_response_v0(data: bytes, at: int) -> tuple[JoinGroupResponse, int]:
    error_code, generation_id, n = unpack_hih(data, at)
    at += 8
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.protocol_name is null")
    end = at + n
    protocol_name = utf8(data[at:end])
    at = end
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.leader is null")
    end = at + n
    leader = utf8(data[at:end])
    at = end
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.members is null")
    members, at = read_join_group_response_member_v0_list(data, at, n)
    return JoinGroupResponse(0, error_code, generation_id, None, protocol_name, leader, False, member_id, members), at


def read_join_group_response_v2(data: bytes, at: int) -> tuple[JoinGroupResponse, int]:
    throttle_time_ms, error_code, generation_id, n = unpack_ihih(data, at)
    at += 12
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.protocol_name is null")
    end = at + n
    protocol_name = utf8(data[at:end])
    at = end
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.leader is null")
    end = at + n
    leader = utf8(data[at:end])
    at = end
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.members is null")
    members, at = read_join_group_response_member_v0_list(data, at, n)
    return JoinGroupResponse(throttle_time_ms, error_code, generation_id, None, protocol_name, leader, False, member_id, members), at


def read_join_group_response_member_v5_list(data: bytes, at: int, announced: int) -> tuple[list[JoinGroupResponseMember], int]:
    if announced * 8 > len(data) - at:
        raise too_many(announced, 8, data, at)
    found: list[JoinGroupResponseMember] = []
    for _ in range(announced):
        (n,) = unpack_h(data, at)
        at += 2
        if n < 0:
            raise MalformedMessage("JoinGroupResponseMember.member_id is null")
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
            raise MalformedMessage("JoinGroupResponseMember.group_instance_id has a negative length")
        (n,) = unpack_i(data, at)
        at += 4
        if n < 0:
            raise MalformedMessage("JoinGroupResponseMember.metadata is null")
        end = at + n
        metadata = data[at:end]
        at = end
        found.append(JoinGroupResponseMember(member_id, group_instance_id, metadata))
    return found, at


def read_join_group_response_v5(data: bytes, at: int) -> tuple[JoinGroupResponse, int]:
    throttle_time_ms, error_code, generation_id, n = unpack_ihih(data, at)
    at += 12
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.protocol_name is null")
    end = at + n
    protocol_name = utf8(data[at:end])
    at = end
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.leader is null")
    end = at + n
    leader = utf8(data[at:end])
    at = end
    (n,) = unpack_h(data, at)
    at += 2
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    (n,) = unpack_i(data, at)
    at += 4
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.members is null")
    members, at = read_join_group_response_member_v5_list(data, at, n)
    return JoinGroupResponse(throttle_time_ms, error_code, generation_id, None, protocol_name, leader, False, member_id, members), at


def read_join_group_response_member_v6_list(data: bytes, at: int, announced: int) -> tuple[list[JoinGroupResponseMember], int]:
    if announced * 4 > len(data) - at:
        raise too_many(announced, 4, data, at)
    found: list[JoinGroupResponseMember] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("JoinGroupResponseMember.member_id is null")
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
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_uvarint(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("JoinGroupResponseMember.metadata is null")
        end = at + n
        metadata = data[at:end]
        at = end
        tags = data[at]
        at += 1
        if tags:
            at = skip_tags(data, at - 1)
        found.append(JoinGroupResponseMember(member_id, group_instance_id, metadata))
    return found, at


def read_join_group_response_v6(data: bytes, at: int) -> tuple[JoinGroupResponse, int]:
    throttle_time_ms, error_code, generation_id, n = unpack_ihiB(data, at)
    at += 11
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.protocol_name is null")
    end = at + n
    protocol_name = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.leader is null")
    end = at + n
    leader = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.members is null")
    members, at = read_join_group_response_member_v6_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return JoinGroupResponse(throttle_time_ms, error_code, generation_id, None, protocol_name, leader, False, member_id, members), at


def read_join_group_response_v7(data: bytes, at: int) -> tuple[JoinGroupResponse, int]:
    throttle_time_ms, error_code, generation_id, n = unpack_ihiB(data, at)
    at += 11
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        protocol_type = utf8(data[at:end])
        at = end
    else:
        protocol_type = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        protocol_name = utf8(data[at:end])
        at = end
    else:
        protocol_name = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.leader is null")
    end = at + n
    leader = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.members is null")
    members, at = read_join_group_response_member_v6_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return JoinGroupResponse(throttle_time_ms, error_code, generation_id, protocol_type, protocol_name, leader, False, member_id, members), at


def read_join_group_response_v9(data: bytes, at: int) -> tuple[JoinGroupResponse, int]:
    throttle_time_ms, error_code, generation_id, n = unpack_ihiB(data, at)
    at += 11
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        protocol_type = utf8(data[at:end])
        at = end
    else:
        protocol_type = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        protocol_name = utf8(data[at:end])
        at = end
    else:
        protocol_name = None
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.leader is null")
    end = at + n
    leader = utf8(data[at:end])
    at = end
    skip_assignment, n = unpack_ZB(data, at)
    at += 2
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.member_id is null")
    end = at + n
    member_id = utf8(data[at:end])
    at = end
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("JoinGroupResponse.members is null")
    members, at = read_join_group_response_member_v6_list(data, at, n)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return JoinGroupResponse(throttle_time_ms, error_code, generation_id, protocol_type, protocol_name, leader, skip_assignment, member_id, members), at


JoinGroupRequest.READERS = {
    0: read_join_group_request_v0,
    1: read_join_group_request_v1,
    2: read_join_group_request_v1,
    3: read_join_group_request_v1,
    4: read_join_group_request_v1,
    5: read_join_group_request_v5,
    6: read_join_group_request_v6,
    7: read_join_group_request_v6,
    8: read_join_group_request_v8,
    9: read_join_group_request_v8,
}
JoinGroupResponse.READERS = {
    0: read_join_group_response_v0,
    1: read_join_group_response_v0,
    2: read_join_group_response_v2,
    3: read_join_group_response_v2,
    4: read_join_group_response_v2,
    5: read_join_group_response_v5,
    6: read_join_group_response_v6,
    7: read_join_group_response_v7,
    8: read_join_group_response_v7,
    9: read_join_group_response_v9,
}
