"""Clusters with one deliberately broken rule; the violated invariant is named."""

from collections.abc import Sequence
from typing import Any

import pytest

from tenure.coordinator.groups import commands
from tenure.coordinator.groups.consumer import logged
from tenure.coordinator.groups.shard import GroupsShard
from tenure.coordinator.groups.timers import Timer, TimerKind
from tenure.coordinator.shard import AskId, CoordinatorResult, LogRecord, Now
from tenure.protocol.coordinator_logs.consumer_offsets import OffsetCommitKey
from tenure.protocol.special_values import CLASSIC, CONSUMER, JOINS
from tenure.protocol.types import GroupId
from tests.simulation import classic_broken_rules, consumer_broken_rules, disk
from tests.simulation.broken import Broken
from tests.simulation.coordinator import Coordinator
from tests.simulation.life import Life

FEW_LIVES = 8, 6
"""Seeds of lives that violate the invariants which most lives do not violate."""
SEEDS = (*FEW_LIVES, *range(1, 40))
BOTH = (CONSUMER, CLASSIC)
HASTE = {"hours": 0.5, "fault_every_ms": 5_000, "longest_ms": 30_000, "seats": 3, "session_timeout_ms": 10_000}
"""Parameters with which many events occur in a short life, so that a broken rule is found soon."""


def violated_invariants(
    wanted: str,
    shard_class: type[GroupsShard] = GroupsShard,
    fencing: str = "assignment-epoch",
    groups: tuple[str, ...] = (CONSUMER,),
) -> set[str]:
    found: set[str] = set()
    for seed in SEEDS:
        try:
            Life(seed, shard_class, fencing, {**HASTE, "groups": groups}).run()
        except Broken as broken:
            found.add(broken.invariant)
        if wanted in found:
            break
    return found


# --- fences -----------------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize(("fencing", "broken"), [("member-epoch", "NoFalseFence"), ("kafka", "CommitFence")])
def test_broken_rule__commit_fencing_of_kafka_before_or_since_4_3__violated_invariant_is_named(
    fencing: str, broken: str
) -> None:
    """Find a fence that refuses members with a new epoch, or accepts the present epoch for all partitions."""
    assert broken in violated_invariants(broken, fencing=fencing)


# --- shards -----------------------------------------------------------------------------------------------------------


class TreatsUnreportedAsNotOwned(consumer_broken_rules.TreatsUnreportedAsNotOwned):
    """Broken rule: another member gets the partition while the first one continues."""

    BREAKS = "NoDoubleProcessing"


class RebalancesAtEveryReturn(GroupsShard):
    BREAKS = "StaticBounceSilent"

    def handle(self, ask: AskId, command: Any, now: Now) -> CoordinatorResult:
        result = super().handle(ask, command, now)
        if isinstance(command, commands.ConsumerHeartbeat) and command.member_epoch == JOINS and result.records:
            group = self.consumer_group(command.group_id)
            if group is not None and command.instance_id in group.static_members:
                more = logged.group_epoch(group.group_id, group.group_epoch + 1, 0)
                return CoordinatorResult([*result.records, more], result.replies, result.effects)
        return result


class ChangesAnotherGroup(GroupsShard):
    """Broken rule: a commit to one group also changes another group."""

    BREAKS = "GroupsIsolated"

    def handle(self, ask: AskId, command: Any, now: Now) -> CoordinatorResult:
        result = super().handle(ask, command, now)
        spilled = [
            LogRecord(OffsetCommitKey(GroupId(CLASSIC), record.key.topic, record.key.partition), record.value)
            for record in result.records
            if isinstance(record, LogRecord)
            and isinstance(record.key, OffsetCommitKey)
            and record.key.group == CONSUMER
        ]
        return CoordinatorResult([*result.records, *spilled], result.replies, result.effects)


class MissesAnOffset(GroupsShard):
    """Broken rule: the shard in memory lacks some offsets that the log has."""

    BREAKS = "OffsetOrder"

    def apply(self, record: Any) -> None:
        if isinstance(record, LogRecord) and isinstance(record.key, OffsetCommitKey) and record.value is not None:
            value: Any = record.value
            if value.offset % 50 == 7:
                return
        super().apply(record)


class ForgetsFormerHolders(GroupsShard):
    BREAKS = "OneInstanceOneMember"

    def apply(self, record: Any) -> None:
        super().apply(record)
        for group in self.groups:
            group.static_members.clear()


class NeverEndsSessions(GroupsShard):
    """Broken rule: sessions do not end."""

    BREAKS = "EventuallyStable"

    def due(self, now: Now) -> Sequence[object]:
        return [t for t in super().due(now) if not (isinstance(t, Timer) and t.kind is TimerKind.SESSION)]


OF_CLASSIC_GROUPS = (ChangesAnotherGroup, classic_broken_rules.RemembersWhatIsNotLogged)
BROKEN_RULES: list[Any] = [
    consumer_broken_rules.AcceptsEveryOlderEpoch,
    TreatsUnreportedAsNotOwned,
    RebalancesAtEveryReturn,
    ChangesAnotherGroup,
    MissesAnOffset,
    classic_broken_rules.RemembersWhatIsNotLogged,
    ForgetsFormerHolders,
    NeverEndsSessions,
]


@pytest.mark.long
@pytest.mark.parametrize("broken_rule", BROKEN_RULES)
def test_broken_rule__of_groups_or_commits__violated_invariant_is_named(broken_rule: Any) -> None:
    groups = BOTH if broken_rule in OF_CLASSIC_GROUPS else (CONSUMER,)
    assert broken_rule.BREAKS in violated_invariants(broken_rule.BREAKS, broken_rule, groups=groups)


# --- parts around the shards ------------------------------------------------------------------------------------------


def test_broken_rule__answers_sent_before_the_sync__violated_invariant_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begin_sync = Coordinator._begin_sync

    def impatient(coordinator: Coordinator) -> None:
        coordinator.host.durable(coordinator.partition.log_end_offset)
        begin_sync(coordinator)

    monkeypatch.setattr(Coordinator, "_begin_sync", impatient)
    assert "ReplyAfterDurable" in violated_invariants("ReplyAfterDurable")


def test_broken_rule__disk_ignores_syncs__lost_commits_are_detected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(disk._File, "sync", lambda _: None)
    assert "AckedOffsetSurvives" in violated_invariants("AckedOffsetSurvives")
