"""Sticky assignors when one member leaves: ours, and Kafka's own classes in a JVM, in the same run.

Two times are measured on each side. *assign* begins with decoded claims and ends with the assignment: ours are arrays,
Kafka's are maps of `Subscription`s and `Assignment`s (for `sticky`, Kafka parses the claims in the user data within
this time). *whole* is the time of a leader: from the bytes of JoinGroup to the bytes of SyncGroup, with decoding and
encoding. Each of our builds runs in a process of its own: `python -m bench.assignors PROTOCOL SIZE...`.
"""

from __future__ import annotations

import gc
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from bench.figures import Figure, Sample
from bench.sides import OURS, OURS_COMPILED
from compiled.installed import compiled_python
from tenure.assignors.group import Group
from tenure.client.group import assignment, subscriptions
from tenure.client.group.encoded_assignments import EncodedAssignments
from tenure.client.values import TopicLayout, TopicPartition
from tenure.protocol.messages import JoinGroupResponseMember
from tenure.protocol.types import MemberId
from tests.apache_kafka import VERSION
from tests.assignors import kafka_assignors

HEAP: Final = "6G"
WHOLE_ROUNDS: Final = 9
"""Number of measured rounds of the whole assignment by Tenure."""
WHOLE_TIMES_AS_FAST: Final = {OURS: 1.0, OURS_COMPILED: 3.0}


class Size(NamedTuple):
    members: int
    topics: int
    partitions: int
    rounds: int
    warm_ups: int

    @property
    def is_large(self) -> bool:
        """True if a round of Apache Kafka takes seconds."""
        return self.members * self.topics * self.partitions > 1_000_000_000

    def __str__(self) -> str:
        return f"{self.members:,} members x {self.topics:,} topics x {self.partitions:,} partitions"


class Goal(NamedTuple):
    protocol: str
    size: Size
    times_as_fast: float


GOALS: Final = (
    Goal("cooperative-sticky", Size(2_000, 1_000, 1_000, rounds=5, warm_ups=2), 15),
    Goal("sticky", Size(2_000, 1_000, 1_000, rounds=5, warm_ups=2), 15),
    Goal("cooperative-sticky", Size(1_000, 1_000, 100, rounds=9, warm_ups=10), 5),
    Goal("sticky", Size(1_000, 1_000, 100, rounds=9, warm_ups=10), 5),
    Goal("cooperative-sticky", Size(5_460, 1, 3_625, rounds=15, warm_ups=60), 1),
)


class Times(NamedTuple):
    assign_ms: list[float]
    whole_ms: list[float]
    moved: int
    smallest: int
    largest: int


def measure(directory: Path, quick: bool) -> Iterator[Figure]:
    yield from compared(directory, [goal._replace(size=tenth(goal.size)) for goal in GOALS] if quick else GOALS)


def measure_goals(directory: Path, quick: bool) -> Iterator[Figure]:
    """Measure the full sizes. If a round takes seconds, measure one round, after one warm-up round."""
    if quick:
        yield from measure(directory, quick)
        return
    short = [goal._replace(size=goal.size._replace(rounds=1, warm_ups=1)) for goal in GOALS if goal.size.is_large]
    yield from compared(directory, [*short, *(goal for goal in GOALS if not goal.size.is_large)])


def tenth(size: Size) -> Size:
    return Size(size.members // 10, max(1, size.topics // 10), size.partitions // 10, rounds=3, warm_ups=3)


def compared(directory: Path, goals: Sequence[Goal]) -> Iterator[Figure]:
    classes = kafka_assignors.compiled(directory)
    builds = {OURS: Path(sys.executable)}
    if compiled := compiled_python():
        builds[OURS_COMPILED] = compiled
    for goal in goals:
        theirs = kafka_times(classes, goal.protocol, goal.size)
        for build, python in builds.items():
            yield from beside_kafka(goal, build, theirs, in_fresh_process(python, goal.protocol, goal.size))


def in_fresh_process(python: Path, protocol: str, size: Size) -> Times:
    command = [str(python), "-m", "bench.assignors", protocol, *map(str, size)]
    return Times(*json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout))


def beside_kafka(goal: Goal, build: str, theirs: Times, ours: Times) -> Iterator[Figure]:
    assert (ours.largest - ours.smallest, ours.moved) <= (theirs.largest - theirs.smallest, theirs.moved), (
        ours,
        theirs,
    )
    told = f"{goal.protocol}, {goal.size}, one leaves"
    kafka, result = f"Kafka {VERSION}", "moved {0.moved}, sizes {0.smallest} to {0.largest}"
    for what, own, other, times_as_fast in (
        ("assign", ours.assign_ms, theirs.assign_ms, goal.times_as_fast),
        ("whole, bytes to bytes", ours.whole_ms, theirs.whole_ms, WHOLE_TIMES_AS_FAST[build]),
    ):
        mine, peer = Sample.of(own), Sample.of(other)
        said = f"{peer.median / mine.median:.2f} times as fast, promised {times_as_fast:g}; "
        said += f"ours {result.format(ours)}, Kafka's {result.format(theirs)}"
        of_build = "" if build == OURS else f", {build}"
        yield Figure(f"{told}: {what}{of_build}", "ms", mine, peer.median / times_as_fast, True, kafka, peer, [said])


def kafka_times(classes: Path, protocol: str, size: Size) -> Times:
    lines = kafka_assignors.run(classes, "time", protocol, *map(str, size), heap=HEAP)
    assign_ms, whole_ms, result = [], [], [0, 0, 0]
    for words in map(str.split, lines):
        if words[0] == "moved":
            result = [int(words[1]), int(words[3]), int(words[5])]
        else:
            assign_ms.append(float(words[0]))
            whole_ms.append(float(words[1]))
    return Times(assign_ms, whole_ms, *result)


def tenure_times(protocol: str, size: Size) -> Times:
    import numpy as np

    names = [f"topic-{topic:04}" for topic in range(size.topics)]
    topics = {name: TopicLayout(size.partitions) for name in names}
    run = assignment.assignor(protocol)
    leaver = size.members - 1
    everybody = [joined(protocol, names, number, None) for number in range(size.members)]
    encoded = whole(protocol, everybody, topics)
    before = encoded.owners
    owned = [np.flatnonzero(before == number).tolist() for number in range(leaver)]
    staying = [joined(protocol, names, number, owned[number], size.partitions) for number in range(leaver)]
    held = group(protocol, staying, topics)
    after = run(held)
    sizes = np.bincount(after, minlength=leaver)
    return Times(
        timed(lambda: run(held), size.rounds, warm_ups=3),
        timed(lambda: whole(protocol, staying, topics, encoded), WHOLE_ROUNDS, warm_ups=2),
        int(((after != before) & (before != leaver)).sum()),
        int(sizes.min()),
        int(sizes.max()),
    )


def joined(
    protocol: str, names: list[str], number: int, owned: list[int] | None, partitions: int = 1
) -> JoinGroupResponseMember:
    """Return a member as the leader receives it in the JoinGroup response.

    Names have equal lengths, so member ids are in the order of their numbers.
    """
    if owned is None:
        told = subscriptions.subscription(protocol, names)
    else:
        had = [TopicPartition(names[index // partitions], index % partitions) for index in owned]
        still = () if protocol == subscriptions.STICKY else had
        told = subscriptions.subscription(protocol, names, still, 1, assigned=had)
    return JoinGroupResponseMember(MemberId(f"member-{number:05}"), None, told)


def group(protocol: str, told: list[JoinGroupResponseMember], topics: dict[str, TopicLayout]) -> Group:
    import numpy as np

    subscribed = assignment.subscribed_members(told)
    claims = assignment.claims_of(protocol, subscribed)
    order = assignment.sorted_members([one.member_id for one in told], [one.group_instance_id for one in told])
    return assignment.group_of(subscribed, claims, np.array(order, np.int64), list(topics), topics)


def whole(
    protocol: str,
    told: list[JoinGroupResponseMember],
    topics: dict[str, TopicLayout],
    before: EncodedAssignments | None = None,
) -> EncodedAssignments:
    subscribed = assignment.subscribed_members(told)
    claims = assignment.claims_of(protocol, subscribed)
    return assignment.encoded_assignments(protocol, subscribed, claims, topics, before)


def timed(
    work: Callable[[], object], rounds: int, warm_ups: int = 0, clock: Callable[[], float] = time.perf_counter
) -> list[float]:
    taken = []
    for _ in range(warm_ups + rounds):
        gc.collect()
        started = clock()
        work()
        taken.append((clock() - started) * 1e3)
    return taken[warm_ups:]


if __name__ == "__main__":
    print(json.dumps(tenure_times(sys.argv[1], Size(*map(int, sys.argv[2:])))))
