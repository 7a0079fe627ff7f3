"""Sentences about the causes of rebalances, for operators."""

from collections.abc import Sequence
from typing import Final

from tenure.coordinator.groups.causes import Cause, Why
from tenure.coordinator.groups.journal.entries import ChangedMember, FormerMember, Replacement
from tenure.protocol.types import GenerationId, InstanceId

OF_THE_FORMER: Final = {
    Cause.SESSION_EXPIRED: "the session of the old member had expired",
    Cause.JOIN_EXPIRED: "the old member had not joined again in time,",
    Cause.SYNC_EXPIRED: "the old member had not synced in time,",
    Cause.REVOCATION_EXPIRED: "the old member had not finished its revocation in time,",
    Cause.REMOVED: "an operator had removed the old member",
    Cause.LEFT: "the old member had left",
}
UNITS: Final = ((86_400_000, "d"), (3_600_000, "h"), (60_000, "min"), (1_000, "s"))


def trigger_of(cause: Cause) -> str:
    """Return the name of a cause for programs, for example "session-expired"."""
    return cause.name.lower().replace("_", "-")


def _cause_of(trigger: str) -> Cause:
    return Cause[trigger.upper().replace("-", "_")]


def rebalance_cause(why: Why, who: ChangedMember | None, alike: int) -> str:
    """Return a sentence with the cause of a rebalance.

    `who` is the member that caused it; `alike` is the number of other members that left for the same cause.
    """
    if not why.member_id:
        return (why.cause.value or "unknown cause") + _quoted(why.reason)
    name = _named(why.member_id, who.group_instance_id if who else None)
    if alike:
        name += f" and {alike} more"
    if why.cause is Cause.JOINED and who is not None and who.former is not None:
        return f"{name} {_joined_after(who, who.former)}{_quoted(why.reason)}"
    return f"{name} {why.cause.value}{_quoted(why.reason)}"


def _joined_after(who: ChangedMember, former: FormerMember) -> str:
    """Return a clause about the member `former`, which left before `who` joined.

    A static member has the instance id of `former`. A dynamic member has only the same client id and host, so it may be
    another process.
    """
    gone = OF_THE_FORMER.get(_cause_of(former.trigger), "the old member had gone")
    how = f"{gone} {duration(former.before_ms)} before"
    if who.group_instance_id is not None:
        return f"joined with a new member id: {how}"
    return f"joined; member {former.member_id} of the same client and host is gone: {how}"


def taken_over(replacement: Replacement, generation: GenerationId) -> str:
    name = _named(replacement.member_id, replacement.group_instance_id)
    return (
        f"{name} returned and replaces member {replacement.old_member_id}, which is fenced: "
        f"generation {generation} stays{_quoted(replacement.reason)}"
    )


def seat_taken_over(replacement: Replacement, epoch: GenerationId) -> str:
    """Return a sentence about a static member that has returned to a consumer group after a temporary leave."""
    name = _named(replacement.member_id, replacement.group_instance_id)
    if replacement.old_member_id == replacement.member_id:
        return f"{name} returned after a temporary leave: epoch {epoch} stays"
    return f"{name} returned and replaces member {replacement.old_member_id}: epoch {epoch} stays"


def and_more(epoch_moves: int) -> str:
    """Return a clause with the number of further epochs, for example "; and 1 more since"."""
    return f"; and {epoch_moves} more since" if epoch_moves else ""


def reserve_changed(joined: Sequence[ChangedMember], departed: Sequence[ChangedMember]) -> str:
    came = [f"{_named(member.member_id, member.group_instance_id)} joined as a reserve member" for member in joined]
    went = [
        f"reserve {_named(member.member_id, member.group_instance_id)} {_cause_of(member.trigger).value}"
        for member in departed
    ]
    return "; ".join([*came, *went])


def _named(member_id: str, group_instance_id: InstanceId | None) -> str:
    return f"member {member_id}" + (f" (instance {group_instance_id})" if group_instance_id is not None else "")


def _quoted(reason: str) -> str:
    return f', saying "{reason}"' if reason else ""


def duration(of_ms: int) -> str:
    """Return a duration in the largest unit that is not 0, rounded down: 350 ms, 4 s, and 1 h for 90 minutes."""
    for unit_ms, unit in UNITS:
        if of_ms >= unit_ms:
            return f"{of_ms // unit_ms} {unit}"
    return f"{max(of_ms, 0)} ms"
