"""Leader of a classic group (rule 7.5): assigns partitions, and checks later whether the assignment is outdated."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple

from tenure.client.group.assignment import AssignmentError, claims_of, encoded_assignments, subscribed_members
from tenure.client.group.memberships.membership_outputs import QueryTopicLayouts
from tenure.client.values import TopicLayout, TopicPartition
from tenure.limits.client import CLAIM_DOUBTS_MAX, METADATA_AGE_MS
from tenure.protocol.messages import JoinGroupResponse, JoinGroupResponseMember, SyncGroupRequestAssignment

if TYPE_CHECKING:
    from tenure.client.group.claims import GroupClaims
    from tenure.client.group.encoded_assignments import EncodedAssignments

NO_TOPIC: Final = TopicLayout(0)


class LeaderAssignment(NamedTuple):
    """Result of the leader's assignment: an encoded assignment for each member."""

    topics: dict[str, TopicLayout]
    """Topic layouts on which the assignment is based."""
    encoded: "EncodedAssignments | None"
    """Assignments of all members; None if the coordinator keeps the current assignment (rule 7.5.4)."""
    doubts: tuple[str, ...]
    """One sentence for each claim that the assignor ignores."""

    @property
    def assignments(self) -> list[SyncGroupRequestAssignment]:
        return [] if self.encoded is None else self.encoded.assignments


class Leader:
    """Work of the leader in one generation of the group."""

    def __init__(self, joined: JoinGroupResponse, before: "EncodedAssignments | None" = None) -> None:
        """Decode the topics of the members' subscriptions.

        Args:
            joined: Response with the subscriptions of all members.
            before: Last assignments of this leader, if it has assigned an earlier generation.

        Raises:
            MalformedMessage: A subscription is malformed.
        """
        self._before: Final = before
        self._subscribed: Final = subscribed_members(joined.members)
        self._protocol_name: Final = joined.protocol_name or ""
        self._skip_assignment: Final = joined.skip_assignment
        self._question: QueryTopicLayouts | None = None
        self._assigned_from: dict[str, TopicLayout] | None = None
        """Topic layouts on which the present assignment is based."""
        self._topics: dict[str, TopicLayout] = {}
        self._prepared: LeaderAssignment | None = None
        self.due_ms = 0
        """Time of the next metadata check."""

    @property
    def is_querying(self) -> bool:
        """True if a query for topic layouts is in flight."""
        return self._question is not None

    @property
    def is_outdated(self) -> bool:
        """True if partition counts or racks have changed since the assignment."""
        return self._assigned_from is not None and self._topics != self._assigned_from

    def query_layouts(self) -> QueryTopicLayouts:
        """Return the query for the layouts of all subscribed topics."""
        wanted = self._subscribed.all_topics
        self._question = QueryTopicLayouts(wanted, self._prepare if self._assigned_from is None else None)
        return self._question

    def _prepare(self, topics: Mapping[str, TopicLayout]) -> None:
        """Compute the assignment in advance, on any thread. `assigned` raises the error if this fails.

        Thread-safe, because neither the members nor `topics` change.
        """
        layouts = layouts_of(self._subscribed.all_topics, topics)
        with suppress(AssignmentError):
            self._prepared = self._assign(layouts)

    def store_layouts(self, question: QueryTopicLayouts, topics: Mapping[str, TopicLayout], now_ms: int) -> bool:
        """Store the topic layouts; return False if they do not answer the newest query."""
        if question is not self._question:
            return False
        self._question = None
        self._topics = layouts_of(question.topics, topics)
        self.due_ms = now_ms + METADATA_AGE_MS
        return True

    def assigned(self) -> LeaderAssignment:
        """Return the encoded assignments; none if the coordinator keeps the current assignment (rule 7.5.4).

        Raises:
            AssignmentError: The leader cannot assign.
        """
        self._assigned_from = self._topics
        if self._prepared is not None and self._prepared.topics == self._topics:
            return self._prepared
        return self._assign(self._topics)

    def _assign(self, topics: dict[str, TopicLayout]) -> LeaderAssignment:
        claims = claims_of(self._protocol_name, self._subscribed)
        doubts = doubtful_claims(self._subscribed.members, claims, topics)
        if self._skip_assignment:
            return LeaderAssignment(topics, None, tuple(doubts))
        encoded = encoded_assignments(self._protocol_name, self._subscribed, claims, topics, self._before)
        return LeaderAssignment(topics, encoded, tuple(doubts))


def layouts_of(names: Iterable[str], topics: Mapping[str, TopicLayout]) -> dict[str, TopicLayout]:
    """Return the layout of each topic in `names`; a topic that does not exist has a layout without partitions."""
    return {name: topics.get(name, NO_TOPIC) for name in names}


def doubtful_claims(
    members: Sequence[JoinGroupResponseMember], claims: "GroupClaims", topics: Mapping[str, TopicLayout]
) -> list[str]:
    """Return one sentence for each claim that the assignor ignores (KIP-792; rule 7.8), at most CLAIM_DOUBTS_MAX.

    Such a claim does no harm. It shows that a member missed a rebalance, or that two members use the same identity.
    """
    from tenure.client.group.claims import invalid_or_repeated_claims

    doubts: list[str] = []
    first: dict[TopicPartition, int] = {}
    generations = claims.generations.tolist()
    for number, partition in invalid_or_repeated_claims(claims, topics):
        member_id, generation_id = members[number].member_id, generations[number]
        if partition.topic in topics and not 0 <= partition.partition < topics[partition.topic].partitions:
            doubts.append(
                f"member {member_id} claims {partition}, which does not exist. Restart the member if this repeats."
            )
        rival = first.setdefault(partition, number)
        if rival != number:
            is_decided = generation_id != generations[rival]
            verdict = "the higher generation is used" if is_decided else "both are ignored"
            which = "the member with the lower generation" if is_decided else "both members"
            doubts.append(
                f"members {members[rival].member_id} (generation {generations[rival]}) and {member_id} (generation "
                f"{generation_id}) both claim {partition}; {verdict}. Restart {which} if this repeats."
            )
        if len(doubts) >= CLAIM_DOUBTS_MAX:
            return doubts
    return doubts
