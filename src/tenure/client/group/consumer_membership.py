"""State machine of a consumer group member, without I/O and clock (KIP-848; rule 3.13).

ConsumerGroupHeartbeat is the only request of the protocol. It reports subscription and owned partitions; the response
carries member id, epoch and target assignment. One request is in flight at a time, and changes are sent immediately.

    JOINING -> STABLE -> RECONCILING -> ACKNOWLEDGING -> STABLE ...

Partitions that are not in the target assignment are revoked first. Once the user has acknowledged the revocation, the
next heartbeat no longer reports them, which frees them for other members (rule 3.6). Commits wait from then until the
response, because the response changes the epoch and a fence by member epoch would reject the old one (rule 4.7).

A member id is used for one membership only. The member leaves with its old id before it draws a new one, so that no
partition waits for an abandoned membership. The response also tells a static member whether it was fenced.
"""

from collections import deque
from collections.abc import Callable, Mapping
from enum import Enum, auto
from typing import Final

from tenure.client.group import consumer_requests
from tenure.client.group.consumer_requests import JOINS, LEAVES, LEAVES_FOR_NOW, HeartbeatFields
from tenure.client.group.error_reactions import CONSUMER_HEARTBEAT, OFFSET_COMMIT, CommitVerdict, MemberReaction
from tenure.client.group.instance_takeover import InstanceTakeover, JoinAgain, Refuse, Release
from tenure.client.group.membership import NO_GENERATION, Membership
from tenure.client.group.membership_outputs import (
    FatalError,
    FindCoordinator,
    QueryTopicNames,
    Request,
    Response,
    SendRequest,
    TransientError,
)
from tenure.client.group.membership_settings import MembershipSettings
from tenure.client.group.ownership import RebalanceProtocol
from tenure.client.values import Assigned, Identity, Lost, Revoked, TopicPartition
from tenure.limits.client import DRAWN_MEMBER_IDS, MEMBERSHIP_RETRY_BACKOFF_MS, TOPIC_NAMES_BACKOFF_MS
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    ConsumerGroupDescribeResponse,
    ConsumerGroupHeartbeatResponse,
)
from tenure.protocol.types import GenerationId, MemberId, PartitionId, TopicId


class ConsumerState(Enum):
    JOINING = auto()
    """No membership: it joins, or the old member id has to leave first."""
    STABLE = auto()
    RECONCILING = auto()
    """A revocation waits for the user's acknowledgement."""
    ACKNOWLEDGING = auto()
    """Owned partitions or subscription changed, and the coordinator has not answered a heartbeat with them."""
    ENDED = auto()


class ConsumerMembership(Membership):
    """Membership of the consumer protocol."""

    def __init__(self, settings: MembershipSettings, draw_member_id: Callable[[], str]) -> None:
        super().__init__(settings, RebalanceProtocol.COOPERATIVE)
        self.pattern = settings.topic_pattern or ""
        self._draw: Final = draw_member_id
        self._drawn: Final[deque[MemberId]] = deque(maxlen=DRAWN_MEMBER_IDS)
        self._is_ended = False
        self._was_seated = False
        """True if it has ever joined: from then on another owner of the instance id has taken it over."""
        self._seizing: Final = InstanceTakeover(settings)
        self._asked: SendRequest | None = None
        """The request in flight."""
        self._telling: HeartbeatFields | None = None
        """Fields that this request reports."""
        self._told: HeartbeatFields | None = None
        """Fields that the coordinator has received; None if that is unknown."""
        self._release: Release | None = None
        self._seeks_holder = False
        self._heartbeat_interval_ms = settings.heartbeat_interval_ms
        """Interval of the last response."""
        self._heartbeat_due_ms = 0
        self._target: dict[TopicId, list[PartitionId]] | None = None
        """Target assignment; None once it is owned."""
        self._assigned_epoch = NO_GENERATION
        """Epoch of the last `Assigned` event; -1 if the next response has to raise one."""
        self._names: Final[dict[TopicId, str]] = {}
        self._topic_ids: Mapping[str, TopicId] = {}
        """Id under which a topic's partitions were owned last: a new topic may reuse the name. Never mutated."""
        self._naming: QueryTopicNames | None = None
        self._naming_due_ms = 0
        self._since: Final[dict[TopicPartition, int]] = {}
        self._is_acknowledging = False
        """Invariant: True from the end of a revocation until the coordinator has answered a heartbeat without it."""

    # --- state --------------------------------------------------------------------------------------------------------

    @property
    def state(self) -> ConsumerState:
        if self._is_ended:
            return ConsumerState.ENDED
        if not self._has_seat():
            return ConsumerState.JOINING
        if self.is_holding:
            return ConsumerState.RECONCILING
        return ConsumerState.ACKNOWLEDGING if self._has_news() else ConsumerState.STABLE

    @property
    def assignment_epochs(self) -> Mapping[TopicPartition, int]:
        """Epoch in which each partition was assigned: never older than the coordinator's (rule 4.6)."""
        return {partition: self._since[partition] for partition in self.partitions}

    @property
    def may_commit(self) -> bool:
        return self._has_seat() and not self._is_acknowledging

    @property
    def topic_ids(self) -> Mapping[str, TopicId]:
        return self._topic_ids

    def _has_seat(self) -> bool:
        return self.generation_id > JOINS

    def _tells(self) -> HeartbeatFields:
        return HeartbeatFields(self.topics, self.pattern, self.partitions, self._topic_ids)

    def _has_news(self) -> bool:
        return self._told != self._tells()

    def next_deadline_ms(self) -> int | None:
        if self._is_ended:
            return None
        deadlines = [] if self._waits_for_poll else [self._poll_deadline_ms]
        if self._ownership.hold_until_ms is not None:
            deadlines.append(self._ownership.hold_until_ms)
        if self._may_ask():
            deadlines.append(self._due_ms())
        if self._target is not None and self._naming is None and not self.is_holding:
            deadlines.append(self._naming_due_ms)  # the names of some topics are unknown
        return min(deadlines, default=None)

    # --- inputs -------------------------------------------------------------------------------------------------------

    def found_coordinator(self, now_ms: int) -> None:
        self.coordinator_known = True
        self._advance(now_ms)

    def unanswered(self, ask: SendRequest, now_ms: int) -> None:
        if ask is self._asked:
            self._backoff_until_ms = now_ms + MEMBERSHIP_RETRY_BACKOFF_MS
            self._become_without_coordinator()
            self._advance(now_ms)

    def answered(self, ask: SendRequest, response: Response, now_ms: int) -> None:
        if ask is not self._asked:
            return
        self._asked = None
        if isinstance(response, ConsumerGroupDescribeResponse):
            self._holder_found(response, now_ms)
        elif isinstance(response, ConsumerGroupHeartbeatResponse):
            if self._release is not None:
                self._released(self._release, ErrorCode(response.error_code), now_ms)
            else:
                self._heartbeat_answered(ask, response, now_ms)
        self._advance(now_ms)

    def named_topics(self, question: QueryTopicNames, names: Mapping[TopicId, str], now_ms: int) -> None:
        self._names.update(names)
        if question is self._naming:
            self._naming = None
            self._naming_due_ms = now_ms + TOPIC_NAMES_BACKOFF_MS
            self._advance(now_ms)

    def resubscribe(self, topics: tuple[str, ...], now_ms: int, pattern: str | None = None) -> None:
        if not self._is_ended:
            self.topics, self.pattern = topics, pattern or ""
            self._advance(now_ms)

    def rejoin_as_new_member(self, now_ms: int) -> None:
        """Leave with the old id, which fences it; the response tells a static member whether it was fenced itself."""
        if not self._is_ended:
            self._end_membership(sends_leave=True)
            self._advance(now_ms)

    def close(self, leave: bool | None = None) -> Request | None:
        """Leave: a dynamic member permanently, a static one temporarily, unless `leave` overrides it (KIP-1092)."""
        member_id = self.member_id
        if self._release is not None and self._release.member_id in self._drawn:
            member_id = self._release.member_id
        self._become_ended()
        stays = leave is False and self.settings.group_instance_id is None
        if stays or not member_id:
            return None
        return consumer_requests.leave(self.settings, member_id, LEAVES if leave else self._leaving_epoch())

    def commit_refused(self, error_code: ErrorCode, identity: Identity, now_ms: int) -> CommitVerdict:
        verdict = OFFSET_COMMIT.get(error_code, CommitVerdict.REFUSED)
        is_current = identity.member_id == self.member_id and self._has_seat()
        match verdict:
            case CommitVerdict.RESET_IDENTITY if is_current and self.settings.group_instance_id is None:
                self._end_membership(sends_leave=False)
            # A commit cannot tell whether a static member was fenced or removed; the next heartbeat tells it.
            case CommitVerdict.RESET_IDENTITY | CommitVerdict.RESET_GENERATION:
                verdict = CommitVerdict.STALE_EPOCH
            case CommitVerdict.FENCED if is_current:
                self._become_refused(ErrorCode.FENCED_INSTANCE_ID)
        if verdict is CommitVerdict.STALE_EPOCH and identity == self.identity:
            self._heartbeat_due_ms = now_ms  # the response contains the coordinator's epoch
        self._advance(now_ms)
        return verdict

    # --- decisions ----------------------------------------------------------------------------------------------------

    def _advance(self, now_ms: int) -> None:
        if self._is_ended:
            return
        if not self._waits_for_poll and now_ms >= self._poll_deadline_ms:
            self._end_membership(sends_leave=True)  # other members take over the partitions (max.poll.interval.ms)
            self._waits_for_poll = True
        if self._ownership.hold_until_ms is not None and now_ms >= self._ownership.hold_until_ms:
            self._end_hold()
        if self._target is not None:
            self._take_target(now_ms)
        if self._may_ask() and now_ms >= self._due_ms():
            self._asked = self._ask(self._next_request(now_ms), now_ms, self.settings.request_timeout_ms)

    def _may_ask(self) -> bool:
        wants = self._release is not None or not self._waits_for_poll
        return wants and self.coordinator_known and self._asked is None

    def _due_ms(self) -> int:
        """Return when the next request is due."""
        if self._release is None and self._has_seat() and not self._has_news():
            return max(self._heartbeat_due_ms, self._backoff_until_ms)
        return self._backoff_until_ms

    def _next_request(self, now_ms: int) -> Request:
        if self._release is not None:
            return consumer_requests.leave(self.settings, self._release.member_id, self._leaving_epoch())
        if self._seeks_holder:
            return consumer_requests.describe(self.settings)
        if not self._has_seat() and not self.member_id:
            self.member_id = MemberId(self._draw())
            self._drawn.append(self.member_id)
        epoch = self.generation_id if self._has_seat() else JOINS
        self._heartbeat_due_ms = now_ms + self._heartbeat_interval_ms
        self._telling = self._tells()
        return consumer_requests.heartbeat(self.settings, self.member_id, epoch, self._telling, self._told)

    def _leaving_epoch(self) -> int:
        return LEAVES if self.settings.group_instance_id is None else LEAVES_FOR_NOW

    # --- responses ----------------------------------------------------------------------------------------------------

    def _heartbeat_answered(self, ask: SendRequest, response: ConsumerGroupHeartbeatResponse, now_ms: int) -> None:
        error_code = ErrorCode(response.error_code)
        if error_code is not ErrorCode.NONE:
            self._told = None
            self._react(error_code, response.error_message or "", now_ms)
            return
        self._told = self._telling
        self._was_seated = True
        self.generation_id = GenerationId(response.member_epoch)
        self._heartbeat_interval_ms = response.heartbeat_interval_ms or self._heartbeat_interval_ms
        self._heartbeat_due_ms = ask.sent_ms + self._heartbeat_interval_ms
        if self._told is not None and self._told.owned == self.partitions:
            self._is_acknowledging = False
        if response.assignment is not None:
            self._target = {of.topic_id: of.partitions for of in response.assignment.topic_partitions}
            self._naming, self._naming_due_ms = None, now_ms
        if self._target is None and not self.is_holding:
            self._tell_assigned(())

    def _take_target(self, now_ms: int) -> None:
        """Revoke first; assign new partitions after the user has acknowledged the revocation (rule 3.13.2)."""
        if self._target is None or self.is_holding or self._naming is not None:
            return
        unnamed = frozenset(self._target.keys() - self._names.keys())
        if unnamed and now_ms >= self._naming_due_ms:
            self._naming = QueryTopicNames(unnamed)
            self._outputs.append(self._naming)
            return
        self._own(self._target, {name: of for of, name in self._names.items() if of in self._target}, now_ms)
        if not unnamed and not self.is_holding:
            self._target = None

    def _own(self, target: Mapping[TopicId, list[PartitionId]], topic_ids: Mapping[str, TopicId], now_ms: int) -> None:
        """Own the part of the target whose topic names are known. A recreated topic has a new id under its old name."""
        wanted = sorted(TopicPartition(name, at) for name, of in topic_ids.items() for at in target[of])
        had = frozenset(self.partitions)
        kept = tuple(at for at in wanted if at in had and self._topic_ids[at.topic] == topic_ids[at.topic])
        if len(kept) < len(had):
            self._outputs.append(Revoked(self._ownership.assign(kept, now_ms).revoked))
            return
        added = self._ownership.assign(tuple(wanted), now_ms).added
        if added:
            self._topic_ids = {**self._topic_ids, **topic_ids}
        self._since.update(dict.fromkeys(added, self.generation_id))
        self._tell_assigned(added)

    def _tell_assigned(self, added: tuple[TopicPartition, ...]) -> None:
        """Emit `Assigned` if partitions are new, or if the rebalance of a new epoch is complete."""
        is_over = self._assigned_epoch != self.generation_id and not self._is_acknowledging
        if added or is_over:
            self._assigned_epoch = self.generation_id
            self._outputs.append(Assigned(self.identity, self.partitions, added))

    def _react(self, error_code: ErrorCode, reason: str, now_ms: int) -> None:
        reaction = CONSUMER_HEARTBEAT.get(error_code, MemberReaction.FATAL)
        if error_code is ErrorCode.GROUP_ID_NOT_FOUND and not self._has_seat():
            reaction = MemberReaction.FATAL  # the group exists, with another type (rule 3.4, step 0)
        if reaction is not MemberReaction.FIND_HOLDER:
            self._backoff_until_ms = now_ms + MEMBERSHIP_RETRY_BACKOFF_MS
        match reaction:
            case MemberReaction.REDISCOVER:
                self._become_without_coordinator()
            case MemberReaction.RESET_IDENTITY:
                self._end_membership(sends_leave=False)
            case MemberReaction.REJOIN_ANEW:
                self._end_membership(sends_leave=True)
            case MemberReaction.REPORT_ONCE:
                self._backoff_until_ms = now_ms + self._heartbeat_interval_ms
                self._outputs.append(TransientError(error_code, reason))
            case MemberReaction.FIND_HOLDER:
                self._seeks_holder = True
            case MemberReaction.FENCED | MemberReaction.FATAL:
                self._become_refused(error_code, reason)

    # --- takeover of the instance id ----------------------------------------------------------------------------------

    def _released(self, release: Release, error_code: ErrorCode, now_ms: int) -> None:
        if error_code is ErrorCode.FENCED_INSTANCE_ID and release.was_seated:
            self._become_refused(error_code)
        elif CONSUMER_HEARTBEAT.get(error_code) in (MemberReaction.REDISCOVER, MemberReaction.RETRY_AFTER_BACKOFF):
            self._react(error_code, "", now_ms)
        else:
            self._release = None

    def _holder_found(self, response: ConsumerGroupDescribeResponse, now_ms: int) -> None:
        group = response.groups[0]
        error_code = ErrorCode(group.error_code)
        if CONSUMER_HEARTBEAT.get(error_code) in (MemberReaction.REDISCOVER, MemberReaction.RETRY_AFTER_BACKOFF):
            self._react(error_code, "", now_ms)
            return
        self._seeks_holder = False
        interval_ms = self._heartbeat_interval_ms
        match self._seizing.decide(group, self._drawn, interval_ms, was_seated=self._was_seated):
            case Release() as release:
                if release.member_id == self.member_id:
                    self._end_membership(sends_leave=False)  # the next join draws a new id
                self._release = release
            case JoinAgain(in_ms):
                self._backoff_until_ms = now_ms + in_ms
            case Refuse(error_code, reason):
                self._become_refused(error_code, reason)

    # --- transitions --------------------------------------------------------------------------------------------------

    def _become_without_coordinator(self) -> None:
        self._asked = self._told = None
        if self.coordinator_known:
            self.coordinator_known = False
            self._outputs.append(FindCoordinator())

    def _end_membership(self, *, sends_leave: bool) -> None:
        """Lose the membership. The assignment is lost, not revoked: it cannot be committed."""
        lost = self._ownership.lose()
        if lost:
            self._outputs.append(Lost(lost))
        if sends_leave and self.member_id and self._release is None:
            self._release = Release(self.member_id, self._has_seat())
        self._forget_seat()

    def _forget_seat(self) -> None:
        self.member_id = MemberId("")
        self.generation_id = GenerationId(NO_GENERATION)
        self._assigned_epoch = NO_GENERATION
        self._asked = self._told = self._target = self._naming = None
        self._seeks_holder = self._is_acknowledging = False
        self._since.clear()

    def _end_hold(self) -> None:
        super()._end_hold()
        self._is_acknowledging = True
        self._assigned_epoch = NO_GENERATION

    def _become_refused(self, error_code: ErrorCode, reason: str = "") -> None:
        lost = self._ownership.lose()
        self._become_ended()
        if lost:
            self._outputs.append(Lost(lost))
        self._outputs.append(FatalError(error_code, reason))

    def _become_ended(self) -> None:
        self._outputs.clear()
        self._ownership.lose()
        self._forget_seat()
        self._release = None
        self._is_ended = True
