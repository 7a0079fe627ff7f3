"""Coordinator's assignor `uniform` when one member joins: ours, and Kafka's own class in a JVM, in the same run.

*assign* begins with the group as each side stores it between assignments, with the new member: ours as arrays, Kafka's
as maps of members and their targets. It ends with the changed partitions, or with Kafka's maps of targets. *whole* is
the work of a coordinator: ours adds the new member to the arrays, Kafka's `TargetAssignmentBuilder` creates the input
of its assignor. Both assign, create a record for each member with a changed target, and encode the records. The remark
contains the processor time of both, which includes Kafka's garbage collector, and our time without stored arrays. Each
of our builds runs in a process of its own: `python -m bench.server_assignors KIND SIZE...`.
"""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

from bench.assignors import HEAP, WHOLE_TIMES_AS_FAST, Size, Times, timed
from bench.figures import Figure, Sample
from bench.sides import OURS, OURS_COMPILED
from compiled.installed import compiled_python
from tenure.coordinator.groups.consumer.assign import new_target
from tenure.coordinator.groups.consumer.member import Member
from tenure.coordinator.groups.effects import Assign, assign
from tenure.coordinator.metadata.topics import Topic, Topics
from tenure.protocol.types import GroupId, MemberId, TopicId, TopicName
from tenure.runtime.codecs import GroupsCodec
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


class Side(NamedTuple):
    times: Times
    processor_ms: list[float]
    """Processor time of each whole assignment."""
    from_names_ms: list[float]
    """Time of a whole assignment without stored arrays; empty for Kafka."""


def measure(directory: Path, quick: bool) -> Iterator[Figure]:
    classes = kafka_assignors.compiled(directory, kafka_assignors.OF_THE_SERVER)
    builds = {OURS: Path(sys.executable)}
    if compiled := compiled_python():
        builds[OURS_COMPILED] = compiled
    for goal in GOALS:
        size = goal.size
        if quick:
            size = Size(size.members // 10, max(5, size.topics // 10), max(2, size.partitions // 10), 3, 3)
        theirs = kafka_side(classes, goal.subscriptions, size)
        for build, python in builds.items():
            yield from beside_kafka(goal, size, build, theirs, in_fresh_process(python, goal.subscriptions, size))


def in_fresh_process(python: Path, subscriptions: str, size: Size) -> Side:
    command = [str(python), "-m", "bench.server_assignors", subscriptions, *map(str, size)]
    times, *others = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return Side(Times(*times), *others)


def beside_kafka(goal: Goal, size: Size, build: str, kafkas: Side, found: Side) -> Iterator[Figure]:
    ours, theirs = found.times, kafkas.times
    assert (ours.largest - ours.smallest, ours.moved) <= (theirs.largest - theirs.smallest, theirs.moved), (
        ours,
        theirs,
    )
    told = f"uniform, {'all want the same' if goal.subscriptions == 'same' else 'five sorts'}, {size}, one joins"
    of_build = "" if build == OURS else f", {build}"
    result = "moved {0.moved}, sizes {0.smallest} to {0.largest}"
    remark = f"ours {result.format(ours)}, Kafka's {result.format(theirs)}"
    processor = " and ".join(str(Sample.of(side.processor_ms)) for side in (found, kafkas))
    from_names = f"processor time {processor} ms; from names alone {Sample.of(found.from_names_ms)} ms"
    for what, own_ms, their_ms, times_as_fast, last in (
        ("assign", ours.assign_ms, theirs.assign_ms, goal.times_as_fast, remark),
        ("whole, names to records", ours.whole_ms, theirs.whole_ms, WHOLE_TIMES_AS_FAST[build], from_names),
    ):
        mine, peer = Sample.of(own_ms), Sample.of(their_ms)
        said = f"{peer.median / mine.median:.2f} times as fast, promised {times_as_fast:g}; {last}"
        bound = peer.median / times_as_fast
        yield Figure(f"{told}: {what}{of_build}", "ms", mine, bound, True, f"Kafka {VERSION}", peer, [said])


def kafka_side(classes: Path, subscriptions: str, size: Size) -> Side:
    arguments = ("time", "uniform", subscriptions, *map(str, size))
    *lines, report = kafka_assignors.run(classes, *arguments, heap=HEAP, program_name=kafka_assignors.OF_THE_SERVER)
    words = report.split()
    assign_ms, whole_ms, processor_ms = ([float(line.split()[at]) for line in lines] for at in range(3))
    return Side(Times(assign_ms, whole_ms, int(words[1]), int(words[3]), int(words[5])), processor_ms, [])


def tenure_side(subscriptions: str, size: Size) -> Side:
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
    codec = GroupsCodec()

    def whole(effect: Assign) -> list[Any]:
        records: list[Any] = new_target(effect.group_id, effect.group_epoch, assign(effect), 0)
        return [codec.encode(record) for record in records]

    lost = int(((owners != held.server_group.owners) & (held.server_group.owners >= 0)).sum())
    without = Assign(GroupId("g"), 3, "uniform", None, everybody, {}, first.targets, topics)
    gc.freeze()  # targets of a million partitions, which stay in all rounds
    try:
        whole_ms, from_names_ms = (timed(partial(whole, each), WHOLE_ROUNDS) for each in (effect, without))
        processor_ms = timed(partial(whole, effect), WHOLE_ROUNDS, clock=time.process_time)
        assign_ms = timed(assigned, size.rounds, warm_ups=3)
    finally:
        gc.unfreeze()
    times = Times(assign_ms, whole_ms, lost, int(sizes.min()), int(sizes.max()))
    return Side(times, processor_ms, from_names_ms)


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


if __name__ == "__main__":
    print(json.dumps(tenure_side(sys.argv[1], Size(*map(int, sys.argv[2:])))))
