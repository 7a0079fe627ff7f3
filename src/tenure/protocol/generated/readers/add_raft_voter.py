"""Generated from `tenure/protocol/tables/add_raft_voter.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.add_raft_voter import (
    AddRaftVoterRequest,
    AddRaftVoterResponse,
    VoterListener,
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
unpack_HB: Final = Packer(">HB").unpack_from
unpack_ihB: Final = Packer(">ihB").unpack_from
unpack_ii16sB: Final = Packer(">ii16sB").unpack_from


def read_voter_listener_v0_list(data: bytes, at: int, announced: int, elements: Elements) -> tuple[list[VoterListener], int]:
    if announced * 5 > len(data) - at:
        raise too_many(announced, 5, data, at)
    found: list[VoterListener] = []
    for _ in range(announced):
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("VoterListener.name is null")
        end = at + n
        name = utf8(data[at:end])
        at = end
        n = data[at]
        at += 1
        if n > 127:
            n, at = read_text_length(data, at - 1)
        n -= 1
        if n < 0:
            raise MalformedMessage("VoterListener.host is null")
        end = at + n
        host = utf8(data[at:end])
        at = end
        port, tags = unpack_HB(data, at)
        at += 3
        if tags:
            at = skip_tags(data, at - 1, elements)
        found.append(VoterListener(name, host, port))
    return found, at


def read_add_raft_voter_request_v0(data: bytes, at: int) -> tuple[AddRaftVoterRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        cluster_id = utf8(data[at:end])
        at = end
    else:
        cluster_id = None
    timeout_ms, voter_id, voter_directory_id, n = unpack_ii16sB(data, at)
    at += 25
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("AddRaftVoterRequest.listeners is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    listeners, at = read_voter_listener_v0_list(data, at, n, elements)
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1, elements)
    return AddRaftVoterRequest(cluster_id, timeout_ms, voter_id, voter_directory_id, listeners), at


def read_add_raft_voter_request_v1(data: bytes, at: int) -> tuple[AddRaftVoterRequest, int]:
    elements = UNBOUNDED if len(data) <= UNCOUNTED_BYTES else Elements()
    n = data[at]
    at += 1
    if n > 127:
        n, at = read_text_length(data, at - 1)
    n -= 1
    if n >= 0:
        end = at + n
        cluster_id = utf8(data[at:end])
        at = end
    else:
        cluster_id = None
    timeout_ms, voter_id, voter_directory_id, n = unpack_ii16sB(data, at)
    at += 25
    if n > 127:
        n, at = read_uvarint(data, at - 1)
    n -= 1
    if n < 0:
        raise MalformedMessage("AddRaftVoterRequest.listeners is null")
    if elements is not UNBOUNDED:
        elements.add(n)
    listeners, at = read_voter_listener_v0_list(data, at, n, elements)
    ack_when_committed, tags = unpack_ZB(data, at)
    at += 2
    if tags:
        at = skip_tags(data, at - 1, elements)
    return AddRaftVoterRequest(cluster_id, timeout_ms, voter_id, voter_directory_id, listeners, ack_when_committed), at


def read_add_raft_voter_response_v0(data: bytes, at: int) -> tuple[AddRaftVoterResponse, int]:
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
    tags = data[at]
    at += 1
    if tags:
        at = skip_tags(data, at - 1)
    return AddRaftVoterResponse(throttle_time_ms, error_code, error_message), at


AddRaftVoterRequest.READERS = {
    0: read_add_raft_voter_request_v0,
    1: read_add_raft_voter_request_v1,
}
AddRaftVoterResponse.READERS = {
    0: read_add_raft_voter_response_v0,
    1: read_add_raft_voter_response_v0,
}
