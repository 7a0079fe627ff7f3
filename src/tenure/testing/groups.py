"""State of a group as the coordinator has it, and actions on its members, for tests."""

from collections.abc import Iterator
from typing import NamedTuple

from tenure.coordinator.groups.classic.group import ClassicGroup
from tenure.coordinator.groups.classic.group import Member as ClassicMember
from tenure.coordinator.groups.commands import JoinGroup
from tenure.protocol.consumer_protocol import decode_assignment
from tenure.protocol.message import MalformedMessage
from tenure.protocol.types import GroupId, MemberId


class Member(NamedTuple):
    member_id: str
    instance_id: str | None
    client_id: str
    partitions: tuple[tuple[str, int], ...]
    """(topic, partition), in order; empty until the group is stable."""


class GroupState(NamedTuple):
    state: str
    """Kafka's name: Stable, PreparingRebalance, CompletingRebalance, Empty, Dead."""
    generation: int
    protocol: str | None
    members: tuple[Member, ...]


NO_GROUP = GroupState("Dead", 0, None, ())


def state_of(group: ClassicGroup | None) -> GroupState:
    if group is None:
        return NO_GROUP
    members = tuple(sorted(member_of(group, member) for member in group.members.values()))
    return GroupState(group.state.value, group.generation_id, group.protocol_name, members)


def member_of(group: ClassicGroup, member: ClassicMember) -> Member:
    assignment = group.assignments.get(member.member_id, b"")
    return Member(member.member_id, member.group_instance_id, member.client_id, tuple(_partitions(assignment)))


def _partitions(assignment: bytes) -> Iterator[tuple[str, int]]:
    try:
        assigned = decode_assignment(assignment).assigned_partitions if assignment else []
    except MalformedMessage:  # a protocol of the user's own
        return
    for of_topic in sorted(assigned, key=lambda of_topic: of_topic.topic):
        for partition in sorted(of_topic.partitions):
            yield of_topic.topic, partition


def chosen(group: ClassicGroup | None, group_id: str, **wanted: str | None) -> ClassicMember:
    """Return the one member with these `member_id`, `group_instance_id`, `client_id`. Raises LookupError."""
    members = list(group.members.values()) if group is not None else []
    given = {name: value for name, value in wanted.items() if value is not None}
    found = [member for member in members if all(getattr(member, name) == value for name, value in given.items())]
    if len(found) != 1:
        there = ", ".join(f"{m.client_id}/{m.group_instance_id or m.member_id}" for m in members) or "none"
        raise LookupError(f"{len(found)} members of group '{group_id}' have {given}: in it is {there}")
    return found[0]


def takeover(group_id: str, member: ClassicMember) -> JoinGroup:
    """Return the request of another application with the same instance id."""
    return JoinGroup(
        group_id=GroupId(group_id),
        member_id=MemberId(""),
        group_instance_id=member.group_instance_id,
        client_id="tenure.testing",
        client_host="/127.0.0.1",
        session_timeout_ms=member.session_timeout_ms,
        rebalance_timeout_ms=member.rebalance_timeout_ms,
        protocol_type="consumer",
        protocols=member.protocols,
    )
