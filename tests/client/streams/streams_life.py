"""Life of a streams group with random faults: real members and the real coordinator, in virtual time.

Invariants, checked under their names, hold all the time. Members and coordinators with a broken rule show that each
violation is found.
"""

from collections import Counter
from typing import Any, Final

from tenure.client.streams.streams_membership import StreamsMembership
from tenure.client.streams.streams_requests import OwnedTask, ReportedFields
from tenure.client.values import Identity, TopicPartition
from tenure.coordinator.groups import commands
from tenure.coordinator.groups.answers import Committed
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import TopicName
from tests.client.group.faulty_life import FaultyLife
from tests.client.group.group_of_members import GROUP, TOPIC, TOPIC_ID, GroupOfMembers, Member
from tests.coordinator import streams_broken_rules
from tests.simulation.broken import Broken

FAULTS: Final = 20
SETTLES_MS: Final = 400_000


class StreamsLife(FaultyLife):
    def __init__(self, group: GroupOfMembers) -> None:
        self._highest_epoch = 0
        super().__init__(group)

    def run(self) -> None:
        """Let faults happen, and check the invariants meanwhile. At the end each task has one member."""
        for _ in range(FAULTS):
            self.cause_fault(self.check_and_commit)
        for member in self.group.members:
            member.acknowledges = True
        try:
            self.end(within_ms=SETTLES_MS)
        except AssertionError as failure:
            raise Broken("AllTasksAssigned", failure) from failure

    def check_and_commit(self) -> None:
        alive = [member for member in self.group.members if not member.gone]
        check_copies(alive)
        self._check_group()
        for member in alive:
            commit_soon(self.group, member, self.happened)

    def check_owners(self) -> None:
        owners = self.group.owners()
        if any(len(found) > 1 for found in owners.values()):
            raise Broken("OneActiveTask", (self, owners))

    def _check_group(self) -> None:
        if self.group.streams_heartbeats.missing_again:
            raise Broken("InternalTopicsCreatedOnce", (self, self.group.streams_heartbeats.missing_again))
        found = self.group.coordinator.shard.streams_group(GROUP)
        if found is None:
            return
        if found.group_epoch < self._highest_epoch:
            raise Broken("EpochsMonotonic", f"{self}: {self._highest_epoch} became {found.group_epoch}")
        self._highest_epoch = found.group_epoch


def check_copies(members: list[Member]) -> None:
    """Check that no member, each with a process id of its own, has an active task and a copy of it."""
    for member in members:
        assert isinstance(member.membership, StreamsMembership)
        active, standby, warmup = map(set, member.membership.tasks)
        if len(active | standby | warmup) < sum(map(len, (active, standby, warmup))):
            raise Broken("OneCopyPerProcess", (member.name, member.membership.tasks))


# --- commits ----------------------------------------------------------------------------------------------------------


def refusal(group: GroupOfMembers, identity: Identity, partition: TopicPartition) -> ErrorCode | None:
    """Return the coordinator's error for a commit; None if it is accepted."""
    offset: Any = commands.OffsetToCommit(TopicName(TOPIC), TOPIC_ID, partition.partition, 1)  # type: ignore[arg-type]
    member_id, _, epoch = identity
    ask = group.coordinator.ask(commands.CommitOffsets(GROUP, member_id, None, epoch, [offset]))  # type: ignore[arg-type]
    replies = group.coordinator.take()[1]
    (answer,) = [answer for asked, answer in replies if asked == ask]
    group.coordinator.replies += [reply for reply in replies if reply[0] != ask]
    group._deliver_replies()
    return None if isinstance(answer, Committed) else answer.error_code


def commit_soon(group: GroupOfMembers, member: Member, happened: Counter[str]) -> None:
    """Commit later under the member's present identity.

    The commit must be accepted if the member still has the task when it arrives, and has had it all the time.
    """
    membership = member.membership
    if not membership.may_commit or not membership.partitions:
        return
    partition = group.random.choice(membership.partitions)
    identity, since = membership.identity, membership.assignment_epochs[partition]

    def arrive() -> None:
        kept = (
            not member.gone
            and membership.identity.member_id == identity.member_id
            and membership.assignment_epochs.get(partition) == since
        )
        refused = refusal(group, identity, partition)
        happened["commit refused" if refused else "commit accepted"] += 1
        found = group.coordinator.shard.streams_group(GROUP)
        known = None if found is None else found.members.get(identity.member_id)
        if kept and known is not None and known.member_epoch > 0 and refused is not None:
            raise Broken("NoFalseFence", (identity, partition, known))

    group._at(group._delay_ms() * group.random.choice([1, 1, 20]), arrive)


# --- broken rules -----------------------------------------------------------------------------------------------------


class ReleasesTasksBeforeTheAcknowledgement(StreamsMembership):
    """Broken rule: tasks that are being revoked are reported as given up."""

    BREAKS = "OneActiveTask"

    def _current_fields(self) -> ReportedFields:
        fields = super()._current_fields()
        return fields._replace(owned=tuple(of for of in fields.owned if of not in self._owns._revoking))


class KeepsCopiesOfItsActiveTasks(StreamsMembership):
    """Broken rule: a standby task that becomes active stays a standby task, too."""

    BREAKS = "OneCopyPerProcess"

    def _copies_with_another_role(self, wanted: Any) -> frozenset[OwnedTask]:
        copies = super()._copies_with_another_role(wanted)
        self._kept = copies
        return copies

    @property
    def tasks(self) -> Any:
        found = super().tasks
        kept = tuple(task for role, task in getattr(self, "_kept", ()) if task in found.active)
        return found._replace(standby=tuple(sorted({*found.standby, *kept})))


MEMBERS: Final[list[Any]] = [
    ReleasesTasksBeforeTheAcknowledgement,
    KeepsCopiesOfItsActiveTasks,
]
SHARDS: Final[list[Any]] = [
    streams_broken_rules.GivesTasksThatOthersStillHave,
    streams_broken_rules.TreatsUnreportedAsNotOwned,
    streams_broken_rules.CountsBackwards,
    streams_broken_rules.LeavesOutATask,
    streams_broken_rules.KeepsCopiesBesideTheirTasks,
    streams_broken_rules.CountsExistingTopicsAsMissing,
    streams_broken_rules.AcceptsThePresentEpochOnly,
]
