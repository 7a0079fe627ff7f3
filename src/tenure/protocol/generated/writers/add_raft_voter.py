"""Generated from `tenure/protocol/tables/add_raft_voter.py` by `python -m tenure.protocol.generate`."""

from struct import Struct as Packer
from typing import Final

from tenure.protocol.generated.add_raft_voter import (
    AddRaftVoterRequest,
    AddRaftVoterResponse,
    VoterListener,
)
from tenure.protocol.message import (
    MessagePart,
    UnsupportedVersion,
)
from tenure.protocol.wire import (
    UVARINT,
    uvarint,
)

pack_Zx: Final = Packer(">?x").pack
pack_Hx: Final = Packer(">Hx").pack
pack_ih: Final = Packer(">ih").pack
pack_ii16s: Final = Packer(">ii16s").pack


def write_voter_listener_v0_list(out: list[MessagePart], items: list[VoterListener]) -> None:
    put = out.append
    for m in items:
        text = m.name.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        text = m.host.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
        put(pack_Hx(m.port))


def write_add_raft_voter_request_v0(out: list[MessagePart], m: AddRaftVoterRequest) -> None:
    put = out.append
    if not m.ack_when_committed:
        raise UnsupportedVersion("AddRaftVoterRequest.ack_when_committed exists in versions 1+ only")
    if m.cluster_id is None:
        put(b"\0")
    else:
        text = m.cluster_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    put(pack_ii16s(m.timeout_ms, m.voter_id, m.voter_directory_id))
    n = len(m.listeners) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_voter_listener_v0_list(out, m.listeners)
    put(b"\0")


def write_add_raft_voter_request_v1(out: list[MessagePart], m: AddRaftVoterRequest) -> None:
    put = out.append
    if m.cluster_id is None:
        put(b"\0")
    else:
        text = m.cluster_id.encode()
        n = len(text) + 1
        put(UVARINT[n] if n < 128 else uvarint(n))
        put(text)
    put(pack_ii16s(m.timeout_ms, m.voter_id, m.voter_directory_id))
    n = len(m.listeners) + 1
    put(UVARINT[n] if n < 128 else uvarint(n))
    write_voter_listener_v0_list(out, m.listeners)
    put(pack_Zx(m.ack_when_committed))


def write_add_raft_voter_response_v0(out: list[MessagePart], m: AddRaftVoterResponse) -> None:
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


AddRaftVoterRequest.WRITERS = {
    0: write_add_raft_voter_request_v0,
    1: write_add_raft_voter_request_v1,
}
AddRaftVoterResponse.WRITERS = {
    0: write_add_raft_voter_response_v0,
    1: write_add_raft_voter_response_v0,
}
