"""Many lives of consumer groups at once, one word of each at a time, on both sides.

After every round an observer describes every group. Nothing is parked, so there are no waits but those that let time
pass.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
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
from tests.oracle.actors import OWN, SHORT_SESSION_MS
from tests.oracle.consumer_lived import Lived
from tests.oracle.consumer_lives import ACTORS, Life, Word
from tests.oracle.consumers import Consumers
from tests.oracle.logs import topics_with_offsets
from tests.oracle.shortening import TooSlow
from tests.oracle.side import Side
from tests.wire import Wire

SESSION_S: Final = SHORT_SESSION_MS / 1000
HURRIED_S: Final = 0.9 * SESSION_S
"""Longest time between two words of a member, or to the end: after a longer one the order of timeouts is unknown."""
REST_S: Final = 0.55 * SESSION_S
"""Two of these are longer than a session, one is not."""
RESTS: Final = 2
WATCHERS_SESSION_MS: Final = 60_000
PATIENT_S: Final = 11.0
"""A play that takes longer is cut short: some assignments are held back for 15 s, and no longer."""
HELD_MS: Final = 15_000
LAGGING_S: Final = 60.0
UNLIKE_S: Final = 30.0
"""Time for which two descriptions may differ, because a timer has not expired on one side."""
SHORTENING_S: Final = 5.0
"""The same once a difference is known, and only looked for in fewer words."""


class Rounds:
    """The two brokers, with a connection to each for what is done for all lives together, and a group that watches."""

    def __init__(self, sides: tuple[Side, Side]) -> None:
        self.sides = sides
        self.watchers = [Consumers(side.session(), f"watch-{side.port}") for side in sides]
        for watcher in self.watchers:
            watcher.configure(consumer_session_timeout_ms=WATCHERS_SESSION_MS)
        self._wires = [Wire(side.host, side.port, client_id="rounds") for side in sides]
        self.played = 0
        self.patience_s = UNLIKE_S

    def play(self, lives: Sequence[Life], *, hurried: bool = False) -> list[Lived]:
        """All lives to their ends, each in a fresh group.

        On the way a topic grows and another one is deleted; those in a hurry see time pass instead.
        """
        self.played += 1
        topics = {name: f"{name}-of-members-{self.sides[0].port}-{self.played}" for name in ("grows", "doomed", "kept")}
        self.create([*topics.values()])
        lived = [Lived(life, f"members-{self.played}-{n}", topics, self.sides) for n, life in enumerate(lives)]
        self.hold([one.name for one in lived if one.life.is_held])
        rounds = max((len(life.words) for life in lives), default=0)
        try:
            if hurried:
                self.live_in_haste(lived, rounds, topics["kept"])
            else:
                self.live(lived, rounds, topics)
            self.compare_logs(lived)
        finally:
            for one in lived:
                one.close()
        if any(one.is_over for one in lived):
            self.patience_s = SHORTENING_S
        return lived

    def live(self, lived: list[Lived], rounds: int, topics: dict[str, str]) -> None:
        began_s = time.monotonic()
        for number in range(rounds):
            if number == rounds // 3:
                self.grow(topics["grows"], lived)
            elif number == rounds * 2 // 3:
                self.delete(topics["doomed"], lived)
            self.round(lived, number)
            if any(one.is_over for one in lived):
                return
            if time.monotonic() - began_s > PATIENT_S:
                break
        self.hurry(began_s, HELD_MS / 1000 - 1.0)

    def live_in_haste(self, lived: list[Lived], rounds: int, kept: str) -> None:
        """Live with short timeouts. Requests from before the rests time out in the second rest, and no others."""
        for one in lived:
            for group in one.groups:
                group.commit_anonymously("operator", {0: 1}, topic=kept)
                group.session.hear("operator", group.session.ear)
        began_s = time.monotonic()
        for number in range(rounds * 2 // 3):
            self.round(lived, number)
            self.hurry(began_s, HURRIED_S)
        for _ in range(RESTS):
            speaks_s = time.monotonic()
            self.speak_in_their_moods(lived)
            self.hurry(began_s, HURRIED_S)
            time.sleep(REST_S)
        self.look(lived)
        for number in range(rounds * 2 // 3, rounds):
            self.round(lived, number)
            self.hurry(speaks_s, HURRIED_S)

    @staticmethod
    def hurry(began_s: float, within_s: float) -> None:
        if time.monotonic() - began_s > within_s:
            raise TooSlow

    def speak_in_their_moods(self, lived: list[Lived]) -> None:
        for actor in ACTORS:
            self.say(lived, partial(mood_word, actor))

    # --- a round -------------------------------------------------------------------------------------------------

    def round(self, lived: list[Lived], number: int) -> None:
        self.say(lived, lambda one: one.life.words[number] if number < len(one.life.words) else None)
        self.look(lived)

    def say(self, lived: list[Lived], word_of: Callable[[Lived], Word | None]) -> None:
        """Send the requests of all actors before any answer is read."""
        spoke = []
        for one in lived:
            word = word_of(one)
            if word is not None and one.act(word):
                spoke.append((one, word.actor))
        for one, actor in spoke:
            one.hear(actor)

    def look(self, lived: list[Lived]) -> None:
        """Compare an observer's views of both sides. Repeat if they differ: a timer may not have expired on one."""
        deadline = time.monotonic() + self.patience_s
        unlike = [one for one in lived if not one.is_over]
        while unlike:
            described = self.described(unlike)
            late = time.monotonic() > deadline
            unlike = [one for one, pair in zip(unlike, described, strict=True) if not one.see(pair, late=late)]

    def described(self, lived: list[Lived]) -> list[tuple[Any, Any]]:
        """(Apache Kafka's word, ours) about each group."""
        request = ConsumerGroupDescribeRequest([one.name for one in lived])
        for wire in self._wires:
            wire.send(request, 1)
        told = [{group.group_id: group for group in wire.receive().groups} for wire in self._wires]
        return [(told[0][one.name], told[1][one.name]) for one in lived]

    # --- topics and configs ----------------------------------------------------------------------------------------

    def create(self, topics: Sequence[str]) -> None:
        wanted = [CreatableTopic(name=topic, num_partitions=2, replication_factor=1) for topic in topics]
        self.news(lambda wire: wire.ask(CreateTopicsRequest(topics=wanted, timeout_ms=10_000), 7), list(topics))

    def grow(self, topic: str, lived: list[Lived]) -> None:
        wanted = [CreatePartitionsTopic(name=topic, count=3, assignments=None)]
        self.news(lambda wire: wire.ask(CreatePartitionsRequest(topics=wanted, timeout_ms=10_000), 3))
        self.note(f"topic {topic} grows", lived)

    def delete(self, topic: str, lived: list[Lived]) -> None:
        """With it go its offsets in all groups (rule 6.4.7), some moments after the answer."""
        wanted = [DeleteTopicState(name=topic)]
        self.news(lambda wire: wire.ask(DeleteTopicsRequest(topics=wanted, timeout_ms=10_000), 6))
        deadline = time.monotonic() + LAGGING_S
        for side in self.sides:
            while any(topic in topics_with_offsets(side.log.of(one.name)) for one in lived):
                assert time.monotonic() < deadline, f"{side.name} keeps offsets of a topic that is gone"
                time.sleep(0.02)
        self.note(f"topic {topic} is deleted", lived)

    def news(self, change: Callable[[Wire], object], topics: list[str] | None = None) -> None:
        """Change subscribed topics, and wait until the coordinators know, which inform a member."""
        for wire, side, watcher in zip(self._wires, self.sides, self.watchers, strict=True):
            if topics:
                watcher.come("A", names=topics, again=bool(watcher.session.member_ids))
            change(wire)
            for topic in topics or ():
                side.wait_for_topic(topic)
            watcher.hear_news("A")
            if topics:
                self.wait_for_all(watcher, len(topics))

    @staticmethod
    def wait_for_all(watcher: Consumers, topics: int) -> None:
        """They come one by one."""
        deadline = time.monotonic() + LAGGING_S
        while len(watcher.seat("A").told) < topics:
            assert time.monotonic() < deadline, watcher.seat("A").told
            watcher.beat("A", owned=OWN)

    def hold(self, groups: list[str]) -> None:
        for watcher in self.watchers if groups else ():
            watcher.configure(*groups, consumer_assignment_interval_ms=HELD_MS)

    @staticmethod
    def note(text: str, lived: list[Lived]) -> None:
        for one in lived:
            one.told.append(text)

    # --- the end ---------------------------------------------------------------------------------------------------

    def compare_logs(self, lived: list[Lived]) -> None:
        deadline = time.monotonic() + LAGGING_S
        for one in lived:
            expected, ours = one.logs()
            while expected != ours and not one.difference and time.monotonic() < deadline:
                time.sleep(0.05)
                expected, ours = one.logs()
            if expected != ours and not one.difference:
                one.difference = "\n".join(unified_diff(expected, ours, "Apache Kafka's log", "Tenure's", lineterm=""))

    def close(self) -> None:
        for wire in self._wires:
            wire.close()


def mood_word(actor: str, one: Lived) -> Word | None:
    """Only who has a seat speaks while time passes, and not who is silent."""
    mood = one.life.moods[ACTORS.index(actor)]
    if mood == "s" or one.groups[0].seat(actor).next != "live":
        return None
    return Word("go_on", actor) if mood == "g" else Word("tell", actor)


def tally(lived: Sequence[Lived]) -> Counter[str]:
    """Count requests, observed states and answers, by name."""
    found: Counter[str] = Counter()
    for one in lived:
        found.update(one.asks)
        found.update(one.seen)
        found.update(one.member_states())
        found["steps"] += len(one.asks)
        found["successes"] += sum(one.succeeded(text) for text in one.answers)
    return found
