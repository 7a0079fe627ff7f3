"""State machine of a member that heartbeats with an epoch: the code that consumer groups and streams groups share.

A heartbeat reports the partitions or tasks that the member owns. The response contains its epoch and target assignment
(KIP-848, KIP-1071). One request is in flight at a time, and changes are sent immediately.

    JOINING -> STABLE -> RECONCILING -> ACKNOWLEDGING -> STABLE ...

Partitions that are not in the target assignment are revoked first. After the user has acknowledged the revocation, the
next heartbeat no longer reports them, so that other members can get them (rule 3.6). The member sends no commit between
this heartbeat and its response: the response changes the member epoch, and the coordinator may reject a commit with the
old epoch (rule 4.7).

A member id is used for one membership only. The member leaves with its old id before it draws a new one, so that no
partition waits for an abandoned membership. The response to the leave heartbeat also shows whether a static member was
fenced.
"""

from abc import abstractmethod
from collections import deque
from collections.abc import Callable
from enum import Enum, auto
from typing import Any, Final, Generic, Protocol, TypeAlias, TypeVar

from tenure.client.group.memberships.error_reactions import (
    CONSUMER_HEARTBEAT,
    OFFSET_COMMIT,
    CommitVerdict,
    MemberReaction,
)
from tenure.client.group.memberships.instance_takeover import InstanceTakeover, JoinAgain, Refuse, Release
from tenure.client.group.memberships.membership import Membership
from tenure.client.group.memberships.membership_outputs import (
    FatalError,
    FindCoordinator,
    QueryTopicNames,
    QueryTopics,
    Request,
    Response,
    SendRequest,
    TransientError,
)
from tenure.client.group.memberships.membership_settings import MembershipSettings
from tenure.client.group.ownership import Ownership
from tenure.client.tasks import TasksAssigned, TasksLost
from tenure.client.values import Assigned, Identity, Lost
from tenure.limits.client import MEMBERSHIP_RETRY_BACKOFF_MS, OWN_MEMBER_IDS_KEPT
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    ConsumerGroupDescribeResponse,
    ConsumerGroupHeartbeatResponse,
    StreamsGroupDescribeResponse,
    StreamsGroupHeartbeatResponse,
)
from tenure.protocol.special_values import JOINS, LEAVES, LEAVES_FOR_NOW, NO_GENERATION
from tenure.protocol.types import GenerationId, MemberId

HeartbeatResponse: TypeAlias = ConsumerGroupHeartbeatResponse | StreamsGroupHeartbeatResponse
DescribeResponse: TypeAlias = ConsumerGroupDescribeResponse | StreamsGroupDescribeResponse
Unit = TypeVar("Unit", bound=tuple[Any, ...])
"""Element of the assignment: a partition, or a task in its role."""


class EpochState(Enum):
    JOINING = auto()
    """No membership: the member joins, or its old member id has to leave first."""
    STABLE = auto()
    RECONCILING = auto()
    """A revocation waits for the user's acknowledgement."""
    ACKNOWLEDGING = auto()
    """Reported fields have changed, and the coordinator has not answered a heartbeat with the new values."""
    ENDED = auto()


class Reported(Protocol):
    """Fields that a heartbeat reports as soon as they change."""

    @property
    def owned(self) -> tuple[Any, ...]: ...


Fields = TypeVar("Fields", bound=Reported)


class EpochMembership(Membership, Generic[Unit, Fields]):
    """Base class of `ConsumerMembership` and `StreamsMembership`."""

    def __init__(
        self, settings: MembershipSettings, ownership: Ownership[Unit], draw_member_id: Callable[[], str]
    ) -> None:
        super().__init__(settings, ownership)
        self._owns: Final = ownership
        self._draw: Final = draw_member_id
        self._drawn: Final[deque[MemberId]] = deque(maxlen=OWN_MEMBER_IDS_KEPT)
        self._is_ended = False
        self._has_joined = False
        """True if the member has joined before.

        If another member then has its instance id, that member has taken over the id from this one.
        """
        self._seizing: Final = InstanceTakeover(settings)
        self._in_flight: SendRequest | None = None
        """Request in flight; None if there is none."""
        self._sent: Fields | None = None
        """Fields that the request in flight reports."""
        self._acknowledged: Fields | None = None
        """Fields that the coordinator has received; None if that is unknown."""
        self._release: Release | None = None
        self._seeks_holder = False
        self._heartbeat_interval_ms = settings.heartbeat_interval_ms
        """Heartbeat interval in the last response."""
        self._heartbeat_due_ms = 0
        self._assigned_epoch = NO_GENERATION
        """Epoch of the last assignment event; -1 if the next response has to cause such an event."""
        self._question: QueryTopicNames | QueryTopics | None = None
        """Query in flight for topics of the target assignment. The target cannot be owned before its answer."""
        self._question_due_ms = 0
        self._is_acknowledging = False
        """True from the end of a revocation until the coordinator has answered a heartbeat that no longer reports the
        revoked units."""

    # --- for subclasses -----------------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def _has_unowned_target(self) -> bool:
        """True if the member does not own all of its target assignment yet."""

    @abstractmethod
    def _current_fields(self) -> Fields:
        """Return the current values of the fields that heartbeats report."""

    @abstractmethod
    def _heartbeat(self, epoch: int, fields: Fields, now_ms: int) -> Request:
        """Return a heartbeat request that reports the values in `fields`."""

    @abstractmethod
    def _leave(self, member_id: MemberId, epoch: int) -> Request:
        """Build a leave heartbeat for a member id."""

    @abstractmethod
    def _describe(self) -> Request:
        """Build a request that describes the member's group."""

    @abstractmethod
    def _accept(self, response: HeartbeatResponse, now_ms: int) -> None:
        """Store the target assignment of a heartbeat response. The caller has already stored its member epoch."""

    @abstractmethod
    def _take_target(self, now_ms: int) -> None:
        """Change the owned units (partitions or tasks) to those of the target assignment (rule 3.13.2).

        If the target lacks an owned unit, only start its revocation; otherwise add the new units.
        """

    @abstractmethod
    def _assigned_event(self, added: tuple[Unit, ...]) -> Assigned | TasksAssigned:
        """Build the event that reports an assignment."""

    @abstractmethod
    def _lost_event(self, lost: tuple[Unit, ...]) -> Lost | TasksLost:
        """Build the event that reports a lost assignment."""

    @abstractmethod
    def _forget_assignment(self) -> None:
        """Clear the target assignment and all epochs, because the member has given up its member id."""

    # --- state --------------------------------------------------------------------------------------------------------

    @property
    def state(self) -> EpochState:
        if self._is_ended:
            return EpochState.ENDED
        if not self._has_seat():
            return EpochState.JOINING
        if self.is_revoking:
            return EpochState.RECONCILING
        return EpochState.ACKNOWLEDGING if self._has_unacknowledged_fields() else EpochState.STABLE

    @property
    def may_commit(self) -> bool:
        return self._has_seat() and not self._is_acknowledging

    def _has_seat(self) -> bool:
        return self.generation_id > JOINS

    def _has_unacknowledged_fields(self) -> bool:
        return self._acknowledged != self._current_fields()

    def next_deadline_ms(self) -> int | None:
        if self._is_ended:
            return None
        deadlines = [] if self._waits_for_poll else [self._poll_deadline_ms]
        if self._owns.revocation_deadline_ms is not None:
            deadlines.append(self._owns.revocation_deadline_ms)
        if self._may_send():
            deadlines.append(self._due_ms())
        if self._has_unowned_target and self._question is None and not self.is_revoking:
            deadlines.append(self._question_due_ms)  # some topics are unknown
        return min(deadlines, default=None)

    # --- inputs -------------------------------------------------------------------------------------------------------

    def found_coordinator(self, now_ms: int) -> None:
        self.coordinator_known = True
        self._advance(now_ms)

    def unanswered(self, sent: SendRequest, now_ms: int) -> None:
        if sent is self._in_flight:
            self._backoff_until_ms = now_ms + MEMBERSHIP_RETRY_BACKOFF_MS
            self._become_without_coordinator()
            self._advance(now_ms)

    def answered(self, sent: SendRequest, response: Response, now_ms: int) -> None:
        if sent is not self._in_flight:
            return
        self._in_flight = None
        if isinstance(response, DescribeResponse):
            self._handle_group_description(response, now_ms)
        elif isinstance(response, HeartbeatResponse):
            if self._release is not None:
                self._handle_release_response(self._release, ErrorCode(response.error_code), now_ms)
            else:
                self._handle_heartbeat_response(sent, response, now_ms)
        self._advance(now_ms)

    def rejoin_as_new_member(self, now_ms: int) -> None:
        """Leave with the old member id, then join with a new one. This fences pending commits of the old member id.

        The response to the leave heartbeat shows whether another process had already fenced a static member.
        """
        if not self._is_ended:
            self._end_membership(sends_leave=True)
            self._advance(now_ms)

    def close(self, leave: bool | None = None) -> Request | None:
        """End the membership; return the leave heartbeat to send, or None.

        A dynamic member leaves permanently and a static one temporarily, unless `leave` overrides this (KIP-1092).
        """
        member_id = self.member_id
        if self._release is not None and self._release.member_id in self._drawn:
            member_id = self._release.member_id
        self._become_ended()
        stays = leave is False and self.settings.group_instance_id is None
        if stays or not member_id:
            return None
        return self._leave(member_id, LEAVES if leave else self._leaving_epoch())

    def commit_refused(self, error_code: ErrorCode, identity: Identity, now_ms: int) -> CommitVerdict:
        verdict = OFFSET_COMMIT.get(error_code, CommitVerdict.REFUSED)
        is_current = identity.member_id == self.member_id and self._has_seat()
        match verdict:
            case CommitVerdict.RESET_IDENTITY if is_current and self.settings.group_instance_id is None:
                self._end_membership(sends_leave=False)
            # The error does not show whether a static member was fenced or removed. The next heartbeat shows it.
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
        if self._owns.revocation_deadline_ms is not None and now_ms >= self._owns.revocation_deadline_ms:
            self._end_revocation()
        if self._has_unowned_target and not self.is_revoking and self._question is None:
            self._take_target(now_ms)
        if self._may_send() and now_ms >= self._due_ms():
            self._in_flight = self._send(self._next_request(now_ms), now_ms, self.settings.request_timeout_ms)

    def _may_send(self) -> bool:
        wants = self._release is not None or not self._waits_for_poll
        return wants and self.coordinator_known and self._in_flight is None

    def _due_ms(self) -> int:
        """Return the earliest time at which the next request may be sent."""
        if self._release is None and self._has_seat() and not self._has_unacknowledged_fields():
            return max(self._heartbeat_due_ms, self._backoff_until_ms)
        return self._backoff_until_ms

    def _next_request(self, now_ms: int) -> Request:
        if self._release is not None:
            return self._leave(self._release.member_id, self._leaving_epoch())
        if self._seeks_holder:
            return self._describe()
        if not self._has_seat() and not self.member_id:
            self.member_id = MemberId(self._draw())
            self._drawn.append(self.member_id)
        self._heartbeat_due_ms = now_ms + self._heartbeat_interval_ms
        self._sent = self._current_fields()
        return self._heartbeat(self.generation_id if self._has_seat() else JOINS, self._sent, now_ms)

    def _leaving_epoch(self) -> int:
        return LEAVES if self.settings.group_instance_id is None else LEAVES_FOR_NOW

    def _emit_query(self, question: QueryTopicNames | QueryTopics, now_ms: int) -> bool:
        """Emit a query for the topics of the target assignment.

        Return False, and emit nothing, if the minimum interval since the previous query has not passed.
        """
        if now_ms < self._question_due_ms:
            return False
        self._question = question
        self._outputs.append(question)
        return True

    # --- responses ----------------------------------------------------------------------------------------------------

    def _handle_heartbeat_response(self, sent: SendRequest, response: HeartbeatResponse, now_ms: int) -> None:
        error_code = ErrorCode(response.error_code)
        if error_code is not ErrorCode.NONE:
            self._acknowledged = None
            self._react(error_code, response.error_message or "", now_ms)
            return
        self._acknowledged = self._sent
        self._has_joined = True
        self.generation_id = GenerationId(response.member_epoch)
        self._heartbeat_interval_ms = response.heartbeat_interval_ms or self._heartbeat_interval_ms
        self._heartbeat_due_ms = sent.sent_ms + self._heartbeat_interval_ms
        if self._acknowledged is not None and self._acknowledged.owned == self._owns.owned:
            self._is_acknowledging = False
        self._accept(response, now_ms)
        if not self._has_unowned_target and not self.is_revoking:
            self._emit_assigned(())

    def _emit_assigned(self, added: tuple[Unit, ...]) -> None:
        """Emit an assignment event if units were added, or if the rebalance of a new epoch is complete."""
        is_over = self._assigned_epoch != self.generation_id and not self._is_acknowledging
        if added or is_over:
            self._assigned_epoch = self.generation_id
            self._outputs.append(self._assigned_event(added))

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

    def _handle_release_response(self, release: Release, error_code: ErrorCode, now_ms: int) -> None:
        if error_code is ErrorCode.FENCED_INSTANCE_ID and release.has_joined:
            self._become_refused(error_code)
        elif CONSUMER_HEARTBEAT.get(error_code) in (MemberReaction.REDISCOVER, MemberReaction.RETRY_AFTER_BACKOFF):
            self._react(error_code, "", now_ms)
        else:
            self._release = None

    def _handle_group_description(self, response: DescribeResponse, now_ms: int) -> None:
        group = response.groups[0]
        error_code = ErrorCode(group.error_code)
        if CONSUMER_HEARTBEAT.get(error_code) in (MemberReaction.REDISCOVER, MemberReaction.RETRY_AFTER_BACKOFF):
            self._react(error_code, "", now_ms)
            return
        self._seeks_holder = False
        interval_ms = self._heartbeat_interval_ms
        match self._seizing.decide(group, self._drawn, interval_ms, has_joined=self._has_joined):
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
        self._in_flight = self._acknowledged = None
        if self.coordinator_known:
            self.coordinator_known = False
            self._outputs.append(FindCoordinator())

    def _end_membership(self, *, sends_leave: bool) -> None:
        """End the membership and report its partitions as lost, because they cannot be committed any more.

        With `sends_leave`, a leave heartbeat is sent before the member joins again.
        """
        lost = self._owns.lose()
        if lost:
            self._outputs.append(self._lost_event(lost))
        if sends_leave and self.member_id and self._release is None:
            self._release = Release(self.member_id, self._has_seat())
        self._forget_seat()

    def _forget_seat(self) -> None:
        self.member_id = MemberId("")
        self.generation_id = GenerationId(NO_GENERATION)
        self._assigned_epoch = NO_GENERATION
        self._in_flight = self._acknowledged = self._question = None
        self._seeks_holder = self._is_acknowledging = False
        self._forget_assignment()

    def _end_revocation(self) -> None:
        super()._end_revocation()
        self._is_acknowledging = True
        self._assigned_epoch = NO_GENERATION

    def _become_refused(self, error_code: ErrorCode, reason: str = "") -> None:
        lost = self._owns.lose()
        self._become_ended()
        if lost:
            self._outputs.append(self._lost_event(lost))
        self._outputs.append(FatalError(error_code, reason))

    def _become_ended(self) -> None:
        self._outputs.clear()
        self._owns.lose()
        self._forget_seat()
        self._release = None
        self._is_ended = True
