"""Sticky assignors when one member leaves: ours, and Kafka's own classes in a JVM, in the same run.

Two times are measured on each side. *assign* begins with decoded claims and ends with the assignment: ours are arrays,
Kafka's are maps of `Subscription`s and `Assignment`s (for `sticky`, Kafka parses the claims in the user data within
this time). *whole* is the time of a leader: from the bytes of JoinGroup to the bytes of SyncGroup, with decoding and
encoding.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from bench.figures import Figure, Sample
from tenure.assignors.group import Group
from tenure.client.group import assignment, subscriptions
from tenure.client.values import TopicLayout, TopicPartition
from tenure.protocol.messages import JoinGroupResponseMember, SyncGroupRequestAssignment
from tenure.protocol.types import MemberId
from tests.apache_kafka import VERSION
from tests.assignors import kafka_assignors

HEAP: Final = "6G"
WHOLE_ROUNDS: Final = 9
"""Rounds of the whole assignment on our side."""
WHOLE_TIMES_AS_FAST: Final = 1.0


class Size(NamedTuple):
    members: int
    topics: int
    partitions: int
    rounds: int
    warm_ups: int

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


def measure(directory: Path, quick: bool) -> list[Figure]:
    classes = kafka_assignors.compiled(directory)
    figures = []
    for goal in GOALS:
        size = goal.size
        if quick:
            size = Size(size.members // 10, max(1, size.topics // 10), size.partitions // 10, rounds=3, warm_ups=3)
        figures += compare(goal, size, kafkas(classes, goal.protocol, size), tenures(goal.protocol, size))
    return figures


def compare(goal: Goal, size: Size, theirs: Times, ours: Times) -> list[Figure]:
    assert (ours.largest - ours.smallest, ours.moved) <= (theirs.largest - theirs.smallest, theirs.moved), (
        ours,
        theirs,
    )
    told = f"{goal.protocol}, {size}, one leaves"
    peer, kafka = Sample.of(theirs.assign_ms), f"Kafka {VERSION}"
    ratio = peer.median / Sample.of(ours.assign_ms).median
    their_whole = Sample.of(theirs.whole_ms)
    whole_ratio = their_whole.median / Sample.of(ours.whole_ms).median
    result = "moved {0.moved}, sizes {0.smallest} to {0.largest}"
    said = f"{ratio:.1f} times as fast, promised {goal.times_as_fast:g}; "
    said += f"ours {result.format(ours)}, Kafka's {result.format(theirs)}"
    return [
        Figure(
            f"{told}: assign",
            "ms",
            Sample.of(ours.assign_ms),
            promised=peer.median / goal.times_as_fast,
            less_is_better=True,
            peer=kafka,
            theirs=peer,
            remarks=[said],
        ),
        Figure(
            f"{told}: whole, bytes to bytes",
            "ms",
            Sample.of(ours.whole_ms),
            promised=their_whole.median / WHOLE_TIMES_AS_FAST,
            less_is_better=True,
            peer=kafka,
            theirs=their_whole,
            remarks=[f"{whole_ratio:.1f} times as fast, promised {WHOLE_TIMES_AS_FAST:g}"],
        ),
    ]


def kafkas(classes: Path, protocol: str, size: Size) -> Times:
    lines = kafka_assignors.run(classes, "time", protocol, *map(str, size), heap=HEAP)
    assign_ms, whole_ms, result = [], [], [0, 0, 0]
    for words in map(str.split, lines):
        if words[0] == "moved":
            result = [int(words[1]), int(words[3]), int(words[5])]
        else:
            assign_ms.append(float(words[0]))
            whole_ms.append(float(words[1]))
    return Times(assign_ms, whole_ms, *result)


def tenures(protocol: str, size: Size) -> Times:
    import numpy as np

    names = [f"topic-{topic:04}" for topic in range(size.topics)]
    topics = {name: TopicLayout(size.partitions) for name in names}
    run = assignment.assignor(protocol)
    leaver = size.members - 1
    before = run(group(protocol, [joined(protocol, names, number, None) for number in range(size.members)], topics))
    owned = [np.flatnonzero(before == number).tolist() for number in range(leaver)]
    staying = [joined(protocol, names, number, owned[number], size.partitions) for number in range(leaver)]
    held = group(protocol, staying, topics)
    after = run(held)
    sizes = np.bincount(after, minlength=leaver)
    return Times(
        timed(lambda: run(held), size.rounds, warm_ups=3),
        timed(lambda: whole(protocol, staying, topics), WHOLE_ROUNDS),
        int(((after != before) & (before != leaver)).sum()),
        int(sizes.min()),
        int(sizes.max()),
    )


def joined(
    protocol: str, names: list[str], number: int, owned: list[int] | None, partitions: int = 1
) -> JoinGroupResponseMember:
    """Return a member as the leader sees it.

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
    subscribed = assignment.subscribed_members(told)
    claims = assignment.claims_of(protocol, subscribed)
    return assignment.group_of(subscribed, claims, assignment.sorted_members(told), list(topics), topics)


def whole(
    protocol: str, told: list[JoinGroupResponseMember], topics: dict[str, TopicLayout]
) -> list[SyncGroupRequestAssignment]:
    subscribed = assignment.subscribed_members(told)
    claims = assignment.claims_of(protocol, subscribed)
    found = assignment.encoded_assignments(protocol, subscribed, claims, topics)
    return [SyncGroupRequestAssignment(member_id, encoded) for member_id, encoded in found]


def timed(work: Callable[[], object], rounds: int, warm_ups: int = 0) -> list[float]:
    taken = []
    for _ in range(warm_ups + rounds):
        gc.collect()
        started = time.perf_counter()
        work()
        taken.append((time.perf_counter() - started) * 1e3)
    return taken[warm_ups:]
