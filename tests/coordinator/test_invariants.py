"""Random histories of one shard: no invariant breaks.

Every failure names its seed and the parameters from it; a run that did too little fails, too.
"""

from collections import Counter

import pytest

from tests.coordinator.clients import WEIGHTS
from tests.coordinator.histories import History
from tests.coordinator.virtual_host import VirtualHost
from tests.quick import quick_first

STEPS = 600
SEEDS_TOGETHER = 10
MUST_HAPPEN = {
    *(kind for kind in WEIGHTS if kind != "proceed"),
    *("EMPTY", "PREPARING_REBALANCE", "COMPLETING_REBALANCE", "STABLE"),
    *("Joined", "Synced", "Committed", "Left", "Accepted", "OffsetsDeleted", "append failed", "expired"),
    *("MEMBER_ID_REQUIRED", "UNKNOWN_MEMBER_ID", "ILLEGAL_GENERATION", "REBALANCE_IN_PROGRESS", "FENCED_INSTANCE_ID"),
    *("GROUP_ID_NOT_FOUND", "NON_EMPTY_GROUP", "NOT_COORDINATOR", "COORDINATOR_NOT_AVAILABLE"),
}
"""Kinds of steps, answers and states that SEEDS_TOGETHER histories together must contain."""


def play(seed: int) -> History:
    history = History(seed)
    try:
        for _ in range(STEPS):
            history.step()
        history.settle()
        history.fall_silent()
    except AssertionError as broken:
        raise AssertionError(f"{history.drawn}, step {history.steps}: {broken}") from broken
    return history


@pytest.mark.parametrize("first_seed", quick_first(range(0, 40, SEEDS_TOGETHER)))
def test_history__random_commands_failures_and_time__invariants_hold(first_seed: int) -> None:
    did: Counter[str] = Counter()
    for seed in range(first_seed, first_seed + SEEDS_TOGETHER):
        did += play(seed).did
    assert did.keys() >= MUST_HAPPEN, f"seeds from {first_seed} never saw {MUST_HAPPEN - did.keys()}: {did}"
    assert did["Synced"] > 20 * SEEDS_TOGETHER, f"seeds from {first_seed} did too little: {did}"
    assert did["group record"] > 20 * SEEDS_TOGETHER, f"seeds from {first_seed} did too little: {did}"


def test_history__same_seed_twice__same_log_and_same_answers() -> None:
    first, second = play(7), play(7)
    assert first.host.log == second.host.log
    assert first.did == second.did


@pytest.mark.parametrize("seed", [100, 101, 102])
def test_load__log_cut_after_any_batch__same_state_as_at_that_batch(seed: int) -> None:
    """Compare a fail-over at every point with a replay: the same history again, cut at every batch."""
    history, cuts = History(seed), {}
    for _ in range(2 * STEPS):
        history.step()
        if len(history.host.log) not in cuts:
            cuts[len(history.host.log)] = history.new_follower()
    assert len(cuts) > 50, f"{history.drawn} did too little: {history.did}"
    for batches, follower in cuts.items():
        cut = VirtualHost(history.host.settings)
        cut.log = history.host.log[:batches]
        cut.fail_over()
        history.follower = follower
        history.check_load(cut.shard)
