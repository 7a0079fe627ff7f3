"""State machine of a group member without I/O and clock: the part that all protocols share.

The driver reports what happened (`answered`, `unanswered`, `found_coordinator`, `polled`, `tick`, ...) with the current
time, and then performs the outputs that `take()` returns: requests, metadata queries, events for the user. Each query
names the method that takes its answer. `next_deadline_ms` is the latest time of the next `tick`.

A response is ignored unless its request is still in flight. This is the only protection against late responses, and it
suffices.

While partitions are being revoked, heartbeats continue and commits are possible, until the user acknowledges the
revocation or a quarter of the rebalance timeout has passed.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Final

from tenure.client.group.memberships.error_reactions import CommitVerdict
from tenure.client.group.memberships.membership_outputs import (
    FindCoordinator,
    Output,
    QueryTopicLayouts,
    QueryTopicNames,
    QueryTopics,
    Request,
    Response,
    SendRequest,
)
from tenure.client.group.memberships.membership_settings import MembershipSettings
from tenure.client.group.ownership import Ownership
from tenure.client.values import Identity, TopicDescription, TopicLayout, TopicPartition
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import GenerationId, MemberId, TopicId

NO_GENERATION: Final = -1


class Membership(ABC):
    """Base class of `ClassicMembership`, `ConsumerMembership` and `StreamsMembership`."""

    def __init__(self, settings: MembershipSettings, ownership: Ownership[Any]) -> None:
        self.settings: Final = settings
        self.topics = settings.topics
        self.member_id = MemberId("")
        self.generation_id = GenerationId(NO_GENERATION)
        """Generation of a classic member, member epoch of other members; -1 without a membership."""
        self.coordinator_known = False
        self._ownership: Final = ownership
        """Invariant: owns nothing without a generation."""
        self._outputs: list[Output] = []
        self._waits_for_poll = False
        """The member left because the user did not poll in time; the next poll lets it join again."""
        self._poll_deadline_ms = 0
        self._backoff_until_ms = 0

    # --- state --------------------------------------------------------------------------------------------------------

    @property
    def identity(self) -> Identity:
        """Identity for commits that are planned now."""
        return Identity(self.member_id, self.settings.group_instance_id, self.generation_id)

    @property
    def partitions(self) -> tuple[TopicPartition, ...]:
        """Assigned partitions, including those that are being revoked: the same object until they change."""
        return self._ownership.owned

    @property
    def is_holding(self) -> bool:
        """True if a revocation waits for the user's acknowledgement."""
        return self._ownership.hold_until_ms is not None

    @property
    def hold_until_ms(self) -> int | None:
        """Deadline of the revocation; None if there is none."""
        return self._ownership.hold_until_ms

    @property
    @abstractmethod
    def assignment_epochs(self) -> Mapping[TopicPartition, int]:
        """Generation or member epoch in which the member received each of `partitions`, as far as it knows."""

    @property
    @abstractmethod
    def may_commit(self) -> bool:
        """True if a commit as `identity` can be accepted now."""

    @property
    def waits_for_poll(self) -> bool:
        """True if the member has left because the user did not poll in time. It owns nothing until the next poll."""
        return self._waits_for_poll

    @property
    def topic_ids(self) -> Mapping[str, TopicId]:
        """Ids of all topics that were ever assigned, if the protocol provides them."""
        return {}

    def take(self) -> list[Output]:
        """Return and remove the outputs, in order."""
        outputs, self._outputs = self._outputs, []
        return outputs

    @abstractmethod
    def next_deadline_ms(self) -> int | None:
        """Return when `tick` has to be called at the latest; None if never."""

    # --- inputs -------------------------------------------------------------------------------------------------------

    def start(self, now_ms: int) -> None:
        """Start to join."""
        self._poll_deadline_ms = now_ms + self.settings.max_poll_interval_ms
        self._outputs.append(FindCoordinator())

    def tick(self, now_ms: int) -> None:
        """Act on deadlines that have passed."""
        self._advance(now_ms)

    def polled(self, now_ms: int) -> None:
        """Restart `max_poll_interval_ms`."""
        self._poll_deadline_ms = now_ms + self.settings.max_poll_interval_ms
        if self._waits_for_poll:
            self._waits_for_poll = False
            self._advance(now_ms)

    @abstractmethod
    def found_coordinator(self, now_ms: int) -> None:
        """Continue with a connection to the coordinator."""

    @abstractmethod
    def unanswered(self, ask: SendRequest, now_ms: int) -> None:
        """Handle a request that timed out, was not sent, or lost its connection."""

    @abstractmethod
    def answered(self, ask: SendRequest, response: Response, now_ms: int) -> None:
        """Handle a response."""

    def counted_partitions(  # noqa: B027
        self, question: QueryTopicLayouts, topics: Mapping[str, TopicLayout], now_ms: int
    ) -> None:
        """Handle the answer to `QueryTopicLayouts`, which only the leader of a classic group emits."""

    def named_topics(  # noqa: B027
        self, question: QueryTopicNames, names: Mapping[TopicId, str], now_ms: int
    ) -> None:
        """Handle the answer to `QueryTopicNames`, which only a member of the consumer protocol emits."""

    def described_topics(  # noqa: B027
        self, question: QueryTopics, topics: Sequence[TopicDescription], now_ms: int
    ) -> None:
        """Handle the answer to `QueryTopics`, which only a member of a streams group emits."""

    def resubscribe(  # noqa: B027
        self, topics: tuple[str, ...], now_ms: int, pattern: str | None = None
    ) -> None:
        """Replace the subscription. A member of a streams group has none."""

    def acknowledge_revocation(self, now_ms: int) -> None:
        """End the revocation, if there is one."""
        if self.is_holding:
            self._end_hold()
            self._advance(now_ms)

    @abstractmethod
    def rejoin_as_new_member(self, now_ms: int) -> None:
        """Rejoin under a new member id, which fences requests that were sent under the old one."""

    @abstractmethod
    def close(self, leave: bool | None = None) -> Request | None:
        """End the membership; return the LeaveGroup request or heartbeat to send, if any."""

    @abstractmethod
    def commit_refused(self, error_code: ErrorCode, identity: Identity, now_ms: int) -> CommitVerdict:
        """Apply the error code of a commit that was sent as `identity`; return its meaning for the commit."""

    @abstractmethod
    def _advance(self, now_ms: int) -> None:
        """Emit the outputs that the present state permits."""

    def _end_hold(self) -> None:
        self._ownership.end_hold()

    def _ask(self, request: Request, now_ms: int, timeout_ms: int) -> SendRequest:
        ask = SendRequest(request, self.generation_id, now_ms, timeout_ms)
        self._outputs.append(ask)
        return ask
