"""Runner of many histories of consumer groups at once: one action of each per round, on both brokers.

After each round all groups are described and compared. Each request is answered at once, so the runner only waits in
order to let time pass.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from difflib import unified_diff
from functools import partial
from typing import Any, Final

from tenure.protocol.messages import (
    ConsumerGroupDescribeRequest,
    CreatableTopic,
    CreatePartitionsRequest,
    CreatePartitionsTopic,
    CreateTopicsRequest,
    DeleteTopicsRequest,
    DeleteTopicState,
)
from tests.oracle.classic_requests import OWN, SHORT_SESSION_MS
from tests.oracle.consumer_comparison import ConsumerComparison
from tests.oracle.consumer_histories import CLIENTS, Action
from tests.oracle.consumer_requests import Consumers
from tests.oracle.logs import topics_with_offsets
from tests.oracle.shrinking import TooSlow
from tests.oracle.side import Side
from tests.wire import Wire

SESSION_S: Final = SHORT_SESSION_MS / 1000
ACTIONS_MAX_S: Final = 0.9 * SESSION_S
"""Longest time between two requests of a member, or after its last one; beyond it the order of timeouts is unknown."""
REST_S: Final = 0.55 * SESSION_S
"""Pause between rounds. Two of them are longer than a session, one is not."""
RESTS: Final = 2
WATCHERS_SESSION_MS: Final = 60_000
ACTIONS_END_S: Final = 11.0
"""Duration after which a run ends early: some assignments are delayed for 15 s and no longer."""
HELD_MS: Final = 15_000
LAGGING_S: Final = 60.0
UNLIKE_S: Final = 30.0
"""Time for which two descriptions may differ, because a timer has not expired on one broker yet."""
SHRINKING_S: Final = 5.0
"""The same while a history with a known difference is shrunk."""


class ConsumerRunner:
    """Runner with a connection to each of the two brokers, and a group that waits for changes of topics."""

    kind = "members"
    """Prefix of the names of groups."""
    comparison_type: type[ConsumerComparison] = ConsumerComparison
    describe_request: type[Any] = ConsumerGroupDescribeRequest
    topics: Mapping[str, int] = {"growing": 2, "deleted": 2, "kept": 2}
    """Partitions of each topic."""

    def __init__(self, sides: tuple[Side, Side]) -> None:
        self.sides = sides
        self.watchers = [Consumers(side.session(), f"watch-{self.kind}-{side.port}") for side in sides]
        for watcher in self.watchers:
            watcher.configure(consumer_session_timeout_ms=WATCHERS_SESSION_MS)
        self._wires = [Wire(side.host, side.port, client_id="runner") for side in sides]
        self.played = 0
        self.patience_s, self.log_patience_s = UNLIKE_S, LAGGING_S

    def play(self, histories: Sequence[Any], *, short_timeouts: bool = False) -> list[ConsumerComparison]:
        """Run all histories to their ends, each in a new group.

        Meanwhile one topic gets partitions and another one is deleted. Histories with short timeouts let time pass
        instead.
        """
        self.played += 1
        topics = {name: f"{name}-of-{self.kind}-{self.sides[0].port}-{self.played}" for name in self.topics}
        self.create({topics[name]: partitions for name, partitions in self.topics.items()})
        comparisons = [
            self.comparison_type(history, f"{self.kind}-{self.played}-{n}", topics, self.sides)
            for n, history in enumerate(histories)
        ]
        self.configure(comparisons)
        rounds = max((len(history.actions) for history in histories), default=0)
        try:
            if short_timeouts:
                self.run_with_short_timeouts(comparisons, rounds, topics["kept"])
            else:
                self.run_rounds(comparisons, rounds, topics)
            self.compare_logs(comparisons)
        finally:
            for one in comparisons:
                one.close()
        if any(one.difference for one in comparisons):
            self.patience_s = self.log_patience_s = SHRINKING_S
        return comparisons

    def run_rounds(self, comparisons: list[ConsumerComparison], rounds: int, topics: dict[str, str]) -> None:
        began_s = time.monotonic()
        for number in range(rounds):
            if number == rounds // 3:
                self.grow(topics["growing"], comparisons)
            elif number == rounds * 2 // 3:
                self.delete(topics["deleted"], comparisons)
            self.round(comparisons, number)
            if any(one.difference for one in comparisons):
                return
            if time.monotonic() - began_s > ACTIONS_END_S:
                break
        self.raise_if_too_slow(began_s, HELD_MS / 1000 - 1.0)

    def run_with_short_timeouts(self, comparisons: list[ConsumerComparison], rounds: int, kept: str) -> None:
        """Run with short timeouts. The second rest exceeds the timeouts that began before both, and no others."""
        for one in comparisons:
            for group in one.groups:
                group.commit_anonymously("operator", {0: 1}, topic=kept)
                group.session.receive("operator", group.session.connection)
        began_s = time.monotonic()
        for number in range(rounds * 2 // 3):
            self.round(comparisons, number)
            self.raise_if_too_slow(began_s, ACTIONS_MAX_S)
        for _ in range(RESTS):
            speaks_s = time.monotonic()
            self.act_while_waiting(comparisons)
            self.raise_if_too_slow(began_s, ACTIONS_MAX_S)
            time.sleep(REST_S)
        self.observe(comparisons)
        for number in range(rounds * 2 // 3, rounds):
            self.round(comparisons, number)
            self.raise_if_too_slow(speaks_s, ACTIONS_MAX_S)

    @staticmethod
    def raise_if_too_slow(began_s: float, within_s: float) -> None:
        if time.monotonic() - began_s > within_s:
            raise TooSlow

    def act_while_waiting(self, comparisons: list[ConsumerComparison]) -> None:
        for client in CLIENTS:
            self.send(comparisons, partial(waiting_action, client))

    # --- a round ------------------------------------------------------------------------------------------------------

    def round(self, comparisons: list[ConsumerComparison], number: int) -> None:
        self.send(comparisons, lambda one: one.history.actions[number] if number < len(one.history.actions) else None)
        self.observe(comparisons)

    def send(
        self, comparisons: list[ConsumerComparison], action_of: Callable[[ConsumerComparison], Action | None]
    ) -> None:
        """Send the requests of all clients before reading any answer."""
        sent = []
        for one in comparisons:
            action = action_of(one)
            if action is not None and one.act(action):
                sent.append((one, action.client))
        for one, client in sent:
            one.receive(client)

    def observe(self, comparisons: list[ConsumerComparison]) -> None:
        """Compare the descriptions of all groups. Repeat while they differ: a timer may expire later on one broker."""
        deadline = time.monotonic() + self.patience_s
        unlike = [one for one in comparisons if not one.is_over]
        while unlike:
            described = self.described(unlike)
            late = time.monotonic() > deadline
            unlike = [
                one
                for one, pair in zip(unlike, described, strict=True)
                if not one.compare_descriptions(pair, late=late)
            ]

    def described(self, comparisons: list[ConsumerComparison]) -> list[tuple[Any, Any]]:
        """Return (description on Apache Kafka, description on Tenure) of each group."""
        request = self.describe_request([one.name for one in comparisons])
        for wire in self._wires:
            wire.send(request)
        groups = [{group.group_id: group for group in wire.receive().groups} for wire in self._wires]
        return [(groups[0][one.name], groups[1][one.name]) for one in comparisons]

    # --- topics and configs -------------------------------------------------------------------------------------------

    def create(self, topics: Mapping[str, int]) -> None:
        wanted = [CreatableTopic(name, partitions, replication_factor=1) for name, partitions in topics.items()]
        self.change_topics(
            lambda wire: wire.ask(CreateTopicsRequest(topics=wanted, timeout_ms=10_000), 7), list(topics)
        )

    def grow(self, topic: str, comparisons: list[ConsumerComparison]) -> None:
        wanted = [CreatePartitionsTopic(name=topic, count=3, assignments=None)]
        self.change_topics(lambda wire: wire.ask(CreatePartitionsRequest(topics=wanted, timeout_ms=10_000), 3))
        self.note(f"topic {topic} grows", comparisons)

    def delete(self, topic: str, comparisons: list[ConsumerComparison]) -> None:
        """Delete a topic, and wait until all groups have lost its offsets (rule 6.4.7)."""
        wanted = [DeleteTopicState(name=topic)]
        self.change_topics(lambda wire: wire.ask(DeleteTopicsRequest(topics=wanted, timeout_ms=10_000), 6))
        deadline = time.monotonic() + LAGGING_S
        for side in self.sides:
            while any(topic in topics_with_offsets(side.log.of(one.name)) for one in comparisons):
                assert time.monotonic() < deadline, f"{side.name} keeps offsets of a topic that is gone"
                time.sleep(0.02)
        self.note(f"topic {topic} is deleted", comparisons)

    def change_topics(self, change: Callable[[Wire], object], topics: list[str] | None = None) -> None:
        """Change subscribed topics, and wait until members of both brokers get the new assignment."""
        for wire, side, watcher in zip(self._wires, self.sides, self.watchers, strict=True):
            if topics:
                watcher.consumer_join("A", names=topics, again=bool(watcher.session.member_ids))
            change(wire)
            for topic in topics or ():
                side.wait_for_topic(topic)
            watcher.wait_for_new_epoch("A")
            if topics:
                self.wait_for_all(watcher, len(topics))

    @staticmethod
    def wait_for_all(watcher: Consumers, topics: int) -> None:
        """Wait until the member has all topics: they appear one after another."""
        deadline = time.monotonic() + LAGGING_S
        while len(watcher.consumer_state("A").target) < topics:
            assert time.monotonic() < deadline, watcher.consumer_state("A").target
            watcher.consumer_heartbeat("A", owned=OWN)

    def configure(self, comparisons: Sequence[ConsumerComparison]) -> None:
        held = [one.name for one in comparisons if one.history.is_held]
        self.alter(held, consumer_assignment_interval_ms=HELD_MS)

    def alter(self, groups: Sequence[str], **configs: int) -> None:
        """Set configs of groups on both brokers."""
        for watcher in self.watchers if groups else ():
            watcher.configure(*groups, **configs)

    @staticmethod
    def note(text: str, comparisons: list[ConsumerComparison]) -> None:
        for one in comparisons:
            one.transcript.append(text)

    # --- end of the run -----------------------------------------------------------------------------------------------

    def compare_logs(self, comparisons: list[ConsumerComparison]) -> None:
        deadline = time.monotonic() + self.log_patience_s
        for one in comparisons:
            if one.is_over:
                continue
            expected, ours = one.logs()
            while expected != ours and time.monotonic() < deadline:
                time.sleep(0.05)
                expected, ours = one.logs()
            if expected != ours:
                one.difference = "\n".join(unified_diff(expected, ours, "Apache Kafka's log", "Tenure's", lineterm=""))

    def close(self) -> None:
        for wire in self._wires:
            wire.close()


def waiting_action(client: str, one: ConsumerComparison) -> Action | None:
    """Return the action of a client while time passes; None if it is not a member or sends nothing."""
    behaviour = one.history.behaviours[CLIENTS.index(client)]
    if behaviour == "s" or one.groups[0].consumer_state(client).next != "member":
        return None
    return Action("proceed", client) if behaviour == "g" else Action("report_owned", client)


def counts(comparisons: Sequence[ConsumerComparison]) -> Counter[str]:
    """Count requests, observed states and answers, by name."""
    found: Counter[str] = Counter()
    for one in comparisons:
        found.update(one.asks)
        found.update(one.seen)
        found.update(one.member_states())
        found["steps"] += len(one.asks)
        found["successes"] += sum(one.succeeded(text) for text in one.answers)
    return found
