"""Life of a group on both sides: waiting actors, knowledge of actors, requests and answers.

What an actor knows is what Apache Kafka last told it; since both sides must say the same, it is what both said.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import unified_diff
from typing import Any, Final

from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import ListGroupsResponse
from tests.oracle.actors import BOTH, LONG_MS, OWN, RANGE, WIDER, Group
from tests.oracle.lives import ACTORS, CLEAR, FIRST, OPERATOR, STATIC, Life, Word
from tests.oracle.side import Session, Side
from tests.oracle.side_by_side import SideBySide
from tests.oracle.vintages import VINTAGES

SHORT_SESSION_MS: Final = 2_500
SHORT_REBALANCE_MS: Final = 3_000

LEADER: Final = re.compile(r"leader=([^,]+),")
PROTOCOLS: Final = (WIDER, BOTH, RANGE)
"""No two lists can tie in a vote: who offers both prefers the one that others may not have."""

NEIGHBOUR: Final = "neighbour"
"""A group that never changes."""
MISSING: Final = "nobody's"
OBSERVER: Final = "observer"

SEAT_LOST: Final = {ErrorCode.UNKNOWN_MEMBER_ID, ErrorCode.FENCED_INSTANCE_ID, ErrorCode.GROUP_MAX_SIZE_REACHED}


class Knowledge:
    """Beliefs of an actor about its seat."""

    def __init__(self) -> None:
        self.next = "enter"
        self.generation = 0
        self.protocol: str | None = "range"

    def learn(self, kind: str, answer: Any) -> None:
        code = answer.error_code if hasattr(answer, "error_code") else 0
        if kind == "LeaveGroup" or code in SEAT_LOST:
            self.next = "enter"
        elif code == ErrorCode.MEMBER_ID_REQUIRED or code in (
            ErrorCode.REBALANCE_IN_PROGRESS,
            ErrorCode.ILLEGAL_GENERATION,
        ):
            self.next = "join"
        elif kind == "JoinGroup" and not code:
            self.next, self.generation, self.protocol = "sync", answer.generation_id, answer.protocol_name
        elif kind == "SyncGroup" and not code:
            self.next = "live"


class Lived(SideBySide):
    def __init__(self, life: Life, name: str, doomed: str, sides: tuple[Side, Side], hurried: int) -> None:
        super().__init__(life, name)
        self.doomed = doomed
        self.hurried = hurried
        self.groups = [Group(side.session(), name, STATIC) for side in sides]
        for session in self.sessions:
            session.listening = False
        self.known = {actor: Knowledge() for actor in (*ACTORS, OPERATOR)}
        self.described: list[list[str]] = [[], []]
        """The ids of the members on each side, as an observer saw them last."""
        self.waiting: dict[str, tuple[str, str]] = {}
        """(actor, kind of request) by connection with a pending request."""
        self.leader = ""
        self.states: set[str] = set()
        self.over = False

    @property
    def sessions(self) -> tuple[Session, Session]:
        return self.groups[0].session, self.groups[1].session

    # --- asking --------------------------------------------------------------------------------------------------

    def act(self, word: Word) -> str:
        """Send a word's request on both sides; return the connection, "" if no actor could send it."""
        if word.kind == "rest" or self.over:
            return ""
        if word.kind in ("go_on", "join") and all(actor in self.waiting for actor in ACTORS):
            word = CLEAR
        actor = self.speaker(word)
        ear = next((ear for ear in (actor, f"{actor}'") if ear not in self.waiting), None)
        if ear is None:
            ear = self.die(actor)
        for group, members in zip(self.groups, self.described, strict=True):
            group.versions = VINTAGES[word.vintage]
            Speech(self, group, actor, ear, word, members).say()
        kind = self.sessions[0].last_asked
        self.waiting[ear] = actor, kind
        self.asks.append(kind)
        self.told.append(f"{actor}: {' '.join(str(one) for one in word)}")
        return ear

    def speaker(self, word: Word) -> str:
        """Return the actor of a word. Actors that wait for an answer do nothing, unless the word is mischief."""
        if word.kind not in ("go_on", "join"):
            return word.actor
        at = ACTORS.index(word.actor)
        return next((one for one in ACTORS[at:] + ACTORS[:at] if one not in self.waiting), word.actor)

    def die(self, actor: str) -> str:
        """End the actor's process, with two pending requests, and start another one."""
        for ear in (actor, f"{actor}'"):
            del self.waiting[ear]
            for session in self.sessions:
                session.hang_up(ear)
        return actor

    # --- hearing -------------------------------------------------------------------------------------------------

    def ready(self) -> list[set[str]]:
        """Return the actors that could get an answer now, on each side."""
        return [{ear for ear in self.waiting if session.has_answer(ear)} for session in self.sessions]

    def hear(self, ears: set[str]) -> None:
        """The same ears hear on both sides, and should hear the same."""
        heard = []
        for ear in sorted(ears):
            actor, kind = self.waiting.pop(ear)
            heard.append((ear, actor, kind, [session.hear(actor, ear) for session in self.sessions]))
        for ear, actor, kind, answers in heard:  # only now all members in them have names
            for answer in answers:
                if isinstance(answer, ListGroupsResponse):
                    answer.groups[:] = [one for one in answer.groups if one.group_id == self.name]
            expected, ours = (session.told(one) for session, one in zip(self.sessions, answers, strict=True))
            self.compare(ear, expected, ours)
            self.known[actor].learn(kind, answers[0])
            self.answers.append(expected)

    def see(self, described: tuple[Any, Any], late: bool) -> bool:
        """Compare an observer's views of the group; return False if they differ and there is time to look again."""
        expected, ours = (session.told(one) for session, one in zip(self.sessions, described, strict=True))
        if expected != ours and not late:
            return False
        self.states.add(described[0].group_state)
        self.described = [[member.member_id for member in one.members] for one in described]
        self.compare(OBSERVER, expected, ours)
        return True

    def compare(self, who: str, expected: str, ours: str) -> None:
        if self.over:
            return
        leaders = [LEADER.search(text) for text in (expected, ours)]
        if expected != ours:
            self.over = True
            if leaders[0] and leaders[1] and self.leader not in (leaders[0][1], leaders[1][1]):
                return  # an election (docs/differences.md): nothing after it can be compared
            pieces = [
                [f"{who} hears", *text.replace("Member(", "\n    Member(").split("\n")] for text in (expected, ours)
            ]
            self.difference = "\n".join(unified_diff(*pieces, "Apache Kafka", "Tenure", lineterm=""))
        elif leaders[0] and leaders[0][1] != "''":
            self.leader = leaders[0][1]
        if who != OBSERVER:
            self.told.append(f"    {who} hears {expected}")

    def disagree(self, ears: set[str]) -> None:
        """End the life, because an answer came on one side only."""
        if not ears or self.over:
            return
        self.over = True
        expected, _ = self.ready()
        for ear in sorted(ears):
            actor, _ = self.waiting.pop(ear)
            hearer, silent = (0, 1) if ear in expected else (1, 0)
            heard = self.sessions[hearer].told(self.sessions[hearer].hear(actor, ear))
            names = [session.side.name for session in self.sessions]
            self.difference += f"    {ear} hears {heard}\n    from {names[hearer]}, and nothing from {names[silent]}"


class Speech:
    """One word, said by an actor to one side."""

    def __init__(self, lived: Lived, group: Group, actor: str, ear: str, word: Word, members: Sequence[str]) -> None:
        self.lived, self.group, self.actor, self.ear, self.word = lived, group, actor, ear, word
        self.members = members
        self.knows = lived.known[actor]

    def say(self) -> None:
        self.group.session.ear = self.ear
        getattr(self, self.word.kind)()

    @property
    def member_id(self) -> str | int:
        """The oldest id is one only once the actor has been given any."""
        given = self.group.session.member_ids.get(self.actor)
        return OWN if self.word.which == FIRST and not given else self.word.which

    @property
    def generation(self) -> int:
        return self.knows.generation + self.word.shift

    def timeouts(self) -> dict[str, int]:
        life, hurried = self.lived.life, self.lived.hurried
        return {
            "session_timeout_ms": hurried * SHORT_SESSION_MS if self.actor in life.short_sessions else LONG_MS,
            "rebalance_timeout_ms": hurried * SHORT_REBALANCE_MS if life.short_rebalances else LONG_MS,
        }

    # --- members -------------------------------------------------------------------------------------------------

    def go_on(self) -> None:
        match self.knows.next:
            case "enter":
                self.group.join(self.actor, "", wait=False, **self.timeouts())
            case "join":
                self.group.join(self.actor, wait=False, **self.timeouts())
            case "sync":
                self.sync()
            case _ if self.word.number == 0:
                self.heartbeat()
            case _ if self.word.number == 1:
                self.commit()
            case _:
                self.fetch()

    def restart(self) -> None:
        self.group.join(self.actor, "", wait=False, **self.timeouts())

    def join(self) -> None:
        protocols = PROTOCOLS[self.word.number]
        how = {"instance": self.word.instance, "protocols": protocols}
        self.group.join(self.actor, self.member_id, wait=False, **how, **self.timeouts())

    def sync(self) -> None:
        ids = self.group.session.member_ids
        self.group.sync(
            self.actor,
            {whose: f"{whose} in {self.generation}".encode() for whose in ACTORS if ids.get(whose)},
            self.member_id,
            generation=self.generation,
            instance=self.word.instance,
            protocol_name=self.knows.protocol,
            wait=False,
        )

    def heartbeat(self) -> None:
        how = {"generation": self.generation, "instance": self.word.instance}
        self.group.heartbeat(self.actor, self.member_id, **how)

    def leave(self) -> None:
        self.group.leave(self.actor)

    # --- offsets -------------------------------------------------------------------------------------------------

    def commit(self) -> None:
        offsets = {self.word.number % 4: 100 + len(self.lived.asks)}
        how = {"generation": self.generation, "instance": self.word.instance}
        self.group.commit(self.actor, offsets, self.member_id, **how)

    def commit_anonymously(self) -> None:
        offsets = {self.word.number % 2: len(self.lived.asks)}
        how: dict[str, Any] = {}
        if self.word.number == 2:
            how = {"topic": self.lived.doomed}
        elif self.word.number == 3:
            how = {"topic": self.lived.doomed, "metadata": "x" * 5_000}
        elif self.word.number == 4:
            how = {"retention_ms": 3_600_000}
        self.group.commit_anonymously(self.actor, offsets, **how)

    def fetch(self) -> None:
        match self.word.number:
            case 0:
                self.group.fetch(self.actor, (0, 1, 2, 3))
            case 1 if self.group.versions.fetch >= 2:
                self.group.fetch(self.actor, None)
            case _:
                self.group.fetch(self.actor, topic=self.lived.doomed, others=[NEIGHBOUR, MISSING])

    def forget(self) -> None:
        topics = (["oracle"], [self.lived.doomed], ["oracle", "no-such-topic"])[self.word.number % 3]
        self.group.forget(self.actor, topics=topics)

    # --- observers -----------------------------------------------------------------------------------------------

    def describe(self) -> None:
        self.group.describe(self.actor)

    def list(self) -> None:
        states = ([], ["Stable", "preparingrebalance"], ["Empty"])[self.word.number]
        self.group.list(self.actor, states=states if self.group.versions.list >= 4 else ())

    def evict(self) -> None:
        leavers = ([("", "a")], [("", "b"), ("", "z")], [("", "c")], [("", "a"), ("", "b"), ("", "c")], [])
        self.group.leave(self.actor, leavers[self.word.number])

    def purge(self) -> None:
        seated = {ids[-1] for ids in self.group.session.member_ids.values()}
        ghosts = [one for one in self.members if one not in seated]
        self.group.leave(self.actor, [(one, None) for one in ghosts or {*self.members, *seated}], version=5)

    def delete(self) -> None:
        self.group.delete(self.actor, others=[MISSING] if self.word.number else [])
