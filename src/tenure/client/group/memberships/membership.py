"""State machine of a group member without I/O and clock: the code that all group protocols share.

The driver reports what happened (`answered`, `unanswered`, `found_coordinator`, `polled`, `tick`, ...) with the current
time. It then performs the outputs that `take()` returns: requests, metadata queries, events for the user. Each query
names the method that takes its answer. The driver calls `tick` at the time `next_deadline_ms` at the latest.

A response is ignored unless its request is still in flight. This protects against late responses.

While partitions are being revoked, heartbeats continue and commits are possible. The revocation ends when the user
acknowledges it, or after a quarter of the rebalance timeout.
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
from tenure.protocol.special_values import NO_GENERATION
from tenure.protocol.types import GenerationId, MemberId, TopicId


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
        """Assignment of the member. Invariant: empty while `generation_id` is -1."""
        self._outputs: list[Output] = []
        self._waits_for_poll = False
        """True if the member has left because the user did not poll in time. It joins again at the next poll."""
        self._poll_deadline_ms = 0
        self._backoff_until_ms = 0

    # --- state --------------------------------------------------------------------------------------------------------

    @property
    def identity(self) -> Identity:
        """Identity of the member for a commit that is planned now."""
        return Identity(self.member_id, self.settings.group_instance_id, self.generation_id)

    @property
    def partitions(self) -> tuple[TopicPartition, ...]:
        """Assigned partitions, including those that are being revoked. Each change creates a new tuple."""
        return self._ownership.owned

    @property
    def is_revoking(self) -> bool:
        """True if a revocation waits for the user's acknowledgement."""
        return self._ownership.revocation_deadline_ms is not None

    @property
    def revocation_deadline_ms(self) -> int | None:
        """Time at which the pending revocation ends without acknowledgement; None if there is no revocation."""
        return self._ownership.revocation_deadline_ms

    @property
    @abstractmethod
    def assignment_epochs(self) -> Mapping[TopicPartition, int]:
        """Generation or member epoch in which the member received each of its partitions."""

    @property
    @abstractmethod
    def may_commit(self) -> bool:
        """True if the coordinator can accept a commit as `identity` now."""

    @property
    def waits_for_poll(self) -> bool:
        """True if the member has left because the user did not poll in time. It joins again at the next poll."""
        return self._waits_for_poll

    @property
    def topic_ids(self) -> Mapping[str, TopicId]:
        """Ids of all topics that were ever assigned; empty if the protocol has no topic ids."""
        return {}

    def take(self) -> list[Output]:
        """Return and remove the outputs, in order."""
        outputs, self._outputs = self._outputs, []
        return outputs

    @abstractmethod
    def next_deadline_ms(self) -> int | None:
        """Return the time at which `tick` has to be called at the latest; None if no deadline is pending."""

    # --- inputs -------------------------------------------------------------------------------------------------------

    def start(self, now_ms: int) -> None:
        """Start to join: look up the coordinator first."""
        self._poll_deadline_ms = now_ms + self.settings.max_poll_interval_ms
        self._outputs.append(FindCoordinator())

    def tick(self, now_ms: int) -> None:
        """Act on deadlines that have passed."""
        self._advance(now_ms)

    def polled(self, now_ms: int) -> None:
        """Restart the timer of `max_poll_interval_ms`. If the member has left because of a missed poll, join again."""
        self._poll_deadline_ms = now_ms + self.settings.max_poll_interval_ms
        if self._waits_for_poll:
            self._waits_for_poll = False
            self._advance(now_ms)

    @abstractmethod
    def found_coordinator(self, now_ms: int) -> None:
        """Continue after the driver has connected to the coordinator."""

    @abstractmethod
    def unanswered(self, sent: SendRequest, now_ms: int) -> None:
        """Handle a request without response: it timed out, was not sent, or its connection was lost."""

    @abstractmethod
    def answered(self, sent: SendRequest, response: Response, now_ms: int) -> None:
        """Handle the response to a request."""

    def received_topic_layouts(  # noqa: B027
        self, question: QueryTopicLayouts, topics: Mapping[str, TopicLayout], now_ms: int
    ) -> None:
        """Handle the answer to `QueryTopicLayouts`. Only the leader of a classic group emits this query."""

    def received_topic_names(  # noqa: B027
        self, question: QueryTopicNames, names: Mapping[TopicId, str], now_ms: int
    ) -> None:
        """Handle the answer to `QueryTopicNames`. Only a member of the consumer protocol emits this query."""

    def received_topic_descriptions(  # noqa: B027
        self, question: QueryTopics, topics: Sequence[TopicDescription], now_ms: int
    ) -> None:
        """Handle the answer to `QueryTopics`. Only a member of a streams group emits this query."""

    def resubscribe(  # noqa: B027
        self, topics: tuple[str, ...], now_ms: int, pattern: str | None = None
    ) -> None:
        """Replace the subscription. Does nothing in a streams group, whose members have no subscription."""

    def acknowledge_revocation(self, now_ms: int) -> None:
        """End the pending revocation, if there is one."""
        if self.is_revoking:
            self._end_revocation()
            self._advance(now_ms)

    @abstractmethod
    def rejoin_as_new_member(self, now_ms: int) -> None:
        """Rejoin under a new member id, which fences requests that were sent under the old one."""

    @abstractmethod
    def close(self, leave: bool | None = None) -> Request | None:
        """End the membership; return the LeaveGroup request or leave heartbeat to send, or None."""

    @abstractmethod
    def commit_refused(self, error_code: ErrorCode, identity: Identity, now_ms: int) -> CommitVerdict:
        """Apply the error code of a commit that was sent as `identity`; return its meaning for the commit."""

    @abstractmethod
    def _advance(self, now_ms: int) -> None:
        """Emit all outputs that are possible in the present state."""

    def _end_revocation(self) -> None:
        self._ownership.end_revocation()

    def _send(self, request: Request, now_ms: int, timeout_ms: int) -> SendRequest:
        output = SendRequest(request, self.generation_id, now_ms, timeout_ms)
        self._outputs.append(output)
        return output
