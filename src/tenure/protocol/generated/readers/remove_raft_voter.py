"""Generated from `tenure/protocol/tables/remove_raft_voter.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.remove_raft_voter import (
    RemoveRaftVoterRequest,
    RemoveRaftVoterResponse,
)
from tenure.protocol.wire import (
    Elements,
    read_text_length,
    read_uvarint,
    skip_tags,
    utf8,
)

unpack_i16sB: Final = Packer(">i16sB").unpack_from
unpack_ihB: Final = Packer(">ihB").unpack_from


def read_remove_raft_voter_request_v0(data: bytes, at: int) -> tuple[RemoveRaftVoterRequest, int]:
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
    voter_id, voter_directory_id, tags = unpack_i16sB(data, at)
    at += 21
    if tags:
        at = skip_tags(data, at - 1, Elements())
    return RemoveRaftVoterRequest(cluster_id, voter_id, voter_directory_id), at


def read_remove_raft_voter_response_v0(data: bytes, at: int) -> tuple[RemoveRaftVoterResponse, int]:
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
    return RemoveRaftVoterResponse(throttle_time_ms, error_code, error_message), at


RemoveRaftVoterRequest.READERS = {
    0: read_remove_raft_voter_request_v0,
}
RemoveRaftVoterResponse.READERS = {
    0: read_remove_raft_voter_response_v0,
}
