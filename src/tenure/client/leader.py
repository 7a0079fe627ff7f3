"""What a member does for its group while it leads (rule 7.5): it assigns, and watches whether that stays right."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Final

from tenure.client import leadership
from tenure.client.assignment import AssignmentError, Topic
from tenure.client.claim_checks import doubtful_claims
from tenure.client.membership_outputs import CountPartitions
from tenure.limits import METADATA_AGE_MS
from tenure.protocol.messages import JoinGroupResponse, SyncGroupRequestAssignment

NO_TOPIC: Final = Topic(0)


class Leader:
    def __init__(self, joined: JoinGroupResponse) -> None:
        """Raises MalformedMessage when a member's subscription cannot be read."""
        self._members: Final = leadership.subscribed_members(joined.members)
        self._protocol_name: Final = joined.protocol_name or ""
        self._skip_assignment: Final = joined.skip_assignment
        self._question: CountPartitions | None = None
        self._assigned_from: dict[str, Topic] | None = None
        """How many partitions, in which racks, each topic had when this generation was assigned."""
        self._topics: dict[str, Topic] = {}
        self._prepared: tuple[dict[str, Topic], list[SyncGroupRequestAssignment]] | None = None
        self.due_ms = 0
        """When to ask again."""

    @property
    def is_asking(self) -> bool:
        return self._question is not None

    @property
    def out_of_date(self) -> bool:
        return self._assigned_from is not None and self._topics != self._assigned_from

    def ask(self) -> CountPartitions:
        wanted = leadership.subscribed_topics(self._members)
        assigns = self._assigned_from is None and not self._skip_assignment
        self._question = CountPartitions(wanted, self._prepare if assigns else None)
        return self._question

    def _prepare(self, topics: Mapping[str, Topic]) -> None:
        """On any thread: what it reads never changes. What cannot be assigned is found out again, where it is asked."""
        counted = counted_of(leadership.subscribed_topics(self._members), topics)
        with suppress(AssignmentError):
            self._prepared = counted, leadership.assignments(self._protocol_name, self._members, counted)

    def told(self, question: CountPartitions, topics: Mapping[str, Topic], now_ms: int) -> bool:
        """Whether this was what it asked last."""
        if question is not self._question:
            return False
        self._question = None
        self._topics = counted_of(question.topics, topics)
        self.due_ms = now_ms + METADATA_AGE_MS
        return True

    def doubts(self) -> tuple[str, ...]:
        return tuple(doubtful_claims(self._protocol_name, self._members, self._topics))

    def assignments(self) -> list[SyncGroupRequestAssignment]:
        """Nothing where the coordinator keeps what it has (rule 7.5.4). Raises AssignmentError."""
        self._assigned_from = self._topics
        if self._skip_assignment:
            return []
        if self._prepared is not None and self._prepared[0] == self._topics:
            return self._prepared[1]
        return leadership.assignments(self._protocol_name, self._members, self._topics)


def counted_of(names: Iterable[str], topics: Mapping[str, Topic]) -> dict[str, Topic]:
    return {name: topics.get(name, NO_TOPIC) for name in names}
