"""Random histories of streams groups get the same answers and log records on both brokers.

CI compares 640 steps of one seed. `TENURE_ORACLE_SEED=12 TENURE_ORACLE_STEPS=10000` compares another seed for
longer; then the run must contain all APIs and states. If the brokers differ, the history is shrunk until it needs every
action that is left.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator

import pytest

from tests.oracle.random_plays import assert_same_answers
from tests.oracle.shrinking import repeats_if_slow
from tests.oracle.side import Side
from tests.oracle.streams_actions import random_histories
from tests.oracle.streams_runner import StreamsRunner

pytestmark = [pytest.mark.oracle, repeats_if_slow]

SEED = int(os.environ.get("TENURE_ORACLE_SEED", 11))
STEPS = int(os.environ.get("TENURE_ORACLE_STEPS", 500))
"""Steps after which no new histories begin."""
PLAYS_MAX = 10 + STEPS // 500

APIS = {
    "StreamsGroupHeartbeat", "StreamsGroupDescribe", "ConsumerGroupHeartbeat", "ConsumerGroupDescribe", "OffsetCommit",
    "OffsetFetch", "OffsetDelete", "ListGroups", "DeleteGroups", "DescribeGroups", "Heartbeat", "SyncGroup",
}  # fmt: skip
STATES = {"Empty", "NotReady", "Assigning", "Reconciling", "Stable", "STABLE", "UNREVOKED_TASKS", "UNRELEASED_TASKS"}
IS_LONG = STEPS >= 5_000
WANTED = {*APIS, *STATES} if IS_LONG else set()
"""APIs and states of groups and members that a run must contain. Some are rare: 4,000 steps had two Empty groups."""
TIES_MAX = 1 + STEPS // 2_000
"""Largest number of groups whose comparison ends, because the brokers choose differently between two processes
(docs/differences.md). Runs of 10,000 steps had none to three."""

ACTIONS_PER_HISTORY, HISTORIES = 80, 16 if IS_LONG else 8


@pytest.fixture(scope="module")
def runner(kafka: Side, tenure: Side) -> Iterator[StreamsRunner]:
    runner = StreamsRunner((kafka, tenure))
    yield runner
    runner.close()


@pytest.mark.timeout(1_800 if IS_LONG else 600)
def test_random_streams_groups__on_both_brokers__same_answers_descriptions_and_records(
    runner: StreamsRunner, repeated: Callable[[object], None]
) -> None:
    draw = random.Random(f"{SEED} streams")
    found = assert_same_answers(
        runner,
        lambda: random_histories(draw, HISTORIES, ACTIONS_PER_HISTORY),
        repeated,
        seed=SEED,
        steps=STEPS,
        wanted=WANTED,
        plays_max=PLAYS_MAX,
    )
    assert found["tie"] <= TIES_MAX
