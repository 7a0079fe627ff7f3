"""Random histories of consumer groups: no invariant breaks, and each broken rule is found by its name."""

from collections import Counter
from typing import Any

import pytest

from tests.coordinator.consumer_histories import WEIGHTS, ConsumerHistory
from tests.coordinator.virtual_host import WatchedShard
from tests.quick import quick_first
from tests.simulation.broken import Broken
from tests.simulation.consumer_broken_rules import (
    AcceptsEveryOlderEpoch,
    ForgetsAbsentMembers,
    TreatsUnreportedAsNotOwned,
)

STEPS = 500
SEEDS_TOGETHER = 10
MUST_HAPPEN = {
    *WEIGHTS,
    *("answered", "lost answer", "bounce", "honest commit", "zombie accepted", "zombie refused"),
    *("EMPTY", "ASSIGNING", "RECONCILING", "STABLE"),
    *("UNKNOWN_MEMBER_ID", "FENCED_MEMBER_EPOCH", "UNRELEASED_INSTANCE_ID"),
}


def play(seed: int) -> ConsumerHistory:
    history = ConsumerHistory(seed)
    try:
        for _ in range(STEPS):
            history.step()
        history.settle()
    except AssertionError as broken:
        raise AssertionError(f"{history.drawn}: {broken}") from broken
    return history


@pytest.mark.parametrize("first_seed", quick_first(range(0, 40, SEEDS_TOGETHER)))
def test_history__random_members_lost_logs_and_zombies__invariants_hold(first_seed: int) -> None:
    did: Counter[str] = Counter()
    for seed in range(first_seed, first_seed + SEEDS_TOGETHER):
        did += play(seed).did
    assert did.keys() >= MUST_HAPPEN, f"seeds from {first_seed} never saw {MUST_HAPPEN - did.keys()}: {did}"
    assert did["honest commit"] > 10 * SEEDS_TOGETHER, f"seeds from {first_seed} did too little: {did}"
    assert did["zombie refused"] > 5 * SEEDS_TOGETHER, f"seeds from {first_seed} did too little: {did}"


def test_history__same_seed_twice__same_log() -> None:
    assert play(7).host.log == play(7).host.log


# --- broken rules -----------------------------------------------------------------------------------------------------


BROKEN_RULES: list[Any] = [
    type(f"Watched{broken_rule.__name__}", (broken_rule, WatchedShard), {})
    for broken_rule in (AcceptsEveryOlderEpoch, TreatsUnreportedAsNotOwned, ForgetsAbsentMembers)
]


@pytest.mark.parametrize("broken_rule", BROKEN_RULES)
def test_broken_rule__of_consumer_groups__violated_invariant_is_named(broken_rule: Any) -> None:
    assert broken_rule.BREAKS in violated_invariants(broken_rule, "assignment-epoch", broken_rule.BREAKS)


def test_broken_rule__commit_fencing_of_kafka_before_4_3__honest_commit_refused() -> None:
    assert "NoFalseFence" in violated_invariants(WatchedShard, "member-epoch", "NoFalseFence")


def test_broken_rule__commit_fencing_of_kafka_since_4_3__accepted_commit_of_a_revoked_partition_is_found() -> None:
    """Find an accepted commit with the member's present epoch, of a partition that the member has revoked since."""
    assert "CommitFence" in violated_invariants(WatchedShard, "kafka", "CommitFence")


def violated_invariants(shard_class: type[WatchedShard], fencing: str, wanted: str) -> set[str]:
    found: set[str] = set()
    for seed in range(20):
        history = ConsumerHistory(seed, shard_class, fencing)
        try:
            for _ in range(STEPS):
                history.step()
        except Broken as broken:
            found.add(broken.invariant)
            if wanted in found:
                break
    return found
