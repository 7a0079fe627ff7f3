"""Drawn lives of groups, lived on both brokers: the same members do the same, and hear the same, and log the same.

The seed is printed and `TENURE_ORACLE_SEED` repeats a run. When the brokers differ, the life in which they do is
shortened until every word that is left is needed.
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

from tests.oracle.lives import HASTE, REST, VOCABULARY, Life
from tests.oracle.lockstep import REST_S, Stage, tally
from tests.oracle.shortening import TooSlow, in_haste, tell_shortest
from tests.oracle.side import Side

pytestmark = pytest.mark.oracle

SEED = int(os.environ.get("TENURE_ORACLE_SEED", random.SystemRandom().randrange(1 << 32)))

STEPS_MIN = 10_000
HURRIED_STEPS_MIN = 400
SUCCESSES_MIN = 0.40
RESTS_MAX = 0.03

APIS = {
    "JoinGroup", "SyncGroup", "Heartbeat", "LeaveGroup", "OffsetCommit", "OffsetFetch", "OffsetDelete",
    "DescribeGroups", "ListGroups", "DeleteGroups",
}  # fmt: skip
STATES = {"Empty", "PreparingRebalance", "CompletingRebalance", "Stable", "Dead"}

WORDS = 80
LIVES = 30
HURRIED_WORDS = 30
HURRIED_LIVES = 16

EXAMPLES = 6
HURRIED_EXAMPLES = 2
"""Examples of each kind, besides the empty one that hypothesis begins with."""
HURRIED = (1, 2, 4, 8)
"""Factors of short timeouts, tried in order until the run is fast enough."""

drawn = settings(
    phases=[Phase.generate], database=None, deadline=None, suppress_health_check=list(HealthCheck), print_blob=False
)


def words(count: int) -> st.SearchStrategy[tuple]:
    return st.tuples(*[st.sampled_from(VOCABULARY)] * count)


patient = st.lists(words(WORDS).map(Life), min_size=LIVES, max_size=LIVES)
hasty = st.lists(
    st.builds(lambda said, haste: Life(said, *haste), words(HURRIED_WORDS), st.sampled_from(HASTE)),
    min_size=HURRIED_LIVES,
    max_size=HURRIED_LIVES,
)


@pytest.fixture(scope="module")
def stage(kafka: Side, tenure: Side) -> Iterator[Stage]:
    stage = Stage((kafka, tenure))
    yield stage
    stage.close()


@pytest.mark.timeout(600)
@in_haste
def test_random_groups__on_both__same_answers_descriptions_and_records(
    stage: Stage, repeated: Callable[[object], None]
) -> None:
    found: Counter[str] = Counter()
    differences: list[str] = []

    @seed(SEED)
    @settings(drawn, max_examples=EXAMPLES + 1)
    @given(patient)
    def live(lives: list[Life]) -> None:
        if not differences:
            found.update(compare(stage, lives, differences))

    @seed(SEED)
    @settings(drawn, max_examples=HURRIED_EXAMPLES + 1)
    @given(hasty)
    def live_in_haste(lives: list[Life]) -> None:
        for hurried in HURRIED:
            try:
                short = Counter() if differences else compare(stage, lives, differences, hurried)
            except TooSlow:
                repeated(f"too slow for timeouts {hurried} times as long as the shortest")
                continue
            found.update(short)
            found["hurried steps"] += short["steps"]
            found["rests"] += len(lives) if short else 0
            return

    print(f"TENURE_ORACLE_SEED={SEED}")
    live()
    live_in_haste()
    print(f"TENURE_ORACLE_SEED={SEED}: {dict(found)}; rests of {REST_S} s and more")
    assert not differences, f"TENURE_ORACLE_SEED={SEED}\n{differences[0]}"
    assert found["steps"] >= STEPS_MIN
    assert found["hurried steps"] >= HURRIED_STEPS_MIN, "this machine is too slow to tell what ran out when"
    assert found["successes"] >= SUCCESSES_MIN * found["steps"]
    assert found["rests"] <= RESTS_MAX * found["steps"]
    assert {*APIS, *STATES} <= {name for name, count in found.items() if count}


def compare(stage: Stage, lives: Sequence[Life], differences: list[str], hurried: int = 0) -> Counter[str]:
    """Return the counts; a difference is reported with the fewest words that show it."""
    if all(word is REST for life in lives for word in life.words):
        return Counter()
    lived = stage.play(lives, hurried=hurried)
    tell_shortest(lived, partial(stage.play, hurried=hurried), REST, differences)
    return tally(lived)
