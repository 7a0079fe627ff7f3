"""Assignment of partitions by the leader of a classic group, with the assignor that the coordinator selected.

This module converts between names and the indices of `tenure.assignors`.
"""

from array import array
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from tenure.assignors.members import in_member_order
from tenure.client.group.ownership import RebalanceProtocol
from tenure.client.group.subscriptions import COOPERATIVE_STICKY, STICKY
from tenure.client.values import TopicLayout, TopicPartition
from tenure.protocol import consumer_protocol
from tenure.protocol.consumer_protocol import EncodedTopics
from tenure.protocol.message import MalformedMessage
from tenure.protocol.messages import JoinGroupResponseMember
from tenure.protocol.types import MemberId

if TYPE_CHECKING:
    from tenure.assignors.group import Claims, Counts, Group, Indices, Racks
    from tenure.client.group.claims import GroupClaims
    from tenure.client.group.encoded_assignments import EncodedAssignments

Assignments: TypeAlias = dict[str, dict[str, list[int]]]
"""Partitions by member id and topic, ascending. Contains every member."""

MALFORMED: Final = "a member's subscription is malformed: {}. Stop members that are no consumers"

EAGER: Final = (RebalanceProtocol.EAGER,)
EITHER: Final = (RebalanceProtocol.COOPERATIVE, RebalanceProtocol.EAGER)


class Assignor(NamedTuple):
    """Import path of a client-side assignor, and the rebalance protocols that it supports."""

    module: str
    """Module with the function. It is imported on first use, because it needs numpy and most members never lead."""
    function: str
    rebalance_protocols: tuple[RebalanceProtocol, ...]


ASSIGNORS: Final[Mapping[str, Assignor]] = {
    "range": Assignor("tenure.assignors.range", "assign", EAGER),
    "roundrobin": Assignor("tenure.assignors.round_robin", "assign", EAGER),
    STICKY: Assignor("tenure.assignors.sticky", "assign", EAGER),
    COOPERATIVE_STICKY: Assignor("tenure.assignors.cooperative", "assign", EITHER),
}
"""Assignors by protocol name in JoinGroup."""


class AssignmentError(Exception):
    """The leader cannot assign partitions. The message contains the cause and the remedy."""


class SubscribedMembers(NamedTuple):
    """Members of a group, and the topics to which they subscribe."""

    members: Sequence[JoinGroupResponseMember]
    subscriptions: list[bytes]
    """Encoded subscription of each member."""
    topic_lists: list[EncodedTopics]
    """Distinct topic lists of the members."""
    of_members: "array[int]"
    """For each member, the index of its topics in `topic_lists`."""

    @property
    def all_topics(self) -> frozenset[str]:
        """Topics to which at least one member subscribes."""
        return frozenset[str]().union(*(topics.names for topics in self.topic_lists))


def assign(
    protocol_name: str, members: Sequence[JoinGroupResponseMember], topics: Mapping[str, TopicLayout]
) -> Assignments:
    """Assign all subscribed partitions. Topics that are unknown or have no partitions are left out.

    Raises:
        AssignmentError: The assignor is unknown, a subscription is malformed, or two members have the same id.
    """
    try:
        subscribed = subscribed_members(members)
    except MalformedMessage as error:
        raise AssignmentError(MALFORMED.format(error)) from None
    found = encoded_assignments(protocol_name, subscribed, claims_of(protocol_name, subscribed), topics)
    return {
        of_member.member_id: {
            str(assigned.topic): list(assigned.partitions)
            for assigned in consumer_protocol.decode_assignment(of_member.assignment).assigned_partitions
        }
        for of_member in found.assignments
    }


def subscribed_members(members: Sequence[JoinGroupResponseMember]) -> SubscribedMembers:
    """Decode the topics of all subscriptions. Raises MalformedMessage."""
    decoder = consumer_protocol.TopicsDecoder()
    subscriptions = [member.metadata for member in members]
    of_members = decoder.decode(subscriptions)
    return SubscribedMembers(members, subscriptions, decoder.distinct, array("q", of_members))


def claims_of(protocol_name: str, subscribed: SubscribedMembers) -> "GroupClaims":
    """Decode the claims of all members. Raises AssignmentError."""
    import numpy as np  # imported late, as all modules that need it: most members never lead

    from tenure.client.group.claims import decode_claims

    sizes = np.array([topics.size for topics in subscribed.topic_lists], np.int64)
    try:
        return decode_claims(
            protocol_name, subscribed.subscriptions, sizes[np.asarray(subscribed.of_members, np.int64)]
        )
    except MalformedMessage as error:
        raise AssignmentError(MALFORMED.format(error)) from None


def encoded_assignments(
    protocol_name: str,
    subscribed: SubscribedMembers,
    claims: "GroupClaims",
    topics: Mapping[str, TopicLayout],
    before: "EncodedAssignments | None" = None,
) -> "EncodedAssignments":
    """Assign all subscribed partitions, and encode the assignment of every member.

    Members without partitions get an empty assignment, because Java clients fail on empty bytes (rule 2.9).

    Args:
        protocol_name: Name of the assignor.
        subscribed: Members with their topics.
        claims: Claims of the members, in the order of `subscribed`.
        topics: Layout of each topic.
        before: Result for an earlier generation. Assignments that are still the same are not encoded again.

    Raises:
        AssignmentError: The assignor is unknown, or two members have the same id.
    """
    from tenure.client.group.encoded_assignments import encode_changed, places_in

    run = assignor(protocol_name)
    member_ids = [member.member_id for member in subscribed.members]
    old_places = places_in(before, member_ids)
    order = member_order(member_ids, [member.group_instance_id for member in subscribed.members], old_places)
    names = sorted(topic for topic in subscribed.all_topics if topic in topics and topics[topic].partitions > 0)
    group = group_of(subscribed, claims, order, names, topics)
    ordered_ids = [member_ids[number] for number in order.tolist()]
    return encode_changed(run(group), ordered_ids, old_places[order], names, group.partition_counts, before)


def member_order(member_ids: Sequence[MemberId], instance_ids: Sequence[str | None], old_places: "Indices") -> "Counts":
    """Return the indices of the members in member order (rule 7.9).

    If there are no new and no static members, the members have the order of `old_places`, their indices in the last
    member order.

    Raises:
        AssignmentError: Two members have the same id.
    """
    import numpy as np

    order = np.argsort(old_places)
    are_old = bool((np.diff(old_places[order], prepend=-1) > 0).all())  # each of them once
    return order if are_old and not any(instance_ids) else np.array(sorted_members(member_ids, instance_ids), np.int64)


def sorted_members(member_ids: Sequence[MemberId], instance_ids: Sequence[str | None]) -> list[int]:
    """Return the indices of the members in member order (rule 7.9).

    Raises `AssignmentError` if two members have the same id.
    """
    check_ids("member id", member_ids)
    check_ids("group.instance.id", [instance_id for instance_id in instance_ids if instance_id is not None])
    return in_member_order(member_ids, instance_ids)


def check_ids(kind: str, ids: Sequence[str]) -> None:
    """Raise `AssignmentError` if two members have the same id. `kind` names the ids, for example "member id"."""
    if len(set(ids)) < len(ids):
        duplicate, count = Counter(ids).most_common(1)[0]
        raise AssignmentError(
            f"Duplicate {kind} '{duplicate}': {count} live members use it. Stop all but one, or give each its own."
        )


def assignor_named(protocol_name: str) -> Assignor:
    """Return the assignor with this name. Raises `AssignmentError`."""
    found = ASSIGNORS.get(protocol_name)
    if found is None:
        raise AssignmentError(
            f"Unknown assignor '{protocol_name}': the members of the group must offer one of {', '.join(ASSIGNORS)}."
        )
    return found


def assignor(protocol_name: str) -> "Callable[[Group], Indices]":
    """Import and return the function of an assignor. Raises `AssignmentError`."""
    found = assignor_named(protocol_name)
    run: Callable[[Group], Indices] = getattr(import_module(found.module), found.function)
    return run


def rebalance_protocol(names: Sequence[str]) -> RebalanceProtocol:
    """Return the highest rebalance protocol that all given assignors support (rule 7.4). Raises `AssignmentError`."""
    if all(RebalanceProtocol.COOPERATIVE in assignor_named(name).rebalance_protocols for name in names):
        return RebalanceProtocol.COOPERATIVE
    return RebalanceProtocol.EAGER


def group_of(
    subscribed: SubscribedMembers,
    claims: "GroupClaims",
    order: "Counts",
    names: Sequence[str],
    topics: Mapping[str, TopicLayout],
) -> "Group":
    """Return the group as arrays for the assignor.

    Args:
        subscribed: Members with their topics.
        claims: Claims of the members, in the order of `subscribed`.
        order: Indices of the members in member order (rule 7.9). The arrays have the members in this order.
        names: Topic names. The arrays have the topics in this order.
        topics: Layout of each topic.
    """
    import numpy as np

    from tenure.assignors.group import Group, classes_of

    index = {topic: position for position, topic in enumerate(names)}
    wanted = [
        np.unique(np.array([index[topic] for topic in topic_list.names if topic in index], np.int32))
        for topic_list in subscribed.topic_lists
    ]
    of_members = np.asarray(subscribed.of_members, np.int64)[order]
    return Group(
        np.array([topics[topic].partitions for topic in names], np.int64),
        classes_of(wanted, of_members),
        claim_columns(claims, order, index, names, topics),
        racks_of(claims.rack_ids, order, names, topics),
    )


def claim_columns(
    claims: "GroupClaims",
    order: "Counts",
    index: Mapping[str, int],
    names: Sequence[str],
    topics: Mapping[str, TopicLayout],
) -> "Claims":
    """Return the members' claims in member order, without topics and partitions that do not exist.

    Args:
        claims: Claims of the members.
        order: Indices of the members in member order.
        index: Position of each topic in `names`.
        names: Topic names.
        topics: Layout of each topic.
    """
    import numpy as np

    from tenure.assignors.group import Claims

    unknown = len(names)
    owned = claims.owned
    positions = [index.get(name.decode(errors="replace"), unknown) for name in owned.names]
    topic_of = np.array(positions, np.int64)[owned.topics]
    partition_counts = np.array([*(topics[topic].partitions for topic in names), 0], np.int64)
    firsts = np.cumsum(partition_counts) - partition_counts
    numbers = owned.partitions
    exist = (numbers >= 0) & (numbers < partition_counts[topic_of])
    place = np.empty(len(order), np.int32)
    place[order] = np.arange(len(order))
    return Claims(
        place[claims.members[exist]],
        (firsts[topic_of[exist]] + numbers[exist]).astype(np.int32),
        claims.generations[order].astype(np.int32),
    )


def racks_of(
    rack_ids: Sequence[str | None], order: "Counts", names: Sequence[str], topics: Mapping[str, TopicLayout]
) -> "Racks | None":
    """Return the racks of members and replicas as arrays; None if no member or no topic has a rack.

    Args:
        rack_ids: Rack of each member; "" and None mean that it has none.
        order: Indices of the members in member order.
        names: Topic names.
        topics: Layout of each topic.
    """
    if not any(rack_ids) or not any(topics[topic].replica_racks for topic in names):
        return None
    import numpy as np

    from tenure.assignors.group import NO_RACK, Racks

    index: dict[str, int] = {}
    sets: dict[frozenset[int], int] = {}
    of_partitions = [
        sets.setdefault(frozenset(index.setdefault(rack, len(index)) for rack in racks), len(sets))
        for topic in names
        for racks in topics[topic].replica_racks or ((),) * topics[topic].partitions
    ]
    sorted_ids = [rack_ids[number] for number in order.tolist()]
    of_members = [index.setdefault(rack_id, len(index)) if rack_id else NO_RACK for rack_id in sorted_ids]
    return Racks(np.array(of_members, np.int32), tuple(sets), np.array(of_partitions, np.int32))


def assigned_partitions(assignment: bytes) -> tuple[TopicPartition, ...]:
    """Decode an assignment. Raises MalformedMessage if its bytes are not Kafka's format (rule 7.5.6)."""
    return tuple(
        sorted(
            TopicPartition(of_topic.topic, partition)
            for of_topic in consumer_protocol.decode_assignment(assignment).assigned_partitions
            for partition in of_topic.partitions
        )
    )
