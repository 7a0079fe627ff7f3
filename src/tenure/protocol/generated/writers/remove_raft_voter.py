"""Generated from `tenure/protocol/tables/remove_raft_voter.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.remove_raft_voter import (
    RemoveRaftVoterRequest,
    RemoveRaftVoterResponse,
)
from tenure.protocol.message import (
    MessagePart,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_i16sx: Final = Packer(">i16sx").pack
pack_ih: Final = Packer(">ih").pack


def write_remove_raft_voter_request_v0(out: list[MessagePart], m: RemoveRaftVoterRequest) -> None:
    put = out.append
    if m.cluster_id is None:
        put(b"\0")
    else:
        text = m.cluster_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    put(pack_i16sx(m.voter_id, m.voter_directory_id))


def write_remove_raft_voter_response_v0(out: list[MessagePart], m: RemoveRaftVoterResponse) -> None:
    put = out.append
    put(pack_ih(m.throttle_time_ms, m.error_code))
    if m.error_message is None:
        put(b"\0")
    else:
        text = m.error_message.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    put(b"\0")


RemoveRaftVoterRequest.WRITERS = {
    0: write_remove_raft_voter_request_v0,
}
RemoveRaftVoterResponse.WRITERS = {
    0: write_remove_raft_voter_response_v0,
}
