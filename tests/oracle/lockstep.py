"""Many lives at once on both sides, one word of each at a time.

After every round the brokers have dealt with all of it (`Session.let_settle` says why), every answer that is there on
one side must be there on the other, and an observer describes every group. Only rounds of rest sleep.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from tenure.protocol.messages import (
    CreatableTopic,
    CreateTopicsRequest,
    DeleteTopicsRequest,
    DeleteTopicState,
    DescribeGroupsRequest,
)
from tests.oracle.actors import Group
from tests.oracle.lived import NEIGHBOUR, SHORT_REBALANCE_MS, SHORT_SESSION_MS, Lived
from tests.oracle.lives import Life
from tests.oracle.logs import topics_with_offsets
from tests.oracle.shortening import TooSlow
from tests.oracle.side import PATIENCE_S, Side
from tests.wire import Wire

TRAVEL_S: Final = 0.004
"""Time that an answer may take after the broker has decided it."""

LAGGING_S: Final = 30.0
"""Time that one broker may take longer than the other."""
SHORTENING_S: Final = 2.5
"""The same once a difference is known, and only looked for in fewer words."""

HURRIED_S: Final = 0.9 * SHORT_SESSION_MS / 1000
"""Time within which words with short timeouts must be complete; otherwise the order of timeouts is unknown."""

REST_S: Final = (SHORT_SESSION_MS + 3 * SHORT_REBALANCE_MS) / 1000
"""Time in which all short timeouts run out, with their effects: a session, a join phase, its syncs, another one."""
LATE_S: Final = 3.0
"""Delay that a busy machine may add to any of it."""


class Stage:
    """The two brokers, with a connection to each for what is done for all lives together."""

    def __init__(self, sides: tuple[Side, Side]) -> None:
        self.sides = sides
        self._wires = [Wire(side.host, side.port, client_id="stage") for side in sides]
        self._neighbours = [Group(side.session(), NEIGHBOUR) for side in sides]
        for neighbour in self._neighbours:
            neighbour.commit_anonymously("A", {0: 4711})
        self.played = 0
        self.patience_s = LAGGING_S

    def play(self, lives: Sequence[Life], *, hurried: int = 0) -> list[Lived]:
        """Run all lives to their ends, each in a new group.

        Half-way a topic is deleted; those in a hurry then rest. `hurried`: how many times as long all of it takes that
        is short; 0 if there are none.
        """
        self.played += 1
        doomed = f"doomed-{self.sides[0].port}-{self.played}"
        self.create(doomed)
        lived = [Lived(life, f"life-{self.played}-{n}", doomed, self.sides, hurried) for n, life in enumerate(lives)]
        rounds = max((len(life.words) for life in lives), default=0)
        try:
            self.rounds(lived, range(rounds * 2 // 3), hurried)
            self.delete(doomed, lived)
            if hurried:
                time.sleep(REST_S * hurried + LATE_S)
            self.rounds(lived, range(rounds * 2 // 3, rounds), hurried)
            self.compare_logs(lived)
        finally:
            for one in lived:
                one.close()
        if any(one.difference for one in lived):
            self.patience_s = SHORTENING_S
        return lived

    def rounds(self, lived: list[Lived], numbers: range, hurried: int) -> None:
        began_s = time.monotonic()
        for number in numbers:
            spoke = {one: one.act(one.life.words[number]) for one in lived if number < len(one.life.words)}
            self.gather(lived, spoke)
            if hurried and time.monotonic() - began_s > HURRIED_S * hurried:
                raise TooSlow
        if not numbers:
            return
        self.gather(lived, {})

    def gather(self, lived: list[Lived], spoke: dict[Lived, str]) -> None:
        """All answers of a round, and what an observer sees after them."""
        self.describe(lived)
        self.describe(lived)
        began_s = time.monotonic()
        pending = [one for one in lived if not one.over]
        while pending:
            waited_s = time.monotonic() - began_s
            still = []
            for one in pending:
                expected, ours = one.ready()
                agreed = expected == ours and (waited_s > TRAVEL_S or spoke.get(one, "") in expected)
                if agreed or waited_s > self.patience_s:
                    one.hear(expected & ours)
                    one.disagree(expected ^ ours)
                else:
                    still.append(one)
            pending = still
        self.look(lived)

    def look(self, lived: list[Lived]) -> None:
        """Compare an observer's views of both sides.

        A timer may not have expired on one side, even one without delay (rule 2.7.3). Apache Kafka shows decisions
        without a record only after the next record, of any group (rule 2.13.1).
        """
        deadline = time.monotonic() + self.patience_s
        unlike = [one for one in lived if not one.over]
        while unlike:
            described = self.describe(unlike)
            late = time.monotonic() > deadline
            unlike = [one for one, pair in zip(unlike, described, strict=True) if not one.see(pair, late)]
            for neighbour in self._neighbours if unlike else ():
                neighbour.commit_anonymously("A", {0: 4711})

    def describe(self, lived: list[Lived]) -> list[tuple[Any, Any]]:
        """(Apache Kafka's word, ours) about each group."""
        request = DescribeGroupsRequest(groups=[one.name for one in lived])
        for wire in self._wires:
            wire.send(request, 6)
        told = [{group.group_id: group for group in wire.receive().groups} for wire in self._wires]
        return [(told[0][one.name], told[1][one.name]) for one in lived]

    # --- topics --------------------------------------------------------------------------------------------------

    def create(self, topic: str) -> None:
        wanted = CreatableTopic(name=topic, num_partitions=2, replication_factor=1)
        for wire, side in zip(self._wires, self.sides, strict=True):
            assert wire.ask(CreateTopicsRequest(topics=[wanted], timeout_ms=10_000), 7).topics[0].error_code == 0
            side.wait_for_topic(topic)

    def delete(self, topic: str, lived: list[Lived]) -> None:
        """With it go its offsets in all groups (rule 6.4.7), some moments after the answer."""
        request = DeleteTopicsRequest(topics=[DeleteTopicState(name=topic)], timeout_ms=10_000)
        for wire, side in zip(self._wires, self.sides, strict=True):
            assert wire.ask(request, 6).responses[0].error_code == 0
            deadline = time.monotonic() + PATIENCE_S
            while any(topic in topics_with_offsets(side.log.of(one.name)) for one in lived):
                assert time.monotonic() < deadline, f"{side.name} keeps offsets of a topic that is gone"
                time.sleep(0.02)
        for one in lived:
            one.told.append(f"topic {topic} is deleted")

    # --- the end -------------------------------------------------------------------------------------------------

    def compare_logs(self, lived: list[Lived]) -> None:
        deadline = time.monotonic() + self.patience_s
        for one in lived:
            expected, ours = one.logs()
            while expected != ours and time.monotonic() < deadline:
                time.sleep(0.05)
                expected, ours = one.logs()
            if expected != ours and not one.difference:
                one.difference = "\n".join(["Apache Kafka's log:", *expected, "Tenure's log:", *ours])

    def close(self) -> None:
        for wire in self._wires:
            wire.close()


def tally(lived: Sequence[Lived]) -> Counter[str]:
    """Count requests, observed states and answers, by name."""
    found: Counter[str] = Counter()
    for one in lived:
        found.update(one.asks)
        found.update(one.states)
        found["steps"] += len(one.asks)
        found["answers"] += len(one.answers)
        found["successes"] += sum(one.succeeded(text) for text in one.answers)
        found["elections"] += one.over and not one.difference
    return found
