"""Life of a consumer group on both sides, with its requests and answers.

Every request is answered at once.

Each side's actors know what their broker told them. Both were told the same, or the life is over.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import unified_diff
from typing import Any, Final

from tenure.coordinator.groups.consumer.member import MemberState
from tenure.protocol.coordinator_logs.consumer_offsets import (
    ConsumerGroupCurrentMemberAssignmentValue as CurrentAssignment,
)
from tenure.protocol.messages import ListGroupsResponse
from tests.oracle.actors import LONG_MS, OWN, SHORT_SESSION_MS, TOPIC
from tests.oracle.consumer_lives import ACTORS, FIRST, STATIC, WISHES, Life, Word
from tests.oracle.consumers import JOINS, LEAVES, NOTHING, STEPS_OUT, Consumers, Parts, Seat
from tests.oracle.side import Session, Side
from tests.oracle.side_by_side import SideBySide
from tests.oracle.vintages import VINTAGES

MISSING: Final = "nobody's"
OBSERVER: Final = "observer"
SAYS_ITS_OWN: Final = ("go_on", "come_again", "restart", "tell", "wish", "step_out", "leave")
"""Kinds after which an actor believes what it hears, if it spoke in its own name."""


class Lived(SideBySide):
    def __init__(self, life: Life, name: str, topics: Mapping[str, str], sides: tuple[Side, Side]) -> None:
        super().__init__(life, name)
        self.groups = [Consumers(side.session(), name, STATIC) for side in sides]
        self.speeches = [Speech(group, life, topics) for group in self.groups]
        for group in self.groups:
            group.session.listening = False
            for actor in ACTORS:
                group.draw_id(
                    actor
                )  # no member joins under an id that a broker has drawn: `range` uses the order of ids
        self.seen: set[str] = set()
        self.described: tuple[Any, Any] | None = None
        """As the observer saw the group last, on both sides: the same is not told twice."""

    @property
    def sessions(self) -> tuple[Session, Session]:
        return self.groups[0].session, self.groups[1].session

    @property
    def is_over(self) -> bool:
        return bool(self.difference)

    def act(self, word: Word) -> bool:
        """Says it on both sides; whether anything was said."""
        if word.kind == "rest" or self.is_over:
            return False
        for speech in self.speeches:
            speech.say(word)
        self.asks.append(self.sessions[0].last_asked)
        self.told.append(f"{word.actor}: {' '.join(str(one) for one in word)}")
        return True

    def hear(self, actor: str) -> None:
        answers = [group.hear(actor) for group in self.groups]
        for answer in answers:
            if isinstance(answer, ListGroupsResponse):
                answer.groups[:] = [one for one in answer.groups if one.group_id == self.name]
        expected, ours = (session.told(one) for session, one in zip(self.sessions, answers, strict=True))
        self.answers.append(expected)
        self.compare(actor, expected, ours)

    def see(self, described: tuple[Any, Any], *, late: bool) -> bool:
        """Compare an observer's views of the group; return False if they differ and there is time to look again."""
        if described == self.described:
            return True
        expected, ours = (session.told(one) for session, one in zip(self.sessions, described, strict=True))
        if expected != ours and not late:
            return False
        self.described = described
        self.seen.add(described[0].group_state)
        self.compare(OBSERVER, expected, ours)
        return True

    def compare(self, who: str, expected: str, ours: str) -> None:
        if self.is_over:
            return
        if expected != ours:
            pieces = [
                [
                    f"{who} hears",
                    *re.sub(r"(\w+Member|\w*TopicPartitions|\w+Assignment)\(", r"\n    \1(", text).split("\n"),
                ]
                for text in (expected, ours)
            ]
            self.difference = "\n".join(unified_diff(*pieces, "Apache Kafka", "Tenure", lineterm="", n=1))
        if who != OBSERVER:
            self.told.append(f"    {who} hears {expected}")

    def member_states(self) -> set[str]:
        """Return the states of all members so far, as Apache Kafka has logged them."""
        values = [value for _, _, value, _ in self.sessions[0].side.log.of(self.name)]
        return {MemberState(value.state).name for value in values if isinstance(value, CurrentAssignment)}


class Speech:
    """Says words of a life to one side."""

    def __init__(self, group: Consumers, life: Life, topics: Mapping[str, str]) -> None:
        self.group, self.life, self.topics = group, life, topics
        self.gone: set[str] = set()

    def say(self, word: Word) -> None:
        self.word, self.actor = word, word.actor
        self.group.versions = VINTAGES[word.vintage]
        self.group.session.ear = f"ear {word.vintage}"
        is_itself = (word.which, word.instance) == (OWN, OWN) and word.shift == 0
        self.group.heeds = word.kind in SAYS_ITS_OWN and is_itself
        getattr(self, word.kind)()

    @property
    def seat(self) -> Seat:
        return self.group.seat(self.actor)

    @property
    def epoch(self) -> int:
        return self.seat.epoch + self.word.shift

    @property
    def who(self) -> dict[str, Any]:
        """The oldest id is one only once the actor has drawn any."""
        drawn = self.group.session.member_ids.get(self.actor)
        which = OWN if self.word.which == FIRST and not drawn else self.word.which
        return {"member_id": which, "instance": self.word.instance}

    # --- heartbeats ----------------------------------------------------------------------------------------------

    def go_on(self) -> None:
        match self.seat.next:
            case "come":
                self.restart()
            case "come_again":
                self.come_again()
            case "seize":
                self.group.go(self.actor, epoch=STEPS_OUT, member_id=self.seat.holder)
            case _ if self.word.number < 2:
                self.group.go_on(self.actor)
            case _ if self.word.number == 2:
                self.save()
            case _:
                self.read()

    def restart(self) -> None:
        self.group.come(self.actor, **self.joining())

    def come_again(self) -> None:
        self.group.come(self.actor, again=bool(self.group.session.member_ids.get(self.actor)), **self.joining())

    def joining(self) -> dict[str, Any]:
        patience_ms = SHORT_SESSION_MS if self.life.has_short_patience else LONG_MS
        return {"names": self.wishes(self.word.number), "rebalance_timeout_ms": patience_ms}

    def wishes(self, number: int) -> list[str]:
        grows, doomed = self.topics["grows"], self.topics["doomed"]
        lists = ([TOPIC], [TOPIC, grows], [TOPIC], [doomed, TOPIC], [grows], [], [TOPIC, "nobody-has-it"])
        assert len(lists) == WISHES
        return lists[number]

    def tell(self) -> None:
        self.group.beat(self.actor, self.epoch, owned=self.owned(self.word.number))

    def owned(self, number: int) -> Parts | str | None:
        told = self.seat.told
        match number:
            case 0:
                return None
            case 1:
                return OWN
            case 2:
                return {topic: tuple(parts)[1:] for topic, parts in told.items()}
            case 3:
                return {topic: tuple(parts)[:-1] for topic, parts in told.items() if len(parts) > 1}
            case 4:
                return {TOPIC: (0, 1, 2, 3)}
        return NOTHING

    def wish(self) -> None:
        number, beat = self.word.number, self.group.beat
        if number < WISHES:
            names = self.wishes(number)
            kept = {topic: parts for topic, parts in self.seat.told.items() if topic in names}
            beat(self.actor, names=names, owned=kept if self.word.vintage == 9 else None)
        elif number == WISHES:
            beat(self.actor, rack="there")
        elif number == WISHES + 1:
            beat(self.actor, rebalance_timeout_ms=LONG_MS - 1)
        else:
            beat(self.actor, owned=OWN, names=[TOPIC], rebalance_timeout_ms=LONG_MS, assignor="range")

    def beat(self) -> None:
        self.group.beat(self.actor, self.epoch, owned=OWN, **self.who)

    def step_out(self) -> None:
        self.group.go(self.actor, epoch=STEPS_OUT, **self.who)

    def leave(self) -> None:
        self.group.go(self.actor, epoch=LEAVES, **self.who)

    def purge(self) -> None:
        """Let an operator remove a member without a client; if there is none, one with a client."""
        ids = self.group.session.member_ids
        ghosts = [one for drawn in ids.values() for one in drawn[:-1] if one not in self.gone]
        known = [drawn[-1] for drawn in ids.values()]
        ghost = next(iter([*ghosts, *known, "nobody"]))
        self.gone.add(ghost)
        self.group.beat(self.actor, LEAVES, ghost, instance=None)

    def mistake(self) -> None:
        fields: tuple[dict[str, Any], ...] = (
            {"epoch": JOINS, "owned": None, "names": [TOPIC], "rebalance_timeout_ms": 7},
            {"epoch": JOINS, "owned": {TOPIC: (0,)}, "names": [TOPIC], "rebalance_timeout_ms": 7},
            {"epoch": JOINS, "owned": NOTHING, "rebalance_timeout_ms": 7},
            {"epoch": JOINS, "owned": NOTHING, "names": [TOPIC]},
            {"epoch": -3},
            {"rack": " "},
            {"instance": ""},
            {"assignor": "sticky"},
            {"member_id": "", "epoch": LEAVES},
            {"epoch": 1, "owned": {"nobody-has-it": (0,)}},
        )
        self.group.beat(self.actor, **fields[self.word.number])

    # --- offsets -------------------------------------------------------------------------------------------------

    def save(self) -> None:
        own = tuple(self.seat.told.get(TOPIC, ()))
        partitions = (own, own[:1], (*own[-1:], 0), (1,), (0, 1, 2, 3))[self.word.number]
        offset = 100 + len(self.group.session.member_ids)
        self.group.save(self.actor, *dict.fromkeys(partitions), epoch=self.epoch, offset=offset, **self.who)

    def save_anonymously(self) -> None:
        topic = self.topics["doomed"] if self.word.number else TOPIC
        self.group.commit_anonymously(self.actor, {self.word.number % 2: 7}, topic=topic)

    def read(self) -> None:
        self.group.read(self.actor, self.epoch, self.who["member_id"])

    def fetch(self) -> None:
        self.group.fetch(self.actor, None if self.word.number else (0, 1, 2, 3))

    def forget(self) -> None:
        self.group.forget(
            self.actor, topics=([TOPIC], [self.topics["doomed"]], [TOPIC, "no-such-topic"])[self.word.number]
        )

    # --- observers -------------------------------------------------------------------------------------------------

    def heartbeat(self) -> None:
        self.group.heartbeat(self.actor, generation=self.epoch)

    def sync(self) -> None:
        self.group.sync(self.actor, generation=self.epoch, wait=False)

    def describe(self) -> None:
        if self.word.number:
            self.group.look(self.actor, others=[MISSING])
        else:
            self.group.describe(self.actor)

    def list(self) -> None:
        types = ([], ["consumer"], ["classic"], [])[self.word.number]
        states = ([], [], [], ["stable", "Assigning"])[self.word.number]
        versions = self.group.versions.list
        self.group.list(self.actor, states=states if versions >= 4 else (), types=types if versions >= 5 else ())

    def delete(self) -> None:
        self.group.delete(self.actor, others=[MISSING] if self.word.number else [])
