"""Checks of the invariants of consumer groups (KIP-848). Each raises `Broken` with the name of the invariant.

The owners of partitions over time are computed from the log alone, without assignment epochs. So the fence is not
checked with its own data.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple, cast

from tenure.coordinator.groups import commands
from tenure.coordinator.groups.answers import Committed
from tenure.coordinator.groups.consumer.group import ConsumerGroup, GroupState
from tenure.coordinator.groups.consumer.member import Member
from tenure.coordinator.groups.consumer.subscribed import existing, names_of, topic_names
from tenure.coordinator.metadata.topics import Topics
from tenure.coordinator.shard import InvariantError, LogRecord
from tenure.protocol.coordinator_logs.consumer_offsets import ConsumerGroupCurrentMemberAssignmentKey as CurrentKey
from tenure.protocol.coordinator_logs.target_assignment import TargetAssignment
from tenure.protocol.special_values import LEAVES_FOR_NOW
from tenure.protocol.types import GroupId, MemberId
from tenure.simulation.holders import Partition, partitions_of
from tests.simulation.broken import Broken

CHECKED_BY_THE_GROUP: Final = ("OneInstanceOneMember", "PartitionEpochMap", "SingleOwner")
NOT_REPLAYED: Final = {
    *("session_deadlines", "revocation_deadlines", "join_deadlines", "sync_deadlines"),
    *("revocation_epochs", "topics_version", "configs"),
}
"""Parts of a group's digest that a fail-over loses."""


# --- epochs of ownership ----------------------------------------------------------------------------------------------


class Tenures:
    """Epoch since which each member owns each partition, or is revoking it, computed from the log."""

    def __init__(self) -> None:
        self._since: dict[tuple[GroupId, MemberId], dict[Partition, int]] = {}
        self._given_up: dict[tuple[GroupId, MemberId], set[Partition]] = {}
        """Partitions that the member was asked to revoke. If it gets one again, it had revoked it in between."""
        self._joined: dict[tuple[GroupId, MemberId], int] = {}

    def fold(self, record: LogRecord) -> None:
        """Fold a record; called for every record of the log in order.

        A member that takes over a seat owns its partitions since its own first epoch.
        """
        key: Any = record.key
        if type(key) is not CurrentKey:
            return
        seat, current = (key.group_id, key.member_id), cast("Any", record.value)
        before, given_up = self._since.pop(seat, {}), self._given_up.pop(seat, set())
        if current is None:
            self._joined.pop(seat, None)
            return
        epoch = max(current.member_epoch, 0)
        if epoch:
            before = {partition: since or epoch for partition, since in before.items()}
        if current.member_epoch == LEAVES_FOR_NOW:
            before = {}
        self._joined.setdefault(seat, epoch)
        pending = {(topic.topic_id, p) for topic in current.partitions_pending_revocation for p in topic.partitions}
        assigned = {(topic.topic_id, p) for topic in current.assigned_partitions for p in topic.partitions}
        kept = {partition: since for partition, since in before.items() if partition not in assigned & given_up}
        self._since[seat] = {partition: kept.get(partition, epoch) for partition in assigned | pending}
        self._given_up[seat] = pending

    def since(self, group_id: GroupId, member_id: MemberId, partition: Partition) -> int | None:
        """Return the epoch; None if the member does not own the partition."""
        return self._since.get((group_id, member_id), {}).get(partition)

    def of(self, group_id: GroupId, member_id: MemberId) -> Mapping[Partition, int]:
        return self._since.get((group_id, member_id), {})

    def assume(
        self, group_id: GroupId, member_id: MemberId, since: Mapping[Partition, int], pending: Iterable[Partition]
    ) -> None:
        """Continue from a state in the middle of a history."""
        self._since[group_id, member_id] = dict(since)
        self._given_up[group_id, member_id] = set(pending)

    def joined(self, group_id: GroupId, member_id: MemberId) -> int | None:
        """Return the epoch in which the member joined; None if it is no member."""
        return self._joined.get((group_id, member_id))


# --- checks of a commit -----------------------------------------------------------------------------------------------


def commit_fence(group: ConsumerGroup, tenures: Tenures, commit: commands.CommitOffsets, answer: object) -> None:
    """Check a commit.

    An accepted commit is of a partition that the member has owned since the epoch in the commit (CommitFence), and such
    a commit is always accepted (NoFalseFence).
    """
    member = group.members.get(commit.member_id)
    if member is None:
        holds = commit.generation_id < 0 and not group.members
    else:
        had = [tenures.since(group.group_id, member.member_id, (o.topic_id, o.partition)) for o in commit.offsets]
        holds = all(since is not None and since <= commit.generation_id <= member.member_epoch for since in had)
    if isinstance(answer, Committed) and not holds:
        raise Broken("CommitFence", f"{commit} was accepted of {member}")
    if not isinstance(answer, Committed) and holds:
        raise Broken("NoFalseFence", f"{commit} was refused with {answer} to {member}")


# --- checks between two commands --------------------------------------------------------------------------------------


def at_rest(group: ConsumerGroup, topics: Topics) -> None:
    """Check everything that holds between two commands."""
    structure(group)
    legal_target(group, topics)
    reached_means_released(group)
    stable_means_stable(group, topics)


def structure(group: ConsumerGroup) -> None:
    """Check the invariants that the group checks itself."""
    try:
        group.check_invariants()
    except InvariantError as broken:
        named = [name for name in CHECKED_BY_THE_GROUP if name in str(broken)]
        raise Broken(named[0] if named else "Structure", broken) from None


def legal_target(group: ConsumerGroup, topics: Topics) -> None:
    """Check that no partition has two owners, and that a current target contains every subscribed partition."""
    targeted = Counter(partition for target in group.targets.values() for partition in partitions_of(target))
    if any(count > 1 for count in targeted.values()):
        raise Broken("LegalTarget", f"a partition has two owners: {group.targets}")
    patterns = {member.subscribed_topic_regex for member in group.members.values()} - {""}
    is_resolved = patterns <= group.regexes.keys()  # the epoch changes only when the pattern's topics are known
    if is_resolved and group.topics_version == topics.version and group.group_epoch == group.target_epoch:
        wanted = existing(topic_names(group.members.values(), group.regexes), topics)
        if targeted.keys() != {(topic.topic_id, p) for topic in wanted for p in range(topic.partitions)}:
            raise Broken("LegalTarget", f"{targeted} of {wanted}")


def reached_means_released(group: ConsumerGroup) -> None:
    for member in group.members.values():
        if member.member_epoch == group.target_epoch:
            surplus = partitions_of(member.assigned) - partitions_of(group.target_of(member.member_id))
            if surplus:
                raise Broken("ReachedMeansReleased", f"{member} has not released {surplus}")


def stable_means_stable(group: ConsumerGroup, topics: Topics) -> None:
    if group.state is not GroupState.STABLE:
        return
    for member in group.members.values():
        names = names_of(member, group.regexes)
        unwanted = {topic.topic_id for topic in topics if topic.name not in names}  # a deleted topic is noticed later
        wanted = {(t, p) for t, p in partitions_of(group.target_of(member.member_id)) if t not in unwanted}
        if member.pending_revocation or partitions_of(member.assigned) != wanted:
            raise Broken("StableMeansStable", f"{member} is to have {wanted}")


# --- checks across commands -------------------------------------------------------------------------------------------


class Others(NamedTuple):
    """State of a group without one seat."""

    group_epoch: int
    target_epoch: int
    members: dict[MemberId, Member]
    targets: dict[MemberId, TargetAssignment]


def others(group: ConsumerGroup, instance_id: str | None) -> Others:
    """Return the state of the group that a restart of this instance must not change (StaticBounceSilent)."""
    rest = {m.member_id: m for m in group.members.values() if m.instance_id != instance_id}
    targets = {member_id: group.target_of(member_id) for member_id in rest}
    return Others(group.group_epoch, group.target_epoch, rest, targets)


def same_durable_state(live: ConsumerGroup, replayed: ConsumerGroup) -> None:
    ours, theirs = live.digest(), replayed.digest()
    different = {name for name in ours.keys() - NOT_REPLAYED if ours[name] != theirs[name]}
    if different:
        found = {name: (ours[name], theirs[name]) for name in sorted(different)}
        raise Broken("ReplayEqualsLive", f"live and replayed: {found}")
