"""Runner of many histories at once: one action of each per round, on both brokers.

After a round, when both brokers have processed all requests (see `Session.let_settle`), each answer of one broker must
also be there on the other, and all groups are described and compared. Only rounds with the action `rest` let time pass.
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
from tests.oracle.classic_comparison import OTHER_GROUP, SHORT_REBALANCE_MS, SHORT_SESSION_MS, ClassicComparison
from tests.oracle.classic_histories import History
from tests.oracle.classic_requests import Group
from tests.oracle.logs import topics_with_offsets
from tests.oracle.shrinking import TooSlow
from tests.oracle.side import PATIENCE_S, Side
from tests.wire import Wire

TRAVEL_S: Final = 0.004
"""Longest time between the decision of the broker and the arrival of its answer."""

LAGGING_S: Final = 30.0
"""Time by which one broker may answer later than the other one."""
SHRINKING_S: Final = 2.5
"""The same while a history with a known difference is shrunk."""

ACTIONS_MAX_S: Final = 0.9 * SHORT_SESSION_MS / 1000
"""Time within which actions with short timeouts must end; later, the order of timeouts is unknown."""

REST_S: Final = (SHORT_SESSION_MS + 3 * SHORT_REBALANCE_MS) / 1000
"""Time in which all short timeouts expire one after another: session, join phase, syncs, next join phase."""
LATE_S: Final = 3.0
"""Delay that a busy machine may add to `REST_S`."""


class ClassicRunner:
    """Runner with a connection to each of the two brokers."""

    def __init__(self, sides: tuple[Side, Side]) -> None:
        self.sides = sides
        self._wires = [Wire(side.host, side.port, client_id="runner") for side in sides]
        self._others = [Group(side.session(), OTHER_GROUP) for side in sides]
        for other in self._others:
            other.commit_anonymously("A", {0: 4711})
        self.played = 0
        self.patience_s = LAGGING_S

    def play(self, histories: Sequence[History], *, timeout_factor: int = 0) -> list[ClassicComparison]:
        """Run all histories to their ends, each in a new group.

        A topic is deleted in the middle; histories with short timeouts then let time pass.

        Args:
            histories: Histories to run.
            timeout_factor: Factor of all short timeouts; 0 if no timeout is short.
        """
        self.played += 1
        deleted_topic = f"deleted-{self.sides[0].port}-{self.played}"
        self.create(deleted_topic)
        comparisons = [
            ClassicComparison(history, f"history-{self.played}-{n}", deleted_topic, self.sides, timeout_factor)
            for n, history in enumerate(histories)
        ]
        rounds = max((len(history.actions) for history in histories), default=0)
        try:
            self.rounds(comparisons, range(rounds * 2 // 3), timeout_factor)
            self.delete(deleted_topic, comparisons)
            if timeout_factor:
                time.sleep(REST_S * timeout_factor + LATE_S)
            self.rounds(comparisons, range(rounds * 2 // 3, rounds), timeout_factor)
            self.compare_logs(comparisons)
        finally:
            for one in comparisons:
                one.close()
        if any(one.difference for one in comparisons):
            self.patience_s = SHRINKING_S
        return comparisons

    def rounds(self, comparisons: list[ClassicComparison], numbers: range, timeout_factor: int) -> None:
        began_s = time.monotonic()
        for number in numbers:
            sent = {
                one: one.act(one.history.actions[number]) for one in comparisons if number < len(one.history.actions)
            }
            self.receive_all(comparisons, sent)
            if timeout_factor and time.monotonic() - began_s > ACTIONS_MAX_S * timeout_factor:
                raise TooSlow
        if not numbers:
            return
        self.receive_all(comparisons, {})

    def receive_all(self, comparisons: list[ClassicComparison], sent: dict[ClassicComparison, str]) -> None:
        """Receive all answers of a round, then compare the descriptions of all groups."""
        self.describe(comparisons)
        self.describe(comparisons)
        began_s = time.monotonic()
        pending = [one for one in comparisons if not one.over]
        while pending:
            waited_s = time.monotonic() - began_s
            still = []
            for one in pending:
                expected, ours = one.ready()
                agreed = expected == ours and (waited_s > TRAVEL_S or sent.get(one, "") in expected)
                if agreed or waited_s > self.patience_s:
                    one.receive(expected & ours)
                    one.disagree(expected ^ ours)
                else:
                    still.append(one)
            pending = still
        self.observe(comparisons)

    def observe(self, comparisons: list[ClassicComparison]) -> None:
        """Compare the descriptions of all groups.

        A timer may not have expired on one broker yet, even one without delay (rule 2.7.3). Apache Kafka shows
        decisions without a record only after the next record of any group (rule 2.13.1).
        """
        deadline = time.monotonic() + self.patience_s
        unlike = [one for one in comparisons if not one.over]
        while unlike:
            described = self.describe(unlike)
            late = time.monotonic() > deadline
            unlike = [
                one for one, pair in zip(unlike, described, strict=True) if not one.compare_descriptions(pair, late)
            ]
            for other in self._others if unlike else ():
                other.commit_anonymously("A", {0: 4711})

    def describe(self, comparisons: list[ClassicComparison]) -> list[tuple[Any, Any]]:
        """Return (description on Apache Kafka, description on Tenure) of each group."""
        request = DescribeGroupsRequest(groups=[one.name for one in comparisons])
        for wire in self._wires:
            wire.send(request, 6)
        groups = [{group.group_id: group for group in wire.receive().groups} for wire in self._wires]
        return [(groups[0][one.name], groups[1][one.name]) for one in comparisons]

    # --- topics -------------------------------------------------------------------------------------------------------

    def create(self, topic: str) -> None:
        wanted = CreatableTopic(name=topic, num_partitions=2, replication_factor=1)
        for wire, side in zip(self._wires, self.sides, strict=True):
            assert wire.ask(CreateTopicsRequest(topics=[wanted], timeout_ms=10_000), 7).topics[0].error_code == 0
            side.wait_for_topic(topic)

    def delete(self, topic: str, comparisons: list[ClassicComparison]) -> None:
        """Delete a topic, and wait until all groups have lost its offsets (rule 6.4.7)."""
        request = DeleteTopicsRequest(topics=[DeleteTopicState(name=topic)], timeout_ms=10_000)
        for wire, side in zip(self._wires, self.sides, strict=True):
            assert wire.ask(request, 6).responses[0].error_code == 0
            deadline = time.monotonic() + PATIENCE_S
            while any(topic in topics_with_offsets(side.log.of(one.name)) for one in comparisons):
                assert time.monotonic() < deadline, f"{side.name} keeps offsets of a topic that is gone"
                time.sleep(0.02)
        for one in comparisons:
            one.transcript.append(f"topic {topic} is deleted")

    # --- end of the run -----------------------------------------------------------------------------------------------

    def compare_logs(self, comparisons: list[ClassicComparison]) -> None:
        deadline = time.monotonic() + self.patience_s
        for one in comparisons:
            expected, ours = one.logs()
            while expected != ours and time.monotonic() < deadline:
                time.sleep(0.05)
                expected, ours = one.logs()
            if expected != ours and not one.difference:
                one.difference = "\n".join(["Apache Kafka's log:", *expected, "Tenure's log:", *ours])

    def close(self) -> None:
        for wire in self._wires:
            wire.close()


def counts(comparisons: Sequence[ClassicComparison]) -> Counter[str]:
    """Count requests, observed states and answers, by name."""
    found: Counter[str] = Counter()
    for one in comparisons:
        found.update(one.asks)
        found.update(one.states)
        found["steps"] += len(one.asks)
        found["answers"] += len(one.answers)
        found["successes"] += sum(one.succeeded(text) for text in one.answers)
        found["elections"] += one.over and not one.difference
    return found
