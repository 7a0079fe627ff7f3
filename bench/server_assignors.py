"""Coordinator's assignor `uniform` when one member joins: ours, and Kafka's own class in a JVM, in the same run.

*assign* begins with the group as each side stores it between assignments, with the new member: ours as arrays, Kafka's
as maps of members and their targets. It ends with the changed partitions, or with Kafka's maps of targets. *whole* is
the work of our coordinator's thread: it adds the new member to the arrays, assigns, and lists the changed targets of
members. The remark contains the time without stored arrays.
"""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any, Final, NamedTuple

from bench.assignors import HEAP, Size, Times, timed
from bench.figures import Figure, Sample
from tenure.coordinator.groups.consumer.member import Member
from tenure.coordinator.groups.effects import Assign, assign
from tenure.coordinator.metadata.topics import Topic, Topics
from tenure.protocol.types import GroupId, MemberId, TopicId, TopicName
from tests.apache_kafka import VERSION
from tests.assignors import kafka_assignors

BUCKETS: Final = 5
WHOLE_ROUNDS: Final = 5


class Goal(NamedTuple):
    subscriptions: str
    """Subscriptions: "same", or "buckets" if each fifth of the members has its own fifth of the topics."""
    size: Size
    times_as_fast: float


GOALS: Final = (
    Goal("same", Size(10_000, 50, 1_000, rounds=25, warm_ups=60), 1),
    Goal("same", Size(1_000, 1_000, 1_000, rounds=15, warm_ups=20), 3),
    Goal("buckets", Size(10_000, 1_000, 10, rounds=15, warm_ups=20), 2),
)


class Ours(NamedTuple):
    times: Times
    from_names_ms: list[float]


def measure(directory: Path, quick: bool) -> list[Figure]:
    classes = kafka_assignors.compiled(directory, kafka_assignors.OF_THE_SERVER)
    figures = []
    for goal in GOALS:
        size = goal.size
        if quick:
            size = Size(size.members // 10, max(5, size.topics // 10), max(2, size.partitions // 10), 3, 3)
        figures += compare(goal, size, kafkas(classes, goal.subscriptions, size), tenures(goal.subscriptions, size))
    return figures


def compare(goal: Goal, size: Size, theirs: Times, found: Ours) -> list[Figure]:
    ours = found.times
    assert (ours.largest - ours.smallest, ours.moved) <= (theirs.largest - theirs.smallest, theirs.moved), (
        ours,
        theirs,
    )
    told = f"uniform, {'all want the same' if goal.subscriptions == 'same' else 'five sorts'}, {size}, one joins"
    peer, mine = Sample.of(theirs.assign_ms), Sample.of(ours.assign_ms)
    result = "moved {0.moved}, sizes {0.smallest} to {0.largest}"
    said = f"{peer.median / mine.median:.1f} times as fast, promised {goal.times_as_fast:g}; "
    said += f"ours {result.format(ours)}, Kafka's {result.format(theirs)}"
    promised = peer.median / goal.times_as_fast
    from_names = f"from names alone {Sample.of(found.from_names_ms)} ms"
    return [
        Figure(f"{told}: assign", "ms", mine, promised, True, f"Kafka {VERSION}", peer, [said]),
        Figure(f"{told}: whole, names to names", "ms", Sample.of(ours.whole_ms), remarks=[from_names]),
    ]


def kafkas(classes: Path, subscriptions: str, size: Size) -> Times:
    arguments = ("time", "uniform", subscriptions, *map(str, size))
    *lines, report = kafka_assignors.run(classes, *arguments, heap=HEAP, program_name=kafka_assignors.OF_THE_SERVER)
    words = report.split()
    return Times(list(map(float, lines)), [], int(words[1]), int(words[3]), int(words[5]))


def tenures(subscriptions: str, size: Size) -> Ours:
    import numpy as np

    from tenure.assignors.server import BUILT_IN
    from tenure.coordinator.groups.consumer.assignment_arrays import CurrentGroup, update_arrays

    topics = Topics()
    for number in range(size.topics):
        name = TopicName(f"topic-{number:04}")
        topics.put(Topic(name, TopicId(number.to_bytes(16, "big")), size.partitions))
    everybody = {member.member_id: member for member in members(subscriptions, size, sorted(topics.names))}
    joiner = next(reversed(everybody))
    before: dict[MemberId, Member] = {name: member for name, member in everybody.items() if name != joiner}
    first = assign(Assign(GroupId("g"), 2, "uniform", None, before, {}, {}, topics))
    effect = Assign(GroupId("g"), 3, "uniform", None, everybody, {}, first.targets, topics, first.arrays, {joiner})
    arrays: Any = first.arrays
    held, _ = update_arrays(arrays, {joiner}, CurrentGroup(everybody, {}, first.targets, topics))

    def assigned() -> np.ndarray[Any, Any]:
        owners = BUILT_IN["uniform"].assign(held.server_group)
        return np.flatnonzero(owners != held.server_group.owners)

    owners = BUILT_IN["uniform"].assign(held.server_group)
    sizes = np.bincount(owners, minlength=size.members)
    lost = int(((owners != held.server_group.owners) & (held.server_group.owners >= 0)).sum())
    without = Assign(GroupId("g"), 3, "uniform", None, everybody, {}, first.targets, topics)
    gc.freeze()  # a million partitions' targets, which no round makes
    try:
        whole, from_names = (timed(lambda of=of: assign(of), WHOLE_ROUNDS) for of in (effect, without))  # type: ignore[misc]
        ours = Times(timed(assigned, size.rounds, warm_ups=3), whole, lost, int(sizes.min()), int(sizes.max()))
    finally:
        gc.unfreeze()
    return Ours(ours, from_names)


def members(subscriptions: str, size: Size, names: list[TopicName]) -> list[Member]:
    """Return the members, of which the last one joins."""
    buckets = 1 if subscriptions == "same" else BUCKETS
    each, wide = -(-size.members // buckets), -(-size.topics // buckets)
    wanted = [tuple(names[bucket * wide : (bucket + 1) * wide]) for bucket in range(buckets)]
    numbers = range(size.members)
    return [
        Member(
            MemberId(f"member-{number:05}"),
            subscribed_topic_names=wanted[0 if number == size.members - 1 else number // each],
        )
        for number in numbers
    ]
