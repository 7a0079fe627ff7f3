"""Random histories of classic groups get the same answers and log records on both brokers.

The seed is printed, and `TENURE_ORACLE_SEED` repeats a run. If the brokers differ, the history is shrunk until it needs
every action that is left.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from tests.oracle.classic_histories import ACTIONS, REST, SHORT_TIMEOUTS, History
from tests.oracle.classic_runner import REST_S, ClassicRunner, counts
from tests.oracle.shrinking import TooSlow, repeats_if_slow, report_shortest
from tests.oracle.side import Side

pytestmark = pytest.mark.oracle

SEED = int(os.environ.get("TENURE_ORACLE_SEED", random.SystemRandom().randrange(1 << 32)))

STEPS_MIN = 10_000
SHORT_TIMEOUT_STEPS_MIN = 400
SUCCESSES_MIN = 0.40
RESTS_MAX = 0.03

APIS = {
    "JoinGroup", "SyncGroup", "Heartbeat", "LeaveGroup", "OffsetCommit", "OffsetFetch", "OffsetDelete",
    "DescribeGroups", "ListGroups", "DeleteGroups",
}  # fmt: skip
STATES = {"Empty", "PreparingRebalance", "CompletingRebalance", "Stable", "Dead"}

ACTIONS_PER_HISTORY = 80
HISTORIES = 30
SHORT_TIMEOUT_ACTIONS = 30
SHORT_TIMEOUT_HISTORIES = 16

EXAMPLES = 6
SHORT_TIMEOUT_EXAMPLES = 2
"""Examples of each kind, besides the empty one with which hypothesis begins."""
TIMEOUT_FACTORS = (1, 2, 4, 8)
"""Factors of short timeouts, tried in order until the run is fast enough."""

EXAMPLE_SETTINGS = settings(
    phases=[Phase.generate], database=None, deadline=None, suppress_health_check=list(HealthCheck), print_blob=False
)


def actions(count: int) -> st.SearchStrategy[tuple]:
    return st.tuples(*[st.sampled_from(ACTIONS)] * count)


ordinary_histories = st.lists(actions(ACTIONS_PER_HISTORY).map(History), min_size=HISTORIES, max_size=HISTORIES)
short_timeout_histories = st.lists(
    st.builds(
        lambda chosen, timeouts: History(chosen, *timeouts),
        actions(SHORT_TIMEOUT_ACTIONS),
        st.sampled_from(SHORT_TIMEOUTS),
    ),
    min_size=SHORT_TIMEOUT_HISTORIES,
    max_size=SHORT_TIMEOUT_HISTORIES,
)


@pytest.fixture(scope="module")
def runner(kafka: Side, tenure: Side) -> Iterator[ClassicRunner]:
    runner = ClassicRunner((kafka, tenure))
    yield runner
    runner.close()


@pytest.mark.timeout(600)
@repeats_if_slow
def test_random_classic_groups__on_both_brokers__same_answers_descriptions_and_records(
    runner: ClassicRunner, repeated: Callable[[object], None]
) -> None:
    found: Counter[str] = Counter()
    differences: list[str] = []

    @seed(SEED)
    @settings(EXAMPLE_SETTINGS, max_examples=EXAMPLES + 1)
    @given(ordinary_histories)
    def run_ordinary(histories: list[History]) -> None:
        if not differences:
            found.update(compare(runner, histories, differences))

    @seed(SEED)
    @settings(EXAMPLE_SETTINGS, max_examples=SHORT_TIMEOUT_EXAMPLES + 1)
    @given(short_timeout_histories)
    def run_with_short_timeouts(histories: list[History]) -> None:
        for timeout_factor in TIMEOUT_FACTORS:
            try:
                short = Counter() if differences else compare(runner, histories, differences, timeout_factor)
            except TooSlow:
                repeated(f"too slow for timeouts {timeout_factor} times as long as the shortest")
                continue
            found.update(short)
            found["steps with short timeouts"] += short["steps"]
            found["rests"] += len(histories) if short else 0
            return

    print(f"TENURE_ORACLE_SEED={SEED}")
    run_ordinary()
    run_with_short_timeouts()
    print(f"TENURE_ORACLE_SEED={SEED}: {dict(found)}; rests of {REST_S} s and more")
    assert not differences, f"TENURE_ORACLE_SEED={SEED}\n{differences[0]}"
    assert found["steps"] >= STEPS_MIN
    assert found["steps with short timeouts"] >= SHORT_TIMEOUT_STEPS_MIN, (
        "this machine is too slow to tell what ran out when"
    )
    assert found["successes"] >= SUCCESSES_MIN * found["steps"]
    assert found["rests"] <= RESTS_MAX * found["steps"]
    assert {*APIS, *STATES} <= {name for name, count in found.items() if count}


def compare(
    runner: ClassicRunner, histories: Sequence[History], differences: list[str], timeout_factor: int = 0
) -> Counter[str]:
    """Return the counts; a difference is reported with the fewest actions that show it."""
    if all(action is REST for history in histories for action in history.actions):
        return Counter()
    comparisons = runner.play(histories, timeout_factor=timeout_factor)
    report_shortest(comparisons, partial(runner.play, timeout_factor=timeout_factor), REST, differences)
    return counts(comparisons)
