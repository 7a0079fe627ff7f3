"""Plays of random histories on both brokers, until enough steps were compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from typing import Any, Final

from tests.oracle.consumer_histories import REST
from tests.oracle.consumer_runner import ConsumerRunner, counts
from tests.oracle.shrinking import TooSlow, report_shortest

SUCCESSES_MIN: Final = 0.40
"""Share of steps that must succeed; otherwise the histories compare little more than error codes."""


def assert_same_answers(
    runner: ConsumerRunner,
    draw: Callable[[], list[Any]],
    repeated: Callable[[object], None],
    *,
    seed: int,
    steps: int,
    wanted: Collection[str],
    plays_max: int,
) -> Counter[str]:
    """Play random histories, and check that both brokers give the same answers, descriptions and log records.

    Return the number of requests, answers and observed states, by name.

    Args:
        runner: Runner of histories on both brokers.
        draw: Function that returns the histories of the next play.
        repeated: Function that reports a play that was too slow, and is repeated.
        seed: Seed of `draw`, for the error message.
        steps: Number of steps after which no new play begins, if they have all that is wanted.
        wanted: APIs and states that the plays must contain.
        plays_max: Largest number of plays.
    """
    found: Counter[str] = Counter()
    differences: list[str] = []
    for _ in range(plays_max):
        if differences or (found["steps"] >= steps and set(wanted) <= (+found).keys()):
            break
        try:
            comparisons = runner.play(draw())
            report_shortest(comparisons, runner.play, REST, differences)
            found.update(counts(comparisons))
        except TooSlow:
            repeated("too slow for the timeouts of the play")
    print(f"TENURE_ORACLE_SEED={seed}: {dict(found)}")
    assert not differences, f"TENURE_ORACLE_SEED={seed}\n{differences[0]}"
    assert found["steps"] >= steps
    assert found["successes"] >= SUCCESSES_MIN * found["steps"]
    assert set(wanted) <= (+found).keys()
    return found
