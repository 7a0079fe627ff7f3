"""A member of a group, without sockets and without a clock: what both protocols have in common.

Whoever drives it tells what happened (`answered`, `unanswered`, `found_coordinator`, `polled`, `tick`, ...), always
with the time, and then does what `take()` hands out: requests to send, questions to ask, events for the user. Each
question names the method that takes its answer. `next_deadline_ms` says when to call `tick` if nothing happens before.

An answer to anything but what is under way is from a seat that was given up, and is dropped: that is all the protection
against late answers that there is, and it suffices.

While something is being revoked, heartbeats go on and work may still be committed, until the user acknowledges, or
until a quarter of the rebalance timeout has passed.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Final

from tenure.client.assignment import Topic
from tenure.client.membership_errors import CommitVerdict
from tenure.client.membership_outputs import (
    Ask,
    CountPartitions,
    FindCoordinator,
    MembershipSettings,
    NameTopics,
    Output,
    Request,
    Response,
)
from tenure.client.ownership import Ownership, RebalanceProtocol
from tenure.client.values import Identity, TopicPartition
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import GenerationId, MemberId, TopicId

NO_GENERATION: Final = -1
HOLD_PART: Final = 4
"""What is revoked is held for this part of the rebalance timeout at most; the rest is for everybody to join."""


class Membership(ABC):
    """`classic_membership.py` and `consumer_membership.py` have the two that there are."""

    def __init__(self, settings: MembershipSettings, protocol: RebalanceProtocol) -> None:
        self.settings: Final = settings
        self.topics = settings.topics
        self.member_id = MemberId("")
        self.generation_id = GenerationId(NO_GENERATION)
        """The generation of a classic member, the member epoch of the other kind; -1 while it has no seat."""
        self.coordinator_known = False
        self._ownership: Final = Ownership(protocol, settings.rebalance_timeout_ms // HOLD_PART)
        """Invariant: owns nothing while there is no generation."""
        self._outputs: list[Output] = []
        self._waits_for_poll = False
        """The watchdog has taken the seat away; the next poll asks for it again."""
        self._poll_deadline_ms = 0
        self._backoff_until_ms = 0

    # --- what it is ---------------------------------------------------------------------------------------------------

    @property
    def identity(self) -> Identity:
        return Identity(self.member_id, self.settings.group_instance_id, self.generation_id)

    @property
    def partitions(self) -> tuple[TopicPartition, ...]:
        """What is assigned and not yet given up."""
        return self._ownership.partitions

    @property
    def is_holding(self) -> bool:
        """Whether the user still has to let go of something that was revoked."""
        return self._ownership.hold_until_ms is not None

    @property
    def hold_until_ms(self) -> int | None:
        return self._ownership.hold_until_ms

    @property
    @abstractmethod
    def assignment_epochs(self) -> Mapping[TopicPartition, int]:
        """Since which generation or member epoch the member has each of `partitions`, as far as it knows."""

    @property
    @abstractmethod
    def may_commit(self) -> bool:
        """Whether a commit as `identity` has a chance now."""

    @property
    def topic_ids(self) -> Mapping[str, TopicId]:
        """Of the topics that the member was ever assigned, where the protocol tells."""
        return {}

    def take(self) -> list[Output]:
        """What to do now, in order."""
        outputs, self._outputs = self._outputs, []
        return outputs

    @abstractmethod
    def next_deadline_ms(self) -> int | None: ...

    # --- what happens to it -------------------------------------------------------------------------------------------

    def start(self, now_ms: int) -> None:
        self._poll_deadline_ms = now_ms + self.settings.max_poll_interval_ms
        self._outputs.append(FindCoordinator())

    def tick(self, now_ms: int) -> None:
        """Time has passed."""
        self._advance(now_ms)

    def polled(self, now_ms: int) -> None:
        """The user shows that it is alive."""
        self._poll_deadline_ms = now_ms + self.settings.max_poll_interval_ms
        if self._waits_for_poll:
            self._waits_for_poll = False
            self._advance(now_ms)

    @abstractmethod
    def found_coordinator(self, now_ms: int) -> None: ...

    @abstractmethod
    def unanswered(self, ask: Ask, now_ms: int) -> None:
        """It timed out, could not be sent, or its connection broke."""

    @abstractmethod
    def answered(self, ask: Ask, response: Response, now_ms: int) -> None: ...

    def counted_partitions(  # noqa: B027
        self, question: CountPartitions, topics: Mapping[str, Topic], now_ms: int
    ) -> None:
        """Only the leader of a classic group asks."""

    def named_topics(  # noqa: B027
        self, question: NameTopics, names: Mapping[TopicId, str], now_ms: int
    ) -> None:
        """Only a member of the consumer protocol asks."""

    @abstractmethod
    def resubscribe(self, topics: tuple[str, ...], now_ms: int, pattern: str | None = None) -> None: ...

    def acknowledge_revocation(self, now_ms: int) -> None:
        if self.is_holding:
            self._end_hold()
            self._advance(now_ms)

    @abstractmethod
    def rejoin_anew(self, now_ms: int) -> None:
        """Take the seat under a new member id, so that whatever was sent under the old one is fenced."""

    @abstractmethod
    def close(self, leave: bool | None = None) -> Request | None:
        """End the membership. The answer is the request to send, if the group is to know of it."""

    @abstractmethod
    def commit_refused(self, error_code: ErrorCode, identity: Identity, now_ms: int) -> CommitVerdict:
        """What an error code means for a commit that was sent as `identity`, and for the seat."""

    @abstractmethod
    def _advance(self, now_ms: int) -> None:
        """Whatever can be done now."""

    def _end_hold(self) -> None:
        self._ownership.end_hold()

    def _ask(self, request: Request, now_ms: int, timeout_ms: int) -> Ask:
        ask = Ask(request, self.generation_id, now_ms, timeout_ms)
        self._outputs.append(ask)
        return ask
