"""Faults that a connection survives, and faults that close it. Neither affects other connections."""

import struct
from contextlib import suppress
from pathlib import Path

import pytest

from tenure.protocol.apis import ApiKey
from tenure.protocol.errors import ErrorCode
from tenure.protocol.frames import RequestHeader, encode_request
from tenure.protocol.messages import (
    ApiVersionsRequest,
    DescribeConfigsRequest,
    DescribeConfigsResource,
    DescribeGroupsRequest,
    FindCoordinatorRequest,
    HeartbeatRequest,
    JoinGroupRequest,
    JoinGroupRequestProtocol,
    JoinGroupResponse,
    ListGroupsRequest,
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
)
from tenure.protocol.types import GenerationId, GroupId, InstanceId, MemberId
from tests.broker.wire import Wire
from tests.serving import Serving, serving

LIBRARY = ApiVersionsRequest("a-library", "1.0")
HEARTBEAT = HeartbeatRequest(GroupId("nobody"), GenerationId(1), MemberId("m"))


def framed(body: bytes) -> bytes:
    return struct.pack(">i", len(body)) + body


BAD = {
    "negative size": struct.pack(">i", -1),
    "larger than socket.request.max.bytes": struct.pack(">i", 104_857_601),
    "empty frame": framed(b""),
    "half a header": framed(b"\x00\x0c\x00"),
    "unknown API": framed(struct.pack(">hhih", 999, 0, 1, -1)),
    "an API of Kafka's that we do not speak": framed(struct.pack(">hhih", ApiKey.VOTE, 0, 1, -1)),
    "version too new": framed(struct.pack(">hhih", ApiKey.HEARTBEAT, 5, 1, -1)),
    "version too old": framed(struct.pack(">hhih", ApiKey.PRODUCE, 2, 1, -1)),
    "negative version": framed(struct.pack(">hhih", ApiKey.HEARTBEAT, -1, 1, -1)),
    "body cut short": framed(struct.pack(">hhih", ApiKey.HEARTBEAT, 0, 1, -1) + b"\x00\x05gr"),
    "client id longer than the frame": framed(struct.pack(">hhih", ApiKey.HEARTBEAT, 0, 1, 500)),
    "text that is no UTF-8": framed(struct.pack(">hhih", ApiKey.HEARTBEAT, 0, 1, -1) + b"\x00\x01\xff" + bytes(6)),
    "array longer than the frame": framed(struct.pack(">hhihi", ApiKey.METADATA, 0, 1, -1, 2**31 - 1)),
}


@pytest.mark.parametrize("what", BAD)
def test_frame__malformed__only_its_connection_closed(broker: Serving, wire: Wire, what: str) -> None:
    with Wire(broker) as bad:
        bad.send_bytes(BAD[what])
        assert bad.is_closed()
    assert wire.ask(LIBRARY).error_code == ErrorCode.NONE


def test_frame__malformed_after_a_valid_one__valid_one_answered_before_the_close(wire: Wire) -> None:
    wire.send_bytes(wire.frame(LIBRARY) + BAD["unknown API"])
    assert wire.receive().error_code == ErrorCode.NONE
    assert wire.is_closed()


def test_frame__sent_byte_by_byte__answered(wire: Wire) -> None:
    for byte in wire.frame(HEARTBEAT):
        wire.send_bytes(bytes([byte]))
    assert wire.receive().error_code == ErrorCode.UNKNOWN_MEMBER_ID


def test_frame__incomplete__other_connections_are_served(broker: Serving, wire: Wire) -> None:
    with Wire(broker) as half:
        frame = half.frame(HEARTBEAT)
        half.send_bytes(frame[:9])
        assert wire.ask(LIBRARY).error_code == ErrorCode.NONE
        half.send_bytes(frame[9:])
        assert half.receive().error_code == ErrorCode.UNKNOWN_MEMBER_ID


def test_pipelined_requests__many_on_a_connection__answered_in_order(wire: Wire) -> None:
    """Answer in order: immediate answers and those of a shard alternate, and more requests wait than are read ahead."""
    frames = [wire.frame(HEARTBEAT) + wire.frame(LIBRARY) for _ in range(500)]
    wire.send_bytes(b"".join(frames))
    for _ in range(500):
        assert wire.receive().error_code == ErrorCode.UNKNOWN_MEMBER_ID
        assert wire.receive().error_code == ErrorCode.NONE


def join(group_id: str, instance_id: str, member_id: str = "") -> JoinGroupRequest:
    protocols = [JoinGroupRequestProtocol("range", b"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00")]
    return JoinGroupRequest(
        GroupId(group_id), 60_000, 60_000, MemberId(member_id), InstanceId(instance_id), "consumer", protocols
    )


def until_it_rebalances(wire: Wire, group_id: str, instance_id: str, joined: JoinGroupResponse) -> None:
    """Wait until the group rebalances, because the broker may read a join on another connection later."""
    beat = HeartbeatRequest(GroupId(group_id), joined.generation_id, joined.member_id, InstanceId(instance_id))
    while wire.ask(beat).error_code != ErrorCode.REBALANCE_IN_PROGRESS:
        pass


def test_request__behind_a_parked_join_on_its_connection__answered_after_the_join(broker: Serving, wire: Wire) -> None:
    """Let requests wait behind a parked join: the rejoining leader waits for the other member."""
    leader = wire.ask(join("parked", "a"))
    assert leader.error_code == ErrorCode.NONE
    with Wire(broker) as other:
        other.send(join("parked", "b"))  # starts a rebalance, which waits for the leader
        until_it_rebalances(wire, "parked", "a", leader)
        assert other.is_parked()
        other.send(LIBRARY)
        assert other.is_parked()
        assert wire.ask(join("parked", "a", leader.member_id)).generation_id == 2
        assert other.receive().generation_id == 2
        assert other.receive().error_code == ErrorCode.NONE


def test_client__disconnects_while_its_join_is_parked__is_a_member_of_the_next_generation(
    broker: Serving, wire: Wire
) -> None:
    leader = wire.ask(join("left-alone", "a"))
    with Wire(broker) as other:
        other.send(join("left-alone", "b"))
        until_it_rebalances(wire, "left-alone", "a", leader)
        assert other.is_parked()
    answer = wire.ask(join("left-alone", "a", leader.member_id))
    assert answer.generation_id == 2
    assert len(answer.members) == 2


@pytest.mark.parametrize("version", range(7))
def test_find_coordinator__any_group_id__address_of_this_broker(broker: Serving, wire: Wire, version: int) -> None:
    """Return this broker (rule 1.8)."""
    asked = FindCoordinatorRequest("g") if version < 4 else FindCoordinatorRequest(coordinator_keys=["g", "h"])
    response = wire.ask(asked, version)
    found = [response] if version < 4 else response.coordinators
    assert [(f.error_code, f.node_id, f.host, f.port) for f in found] == [(0, 1, broker.host, broker.port)] * len(found)
    assert [f.error_message for f in found] == {0: [""], 1: ["NONE"], 2: ["NONE"], 3: ["NONE"]}.get(version, ["", ""])


@pytest.mark.parametrize("key_type", [2, 3])
def test_find_coordinator__unsupported_type__refused_with_a_message(wire: Wire, key_type: int) -> None:
    asked = FindCoordinatorRequest(key_type=key_type, coordinator_keys=["x"])
    (found,) = wire.ask(asked).coordinators
    assert (found.error_code, found.node_id, found.port) == (ErrorCode.INVALID_REQUEST, -1, -1)
    assert found.error_message


def test_connection__idle_for_longer_than_allowed__closed(tmp_path: Path) -> None:
    with serving(tmp_path, "connections.max.idle.ms=200", options=("--memory",)) as broker:
        was_answered = False
        while not was_answered:  # a client that is suspended before its request is idle for too long, too
            with Wire(broker) as wire, suppress(ConnectionError):
                was_answered = wire.ask(LIBRARY).error_code == ErrorCode.NONE
                assert wire.is_closed()


def test_frame__larger_than_the_configured_maximum__connection_closed_and_logged_once(tmp_path: Path) -> None:
    with serving(tmp_path, "socket.request.max.bytes=200", options=("--memory",)) as broker:
        with Wire(broker) as wire:
            wire.send_bytes(encode_request(RequestHeader(ApiKey.API_VERSIONS, 4, 1, "x" * 300), LIBRARY))
            assert wire.is_closed()
        assert broker.log.count("announces") == 1


def test_request__large_although_it_has_no_records__connection_closed(broker: Serving, wire: Wire) -> None:
    """Close the connection: decoded, a hundred megabytes of small structs would take gigabytes."""
    many = JoinGroupRequest(GroupId("g"), protocols=[JoinGroupRequestProtocol("range", bytes(5_000_000))])
    with Wire(broker) as bad:
        with suppress(ConnectionError):
            bad.send(many)
        assert bad.is_closed()
    assert wire.ask(LIBRARY).error_code == ErrorCode.NONE
    assert "at most 2097152 are allowed in requests without records" in broker.log


def test_error_message__too_long_for_a_string_of_the_version__connection_closed(broker: Serving, wire: Wire) -> None:
    """Close the connection: the error message contains the name, which is too long before flexible versions."""
    with Wire(broker) as bad:
        bad.send(DescribeConfigsRequest([DescribeConfigsResource(2, "t" * 32_767)]), 3)
        assert bad.is_closed()
    assert wire.ask(LIBRARY).error_code == ErrorCode.NONE


def test_protocol_type_of_a_join__longer_than_32767_bytes__connection_closed(broker: Serving, wire: Wire) -> None:
    protocols = [JoinGroupRequestProtocol("range", b"")]
    join = JoinGroupRequest(GroupId("of-a-long-type"), 10_000, 10_000, protocol_type="c" * 32_768, protocols=protocols)
    with Wire(broker) as bad:
        bad.send(join, 9)
        assert bad.is_closed()
    assert "a string has 32768 bytes, at most 32767 are allowed" in broker.log
    for version in range(6):
        listed = [group.group_id for group in wire.ask(ListGroupsRequest(), version).groups]
        assert "of-a-long-type" not in listed


@pytest.mark.parametrize("version", range(10))
def test_join__client_id_of_maximum_length__member_id_fits_into_every_version(broker: Serving, version: int) -> None:
    group_id = GroupId(f"long-names-{version}")
    protocols = [JoinGroupRequestProtocol("range", b"")]
    join = JoinGroupRequest(group_id, 10_000, 10_000, protocol_type="consumer", protocols=protocols)
    with Wire(broker, client_id="\N{PARTY POPPER}" * 8_191) as wire:
        first = wire.ask(join, version)
        member_id = first.member_id
        assert len(member_id) == 8_000 + len("-00000000-0000-4000-8000-000000000000")
        if first.error_code == ErrorCode.MEMBER_ID_REQUIRED:
            join.member_id = member_id
            assert wire.ask(join, version).member_id == member_id
        for describe in range(7):
            (described,) = wire.ask(DescribeGroupsRequest([group_id]), describe).groups
            assert [member.member_id for member in described.members] == [member_id]


def test_request__names_very_many_groups__connection_closed_and_others_served(broker: Serving, wire: Wire) -> None:
    names = [GroupId("")] * 20_001
    for request in (DescribeGroupsRequest(names), FindCoordinatorRequest(coordinator_keys=list(map(str, names)))):
        with Wire(broker) as bad:
            bad.send(request)
            assert bad.is_closed()
    assert wire.ask(LIBRARY).error_code == ErrorCode.NONE
    assert broker.log.count("the request is for 20001 groups") == 2


def test_find_coordinator__very_many_transactional_ids__connection_closed(tmp_path: Path) -> None:
    """Create the topic of transactions first, so that the answer comes later."""
    with serving(tmp_path) as broker, Wire(broker) as wire:
        wire.send(FindCoordinatorRequest(key_type=1, coordinator_keys=[""] * 20_001))
        assert wire.is_closed()
        assert "Traceback" not in broker.log


def test_offset_fetch__all_offsets_of_a_group_requested_twice__connection_closed(broker: Serving, wire: Wire) -> None:
    with Wire(broker) as bad:
        bad.send(OffsetFetchRequest(groups=[OffsetFetchRequestGroup(GroupId("g"), topics=None)] * 2))
        assert bad.is_closed()
    assert wire.ask(LIBRARY).error_code == ErrorCode.NONE
    assert "the request asks more than once for all offsets of the same group" in broker.log


def test_describe_configs__very_many_resources__connection_closed_and_others_served(
    broker: Serving, wire: Wire
) -> None:
    with Wire(broker) as bad:
        bad.send(DescribeConfigsRequest([DescribeConfigsResource(32, "g")] * 2_001))
        assert bad.is_closed()
    assert wire.ask(LIBRARY).error_code == ErrorCode.NONE
    assert "the request is for the configs of 2001 resources" in broker.log


def test_log_line__group_id_with_line_feed_and_terminal_command__escaped_on_one_line(
    broker: Serving, wire: Wire
) -> None:
    protocols = [JoinGroupRequestProtocol("range", b"")]
    name = GroupId("of-lines\n99:99:99 ERROR forged\x1b[2J")
    join = JoinGroupRequest(name, 10_000, 10_000, protocol_type="consumer", protocols=protocols)
    assert wire.ask(join, 3).error_code == ErrorCode.NONE
    told = [line for line in broker.log.splitlines() if "of-lines" in line]
    assert told
    assert all(r"of-lines\n99:99:99 ERROR forged\x1b[2J: " in line for line in told)
