"""ConsumerGroupHeartbeat of a member that stays or comes (rule 3.4).

One request does it all: it proves life, says what the member wants and what it owns, and learns what it shall own. Its
steps follow one upon the other, each reading what the ones before have made of the group: the member as it describes
itself, the group's epoch, the target assignment, and how far this one member has come towards it. Nobody else moves.

A heartbeat that finds nothing to do, as nearly all do, costs a look at the seat and one ephemeral record.
"""

from collections.abc import Mapping
from dataclasses import replace

from tenure.coordinator.answers import NO_MEMBER_ID, Refused
from tenure.coordinator.groups.answers import HeartbeatAnswered
from tenure.coordinator.groups.causes import Cause, Why
from tenure.coordinator.groups.classic import logged as classic_logged
from tenure.coordinator.groups.classic.group import ClassicGroup
from tenure.coordinator.groups.classic.states import State
from tenure.coordinator.groups.commands import ConsumerHeartbeat
from tenure.coordinator.groups.consumer import logged
from tenure.coordinator.groups.consumer.assign import new_targets, preferred_assignor
from tenure.coordinator.groups.consumer.group import ConsumerGroup
from tenure.coordinator.groups.consumer.leave import leave
from tenure.coordinator.groups.consumer.member import JOINS, NO_TARGET, Member, MemberState, Target
from tenure.coordinator.groups.consumer.reconcile import Course, Owned, reconcile
from tenure.coordinator.groups.consumer.seat import Seat, seat_of
from tenure.coordinator.groups.consumer.subscribed import existing, metadata_hash
from tenure.coordinator.groups.consumer.validation import why_refused
from tenure.coordinator.groups.records import (
    EpochBumped,
    RevocationTimerArmed,
    SeatInherited,
    SessionExtended,
    TopicsSeen,
)
from tenure.coordinator.groups.state import Groups
from tenure.coordinator.shard import AskId, Now, Step
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import MemberId, TopicId, topic_id_text


def consumer_heartbeat(groups: Groups, ask: AskId, beat: ConsumerHeartbeat, now: Now) -> Step:
    refused = why_refused(beat, groups.settings)
    if refused is not None:
        return Step((), ((ask, refused),))
    if beat.member_epoch < JOINS:
        return leave(groups, ask, beat, now)
    group = groups.consumer.get(beat.group_id) or _made(groups, beat)
    if isinstance(group, Refused):
        return Step((), ((ask, group),))
    member_id = beat.member_id or MemberId(topic_id_text(TopicId(groups.random_bytes(16))))
    if len(group.members) >= groups.settings.group_consumer_max_size and member_id not in group.members:
        return Step((), ((ask, _full(groups.settings.group_consumer_max_size)),))
    owned = None if beat.owned is None else dict(beat.owned)
    seat = seat_of(group, beat, member_id, owned)
    if isinstance(seat, Refused):
        return Step((), ((ask, seat),))
    progress = _Progress(groups, group, seat, now)
    progress.describe(beat)
    progress.look_at_topics()
    progress.assign()
    error = progress.reconcile(owned)
    if error is not None:
        return Step((), ((ask, error),))
    return progress.step(ask, beat)


def _made(groups: Groups, beat: ConsumerHeartbeat) -> ConsumerGroup | Refused:
    """A group that is not there yet. What a classic group without members has committed stays (rule 3.9)."""
    classic = groups.classic.get(beat.group_id)
    if beat.member_epoch == JOINS and (classic is None or classic.state in (State.EMPTY, State.DEAD)):
        return ConsumerGroup(beat.group_id, groups.configs_of(beat.group_id))
    message = f"Consumer group {beat.group_id} not found."
    if classic is not None and classic.state not in (State.EMPTY, State.DEAD):
        message = (
            f"Group {beat.group_id} has members of the classic protocol and cannot be upgraded online by this version "
            "of the broker; stop them first."
        )
    return Refused(ErrorCode.GROUP_ID_NOT_FOUND, NO_MEMBER_ID, message)


def _full(size_max: int) -> Refused:
    message = f"The consumer group has reached its maximum capacity of {size_max} members."
    return Refused(ErrorCode.GROUP_MAX_SIZE_REACHED, NO_MEMBER_ID, message)


class _Progress:
    """What this heartbeat makes of the group, step by step. `records` say it; the group itself stays as it is."""

    __slots__ = (
        "_members",
        "assignment_epoch",
        "group",
        "group_epoch",
        "groups",
        "is_changed",
        "member",
        "now",
        "records",
        "seat",
        "target",
        "topics",
    )

    def __init__(self, groups: Groups, group: ConsumerGroup, seat: Seat, now: Now) -> None:
        self.groups = groups
        self.group = group
        self.seat = seat
        self.now = now
        self.topics = groups.topics()
        self.member = seat.member
        self.group_epoch = group.group_epoch
        self.assignment_epoch = group.assignment_epoch
        self.target: Target = group.target_of((seat.replaced or seat.member).member_id)
        self.is_changed = seat.is_new
        """Whether there is anything to reconcile."""
        self.records: list[object] = []
        self._members: dict[MemberId, Member] | None = None
        classic: ClassicGroup | None = groups.classic.get(group.group_id)
        if classic is not None:
            self.records.append(classic_logged.removed(group.group_id))
        if seat.replaced is not None:
            self._take_over(seat.replaced)

    def _take_over(self, old: Member) -> None:
        """First the member is what the old one was, under its own id; then it goes on from there."""
        group_id = self.group.group_id
        self.records.append(SeatInherited(group_id, old.member_id, self.member.member_id))
        self.records += logged.member_gone(group_id, old.member_id)
        self.records.append(logged.subscription(group_id, self.member))
        self.records.append(logged.target(group_id, self.member.member_id, self.target))
        self.records.append(logged.current(group_id, self.member))

    def describe(self, beat: ConsumerHeartbeat) -> None:
        """Step 2: what the member says of itself. What it leaves out stays."""
        before = self.member
        after = _described(before, beat)
        if after != before or (self.seat.is_new and self.seat.replaced is None):
            self.member = after
            self.records.append(logged.subscription(self.group.group_id, after))

    def look_at_topics(self) -> None:
        """Steps 2 and 3: whether the group has to be assigned anew."""
        group, version = self.group, self.topics.version
        wants_others = self.member.subscribed_topic_names != self.seat.member.subscribed_topic_names
        if not wants_others and version == group.topics_version:
            return
        found = metadata_hash(self.members.values(), self.topics)
        if wants_others or found != group.metadata_hash:
            self.group_epoch += 1
            self.records.append(EpochBumped(group.group_id, self._why(wants_others)))
            self.records.append(logged.group_epoch(group.group_id, self.group_epoch, found))
        self.records.append(TopicsSeen(group.group_id, version))
        self.is_changed = True

    def _why(self, wants_others: bool) -> Why:
        if not wants_others:
            return Why(Cause.TOPICS_CHANGED)
        is_new = self.seat.is_new and self.seat.replaced is None
        return Why(Cause.JOINED if is_new else Cause.SUBSCRIBED, self.member.member_id)

    @property
    def members(self) -> Mapping[MemberId, Member]:
        """As they are with this heartbeat."""
        if self._members is None:
            self._members = dict(self.group.members)
            if self.seat.replaced is not None:
                del self._members[self.seat.replaced.member_id]
            self._members[self.member.member_id] = self.member
        return self._members

    def assign(self) -> None:
        """Step 4: not more often than the group's configs allow (KIP-1263); no timer waits for it to be allowed."""
        group, wall_ms = self.group, self.now.wall_ms
        age_ms = wall_ms - group.assignment_timestamp
        waits = group.assignment_timestamp and age_ms < group.configs.consumer_assignment_interval_ms
        if self.group_epoch <= group.assignment_epoch or waits:
            return
        before = dict(group.targets)
        if self.seat.replaced is not None:
            before.pop(self.seat.replaced.member_id, None)
            before[self.member.member_id] = self.target
        assignor = preferred_assignor(self.members.values(), self.groups.settings.group_consumer_assignors[0])
        for member_id, target in new_targets(assignor, self.members, before, self.topics).items():
            if before.get(member_id) != target:
                self.records.append(logged.target(group.group_id, member_id, target))
            if member_id == self.member.member_id:
                self.target = target
        self.assignment_epoch = self.group_epoch
        self.records.append(logged.target_epoch(group.group_id, self.assignment_epoch, wall_ms))

    def reconcile(self, owned: Owned | None) -> Refused | None:
        """Step 5: how far this member comes towards the target."""
        member, group = self.member, self.group
        is_there = member.state is MemberState.STABLE and member.member_epoch == self.assignment_epoch
        if is_there and not self.is_changed:
            return None
        subscribed = {topic.topic_id for topic in existing(member.subscribed_topic_names, self.topics)}
        course = Course(self.assignment_epoch, self.target or NO_TARGET, subscribed, owned, group.partition_epochs)
        after = reconcile(member, course)
        if isinstance(after, ErrorCode):
            return Refused(after, NO_MEMBER_ID, f"Member {member.member_id} must give up everything and join again.")
        self.member = after
        if after is not member or self.seat.is_new:
            self._moved(after)
        return None

    def _moved(self, member: Member) -> None:
        group_id = self.group.group_id
        self.records.append(logged.current(group_id, member))
        if member.state is MemberState.UNREVOKED_PARTITIONS:
            deadline_ms = self.now.tick_ms + member.rebalance_timeout_ms
            self.records.append(RevocationTimerArmed(group_id, member.member_id, deadline_ms))

    def step(self, ask: AskId, beat: ConsumerHeartbeat) -> Step:
        """Steps 6 and 7."""
        member, configs = self.member, self.group.configs
        deadline_ms = self.now.tick_ms + configs.consumer_session_timeout_ms
        self.records.append(SessionExtended(self.group.group_id, member.member_id, deadline_ms))
        tells = beat.member_epoch == JOINS or _is_full(beat) or member.assigned != self.seat.member.assigned
        answer = HeartbeatAnswered(
            member.member_id,
            member.member_epoch,
            configs.consumer_heartbeat_interval_ms,
            member.assigned if tells else None,
        )
        return Step(self.records, ((ask, answer),))


def _described(member: Member, beat: ConsumerHeartbeat) -> Member:
    names, regex, timeout_ms = beat.subscribed_topic_names, beat.subscribed_topic_regex, beat.rebalance_timeout_ms
    if (
        beat.instance_id == member.instance_id
        and beat.client_id == member.client_id
        and beat.client_host == member.client_host
        and names is regex is beat.rack_id is beat.server_assignor is None
        and timeout_ms == -1
        and member.classic is None
    ):
        return member
    return replace(
        member,
        instance_id=member.instance_id if beat.instance_id is None else beat.instance_id,
        rack_id=member.rack_id if beat.rack_id is None else beat.rack_id,
        client_id=beat.client_id,
        client_host=beat.client_host,
        rebalance_timeout_ms=member.rebalance_timeout_ms if timeout_ms == -1 else timeout_ms,
        subscribed_topic_names=member.subscribed_topic_names if names is None else tuple(sorted(set(names))),
        subscribed_topic_regex=member.subscribed_topic_regex if regex is None else regex,
        server_assignor=member.server_assignor if beat.server_assignor is None else beat.server_assignor,
        classic=None,
    )


def _is_full(beat: ConsumerHeartbeat) -> bool:
    """A member that says everything, as after a lost connection, is told everything."""
    subscribes = beat.subscribed_topic_names is not None or beat.subscribed_topic_regex is not None
    return beat.rebalance_timeout_ms != -1 and subscribes and beat.owned is not None
