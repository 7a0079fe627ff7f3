"""Assignment of partitions by the leader of a classic group, with the assignor that the coordinator selected.

This module converts between names and the indices of `tenure.assignors`.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from tenure.assignors.members import member_order
from tenure.client.group.ownership import RebalanceProtocol
from tenure.client.group.subscriptions import COOPERATIVE_STICKY, STICKY, Claim, claim_of
from tenure.client.values import TopicLayout, TopicPartition
from tenure.protocol import consumer_protocol
from tenure.protocol.consumer_protocol import Subscription

if TYPE_CHECKING:
    from tenure.assignors.group import Claims, Group, Indices, Racks

Assignments: TypeAlias = dict[str, dict[str, list[int]]]
"""Partitions by member id and topic, ascending. Contains every member."""

EAGER: Final = (RebalanceProtocol.EAGER,)
EITHER: Final = (RebalanceProtocol.COOPERATIVE, RebalanceProtocol.EAGER)


class Assignor(NamedTuple):
    """Import path of a client-side assignor, and the rebalance protocols that it supports."""

    module: str
    """Imported on first use, because it needs numpy and most members never lead."""
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


class SubscribedMember(NamedTuple):
    """Group member with its decoded subscription."""

    member_id: str
    group_instance_id: str | None
    subscription: Subscription


def assign(protocol_name: str, members: Sequence[SubscribedMember], topics: Mapping[str, TopicLayout]) -> Assignments:
    """Assign all subscribed partitions. Topics that are unknown or have no partitions are left out.

    Raises:
        AssignmentError: The assignor is unknown, or two members have the same id.
    """
    run = assignor(protocol_name)
    check_members(members)
    ordered = sorted(members, key=lambda member: member_order(member.member_id, member.group_instance_id))
    wanted = subscribed_topics(ordered)
    names = sorted(topic for topic in wanted if topic in topics and topics[topic].partitions > 0)
    claims = [claim_of(protocol_name, member.subscription) for member in ordered]
    owners = run(group_of(ordered, claims, names, topics))
    return named(owners, ordered, names, topics)


def subscribed_topics(members: Iterable[SubscribedMember]) -> frozenset[str]:
    """Return all topics to which at least one member subscribes.

    A list object that several members share is read only once.
    """
    different = {id(member.subscription.topics): member.subscription.topics for member in members}
    return frozenset[str]().union(*different.values())


def known(protocol_name: str) -> Assignor:
    """Return the assignor with this name. Raises `AssignmentError`."""
    found = ASSIGNORS.get(protocol_name)
    if found is None:
        raise AssignmentError(
            f"Unknown assignor '{protocol_name}': the members of the group must offer one of {', '.join(ASSIGNORS)}."
        )
    return found


def assignor(protocol_name: str) -> "Callable[[Group], Indices]":
    """Import and return the function of an assignor. Raises `AssignmentError`."""
    found = known(protocol_name)
    run: Callable[[Group], Indices] = getattr(import_module(found.module), found.function)
    return run


def rebalance_protocol(names: Sequence[str]) -> RebalanceProtocol:
    """Return the highest rebalance protocol that all given assignors support (rule 7.4). Raises `AssignmentError`."""
    if all(RebalanceProtocol.COOPERATIVE in known(name).rebalance_protocols for name in names):
        return RebalanceProtocol.COOPERATIVE
    return RebalanceProtocol.EAGER


def check_members(members: Sequence[SubscribedMember]) -> None:
    """Raise `AssignmentError` if two members have the same id."""
    for what, names in (
        ("member id", [member.member_id for member in members]),
        ("group.instance.id", [member.group_instance_id for member in members if member.group_instance_id is not None]),
    ):
        name, count = max(Counter(names).items(), key=lambda found: found[1], default=("", 0))
        if count > 1:
            raise AssignmentError(
                f"Duplicate {what} '{name}': {count} live members use it. Stop all but one, or give each its own."
            )


def group_of(
    members: Sequence[SubscribedMember],
    claims: Sequence[Claim],
    names: Sequence[str],
    topics: Mapping[str, TopicLayout],
) -> "Group":
    """Return the group as arrays for the assignor: members in the given order, topics in the order of `names`."""
    import numpy as np

    from tenure.assignors.group import Group

    index = {topic: position for position, topic in enumerate(names)}
    different: dict[tuple[str, ...], Indices] = {}
    known: dict[int, Indices] = {}
    for member in members:  # most subscriptions are equal, and long ones share their list of topics
        wanted = member.subscription.topics
        if id(wanted) in known:
            continue
        contents = tuple(wanted)
        if contents not in different:
            different[contents] = np.unique(np.array([index[topic] for topic in wanted if topic in index], np.int32))
        known[id(wanted)] = different[contents]
    return Group(
        np.array([topics[topic].partitions for topic in names], np.int64),
        tuple(known[id(member.subscription.topics)] for member in members),
        claim_columns(claims, index, names, topics),
        racks_of(members, names, topics),
    )


def claim_columns(
    claims: Sequence[Claim], index: Mapping[str, int], names: Sequence[str], topics: Mapping[str, TopicLayout]
) -> "Claims":
    """Return the members' claims as arrays, without topics and partitions that do not exist.

    Args:
        claims: Claims in the order of the members.
        index: Position of each topic in `names`.
        names: Topic names.
        topics: Layout of each topic.
    """
    import numpy as np

    from tenure.assignors.group import Claims

    unknown = len(names)
    partition_counts = np.array([*(topics[topic].partitions for topic in names), 0], np.int64)
    owned = [of for claim in claims for of in claim.owned]
    sizes = np.array([len(of.partitions) for of in owned], np.int64)
    numbers = np.fromiter(chain.from_iterable([of.partitions for of in owned]), np.int64, int(sizes.sum()))
    topic_of = np.repeat(np.array([index.get(of.topic, unknown) for of in owned], np.int64), sizes)
    entries = np.array([len(claim.owned) for claim in claims], np.int64)
    members = np.repeat(np.repeat(np.arange(len(claims), dtype=np.int32), entries), sizes)
    exist = (numbers >= 0) & (numbers < partition_counts[topic_of])
    firsts = np.cumsum(partition_counts) - partition_counts
    return Claims(
        members[exist],
        (firsts[topic_of] + numbers)[exist].astype(np.int32),
        np.array([claim.generation_id for claim in claims], np.int32),
    )


def racks_of(
    members: Sequence[SubscribedMember], names: Sequence[str], topics: Mapping[str, TopicLayout]
) -> "Racks | None":
    """Return the racks of members and replicas as arrays; None if no member or no topic has a rack."""
    rack_ids = [member.subscription.rack_id or None for member in members]
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
    of_members = [NO_RACK if rack_id is None else index.setdefault(rack_id, len(index)) for rack_id in rack_ids]
    return Racks(np.array(of_members, np.int32), tuple(sets), np.array(of_partitions, np.int32))


def named(
    owners: "Indices", members: Sequence[SubscribedMember], names: Sequence[str], topics: Mapping[str, TopicLayout]
) -> Assignments:
    """Convert the owner of each partition to an assignment by member id.

    One pass over the partitions, sorted by owner.
    """
    import numpy as np

    counts = np.array([topics[topic].partitions for topic in names], np.int64)
    topic_of = np.repeat(np.arange(len(names)), counts)
    number_of = np.arange(len(owners)) - np.repeat(np.cumsum(counts) - counts, counts)
    order = np.argsort(owners, kind="stable")
    order = order[np.searchsorted(owners[order], 0) :]
    keys = owners[order].astype(np.int64) * max(len(names), 1) + topic_of[order]
    starts = np.flatnonzero(np.diff(keys, prepend=-1))
    numbers = number_of[order].tolist()
    assignments: Assignments = {member.member_id: {} for member in members}
    ends = np.flatnonzero(np.diff(keys, append=-1)) + 1
    for start, end, key in zip(starts.tolist(), ends.tolist(), keys[starts].tolist(), strict=True):
        member, topic = divmod(key, len(names))
        assignments[members[member].member_id][names[topic]] = numbers[start:end]
    return assignments


def assigned_partitions(assignment: bytes) -> tuple[TopicPartition, ...]:
    """Decode an assignment. Raises MalformedMessage if its bytes are not Kafka's format (rule 7.5.6)."""
    return tuple(
        sorted(
            TopicPartition(of_topic.topic, partition)
            for of_topic in consumer_protocol.decode_assignment(assignment).assigned_partitions
            for partition in of_topic.partitions
        )
    )
