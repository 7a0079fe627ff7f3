"""Random histories of streams groups: no invariant breaks, and each broken rule is found by its name."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.coordinator.soak import run_histories
from tests.coordinator.streams_broken_rules import BROKEN_RULES
from tests.coordinator.streams_histories import StreamsHistory
from tests.quick import quick_first
from tests.simulation.broken import Broken

SEEDS_TOGETHER = 6
SEEDS_OF_BROKEN_RULES = 12
STEPS = 150
MUST_HAPPEN = {
    *("answered", "refused", "bounce", "owner accepted", "zombie accepted", "zombie refused"),
    *("transactional accepted", "transactional refused"),
}


def live(history: StreamsHistory) -> None:
    history.join()
    for _ in range(STEPS):
        history.step()
    history.settle()


@pytest.mark.parametrize("first_seed", quick_first(range(0, 24, SEEDS_TOGETHER)))
def test_streams_groups__random_histories__invariants_hold_and_all_tasks_are_assigned_at_the_end(
    first_seed: int,
) -> None:
    did: Counter[str] = Counter()
    for seed in range(first_seed, first_seed + SEEDS_TOGETHER):
        history = StreamsHistory(seed)
        live(history)
        did += history.did
    assert did.keys() >= MUST_HAPPEN, f"seeds from {first_seed} never saw {MUST_HAPPEN - did.keys()}: {did}"


@pytest.mark.parametrize("broken_rule", BROKEN_RULES)
def test_broken_rule__of_streams_groups__violated_invariant_is_named(broken_rule: Any) -> None:
    found: set[str] = set()
    for seed in range(SEEDS_OF_BROKEN_RULES):
        try:
            live(StreamsHistory(seed, broken_rule))
        except Broken as broken:
            found.add(broken.invariant)
            if broken_rule.BREAKS in found:
                return
    pytest.fail(f"{broken_rule.__name__} breaks {broken_rule.BREAKS}; {SEEDS_OF_BROKEN_RULES} lives saw only {found}")


def test_commits_in_streams_groups__zombies_and_owners__only_those_of_owners_accepted() -> None:
    did, seed = run_histories(zombies=2_000)
    assert did["owner accepted"] >= 500, f"seeds to {seed}: {did}"
    assert did["owner refused"] == 0
    assert min(did["transactional accepted"], did["transactional refused"]) >= 500
