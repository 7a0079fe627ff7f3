"""Random lives of consumer groups on both brokers: the same requests get the same answers and log records.

The policy is `kafka`. The seed is printed and `TENURE_ORACLE_SEED` repeats a run. When the brokers differ, the life in
which they do is shortened until every word that is left is needed.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from tests.oracle.consumer_lives import REST, drawn, drawn_in_haste
from tests.oracle.consumer_rounds import RESTS, Rounds, tally
from tests.oracle.shortening import TooSlow, in_haste, tell_shortest
from tests.oracle.side import Side

pytestmark = [pytest.mark.oracle, in_haste]

SEED = int(os.environ.get("TENURE_ORACLE_SEED", random.SystemRandom().randrange(1 << 32)))

STEPS = 8_000
HURRIED_STEPS = 500
SUCCESSES_MIN = 0.40
RESTS_MAX = 0.03
PLAYS_MAX = 30

APIS = {
    "ConsumerGroupHeartbeat", "ConsumerGroupDescribe", "OffsetCommit", "OffsetFetch", "OffsetDelete", "ListGroups",
    "DeleteGroups", "DescribeGroups", "Heartbeat", "SyncGroup",
}  # fmt: skip
STATES = {"Empty", "Assigning", "Reconciling", "Stable", "STABLE", "UNREVOKED_PARTITIONS", "UNRELEASED_PARTITIONS"}
"""States of groups and of members. No request leads to UNKNOWN (test_crafted_logs.py)."""
WANTED = {*APIS, *STATES}
"""Some are rare: in four plays of ten no group was seen Empty."""

WORDS, LIVES = 80, 40
HURRIED_WORDS, HURRIED_LIVES = 36, 14


@pytest.fixture(scope="module")
def rounds(kafka: Side, tenure: Side) -> Iterator[Rounds]:
    rounds = Rounds((kafka, tenure))
    yield rounds
    rounds.close()


@pytest.fixture(scope="module")
def hurried_rounds(strict_kafka: Side, strict_tenure: Side) -> Iterator[Rounds]:
    rounds = Rounds((strict_kafka, strict_tenure))
    yield rounds
    rounds.close()


@pytest.mark.timeout(600)
def test_random_consumers__on_both__same_answers_descriptions_and_records(
    rounds: Rounds, repeated: Callable[[object], None]
) -> None:
    draw = random.Random(f"{SEED} patient")
    found: Counter[str] = Counter()
    differences: list[str] = []
    for _ in range(PLAYS_MAX):
        if differences or (found["steps"] >= STEPS and (+found).keys() >= WANTED):
            break
        try:
            lived = rounds.play(drawn(draw, LIVES, WORDS))
            tell_shortest(lived, rounds.play, REST, differences)
            found.update(tally(lived))
        except TooSlow:
            repeated("too slow for the timeouts of the play")
    print(f"TENURE_ORACLE_SEED={SEED}: {dict(found)}")
    assert not differences, f"TENURE_ORACLE_SEED={SEED}\n{differences[0]}"
    assert found["steps"] >= STEPS
    assert found["successes"] >= SUCCESSES_MIN * found["steps"]
    assert (+found).keys() >= WANTED


@pytest.mark.timeout(600)
def test_random_consumers__while_time_passes__same_members_are_removed(
    hurried_rounds: Rounds, repeated: Callable[[object], None]
) -> None:
    draw = random.Random(f"{SEED} in haste")
    found: Counter[str] = Counter()
    differences: list[str] = []
    play = partial(hurried_rounds.play, hurried=True)
    lives = HURRIED_LIVES
    for _ in range(PLAYS_MAX):
        if found["steps"] >= HURRIED_STEPS or differences:
            break
        try:
            lived = play(drawn_in_haste(draw, lives, HURRIED_WORDS))
            tell_shortest(lived, play, REST, differences)
            found.update(tally(lived))
            found["rests"] += RESTS * len(lived)
        except TooSlow:
            repeated(f"too slow for the timeouts of a play with {lives} lives")
            lives = max(lives // 2, 1)  # fewer beside each other are sooner through
    print(f"TENURE_ORACLE_SEED={SEED}: {dict(found)}")
    assert not differences, f"TENURE_ORACLE_SEED={SEED}\n{differences[0]}"
    assert found["steps"] >= HURRIED_STEPS, "this machine is too slow to tell what ran out when"
    assert found["rests"] <= RESTS_MAX * (found["steps"] + STEPS)
