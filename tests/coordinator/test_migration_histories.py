"""Random histories of groups that change protocols: no invariant breaks, and each deliberate fault is found."""

from collections import Counter
from typing import Any

import pytest

from tenure.coordinator.answers import ACCEPTED, Refused
from tenure.coordinator.groups import commands
from tenure.coordinator.shard import AskId, CoordinatorResult, LogRecord, Now
from tenure.protocol.coordinator_logs.consumer_offsets import (
    ConsumerGroupCurrentMemberAssignmentValue,
    GroupMetadataValue,
)
from tenure.protocol.errors import ErrorCode
from tests.coordinator.migration_histories import WEIGHTS, MigratingHistory
from tests.coordinator.virtual_host import WatchedShard
from tests.quick import quick_first
from tests.simulation.broken import Broken

STEPS = 400
SEEDS_TOGETHER = 15
MUST_HAPPEN = {
    *WEIGHTS,
    *("upgrade of classic STABLE", "upgrade of classic PREPARING_REBALANCE", "downgrade", "mixed"),
    *("told to join", "synced in a consumer group", "synced", "waits", "ILLEGAL_GENERATION", "UNKNOWN_MEMBER_ID"),
    *("honest commit", "zombie accepted", "zombie refused", "lost answer"),
}


def play(seed: int, shard_class: type[WatchedShard] = WatchedShard) -> MigratingHistory:
    history = MigratingHistory(seed, shard_class)
    try:
        for _ in range(STEPS):
            history.step()
        history.settle()
    except Broken:
        raise
    except AssertionError as broken:
        raise AssertionError(f"{history.drawn}: {broken}") from broken
    return history


@pytest.mark.parametrize("first_seed", quick_first(range(0, 30, SEEDS_TOGETHER)))
def test_history__members_change_between_protocols__invariants_hold(first_seed: int) -> None:
    did: Counter[str] = Counter()
    for seed in range(first_seed, first_seed + SEEDS_TOGETHER):
        did += play(seed).did
    assert did.keys() >= MUST_HAPPEN, f"seeds from {first_seed} never saw {MUST_HAPPEN - did.keys()}: {did}"
    assert did["downgrade"] > SEEDS_TOGETHER, f"seeds from {first_seed} did too little: {did}"
    assert did["honest commit"] > 10 * SEEDS_TOGETHER, f"seeds from {first_seed} did too little: {did}"


# --- broken rules -----------------------------------------------------------------------------------------------------


class ForgetsPendingRevocations(WatchedShard):
    """Broken rule: a conversion treats partitions as free although members have not revoked them yet."""

    BREAKS = "NoDoubleProcessing"

    def handle(self, ask: AskId, command: Any, now: Now) -> CoordinatorResult:
        result = super().handle(ask, command, now)
        if isinstance(command, commands.ConsumerHeartbeat) and self.classic_group(command.group_id) is not None:
            result.records = [_without_pending(record) for record in result.records]
        return result


def _without_pending(record: object) -> object:
    if not isinstance(record, LogRecord) or not isinstance(record.value, ConsumerGroupCurrentMemberAssignmentValue):
        return record
    value = record.value
    epochs = value.member_epoch, value.previous_member_epoch
    return LogRecord(record.key, ConsumerGroupCurrentMemberAssignmentValue(*epochs, 0, value.assigned_partitions, []))


class HidesRebalancesFromClassicMembers(WatchedShard):
    """Broken rule: classic members of a consumer group are not told about a rebalance."""

    BREAKS = "EventuallyStable"

    def handle(self, ask: AskId, command: Any, now: Now) -> CoordinatorResult:
        result = super().handle(ask, command, now)
        if isinstance(command, commands.Heartbeat) and self.consumer_group(command.group_id) is not None:
            join_again = Refused(ErrorCode.REBALANCE_IN_PROGRESS)
            result.replies = [(asked, ACCEPTED if answer == join_again else answer) for asked, answer in result.replies]
        return result


class RestartsGenerations(WatchedShard):
    """Broken rule: a group that becomes classic restarts at generation 1."""

    BREAKS = "EpochsMonotonic"

    def handle(self, ask: AskId, command: Any, now: Now) -> CoordinatorResult:
        result = super().handle(ask, command, now)
        if self.consumer_group("g") is not None:  # type: ignore[arg-type]
            result.records = [_first_generation(record) for record in result.records]
        return result


def _first_generation(record: object) -> object:
    if not isinstance(record, LogRecord) or not isinstance(record.value, GroupMetadataValue):
        return record
    value = record.value
    told = value.protocol_type, 1, value.protocol, value.leader, value.current_state_timestamp, value.members
    return LogRecord(record.key, GroupMetadataValue(*told))  # type: ignore[arg-type]


BROKEN_RULES: list[Any] = [ForgetsPendingRevocations, HidesRebalancesFromClassicMembers, RestartsGenerations]


@pytest.mark.long
@pytest.mark.parametrize("broken_rule", BROKEN_RULES)
def test_broken_rule__of_migrations__violated_invariant_is_named(broken_rule: Any) -> None:
    found: set[str] = set()
    for seed in range(40):
        try:
            play(seed, broken_rule)
        except Broken as broken:
            found.add(broken.invariant)
            if broken_rule.BREAKS in found:
                return
    raise AssertionError(f"{broken_rule.__name__} broke {found or 'nothing'}")
