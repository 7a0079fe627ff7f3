"""Changes that one request of a member makes to its consumer group (rule 3.4).

The request is a heartbeat, or the join of a classic member. The steps are: the member's description of itself, the
group epoch, the target assignment, and the progress of this member towards the target. Each step depends on the results
of the previous ones. No other member changes.
"""

from collections.abc import Callable, Mapping
from typing import Final

from tenure.coordinator.answers import NO_MEMBER_ID, Refused
from tenure.coordinator.groups.causes import Cause, Why
from tenure.coordinator.groups.consumer import logged
from tenure.coordinator.groups.consumer.assign import (
    assignment,
    copy_for_thread,
    is_large,
    new_target,
    preferred_assignor,
    why_failed,
)
from tenure.coordinator.groups.consumer.group import ConsumerGroup
from tenure.coordinator.groups.consumer.member import Member, MemberState
from tenure.coordinator.groups.consumer.reconcile import Owned, Reconciliation, reconcile, with_present_epochs
from tenure.coordinator.groups.consumer.regexes import abandoned, resolution_due, subscribers_with
from tenure.coordinator.groups.consumer.seat import Seat
from tenure.coordinator.groups.consumer.subscribed import existing, metadata_hash, names_of
from tenure.coordinator.groups.effects import Assign, assign
from tenure.coordinator.groups.offsets.fencing import KAFKA
from tenure.coordinator.groups.records import (
    AssignmentAwaited,
    EpochBumped,
    ResolutionAwaited,
    RevocationTimerArmed,
    SeatInherited,
    TopicsSeen,
)
from tenure.coordinator.groups.state import Groups
from tenure.coordinator.shard import AskId, CoordinatorResult, Now
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import MemberId, TopicName

UNKNOWN_STATE: Final = (
    "The consumer group member is in a unknown state. The member must abandon all its partitions and rejoin."
)
"""Kafka's error message for a member in an unknown state, with Kafka's spelling."""


class MemberProgress:
    """Changes that one request of a member makes to its group, computed step by step.

    The changes are in `records`; the group itself does not change yet.
    """

    __slots__ = (
        "_members",
        "effects",
        "failure",
        "group",
        "group_epoch",
        "groups",
        "is_due",
        "may_describe",
        "member",
        "now",
        "records",
        "seat",
        "subscription_changed",
        "target",
        "target_epoch",
        "topics",
    )

    def __init__(self, groups: Groups, group: ConsumerGroup, seat: Seat, now: Now, records: list[object]) -> None:
        """Begin with the member of `seat`. If the group is new, `records` are those that create it."""
        self.groups = groups
        self.group = group
        self.seat = seat
        self.now = now
        self.topics = groups.topics()
        self.may_describe: Callable[[TopicName], bool] | None = None
        """Filter for topics that regular expressions may match; None permits all topics."""
        self.member = seat.member
        self.group_epoch = group.group_epoch
        self.target_epoch = group.target_epoch
        self.target = group.target_of((seat.replaced or seat.member).member_id)
        self.is_due = False
        """True if the group has to be assigned again for a reason other than the member's subscription."""
        self.subscription_changed = False
        """True if the member's subscription has changed."""
        self.records = records
        self.effects: list[object] = []
        self.failure = ""
        """Error of the assignor; empty if the assignor has not failed."""
        self._members: dict[MemberId, Member] | None = None
        if seat.replaced is not None:
            self._take_over(seat.replaced)

    def _take_over(self, old: Member) -> None:
        """Give the new member id the state of the member that it replaces."""
        group_id = self.group.group_id
        self.records.append(SeatInherited(group_id, old.member_id, self.member.member_id))
        self.records += logged.member_gone(group_id, old.member_id)
        self.records.append(logged.subscription(group_id, self.member))
        self.records.append(logged.target(group_id, self.member.member_id, self.target))
        self.records.append(logged.current(group_id, self.member))

    def describe(self, after: Member) -> None:
        """Replace the member by `after`, which has the fields of the request (rule 3.4, step 2)."""
        if after != self.member or self.is_newcomer:
            self.member = after
            self.records.append(logged.subscription(self.group.group_id, after))

    def update_regexes(self) -> None:
        """Register an added or removed regular expression (rule 3.4, step 2).

        If a resolution of the group's regular expressions is due, request it (rule 3.8).
        """
        group, before, after = self.group, self.seat.member, self.member
        if not (group.regex_subscribers or after.subscribed_topic_regex):
            return
        old, new = before.subscribed_topic_regex, after.subscribed_topic_regex
        if new != old:
            self.subscription_changed = True
            self.records += abandoned(group, old)
        subscribers = subscribers_with(group, "" if self.is_newcomer else old, new)
        effect = resolution_due(self.groups, group, subscribers, self.topics, self.now, self.may_describe)
        if effect is not None:
            self.records.append(ResolutionAwaited(group.group_id, effect))
            self.effects.append(effect)

    @property
    def is_newcomer(self) -> bool:
        """True if the member was not in the group before, under any member id."""
        return self.seat.is_new and self.seat.replaced is None

    def update_group_epoch(self) -> None:
        """Raise the group epoch if the group has to be assigned again (rule 3.4, steps 2 and 3)."""
        group, version = self.group, self.topics.version
        subscription_changed = self.member.subscribed_topic_names != self.seat.member.subscribed_topic_names
        self.subscription_changed = self.subscription_changed or subscription_changed
        old, new = self.seat.member.subscribed_topic_regex, self.member.subscribed_topic_regex
        subscription_changed = (
            subscription_changed or self.is_newcomer or (new != old and (not new or new in group.regexes))
        )
        is_due = self.is_due or self._votes_differently
        if not subscription_changed and not is_due and version == group.topics_version:
            return
        found = known_hash(self) or metadata_hash(self.members.values(), self.topics, group.regexes)
        if subscription_changed or is_due or found != group.metadata_hash:
            self.group_epoch += 1
            self.records.append(EpochBumped(group.group_id, self._why(subscription_changed)))
            self.records.append(logged.group_epoch(group.group_id, self.group_epoch, found))
        self.records.append(TopicsSeen(group.group_id, version))

    @property
    def _votes_differently(self) -> bool:
        """True if the member's changed preference makes the group use another assignor."""
        if self.member.server_assignor == self.seat.member.server_assignor:
            return False
        settings = self.groups.settings
        before, after = self.group.members.values(), self.members.values()
        return preferred_assignor(before, settings) != preferred_assignor(after, settings)

    def _why(self, subscription_changed: bool) -> Why:
        if not subscription_changed:
            return Why(self._why_due())
        return Why(Cause.JOINED if self.is_newcomer else Cause.SUBSCRIBED, self.member.member_id)

    def _why_due(self) -> Cause:
        if self.is_due:
            return Cause.UPGRADED
        return Cause.VOTED if self._votes_differently else Cause.TOPICS_CHANGED

    @property
    def members(self) -> Mapping[MemberId, Member]:
        """Members of the group after this request, by member id."""
        if self._members is None:
            self._members = dict(self.group.members)
            if self.seat.replaced is not None:
                del self._members[self.seat.replaced.member_id]
            self._members[self.member.member_id] = self.member
        return self._members

    def assign(self) -> None:
        """Compute a new target if the group epoch is greater than that of the target (rule 3.4, step 4).

        If less than the assignment interval has passed since the last target (KIP-1263), a later heartbeat computes the
        new one. No timer is set.
        """
        group, wall_ms = self.group, self.now.wall_ms
        age_ms = wall_ms - group.assignment_timestamp
        waits = group.assignment_timestamp and age_ms < group.configs.consumer_assignment_interval_ms
        if self.group_epoch <= group.target_epoch or waits:
            return
        if group.assigning is not None:
            self._fail(group.assignment_failure)
            return
        effect = self._assignment()
        if group.configs.consumer_assignor_offload_enable and is_large(self.members, group.regexes, self.topics):
            self._assign_on_thread(copy_for_thread(effect))
            return
        found = assign(effect)
        if found.failure:
            self._fail(why_failed(self.group_epoch, found.failure))
            return
        self.records += new_target(group.group_id, self.group_epoch, found, wall_ms)
        self.target = found.targets.get(self.member.member_id, self.target)
        self.target_epoch = self.group_epoch

    def _assignment(self) -> Assign:
        targets = dict(self.group.targets)
        changed_members = [self.member.member_id]
        if self.seat.replaced is not None:
            targets.pop(self.seat.replaced.member_id, None)
            targets[self.member.member_id] = self.target
            changed_members.append(self.seat.replaced.member_id)
        return assignment(self.groups, self.group, self.group_epoch, self.members, targets, changed_members)

    def _assign_on_thread(self, effect: Assign) -> None:
        """Request the new target by an effect, which runs on a thread.

        If the last assignment has failed, refuse this request with the error of that assignment. The effect is
        requested nevertheless, so that the assignor is tried again.
        """
        self._fail(self.group.assignment_failure)
        self.records.append(AssignmentAwaited(self.group.group_id, effect))
        self.effects.append(effect)

    @property
    def waits_for_work(self) -> bool:
        """True if an effect is in progress whose result may lead to a new target."""
        return bool(self.effects) or self.group.resolving is not None or self.group.assigning is not None

    def _fail(self, failure: str) -> None:
        """Set the failure, and drop all records and effects; do nothing if `failure` is empty."""
        if failure:
            self.failure = failure
            self.records, self.effects = [], []

    def refused(self, ask: AskId, refused: Refused) -> CoordinatorResult:
        if not self.failure:
            return CoordinatorResult((), ((ask, refused),))
        return CoordinatorResult(self.records, ((ask, refused),), self.effects)

    def reconcile(self, owned: Owned | None) -> Refused | None:
        """Move the member towards the target (rule 3.4, step 5). Return a refusal if that is not possible."""
        if self.failure:
            return Refused(ErrorCode.UNKNOWN_SERVER_ERROR, NO_MEMBER_ID, self.failure)
        member, group = self.member, self.group
        is_there = member.state is MemberState.STABLE and member.member_epoch == self.target_epoch
        if is_there and not self.subscription_changed:
            return None
        subscribed = {topic.topic_id for topic in existing(names_of(member, group.regexes), self.topics)}
        reconciliation = Reconciliation(
            self.target_epoch, self.target, subscribed, owned, group.partition_epochs, self.subscription_changed
        )
        after = reconcile(member, reconciliation)
        if isinstance(after, ErrorCode):
            return Refused(after, NO_MEMBER_ID, UNKNOWN_STATE)
        if self.seat.replaced is not None and group.configs.group_commit_fencing != KAFKA:
            after = with_present_epochs(after)
        self.member = after
        if after is not member or self.seat.is_new:
            self._moved(after)
        return None

    def _moved(self, member: Member) -> None:
        group_id = self.group.group_id
        self.records.append(logged.current(group_id, member))
        if member.state is MemberState.UNREVOKED_PARTITIONS and member.classic is None:
            deadline_ms = self.now.tick_ms + member.rebalance_timeout_ms
            self.records.append(RevocationTimerArmed(group_id, member.member_id, deadline_ms))


def known_hash(progress: MemberProgress) -> int | None:
    """Return the group's hash of its topics if a joining member does not change it; None if it must be computed.

    The hash stays the same if the topics have not changed and the member subscribes only to topics to which other
    members subscribe. Then the join does not scan all members.
    """
    group, member = progress.group, progress.member
    if (
        progress.is_newcomer
        and progress.topics.version == group.topics_version
        and not member.subscribed_topic_regex
        and all(name in group.subscribers for name in member.subscribed_topic_names)
    ):
        return group.metadata_hash
    return None
