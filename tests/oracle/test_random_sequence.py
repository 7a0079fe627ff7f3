"""A random life of a group, lived on both brokers step by step: the same members do the same, and hear the same.

The seed is printed, and so is every step until the first difference; `TENURE_ORACLE_SEED` repeats a run. Two things are
left to a broker's choice and therefore end an episode: who leads when the leader is gone (Apache Kafka takes the first
of a hash table of random ids), and which protocol wins a tied vote.
"""

from __future__ import annotations

import os
import random
import re
import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.oracle.actors import OWN, Group, subscription
from tests.oracle.side import Side

pytestmark = pytest.mark.oracle

STEPS_MIN = 300
STEPS_OF_AN_EPISODE = 40
EPISODES_MAX = 60
QUIET_S = 0.015
"""Once whoever asked has his answer, and then nothing is heard for so long, the step has had all its effects."""

PARKED_S = 0.1
"""Without an answer for so long, a request is parked."""

LAGGING_S = 5.0
"""How long one broker may take to say what the other has said already."""

IDLE_STEPS_MAX = 2
"""Everybody waits for somebody who will not come: the episode is over."""

LEADER = re.compile(r"leader=([A-E])#")

STATIC = {"A": "a", "B": "b", "C": "c"}
ACTORS = ("A", "B", "C", "D", "E")
RANGE = {"range": subscription("oracle")}
WIDER = {"range": subscription("oracle", "more")}
PROTOCOLS = (RANGE, RANGE, RANGE, WIDER)

Step = Callable[[Group], None]


class Life:
    """Draws the steps. What an actor knows (its ids, the generation) is looked up on each side when it acts."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.waiting: set[str] = set()

    def step(self) -> tuple[str, str, Step]:
        """(actor, in words, what it does); somebody whose request is parked does nothing else."""
        draw = self.random
        free = [actor for actor in ACTORS if actor not in self.waiting]
        if not free:
            return "admin", "describe", lambda group: group.describe("admin")
        actor = draw.choice(free)
        kind = draw.choices(
            ("join", "sync", "heartbeat", "commit", "fetch", "leave", "describe", "evict", "delete"),
            (40, 30, 10, 8, 3, 3, 3, 1, 1),
        )[0]
        return actor, *getattr(self, kind)(actor)

    def identity(self) -> tuple[Any, Any]:
        """Mostly the actor's own; sometimes a former one, a stranger's or another's."""
        which = self.random.choices((OWN, "", "stranger-1", 1), (88, 6, 2, 4))[0]
        instance = self.random.choices((OWN, None, "a", "z"), (92, 4, 2, 2))[0]
        return which, instance

    def generation(self) -> int:
        return self.random.choices((0, -1, 1), (90, 6, 4))[0]

    def join(self, actor: str) -> tuple[str, Step]:
        which, instance = self.identity()
        restarts = self.random.random() < 0.2
        member_id = "" if restarts else which
        version = self.random.choice((5, 6, 7, 8, 9, 9, 9))
        protocols = self.random.choice(PROTOCOLS)
        return f"join {member_id!r} {instance!r} v{version} {len(protocols['range'])}", lambda group: group.join(
            actor, known(group, actor, member_id), instance=instance, version=version, protocols=protocols, wait=False
        )

    def sync(self, actor: str) -> tuple[str, Step]:
        which, instance = self.identity()
        shift = self.generation()
        parts = self.random.sample(ACTORS, self.random.randint(0, len(ACTORS)))
        return f"sync {which!r} {instance!r} {shift} {parts}", lambda group: group.sync(
            actor,
            {whose: f"for {whose}".encode() for whose in parts},
            known(group, actor, which),
            generation=group.generation + shift,
            instance=instance,
            wait=False,
        )

    def heartbeat(self, actor: str) -> tuple[str, Step]:
        which, instance = self.identity()
        shift = self.generation()
        return f"heartbeat {which!r} {instance!r} {shift}", lambda group: group.heartbeat(
            actor, known(group, actor, which), generation=group.generation + shift, instance=instance
        )

    def commit(self, actor: str) -> tuple[str, Step]:
        which, instance = self.identity()
        shift = self.generation()
        anonymous = self.random.random() < 0.2
        offsets = {self.random.randrange(4): self.random.randrange(1_000)}
        return f"commit {which!r} {instance!r} {shift} {anonymous} {offsets}", lambda group: group.commit(
            actor,
            offsets,
            "" if anonymous else known(group, actor, which),
            generation=-1 if anonymous else group.generation + shift,
            instance=None if anonymous else instance,
        )

    def fetch(self, actor: str) -> tuple[str, Step]:
        return "fetch", lambda group: group.fetch(actor, None)

    def describe(self, actor: str) -> tuple[str, Step]:
        return "describe", lambda group: group.describe(actor)

    def delete(self, actor: str) -> tuple[str, Step]:
        return "delete", lambda group: group.delete(actor)

    def leave(self, actor: str) -> tuple[str, Step]:
        return "leave", lambda group: group.leave(actor)

    def evict(self, actor: str) -> tuple[str, Step]:
        """What an administrator does to a static member."""
        return "evict a", lambda group: group.leave(actor, [("", "a")])


def known(group: Group, actor: str, which: str | int) -> str | int:
    """The oldest id is one only once the actor has been given any."""
    return OWN if which == 1 and not group.session.member_ids.get(actor) else which


class Episode:
    """One group, on both sides."""

    def __init__(self, name: str, seed: int, sides: tuple[Side, Side]) -> None:
        self.life = Life(seed)
        self.groups = [Group(side.session(), name, STATIC) for side in sides]
        for group in self.groups:
            group.session.listening = False
        self.told = [f"{name}, seed {seed}"]
        self.leader = ""
        self.steps = self.waited = self.refused = 0

    def live(self) -> None:
        idle = 0
        while self.steps < STEPS_OF_AN_EPISODE and idle < IDLE_STEPS_MAX:
            actor, words, act = self.life.step()
            self.told.append(f"{actor}: {words}")
            for group in self.groups:
                act(group)
            self.life.waiting.add(actor)
            expected, ours = self.hear(actor)
            if self.elects(expected, ours) or self.leader_goes(actor, words):
                return
            self.told += [f"    {one}" for one in expected.values()]
            assert expected == ours, "\n".join([*self.told, "Tenure instead:", *ours.values()])
            self.steps += 1
            self.waited += len(self.life.waiting)
            self.refused += sum("error_code=0" not in one for one in expected.values())
            idle = idle + 1 if actor == "admin" else 0

    def hear(self, asker: str) -> list[dict[str, str]]:
        """What each actor hears now, on each side, in words; those that both sides answered wait no longer."""
        answers: list[dict[str, Any]] = [{}, {}]
        quiet_since = time.monotonic()
        while (quiet_s := time.monotonic() - quiet_since) < LAGGING_S:
            for group, heard in zip(self.groups, answers, strict=True):
                for actor in self.life.waiting - heard.keys():
                    if group.session.has_answer(actor):
                        heard[actor] = group.hear(actor)
                        quiet_since = time.monotonic()
            enough_s = QUIET_S if asker in answers[0] else PARKED_S
            if quiet_s > enough_s and answers[0].keys() == answers[1].keys():
                break
            time.sleep(0.001)
        self.life.waiting -= answers[0].keys()
        return [
            {actor: group.session.told(answer) for actor, answer in sorted(heard.items())}
            for group, heard in zip(self.groups, answers, strict=True)
        ]

    def elects(self, expected: dict[str, str], ours: dict[str, str]) -> bool:
        """Whether both sides chose a leader, and not the same one."""
        leaders = [LEADER.search(" ".join(heard.values())) for heard in (expected, ours)]
        if leaders[0] and leaders[1] and leaders[0][1] != leaders[1][1]:
            return self.leader not in (leaders[0][1], leaders[1][1])
        self.leader = leaders[0][1] if leaders[0] else self.leader
        return False

    def leader_goes(self, actor: str, words: str) -> bool:
        return words.startswith(("leave", "evict")) and (actor == self.leader or words.startswith("evict"))

    def log(self) -> list[list[str]]:
        return [group.session.log(group.id) for group in self.groups]

    def close(self) -> None:
        for group in self.groups:
            group.session.close()


@pytest.mark.timeout(240)
def test_random_life__lived_on_both__same_answers_after_every_step_and_same_records(kafka: Side, tenure: Side) -> None:
    seed = int(os.environ.get("TENURE_ORACLE_SEED", random.SystemRandom().randrange(1 << 32)))
    steps = waited = refused = 0
    for number in range(EPISODES_MAX):
        episode = Episode(f"life-{seed}-{number}", seed + number, (kafka, tenure))
        try:
            episode.live()
            expected, ours = episode.log()
            assert expected == ours, "\n".join([*episode.told, "Apache Kafka:", *expected, "Tenure:", *ours])
        finally:
            episode.close()
        steps, waited, refused = steps + episode.steps, waited + episode.waited, refused + episode.refused
        if steps >= STEPS_MIN:
            break
    print(f"seed {seed}: {number + 1} episodes, {steps} steps, {refused} refusals, {waited} waits")
    assert steps >= STEPS_MIN, f"seed {seed}: only {steps} steps"
    assert waited >= STEPS_MIN // 10, f"seed {seed}: hardly anybody ever waited"
    assert refused >= STEPS_MIN // 20, f"seed {seed}: hardly anything was refused"
