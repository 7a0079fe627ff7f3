"""Leader of a classic group (rule 7.5): assigns partitions, and checks later whether the assignment is outdated."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Final

from tenure.client.group.assignment import AssignmentError, SubscribedMember, assign, subscribed_topics
from tenure.client.group.memberships.membership_outputs import QueryTopicLayouts
from tenure.client.group.subscriptions import claim_of
from tenure.client.values import TopicLayout, TopicPartition
from tenure.limits.client import CLAIM_DOUBTS_MAX, METADATA_AGE_MS
from tenure.protocol.consumer_protocol import AssignmentEncoder, SubscriptionDecoder
from tenure.protocol.messages import JoinGroupResponse, JoinGroupResponseMember, SyncGroupRequestAssignment
from tenure.protocol.types import MemberId

NO_TOPIC: Final = TopicLayout(0)


class Leader:
    """Work of the leader in one generation of the group."""

    def __init__(self, joined: JoinGroupResponse) -> None:
        """Decode the members' subscriptions. Raises MalformedMessage."""
        self._members: Final = subscribed_members(joined.members)
        self._protocol_name: Final = joined.protocol_name or ""
        self._skip_assignment: Final = joined.skip_assignment
        self._question: QueryTopicLayouts | None = None
        self._assigned_from: dict[str, TopicLayout] | None = None
        """Partition counts and racks of the topics, on which the assignment is based."""
        self._topics: dict[str, TopicLayout] = {}
        self._prepared: tuple[dict[str, TopicLayout], list[SyncGroupRequestAssignment]] | None = None
        self.due_ms = 0
        """Time of the next metadata check."""

    @property
    def is_querying(self) -> bool:
        """True if a query for topic layouts is in flight."""
        return self._question is not None

    @property
    def out_of_date(self) -> bool:
        """True if partition counts or racks have changed since the assignment."""
        return self._assigned_from is not None and self._topics != self._assigned_from

    def query_layouts(self) -> QueryTopicLayouts:
        """Return the query for the layouts of all subscribed topics."""
        wanted = subscribed_topics(self._members)
        assigns = self._assigned_from is None and not self._skip_assignment
        self._question = QueryTopicLayouts(wanted, self._prepare if assigns else None)
        return self._question

    def _prepare(self, topics: Mapping[str, TopicLayout]) -> None:
        """Compute the assignment in advance, on any thread. `assignments` raises the error if this fails.

        Thread-safe, because neither the members nor `topics` change.
        """
        counted = counted_of(subscribed_topics(self._members), topics)
        with suppress(AssignmentError):
            self._prepared = counted, encoded_assignments(self._protocol_name, self._members, counted)

    def store_layouts(self, question: QueryTopicLayouts, topics: Mapping[str, TopicLayout], now_ms: int) -> bool:
        """Store the topic layouts; return False if they do not answer the newest query."""
        if question is not self._question:
            return False
        self._question = None
        self._topics = counted_of(question.topics, topics)
        self.due_ms = now_ms + METADATA_AGE_MS
        return True

    def doubts(self) -> tuple[str, ...]:
        """Return one sentence for each claim that the assignor ignores."""
        return tuple(doubtful_claims(self._protocol_name, self._members, self._topics))

    def assignments(self) -> list[SyncGroupRequestAssignment]:
        """Return the encoded assignments; an empty list if the coordinator keeps the current assignment (rule 7.5.4).

        Raises:
            AssignmentError: The leader cannot assign.
        """
        self._assigned_from = self._topics
        if self._skip_assignment:
            return []
        if self._prepared is not None and self._prepared[0] == self._topics:
            return self._prepared[1]
        return encoded_assignments(self._protocol_name, self._members, self._topics)


def counted_of(names: Iterable[str], topics: Mapping[str, TopicLayout]) -> dict[str, TopicLayout]:
    """Return the layout of each topic in `names`; a topic that does not exist has a layout without partitions."""
    return {name: topics.get(name, NO_TOPIC) for name in names}


def subscribed_members(members: Iterable[JoinGroupResponseMember]) -> list[SubscribedMember]:
    """Decode the subscriptions of all members. Raises MalformedMessage."""
    decode = SubscriptionDecoder().decode
    return [SubscribedMember(member.member_id, member.group_instance_id, decode(member.metadata)) for member in members]


def encoded_assignments(
    protocol_name: str, members: Sequence[SubscribedMember], topics: Mapping[str, TopicLayout]
) -> list[SyncGroupRequestAssignment]:
    """Assign partitions, and encode the assignment of every member. Raises AssignmentError.

    Members without partitions get an empty assignment, because Java clients fail on empty bytes (rule 2.9).
    """
    encode = AssignmentEncoder().encode
    return [
        SyncGroupRequestAssignment(member_id=MemberId(member_id), assignment=encode(partitions_of_topic))
        for member_id, partitions_of_topic in assign(protocol_name, members, topics).items()
    ]


def doubtful_claims(
    protocol_name: str, members: Sequence[SubscribedMember], topics: Mapping[str, TopicLayout]
) -> list[str]:
    """Return one sentence for each claim that the assignor ignores (KIP-792; rule 7.8), at most CLAIM_DOUBTS_MAX.

    Such a claim does no harm. It shows that a member missed a rebalance, or that two members use the same identity.
    """
    doubts: list[str] = []
    first: dict[TopicPartition, tuple[str, int]] = {}
    for member in members:
        owned, generation_id = claim_of(protocol_name, member.subscription)
        for of in owned:
            for number in of.partitions:
                partition = TopicPartition(of.topic, number)
                if of.topic in topics and not 0 <= number < topics[of.topic].partitions:
                    doubts.append(
                        f"member {member.member_id} claims {partition}, which does not exist; the claim is ignored. "
                        "Restart the member if this repeats."
                    )
                rival, rivals_generation_id = first.setdefault(partition, (member.member_id, generation_id))
                if rival != member.member_id:
                    verdict = "the higher one wins" if generation_id != rivals_generation_id else "both are ignored"
                    doubts.append(
                        f"members {rival} (generation {rivals_generation_id}) and {member.member_id} (generation "
                        f"{generation_id}) both claim {partition}; {verdict}. Restart the other member if this repeats."
                    )
                if len(doubts) >= CLAIM_DOUBTS_MAX:
                    return doubts
    return doubts
