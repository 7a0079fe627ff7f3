"""State machine of a classic group member, without I/O and clock (rules 7.1-7.5).

    UNJOINED -> PREPARING_REBALANCE -> COMPLETING_REBALANCE -> STABLE -> (rejoin) PREPARING_REBALANCE ...

At most one JoinGroup or SyncGroup and one Heartbeat are in flight.

The rebalance protocol decides which partitions are revoked, and when (`ownership.py`). The member joins again only
after the user has acknowledged the revocation.

A static member keeps its member id as long as this id may be valid. The coordinator answers a join with an outdated
member id with FENCED_INSTANCE_ID, which shows that another member took over the group.instance.id. A join without a
member id would take over the group.instance.id again.
"""

from collections.abc import Mapping
from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from tenure.client.group import assignment
from tenure.client.group.assignment import MALFORMED, AssignmentError
from tenure.client.group.memberships import classic_requests
from tenure.client.group.memberships.classic_requests import PROTOCOL_TYPE, MemberClaims
from tenure.client.group.memberships.error_reactions import (
    HEARTBEAT,
    JOIN_GROUP,
    OFFSET_COMMIT,
    SYNC_GROUP,
    CommitVerdict,
    MemberReaction,
)
from tenure.client.group.memberships.leader import Leader
from tenure.client.group.memberships.leave_group import PendingLeave
from tenure.client.group.memberships.membership import Membership
from tenure.client.group.memberships.membership_outputs import (
    Disconnect,
    FatalError,
    FindCoordinator,
    IgnoredClaims,
    QueryTopicLayouts,
    Response,
    SendRequest,
)
from tenure.client.group.memberships.membership_settings import MembershipSettings
from tenure.client.group.ownership import Ownership
from tenure.client.values import Assigned, Identity, Lost, Revoked, TopicLayout, TopicPartition
from tenure.limits.client import MEMBERSHIP_RETRY_BACKOFF_MS
from tenure.protocol.errors import ErrorCode
from tenure.protocol.message import MalformedMessage
from tenure.protocol.messages import (
    HeartbeatResponse,
    JoinGroupResponse,
    LeaveGroupRequest,
    LeaveGroupResponse,
    SyncGroupRequestAssignment,
    SyncGroupResponse,
)
from tenure.protocol.special_values import NO_GENERATION
from tenure.protocol.types import GenerationId, MemberId

if TYPE_CHECKING:
    from tenure.client.group.encoded_assignments import EncodedAssignments

JOIN_GRACE_MS: Final = 5_000
"""Time in ms that a member waits for the response to its join after the rebalance timeout has passed: the coordinator
answers when the timeout ends, and the response needs time on the network (rule 7.2.1)."""


class ClassicState(Enum):
    UNJOINED = auto()
    PREPARING_REBALANCE = auto()
    COMPLETING_REBALANCE = auto()
    STABLE = auto()
    ENDED = auto()


class ClassicMembership(Membership):
    """State machine of one member of a classic group."""

    def __init__(self, settings: MembershipSettings) -> None:
        self._owns: Final = Ownership[TopicPartition](
            assignment.rebalance_protocol(settings.assignors), settings.revocation_timeout_ms
        )
        super().__init__(settings, self._owns)
        self.state = ClassicState.UNJOINED
        self._assigned_generation_id = GenerationId(NO_GENERATION)
        """Generation of the last assignment. Kept when the membership is lost, because sticky assignors use it."""
        self.rejoin_needed = False
        self._joining: SendRequest | None = None
        """JoinGroup or SyncGroup in flight."""
        self._heartbeat: SendRequest | None = None
        self._pending_leave: Final = PendingLeave(settings)
        self._protocol_name: str | None = None
        self._leader: Leader | None = None
        """Leader's part of the membership; None while another member leads the generation."""
        self._encoded: EncodedAssignments | None = None
        """Assignments of all members, kept for the next generation if this member leads that one, too."""
        self._reason = ""
        """Reason of the next join, for the coordinator's log (KIP-800)."""
        self._heartbeat_due_ms = 0
        self._session_deadline_ms = 0

    @property
    def assignment_epochs(self) -> Mapping[TopicPartition, int]:
        """Generation of the assignment, for each partition.

        All partitions have the same generation, because each generation of a classic group assigns all partitions.
        """
        return dict.fromkeys(self.partitions, self._assigned_generation_id)

    @property
    def may_commit(self) -> bool:
        """True if the coordinator can accept a commit as `identity` now. False between a join and its assignment."""
        return self.state is ClassicState.STABLE

    def next_deadline_ms(self) -> int | None:
        if self.state is ClassicState.ENDED or self._waits_for_poll:
            return None
        deadlines = [self._poll_deadline_ms]
        if self._watches_session():
            deadlines.append(self._session_deadline_ms)
        if self._may_heartbeat():
            deadlines.append(self._heartbeat_due_ms)
        if self._owns.revocation_deadline_ms is not None:
            deadlines.append(self._owns.revocation_deadline_ms)
        if self._may_join() or self._may_send_leave():
            deadlines.append(self._backoff_until_ms)
        if self._leader is not None and self._watches_metadata():
            deadlines.append(self._leader.due_ms)
        return min(deadlines)

    # --- inputs -------------------------------------------------------------------------------------------------------

    def start(self, now_ms: int) -> None:
        self.rejoin_needed = True
        super().start(now_ms)

    def resume(self, partitions: tuple[TopicPartition, ...]) -> None:
        """Claim these partitions in the first join, so that a sticky assignor assigns them to this member again."""
        self.generation_id = self._assigned_generation_id = GenerationId(0)
        self._owns.resume(partitions)

    def found_coordinator(self, now_ms: int) -> None:
        self.coordinator_known = True
        self._session_deadline_ms = now_ms + self.settings.session_timeout_ms
        self._heartbeat_due_ms = max(now_ms, self._backoff_until_ms)
        self._advance(now_ms)

    def unanswered(self, sent: SendRequest, now_ms: int) -> None:
        """Look up the coordinator again after a timeout or disconnect. Member id and generation are kept (rule 7.2)."""
        if sent is self._joining or sent is self._heartbeat or sent is self._pending_leave.in_flight:
            self._backoff_until_ms = now_ms + MEMBERSHIP_RETRY_BACKOFF_MS
            self._become_without_coordinator()
            self._advance(now_ms)

    def answered(self, sent: SendRequest, response: Response, now_ms: int) -> None:
        if sent is self._joining:
            self._joining = None
            if isinstance(response, JoinGroupResponse):
                self._handle_join_response(response, now_ms)
            elif isinstance(response, SyncGroupResponse):
                self._handle_sync_response(response, now_ms)
        elif sent is self._heartbeat and isinstance(response, HeartbeatResponse):
            self._heartbeat = None
            self._handle_heartbeat_response(sent, response, now_ms)
        elif sent is self._pending_leave.in_flight and isinstance(response, HeartbeatResponse | LeaveGroupResponse):
            self._handle_leave_response(ErrorCode(response.error_code), now_ms)
        self._advance(now_ms)

    def received_topic_layouts(
        self, question: QueryTopicLayouts, topics: Mapping[str, TopicLayout], now_ms: int
    ) -> None:
        """Handle the topic layouts that the leader has requested (rule 7.5.1).

        After a join, the leader assigns the partitions. In a stable group, the leader rejoins if the assignment is
        outdated.
        """
        if self._leader is None or not self._leader.store_layouts(question, topics, now_ms):
            return
        if self.state is ClassicState.COMPLETING_REBALANCE:
            try:
                assigned = self._leader.assigned()
            except AssignmentError as error:
                self._become_inconsistent(str(error))
            else:
                self._encoded = assigned.encoded
                if assigned.doubts:
                    self._outputs.append(IgnoredClaims(assigned.doubts))
                self._sync(assigned.assignments, now_ms)
        elif self._leader.is_outdated:
            self._maybe_become_rejoining("partitions or racks of the subscribed topics changed", now_ms)
        self._advance(now_ms)

    def resubscribe(self, topics: tuple[str, ...], now_ms: int, pattern: str | None = None) -> None:  # noqa: ARG002
        if topics != self.topics and self.state is not ClassicState.ENDED:
            self.topics = topics
            self._maybe_become_rejoining("the subscription changed", now_ms)
            self._advance(now_ms)

    def rejoin_as_new_member(self, now_ms: int) -> None:
        if self.state is ClassicState.ENDED:
            return
        self._pending_leave.set_identity(self.identity)
        self._become_unjoined()
        self._advance(now_ms)

    def close(self, leave: bool | None = None) -> LeaveGroupRequest | None:
        """End the membership; return the LeaveGroup request to send, or None (rule 7.3)."""
        leaves = self.settings.group_instance_id is None if leave is None else leave
        member_id = self.member_id
        self._become_ended()
        if not leaves or not member_id:
            return None
        return classic_requests.leave_group(self.settings, member_id, "the consumer was closed")

    def commit_refused(self, error_code: ErrorCode, identity: Identity, now_ms: int) -> CommitVerdict:
        """Apply the error code of a rejected commit to the membership; return its meaning for the commit."""
        verdict = OFFSET_COMMIT.get(error_code, CommitVerdict.REFUSED)
        if verdict in (CommitVerdict.RESET_GENERATION, CommitVerdict.RESET_IDENTITY, CommitVerdict.FENCED):
            if identity != self.identity:
                preparing = self.state is ClassicState.PREPARING_REBALANCE
                return CommitVerdict.REBALANCING if preparing else CommitVerdict.RESET_GENERATION
            if verdict is CommitVerdict.FENCED:
                self._become_fenced()
            else:
                self._become_unjoined(forget_member_id=verdict is CommitVerdict.RESET_IDENTITY)
        elif verdict is CommitVerdict.REBALANCING and self.state is ClassicState.STABLE:
            self._maybe_become_rejoining("the group rebalances", now_ms)
        self._advance(now_ms)
        return verdict

    # --- decisions ----------------------------------------------------------------------------------------------------

    def _advance(self, now_ms: int) -> None:
        if self.state is ClassicState.ENDED or self._waits_for_poll:
            return
        if now_ms >= self._poll_deadline_ms:
            self._leave_after_missed_poll(now_ms)
            return
        if self._watches_session() and now_ms >= self._session_deadline_ms:
            self._outputs.append(Disconnect())
            self._become_without_coordinator()
        if self._owns.revocation_deadline_ms is not None and now_ms >= self._owns.revocation_deadline_ms:
            self._owns.end_revocation()
        if self._may_send_leave() and now_ms >= self._backoff_until_ms:
            self._send_leave(now_ms)
        elif self._may_join() and now_ms >= self._backoff_until_ms:
            self._join(now_ms)
        elif self._may_heartbeat() and now_ms >= self._heartbeat_due_ms:
            self._send_heartbeat(now_ms)
        if self._leader is not None and self._watches_metadata() and now_ms >= self._leader.due_ms:
            self._outputs.append(self._leader.query_layouts())

    def _has_generation(self) -> bool:
        return self.state in (ClassicState.COMPLETING_REBALANCE, ClassicState.STABLE)

    def _watches_session(self) -> bool:
        """Return whether the member has a session to keep alive.

        False while a SyncGroup is parked: heartbeats would wait behind it, and the coordinator needs none (rule 2.12).
        """
        return self.coordinator_known and self._has_generation() and self._joining is None

    def _may_heartbeat(self) -> bool:
        return self._watches_session() and self._heartbeat is None

    def _may_join(self) -> bool:
        leader_queries = (
            self._leader is not None and self._leader.is_querying and self.state is ClassicState.COMPLETING_REBALANCE
        )
        return (
            self.rejoin_needed
            and self.coordinator_known
            and self._joining is None
            and not leader_queries
            and not self.is_revoking
            and self._pending_leave.identity is None
        )

    def _may_send_leave(self) -> bool:
        return self._pending_leave.may_be_sent and self.coordinator_known

    def _watches_metadata(self) -> bool:
        return (
            self._leader is not None
            and self.state is ClassicState.STABLE
            and not self.rejoin_needed
            and not self._leader.is_querying
        )

    # --- requests -----------------------------------------------------------------------------------------------------

    def _join(self, now_ms: int) -> None:
        self.state = ClassicState.PREPARING_REBALANCE
        self._leader = None
        owned = self._owns
        claims = MemberClaims(
            self.topics, owned.claims(), self.generation_id, owned.assigned, self._assigned_generation_id
        )
        request = classic_requests.join_group(self.settings, self.member_id, claims, self._reason)
        self._joining = self._send(request, now_ms, self._parked_timeout_ms())

    def _sync(self, assignments: list[SyncGroupRequestAssignment], now_ms: int) -> None:
        request = classic_requests.sync_group(self.settings, self.identity, self._protocol_name, assignments)
        self._joining = self._send(request, now_ms, self._parked_timeout_ms())

    def _parked_timeout_ms(self) -> int:
        return max(self.settings.request_timeout_ms, self.settings.rebalance_timeout_ms + JOIN_GRACE_MS)

    def _send_heartbeat(self, now_ms: int) -> None:
        request = classic_requests.heartbeat(self.settings, self.identity)
        self._heartbeat = self._send(request, now_ms, self.settings.request_timeout_ms)
        self._heartbeat_due_ms = now_ms + self.settings.heartbeat_interval_ms

    def _send_leave(self, now_ms: int) -> None:
        self._pending_leave.in_flight = self._send(
            self._pending_leave.request(), now_ms, self.settings.request_timeout_ms
        )

    # --- responses ----------------------------------------------------------------------------------------------------

    def _handle_join_response(self, response: JoinGroupResponse, now_ms: int) -> None:
        error_code = ErrorCode(response.error_code)
        if error_code is not ErrorCode.NONE:
            if error_code is ErrorCode.MEMBER_ID_REQUIRED:
                self.member_id = response.member_id
            self._react(JOIN_GROUP.get(error_code, MemberReaction.FATAL), error_code, now_ms)
        elif response.protocol_type not in (None, PROTOCOL_TYPE):
            self._become_inconsistent(
                f"its protocol type is '{response.protocol_type}' instead of 'consumer'. Use another group id"
            )
        else:
            self._become_completing(response, now_ms)

    def _become_completing(self, response: JoinGroupResponse, now_ms: int) -> None:
        self.state = ClassicState.COMPLETING_REBALANCE
        self.member_id = response.member_id
        self.generation_id = response.generation_id
        self._protocol_name = response.protocol_name
        self._heartbeat_due_ms = now_ms + self.settings.heartbeat_interval_ms
        self._session_deadline_ms = now_ms + self.settings.session_timeout_ms
        if response.leader != response.member_id:
            self._encoded = None
            self._sync([], now_ms)
            return
        try:
            self._leader = Leader(response, self._encoded)
        except MalformedMessage as error:
            self._become_inconsistent(MALFORMED.format(error))
            return
        self._outputs.append(self._leader.query_layouts())

    def _handle_sync_response(self, response: SyncGroupResponse, now_ms: int) -> None:
        error_code = ErrorCode(response.error_code)
        if error_code is not ErrorCode.NONE:
            self._react(SYNC_GROUP.get(error_code, MemberReaction.FATAL), error_code, now_ms)
            return
        if response.protocol_type not in (None, PROTOCOL_TYPE) or response.protocol_name not in (
            None,
            self._protocol_name,
        ):
            self._become_inconsistent(f"the assignor is '{response.protocol_name}' instead of '{self._protocol_name}'")
            return
        try:
            partitions = assignment.assigned_partitions(response.assignment)
        except MalformedMessage as error:
            self._become_inconsistent(f"the leader's assignment is malformed: {error}. Stop the leader")
            return
        if {partition.topic for partition in partitions} <= set(self.topics):
            self._become_stable(partitions, now_ms)
        else:  # rule 7.5.6: the leader used an older subscription of this member
            self._backoff_until_ms = now_ms + MEMBERSHIP_RETRY_BACKOFF_MS

    def _become_stable(self, partitions: tuple[TopicPartition, ...], now_ms: int) -> None:
        self.state = ClassicState.STABLE
        self._session_deadline_ms = now_ms + self.settings.session_timeout_ms
        self._assigned_generation_id = self.generation_id
        change = self._owns.assign(partitions, now_ms)
        if change.revoked:
            self._outputs.append(Revoked(change.revoked))
        self._outputs.append(Assigned(self.identity, partitions, change.added))
        self.rejoin_needed = bool(change.revoked)  # the next join frees the revoked partitions for other members
        self._reason = "it revoked partitions for other members" if change.revoked else ""

    def _handle_heartbeat_response(self, sent: SendRequest, response: HeartbeatResponse, now_ms: int) -> None:
        if sent.generation_id != self.generation_id:
            return
        error_code = ErrorCode(response.error_code)
        if error_code in (ErrorCode.NONE, ErrorCode.REBALANCE_IN_PROGRESS):  # both extend the session (rule 2.10)
            self._session_deadline_ms = sent.sent_ms + self.settings.session_timeout_ms
        if error_code is ErrorCode.REBALANCE_IN_PROGRESS and (
            self.rejoin_needed or self.state is not ClassicState.STABLE
        ):
            return  # already known: do not delay the join again
        if error_code is not ErrorCode.NONE:
            self._react(HEARTBEAT.get(error_code, MemberReaction.FATAL), error_code, now_ms)

    def _handle_leave_response(self, error_code: ErrorCode, now_ms: int) -> None:
        reaction = self._pending_leave.answered(error_code)
        if reaction is MemberReaction.IGNORE:
            self.member_id = MemberId("")
        else:
            self._react(reaction, error_code, now_ms)

    def _react(self, reaction: MemberReaction, error_code: ErrorCode, now_ms: int) -> None:
        rebalances = error_code is ErrorCode.REBALANCE_IN_PROGRESS  # the coordinator waits for this member's join
        if not rebalances and reaction is not MemberReaction.TAKE_MEMBER_ID:
            self._backoff_until_ms = now_ms + MEMBERSHIP_RETRY_BACKOFF_MS
        match reaction:
            case MemberReaction.REJOIN:
                self._maybe_become_rejoining("the group rebalances", now_ms)
            case MemberReaction.REDISCOVER:
                self._become_without_coordinator()
            case MemberReaction.RESET_GENERATION:
                self._become_unjoined()
            case MemberReaction.RESET_IDENTITY:
                self._become_unjoined(forget_member_id=True)
            case MemberReaction.FENCED:
                self._become_fenced()
            case MemberReaction.FATAL:
                self._become_refused(error_code)

    # --- transitions --------------------------------------------------------------------------------------------------

    def _maybe_become_rejoining(self, reason: str, now_ms: int) -> None:
        if self.rejoin_needed:
            return
        self.rejoin_needed = True
        self._reason = reason
        unsubscribed = tuple(partition for partition in self.partitions if partition.topic not in self.topics)
        revoked = self._owns.revoke_before_join(unsubscribed, now_ms)
        if revoked:
            self._outputs.append(Revoked(revoked))

    def _become_without_coordinator(self) -> None:
        self._joining = self._heartbeat = self._pending_leave.in_flight = None
        if self.state is ClassicState.COMPLETING_REBALANCE:
            self._leader = None
        if self.coordinator_known:
            self.coordinator_known = False
            self._outputs.append(FindCoordinator())

    def _become_unjoined(self, *, forget_member_id: bool = False) -> None:
        """Reset the generation, and join again (rule 7.1). With `forget_member_id`, also drop the member id.

        The assignment is lost: its work can no longer be committed.
        """
        if self._joining is not None:  # a parked request would block the next one
            self._outputs.append(Disconnect())
            self._become_without_coordinator()
        self._heartbeat = self._pending_leave.in_flight = None
        lost = self._owns.lose()
        if lost:
            self._outputs.append(Lost(lost))
        self.state = ClassicState.UNJOINED
        self.generation_id = GenerationId(NO_GENERATION)
        self.rejoin_needed = True
        self._reason = "the membership was lost"
        self._leader = None
        if forget_member_id:
            self.member_id = MemberId("")

    def _leave_after_missed_poll(self, now_ms: int) -> None:
        """Leave the group because the user has not polled in time: other members get the partitions (rule 7.1.3).

        A static member sends no LeaveGroup and only stops its heartbeats. It keeps its member id, which shows later
        whether another member took over the instance id.
        """
        dynamic = self.settings.group_instance_id is None
        member_id = self.member_id
        self._become_unjoined(forget_member_id=dynamic)
        self._waits_for_poll = True
        if dynamic and member_id:
            request = classic_requests.leave_group(self.settings, member_id, "max.poll.interval.ms exceeded")
            self._send(request, now_ms, self.settings.request_timeout_ms)

    def _become_fenced(self) -> None:
        self._become_refused(ErrorCode.FENCED_INSTANCE_ID)

    def _become_inconsistent(self, reason: str) -> None:
        self._become_refused(ErrorCode.INCONSISTENT_GROUP_PROTOCOL, reason)

    def _become_refused(self, error_code: ErrorCode, reason: str = "") -> None:
        lost = self._owns.lose()
        self._become_ended()
        if lost:
            self._outputs.append(Lost(lost))
        self._outputs.append(FatalError(error_code, reason))

    def _become_ended(self) -> None:
        self._outputs.clear()
        self._joining = self._heartbeat = self._pending_leave.in_flight = None
        self._owns.lose()
        self.state = ClassicState.ENDED
        self.generation_id = GenerationId(NO_GENERATION)
        self.member_id = MemberId("")
        self.rejoin_needed = False
