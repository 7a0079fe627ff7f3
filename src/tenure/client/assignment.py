"""What the leader of a classic group does for it: from subscriptions to assignments, by the protocol the group chose.

Names stand here, indices in `tenure.assignors`: this is the edge between the two.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from tenure.assignors.members import member_order
from tenure.client.ownership import RebalanceProtocol
from tenure.client.subscriptions import COOPERATIVE_STICKY, STICKY, Claim, claim_of
from tenure.protocol.consumer_protocol import Subscription

if TYPE_CHECKING:
    from tenure.assignors.group import Claims, Group, Indices, Racks

Assignments: TypeAlias = dict[str, dict[str, list[int]]]
"""Member id -> topic -> partitions, ascending. Every member is in it."""

EAGER: Final = (RebalanceProtocol.EAGER,)
EITHER: Final = (RebalanceProtocol.COOPERATIVE, RebalanceProtocol.EAGER)


class Assignor(NamedTuple):
    module: str
    """Imported at first use: it needs numpy, and most members never lead."""
    function: str
    rebalance_protocols: tuple[RebalanceProtocol, ...]


ASSIGNORS: Final[Mapping[str, Assignor]] = {
    "range": Assignor("tenure.assignors.range", "assign", EAGER),
    "roundrobin": Assignor("tenure.assignors.round_robin", "assign", EAGER),
    STICKY: Assignor("tenure.assignors.sticky", "assign", EAGER),
    COOPERATIVE_STICKY: Assignor("tenure.assignors.cooperative", "assign", EITHER),
}
"""By the name under which members offer them when they join."""


class AssignmentError(Exception):
    """The leader cannot, or must not, hand out an assignment; the text is one sentence: cause and remedy."""


class SubscribedMember(NamedTuple):
    member_id: str
    group_instance_id: str | None
    subscription: Subscription


class Topic(NamedTuple):
    """What the metadata know of a topic. Without racks, `range` and the sticky assignors look at none."""

    partitions: int
    replica_racks: Sequence[Collection[str]] = ()
    """By partition: the racks of the brokers that have a replica. Empty, or one for each partition."""


def assign(protocol_name: str, members: Sequence[SubscribedMember], topics: Mapping[str, Topic]) -> Assignments:
    """Raises `AssignmentError`. A topic that is not in `topics`, or has no partitions, is nobody's."""
    run = assignor(protocol_name)
    check_members(members)
    ordered = sorted(members, key=lambda member: member_order(member.member_id, member.group_instance_id))
    wanted = frozenset[str]().union(*(member.subscription.topics for member in ordered))
    names = sorted(topic for topic in wanted if topic in topics and topics[topic].partitions > 0)
    claims = [claim_of(protocol_name, member.subscription) for member in ordered]
    owners = run(group_of(ordered, claims, names, topics))
    return named(owners, ordered, names, topics)


def known(protocol_name: str) -> Assignor:
    found = ASSIGNORS.get(protocol_name)
    if found is None:
        raise AssignmentError(
            f"The assignor '{protocol_name}' is not known here: let the group's members offer one of "
            f"{', '.join(ASSIGNORS)}."
        )
    return found


def assignor(protocol_name: str) -> "Callable[[Group], Indices]":
    found = known(protocol_name)
    run: Callable[[Group], Indices] = getattr(import_module(found.module), found.function)
    return run


def rebalance_protocol(names: Sequence[str]) -> RebalanceProtocol:
    """The highest one that all of a member's assignors support (rule 7.4). Raises `AssignmentError`."""
    if all(RebalanceProtocol.COOPERATIVE in known(name).rebalance_protocols for name in names):
        return RebalanceProtocol.COOPERATIVE
    return RebalanceProtocol.EAGER


def check_members(members: Sequence[SubscribedMember]) -> None:
    for what, names in (
        ("member id", [member.member_id for member in members]),
        ("group.instance.id", [member.group_instance_id for member in members if member.group_instance_id is not None]),
    ):
        name, count = max(Counter(names).items(), key=lambda found: found[1], default=("", 0))
        if count > 1:
            raise AssignmentError(
                f"{count} live members have the {what} '{name}': only one may, so stop the others or give them another."
            )


def group_of(
    members: Sequence[SubscribedMember], claims: Sequence[Claim], names: Sequence[str], topics: Mapping[str, Topic]
) -> "Group":
    """Members in member order, topics in the order of their names."""
    import numpy as np

    from tenure.assignors.group import Group

    index = {topic: position for position, topic in enumerate(names)}
    known: dict[tuple[str, ...], Indices] = {}
    for member in members:  # most want the same
        wanted = tuple(member.subscription.topics)
        if wanted not in known:
            known[wanted] = np.unique(np.array([index[topic] for topic in wanted if topic in index], np.int32))
    return Group(
        np.array([topics[topic].partitions for topic in names], np.int64),
        tuple(known[tuple(member.subscription.topics)] for member in members),
        claim_columns(claims, names, topics),
        racks_of(members, names, topics),
    )


def claim_columns(claims: Sequence[Claim], names: Sequence[str], topics: Mapping[str, Topic]) -> "Claims":
    """Claims to what does not exist are dropped: topics that nobody wants any more, partitions beyond a topic's end."""
    import numpy as np

    from tenure.assignors.group import Claims

    first, ends, end = {}, [], 0
    for topic in names:
        first[topic] = end
        end += topics[topic].partitions
        ends.append(end)
    told = [(member, of) for member, claim in enumerate(claims) for of in claim.owned if of.topic in first]
    sizes = np.array([len(of.partitions) for _, of in told], np.int64)
    numbers = np.fromiter(chain.from_iterable(of.partitions for _, of in told), np.int64, int(sizes.sum()))
    firsts = np.repeat(np.array([first[of.topic] for _, of in told], np.int64), sizes)
    counts = np.repeat(np.array([topics[of.topic].partitions for _, of in told], np.int64), sizes)
    members = np.repeat(np.array([member for member, _ in told], np.int32), sizes)
    exist = (numbers >= 0) & (numbers < counts)
    return Claims(
        members[exist],
        (firsts + numbers)[exist].astype(np.int32),
        np.array([claim.generation_id for claim in claims], np.int32),
    )


def racks_of(members: Sequence[SubscribedMember], names: Sequence[str], topics: Mapping[str, Topic]) -> "Racks | None":
    """None where no member tells a rack, or no topic has any."""
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
    owners: "Indices", members: Sequence[SubscribedMember], names: Sequence[str], topics: Mapping[str, Topic]
) -> Assignments:
    """Back to names: one pass over the partitions, ordered by owner."""
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
