"""What a member does for its group while it leads (rule 7.5): it assigns, and watches whether that stays right."""

from collections.abc import Mapping
from typing import Final

from tenure.client import leadership
from tenure.client.assignment import Topic
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
        self.due_ms = 0
        """When to ask again."""

    @property
    def is_asking(self) -> bool:
        return self._question is not None

    @property
    def out_of_date(self) -> bool:
        return self._assigned_from is not None and self._topics != self._assigned_from

    def ask(self) -> CountPartitions:
        self._question = CountPartitions(leadership.subscribed_topics(self._members))
        return self._question

    def told(self, question: CountPartitions, topics: Mapping[str, Topic], now_ms: int) -> bool:
        """Whether this was what it asked last."""
        if question is not self._question:
            return False
        self._question = None
        self._topics = {topic: topics.get(topic, NO_TOPIC) for topic in question.topics}
        self.due_ms = now_ms + METADATA_AGE_MS
        return True

    def doubts(self) -> tuple[str, ...]:
        return tuple(doubtful_claims(self._protocol_name, self._members, self._topics))

    def assignments(self) -> list[SyncGroupRequestAssignment]:
        """Nothing where the coordinator keeps what it has (rule 7.5.4). Raises AssignmentError."""
        self._assigned_from = self._topics
        return [] if self._skip_assignment else leadership.assignments(self._protocol_name, self._members, self._topics)
