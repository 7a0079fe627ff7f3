"""Random histories of consumer groups get the same answers and log records on both brokers.

The policy is `kafka`. The seed is printed, and `TENURE_ORACLE_SEED` repeats a run; `TENURE_ORACLE_STEPS` makes it
longer. If the brokers differ, the history is shrunk until it needs every action that is left.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from tests.oracle.consumer_histories import REST, random_histories, random_histories_with_short_timeouts
from tests.oracle.consumer_runner import RESTS, ConsumerRunner, counts
from tests.oracle.random_plays import assert_same_answers
from tests.oracle.shrinking import TooSlow, repeats_if_slow, report_shortest
from tests.oracle.side import Side

pytestmark = [pytest.mark.oracle, repeats_if_slow]

SEED = int(os.environ.get("TENURE_ORACLE_SEED", random.SystemRandom().randrange(1 << 32)))

STEPS = int(os.environ.get("TENURE_ORACLE_STEPS", 8_000))
SHORT_TIMEOUT_STEPS = 500
RESTS_MAX = 0.03
PLAYS_MAX = 30

APIS = {
    "ConsumerGroupHeartbeat", "ConsumerGroupDescribe", "OffsetCommit", "OffsetFetch", "OffsetDelete", "ListGroups",
    "DeleteGroups", "DescribeGroups", "Heartbeat", "SyncGroup",
}  # fmt: skip
STATES = {"Empty", "Assigning", "Reconciling", "Stable", "STABLE", "UNREVOKED_PARTITIONS", "UNRELEASED_PARTITIONS"}
"""States of groups and of members. No request leads to UNKNOWN (handwritten_records.py)."""
WANTED = {*APIS, *STATES}
"""APIs and states that a run must contain. Some are rare: four runs of ten had no Empty group."""

ACTIONS_PER_HISTORY, HISTORIES = 80, 40
SHORT_TIMEOUT_ACTIONS, SHORT_TIMEOUT_HISTORIES = 36, 14


@pytest.fixture(scope="module")
def runner(kafka: Side, tenure: Side) -> Iterator[ConsumerRunner]:
    runner = ConsumerRunner((kafka, tenure))
    yield runner
    runner.close()


@pytest.fixture(scope="module")
def strict_runner(strict_kafka: Side, strict_tenure: Side) -> Iterator[ConsumerRunner]:
    runner = ConsumerRunner((strict_kafka, strict_tenure))
    yield runner
    runner.close()


@pytest.mark.timeout(600)
def test_random_consumer_groups__on_both_brokers__same_answers_descriptions_and_records(
    runner: ConsumerRunner, repeated: Callable[[object], None]
) -> None:
    draw = random.Random(f"{SEED} patient")
    assert_same_answers(
        runner,
        lambda: random_histories(draw, HISTORIES, ACTIONS_PER_HISTORY),
        repeated,
        seed=SEED,
        steps=STEPS,
        wanted=WANTED,
        plays_max=PLAYS_MAX,
    )


@pytest.mark.timeout(600)
def test_random_consumer_groups__session_timeouts_expire__same_members_removed_by_both_brokers(
    strict_runner: ConsumerRunner, repeated: Callable[[object], None]
) -> None:
    draw = random.Random(f"{SEED} in haste")
    found: Counter[str] = Counter()
    differences: list[str] = []
    play = partial(strict_runner.play, short_timeouts=True)
    histories = SHORT_TIMEOUT_HISTORIES
    for _ in range(PLAYS_MAX):
        if found["steps"] >= SHORT_TIMEOUT_STEPS or differences:
            break
        try:
            comparisons = play(random_histories_with_short_timeouts(draw, histories, SHORT_TIMEOUT_ACTIONS))
            report_shortest(comparisons, play, REST, differences)
            found.update(counts(comparisons))
            found["rests"] += RESTS * len(comparisons)
        except TooSlow:
            repeated(f"too slow for the timeouts of a play with {histories} lives")
            histories = max(histories // 2, 1)  # fewer histories at a time end sooner
    print(f"TENURE_ORACLE_SEED={SEED}: {dict(found)}")
    assert not differences, f"TENURE_ORACLE_SEED={SEED}\n{differences[0]}"
    assert found["steps"] >= SHORT_TIMEOUT_STEPS, "this machine is too slow to tell what ran out when"
    assert found["rests"] <= RESTS_MAX * (found["steps"] + STEPS)
