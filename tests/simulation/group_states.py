"""State of a consumer group as comparable data. Groups that behave equally from now on have equal states.

Epochs only increase, so a search with real epochs would never reach a state twice. But rules depend only on the order
of epochs, on their equality, and on the next epoch after a member's own (rule 3.6: a member that has released
partitions continues at its epoch plus 1). So epochs may be renumbered if their order stays the same, and if distances
stay the same that a member could cross step by step. Between two targets, a member takes such a step only when it
releases something, which happens at most once for each of its partitions. A longer distance is shortened to one more
than that.

A `GroupState` is converted to a group through a log with the records of a compacted log. So a search that continues
from a state also covers a fail-over.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple, TypeAlias

from tenure.coordinator.groups.consumer import logged
from tenure.coordinator.groups.consumer.group import ConsumerGroup
from tenure.coordinator.groups.consumer.member import Assigned, Member, MemberState
from tenure.coordinator.groups.records import RevocationTimerArmed, SessionExtended, TopicsSeen
from tenure.coordinator.groups.shard import GroupsShard
from tenure.coordinator.metadata.topics import Topics
from tenure.coordinator.shard import LogRecord, Now
from tenure.protocol.types import GroupId, InstanceId, MemberId, PartitionId, TopicId, TopicName
from tests.simulation.consumer_invariants import Tenures

GROUP_ID: Final = GroupId("g")
TOPIC: Final = TopicName("t")
TOPIC_ID: Final = TopicId(b"t".ljust(16, b"\0"))
REBALANCE_TIMEOUT_MS: Final = 30_000
ASSIGNED_AT_MS: Final = 1_700_000_000_000
"""Wall time of every target assignment."""
TIMER_MS: Final = 1_000
"""Tick at which every running timer expires."""
AT_ONCE: Final = Now(ASSIGNED_AT_MS, 0)
"""Time before any timer expires, and before the group may be assigned again."""
LATER: Final = Now(ASSIGNED_AT_MS + 60_000, 0)

Epochs: TypeAlias = tuple[tuple[PartitionId, int], ...]
"""Partitions of the only topic, each with an epoch, ascending."""


class MemberHistory(NamedTuple):
    """Member with the epoch since which it has owned each partition, from the log and not from assignment epochs."""

    member: "MemberAsLogged"
    since: Epochs


class MemberAsLogged(NamedTuple):
    member_id: MemberId
    instance_id: InstanceId | None
    epoch: int
    previous: int
    state: MemberState
    assigned: Epochs
    pending: Epochs
    target: tuple[PartitionId, ...]
    has_revocation_timer: bool


class GroupState(NamedTuple):
    group_epoch: int
    target_epoch: int
    metadata_hash: int
    was_assigned: bool
    members: tuple[MemberHistory, ...]
    """Members by member id."""

    def tenures(self) -> Tenures:
        tenures = Tenures()
        for member, since in self.members:
            had = {(TOPIC_ID, partition): epoch for partition, epoch in since}
            pending = [(TOPIC_ID, partition) for partition, _ in member.pending]
            tenures.assume(GROUP_ID, member.member_id, had, pending)
        return tenures

    def epochs(self) -> set[int]:
        """Return all epochs of the state but 0 and the special ones below it."""
        found = {self.group_epoch, self.target_epoch}
        for member, since in self.members:
            found |= {member.epoch, member.previous}
            found |= {epoch for epochs in (member.assigned, member.pending, since) for _, epoch in epochs}
        return {epoch for epoch in found if epoch > 0}

    def renumbered(self, number: Mapping[int, int]) -> "GroupState":
        def through(epochs: Epochs) -> Epochs:
            return tuple((partition, number.get(epoch, epoch)) for partition, epoch in epochs)

        members = tuple(
            MemberHistory(
                member._replace(
                    epoch=number.get(member.epoch, member.epoch),
                    previous=number.get(member.previous, member.previous),
                    assigned=through(member.assigned),
                    pending=through(member.pending),
                ),
                through(since),
            )
            for member, since in self.members
        )
        return self._replace(
            group_epoch=number[self.group_epoch], target_epoch=number[self.target_epoch], members=members
        )


def numbering(epochs: Iterable[int], distance_max: int) -> dict[int, int]:
    """Return the numbers of positive epochs, from 0 on."""
    number: dict[int, int] = {}
    last = at = 0
    for epoch in sorted(epochs):
        at += min(epoch - last, distance_max)
        number[epoch] = at
        last = epoch
    return number


# --- from a group -----------------------------------------------------------------------------------------------------


def state_of(group: ConsumerGroup, tenures: Tenures) -> GroupState:
    members = tuple(
        MemberHistory(_as_logged(group, group.members[member_id]), _since(group.members[member_id], tenures))
        for member_id in sorted(group.members)
    )
    return GroupState(
        group.group_epoch, group.target_epoch, group.metadata_hash, group.assignment_timestamp > 0, members
    )


def _as_logged(group: ConsumerGroup, member: Member) -> MemberAsLogged:
    return MemberAsLogged(
        member.member_id,
        member.instance_id,
        member.member_epoch,
        member.previous_member_epoch,
        member.state,
        _epochs(member.assigned),
        _epochs(member.pending_revocation),
        tuple(sorted(group.target_of(member.member_id).get(TOPIC_ID, ()))),
        member.member_id in group.revocation_deadlines,
    )


def _epochs(assigned: Assigned) -> Epochs:
    return tuple(sorted(assigned.get(TOPIC_ID, {}).items()))


def _since(member: Member, tenures: Tenures) -> Epochs:
    found = tenures.of(GROUP_ID, member.member_id)
    return tuple(sorted((partition, epoch) for (_, partition), epoch in found.items()))


# --- and back ---------------------------------------------------------------------------------------------------------


def log_of(state: GroupState) -> list[LogRecord]:
    """Return the log of a state, as a compaction would leave it."""
    records = [logged.group_epoch(GROUP_ID, state.group_epoch, state.metadata_hash)]
    members = [(_member(told), told.target) for told, _ in state.members]
    for member, target in members:
        records.append(logged.subscription(GROUP_ID, member))
        if target:
            records.append(logged.target(GROUP_ID, member.member_id, {TOPIC_ID: frozenset(target)}))
    if state.was_assigned:
        records.append(logged.target_epoch(GROUP_ID, state.target_epoch, ASSIGNED_AT_MS))
    records += [logged.current(GROUP_ID, member) for member, _ in members]
    return records


def _member(told: MemberAsLogged) -> Member:
    return Member(
        told.member_id,
        told.instance_id,
        rebalance_timeout_ms=REBALANCE_TIMEOUT_MS,
        subscribed_topic_names=(TOPIC,),
        member_epoch=told.epoch,
        previous_member_epoch=told.previous,
        state=told.state,
        assigned={TOPIC_ID: dict(told.assigned)} if told.assigned else {},
        pending_revocation={TOPIC_ID: dict(told.pending)} if told.pending else {},
    )


def replayed(new_shard: Callable[[], GroupsShard], log: Iterable[LogRecord]) -> GroupsShard:
    shard = new_shard()
    for record in log:
        shard.apply(record)
    return shard


def restored(new_shard: Callable[[], GroupsShard], state: GroupState, topics: Topics) -> GroupsShard:
    """Return a shard in this state, with its timers."""
    shard = replayed(new_shard, log_of(state))
    for member, _ in state.members:
        shard.apply(SessionExtended(GROUP_ID, member.member_id, TIMER_MS))
        if member.has_revocation_timer:
            shard.apply(RevocationTimerArmed(GROUP_ID, member.member_id, TIMER_MS))
    shard.apply(TopicsSeen(GROUP_ID, topics.version))
    return shard
