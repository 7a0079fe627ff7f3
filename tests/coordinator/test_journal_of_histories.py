"""Journal entries of random histories: each rebalance that begins ends, and each new epoch has a cause."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tenure.coordinator.groups.journal.entries import RebalanceBegan, RebalanceEnded
from tenure.coordinator.groups.journal.rebalance import Tally
from tenure.coordinator.groups.journal.shard_journal import ShardJournal
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.groups.shard import RecordListener
from tenure.coordinator.metadata.topics import Topics
from tenure.limits.coordinator import JOURNAL_MEMBERS_NAMED_MAX
from tests.coordinator.consumer_histories import ConsumerHistory
from tests.coordinator.migration_histories import MigratingHistory
from tests.coordinator.streams_histories import StreamsHistory
from tests.coordinator.virtual_host import WatchedShard

STEPS = 400
SEEDS_TOGETHER = 5

Entries = list[Any]
History = ConsumerHistory | StreamsHistory
MUST_HAPPEN: dict[type[History], set[str]] = {
    ConsumerHistory: {"lives", "SeatTakenOver", "consumer stable", "consumer superseded", "consumer empty"},
    MigratingHistory: {"lives", "classic converted", "classic stable", "consumer stable", "consumer superseded"},
    StreamsHistory: {"lives", "SeatTakenOver", "streams stable", "streams superseded", "streams empty"},
}
"""Events that the histories of each kind must have had."""


def journaled_shard_class(earlier_processes: list[Entries], did: Counter[str]) -> type[WatchedShard]:
    """Return a shard class whose shards report to a journal."""

    class JournaledShard(WatchedShard):
        def __init__(
            self,
            settings: GroupSettings,
            random_bytes: Callable[[int], bytes],
            watch: Callable[[object], None],
            _: RecordListener | None,
            topics: Callable[[], Topics] = Topics,
        ) -> None:
            did["lives"] += 1
            earlier_processes.append([])
            shard_journal = ShardJournal(earlier_processes[-1].append, Tally())
            super().__init__(
                settings, random_bytes, watch, lambda group, record: shard_journal.handle(group, record, 0), topics
            )

    return JournaledShard


def check(life: Entries, did: Counter[str]) -> None:
    """Check the entries of one group."""
    began: RebalanceBegan | None = None
    for entry in life:
        did[type(entry).__name__] += 1
        if isinstance(entry, RebalanceBegan):
            assert began is None, (began, entry)
            began = entry
        elif isinstance(entry, RebalanceEnded):
            assert began is not None, entry
            assert (began.group_type, began.generation_before) == (entry.group_type, entry.generation_before)
            began = None
            did[f"{entry.group_type} {entry.outcome}"] += 1
            if entry.group_type in ("consumer", "streams"):
                check_epochs(entry)


def check_epochs(entry: RebalanceEnded) -> None:
    moves = [move.epoch for move in entry.epoch_moves]
    first = entry.generation_before + 1
    assert moves == list(range(first, first + min(entry.epoch_moves_count, JOURNAL_MEMBERS_NAMED_MAX))), entry
    if entry.outcome in ("stable", "superseded", "empty"):
        assert entry.generation == entry.generation_before + entry.epoch_moves_count, entry
    assert all(move.cause for move in entry.epoch_moves)


@pytest.mark.parametrize("kind", MUST_HAPPEN)
def test_journal__random_history_with_fail_overs__no_rebalance_is_missing(kind: type[History]) -> None:
    did: Counter[str] = Counter()
    for seed in range(SEEDS_TOGETHER):
        earlier_processes: list[Entries] = []
        history = kind(seed, journaled_shard_class(earlier_processes, did))
        for _ in range(STEPS):
            history.step()
        history.settle()
        try:
            for life in earlier_processes:
                check(life, did)
        except AssertionError as broken:
            raise AssertionError(f"seed {seed}: {broken}") from broken
    wanted = MUST_HAPPEN[kind]
    assert did.keys() >= wanted, f"seeds 0 to {SEEDS_TOGETHER} never saw {wanted - did.keys()}: {did}"
    assert did["lives"] > SEEDS_TOGETHER, f"no fail-over in seeds 0 to {SEEDS_TOGETHER}: {did}"
