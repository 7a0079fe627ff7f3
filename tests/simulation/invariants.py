"""Named invariants of a groups shard, as checks of its state before and after a command.

Each raises `Broken`, which names it. These are those of classic groups; `consumer_invariants.py` has the others.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tenure.coordinator.answers import Refused
from tenure.coordinator.groups import commands
from tenure.coordinator.groups.answers import Committed, Joined, Synced
from tenure.coordinator.groups.classic.group import ClassicGroup
from tenure.coordinator.groups.classic.reserve import RESERVE_ASSIGNMENT
from tenure.coordinator.groups.classic.states import State
from tenure.coordinator.groups.shard import GroupsShard
from tenure.coordinator.shard import InvariantError
from tenure.protocol.errors import ErrorCode
from tests.simulation.broken import Broken

Digest = Mapping[Any, Mapping[Any, Any]]
"""Groups by id, as `GroupsShard.digest` returns them."""
Commit = commands.CommitOffsets | commands.CommitInTransaction


# --- at rest ----------------------------------------------------------------------------------------------------------


def one_instance_one_member(group_id: str, group: Mapping[str, Any]) -> None:
    seats = Counter(m.group_instance_id for m in group["members"].values() if m.group_instance_id is not None)
    if set(seats) != set(group["static_members"]) or any(count > 1 for count in seats.values()):
        raise Broken("OneInstanceOneMember", f"{group_id} has {seats} and {group['static_members']}")


def single_owner(
    group_id: str, group: Mapping[str, Any], partitions_of: Callable[[bytes], Iterable[object]] = iter
) -> None:
    """Check SingleOwner; reserve members own nothing.

    `partitions_of` reads an assignment, by default one byte per partition.
    """
    active = [assignment for assignment in group["assignments"].values() if assignment != RESERVE_ASSIGNMENT]
    owners = Counter(partition for assignment in active for partition in partitions_of(assignment))
    twice = [partition for partition, count in owners.items() if count > 1]
    if twice or not group["assignments"].keys() <= group["members"].keys():
        raise Broken("SingleOwner", f"{group_id} assigns {group['assignments']}")


def structure(shard: GroupsShard) -> None:
    for group in shard.classic_groups:
        structure_of(group)


def structure_of(group: ClassicGroup) -> None:
    try:
        group.check_invariants()
    except InvariantError as broken:
        raise Broken("Structure", broken) from broken


# --- across a command -------------------------------------------------------------------------------------------------


def groups_isolated(before: Digest, after: Digest, touched: str) -> None:
    for group_id in (before.keys() | after.keys()) - {touched}:
        if before.get(group_id) != after.get(group_id):
            raise Broken("GroupsIsolated", f"a command of {touched} has changed {group_id}")


def epochs_monotonic(before: Digest, after: Digest, ended: set[str]) -> None:
    for group_id in (before.keys() & after.keys()) - ended:
        was, now = before[group_id]["generation_id"], after[group_id]["generation_id"]
        if now < was:
            raise Broken("EpochsMonotonic", f"{group_id} fell back from generation {was} to {now}")


def static_bounce_silent(join: commands.JoinGroup, before: Digest, after: Digest, answer: object) -> bool:
    """Check that a returning static member with the same protocols changes nothing in a Stable group.

    Return False if this was another case.
    """
    was, now = before.get(join.group_id), after.get(join.group_id)
    old_id = was["static_members"].get(join.group_instance_id) if was is not None else None
    if was is None or now is None or old_id is None or join.member_id or was["state"] is not State.STABLE:
        return False
    names = [name for name, _ in join.protocols]
    if names != [name for name, _ in was["members"][old_id].protocols] or _is_full(answer):
        return False
    same = ("state", "generation_id", "protocol_name", "state_since_ms", "parked_joins", "pending_members")
    others = [{k: v for k, v in group["assignments"].items() if k in was["members"]} for group in (was, now)]
    others[0].pop(old_id, None)
    if any(was[name] != now[name] for name in same) or others[0] != others[1]:
        raise Broken("StaticBounceSilent", f"{join} changed {join.group_id} from {was} to {now}")
    if not isinstance(answer, Joined) or answer.generation_id != was["generation_id"]:
        raise Broken("StaticBounceSilent", f"{join} was answered {answer}")
    if now["assignments"].get(answer.member_id, b"") != was["assignments"].get(old_id, b""):
        raise Broken("StaticBounceSilent", f"{join} came back to another assignment")
    return True


def _is_full(answer: object) -> bool:
    """Return whether the group is full: it then has no space for a member without an id (rule 2.4 J1)."""
    return isinstance(answer, Refused) and answer.error_code is ErrorCode.GROUP_MAX_SIZE_REACHED


def commit_fence(commit: Commit, before: Digest, answer: object) -> None:
    """Check a commit: those of a seat's holder are accepted, and no others (rules 2.13 and 2.14)."""
    group = before.get(commit.group_id)
    holds = commit.generation_id < 0 if group is None else _holds_seat(group, commit)
    if isinstance(answer, Committed) and not holds:
        raise Broken("CommitFence", f"{commit} was accepted by {group}")
    if not isinstance(answer, Committed) and holds:
        raise Broken("NoFalseFence", f"{commit} was refused with {answer} by {group}")


def _holds_seat(group: Mapping[str, Any], commit: Commit) -> bool:
    in_transaction = isinstance(commit, commands.CommitInTransaction)
    names_nobody = not commit.member_id and commit.group_instance_id is None
    if commit.generation_id < 0 and (group["state"] is State.EMPTY or (in_transaction and names_nobody)):
        return True
    seat = group["static_members"].get(commit.group_instance_id)
    return (
        commit.member_id in group["members"]
        and (commit.group_instance_id is None or seat == commit.member_id)
        and commit.generation_id == group["generation_id"]
        and (in_transaction or group["state"] is not State.COMPLETING_REBALANCE)
    )


def check_synced_assignment(sync: commands.SyncGroup, after: Digest, answer: object) -> None:
    """Check that the answer to a sync has the assignment of the group (SingleOwner)."""
    if isinstance(answer, Synced):
        assignment = after[sync.group_id]["assignments"].get(sync.member_id, b"")
        if answer.assignment != assignment:
            raise Broken("SingleOwner", f"{sync} was told {answer.assignment!r}, {assignment!r} is logged")


# --- of the log -------------------------------------------------------------------------------------------------------


def durable(group: Mapping[str, Any] | None) -> object:
    """Return the part of a group that its record contains."""
    if group is None:
        return None
    members = {
        m.member_id: (
            m.group_instance_id,
            m.session_timeout_ms,
            m.rebalance_timeout_ms,
            m.metadata_for(group["protocol_name"]),
            group["assignments"].get(m.member_id, b""),
        )
        for m in group["members"].values()
    }
    what = ("state", "generation_id", "protocol_type", "protocol_name", "leader", "state_since_ms")
    return *(group[name] for name in what), members
