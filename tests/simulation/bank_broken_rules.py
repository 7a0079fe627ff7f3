"""Transactions with one deliberately broken rule, in the broker or a worker, and the invariant that finds it."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from tenure.coordinator.groups.offsets import commit_in_transaction
from tenure.coordinator.groups.offsets.changes import CHANGES
from tenure.coordinator.groups.offsets.pending import PendingOffsets
from tenure.coordinator.groups.state import Groups
from tenure.coordinator.shard import AskId, CoordinatorResult, Now, TransactionalRecord
from tenure.coordinator.transactions.commands import AddPartitions
from tenure.coordinator.transactions.shard import RULES, TransactionsShard
from tenure.coordinator.transactions.state import Transactions
from tenure.protocol.special_values import CLASSIC, CONSUMER
from tenure.protocol.types import Marker
from tenure.storage.log import producers
from tenure.storage.log.partition import Appended, Partition
from tenure.storage.log.producers import Producers
from tests.simulation.bank.entries import ENTRIES, Entry
from tests.simulation.bank.transfer_process import TransferWork


def writes_no_markers_after_a_crash(patch: pytest.MonkeyPatch) -> None:
    """Broken rule: markers of decisions from before a crash are never written."""
    loaded = TransactionsShard.loaded

    def forgetful(self: TransactionsShard, now: Now) -> CoordinatorResult:
        return CoordinatorResult(loaded(self, now).records)

    patch.setattr(TransactionsShard, "loaded", forgetful)


def reads_past_open_transactions(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Producers, "last_stable_offset", lambda _, durable_offset: durable_offset)


def forgets_what_was_aborted(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Partition, "aborted_between", lambda *_: [])


def lets_every_epoch_write(patch: pytest.MonkeyPatch) -> None:
    """Broken rule: neither the coordinator nor a partition checks the epoch of a producer."""
    add_partitions = RULES[AddPartitions]

    def trusting(transactions: Transactions, ask: AskId, add: AddPartitions, now: Now) -> CoordinatorResult:
        found = transactions.by_id[add.transactional_id].value
        living = AddPartitions(add.transactional_id, found.producer_id, found.producer_epoch, add.partitions, add.how)
        return add_partitions(transactions, ask, living, now)

    patch.setitem(RULES, AddPartitions, trusting)
    patch.setattr(producers, "_check_epoch", lambda *_: None)


def lets_every_member_commit(patch: pytest.MonkeyPatch) -> None:
    """Broken rule: revoked work is committed in a transaction, so the new owner of the partition enters it again."""
    patch.setattr(commit_in_transaction, "_why_refused", lambda *_: None)


def reads_positions_that_are_not_stable(patch: pytest.MonkeyPatch) -> None:
    """Broken rule: `require_stable` is ignored, so work of an open transaction is entered again."""
    patch.setattr(PendingOffsets, "partitions", lambda *_: ())


def counts_offsets_at_once(patch: pytest.MonkeyPatch) -> None:
    """Broken rule: offsets of a transaction are visible before its end, and stay after an abort."""

    def hasty(groups: Groups, record: TransactionalRecord) -> None:
        key: Any = record.key
        groups.offsets.setdefault(key.group, {})[key.topic, key.partition] = record.value  # type: ignore[assignment]

    patch.setitem(CHANGES, TransactionalRecord, hasty)


def aborts_in_one_partition_what_is_committed(patch: pytest.MonkeyPatch) -> None:
    append_marker = Partition.append_marker

    def fickle(self: Partition, marker: Marker, *, now_ms: int) -> Appended:
        other = marker._replace(is_commit=marker.is_commit and self.name != f"{ENTRIES}-0")
        return append_marker(self, other, now_ms=now_ms)

    patch.setattr(Partition, "append_marker", fickle)


def commits_what_was_not_written(patch: pytest.MonkeyPatch) -> None:
    """Broken rule: a worker does not wait until its records are written."""
    write = TransferWork._write

    def careless(self: TransferWork, entries: dict[int, Sequence[Entry]]) -> Any:
        last = max(entries)
        return write(self, {partition: list(some) for partition, some in entries.items() if partition != last})

    patch.setattr(TransferWork, "_write", careless)


BreakRule = Callable[[pytest.MonkeyPatch], None]

FREQUENT_TAKEOVERS: dict[str, object] = {
    "partitions": 3,
    "has_id_per_member": False,
    "transaction_timeout_ms": 60_000,
    "longest_ms": 60_000,
}
"""Settings with frequent takeovers of instance ids during open transactions, in which no transactional id fences a
producer."""

BROKEN_RULES: dict[BreakRule, tuple[str, dict[str, object]]] = {
    writes_no_markers_after_a_crash: ("EventuallyStable", {}),
    reads_past_open_transactions: ("StableOffset", {}),
    forgets_what_was_aborted: ("OutcomeKept", {}),
    lets_every_epoch_write: ("EpochFence", {"has_id_per_member": True}),
    lets_every_member_commit: (
        "CommitFence",
        {**FREQUENT_TAKEOVERS, "groups": (CLASSIC,), "seats": 4, "order_every_ms": 1_000},
    ),
    reads_positions_that_are_not_stable: ("AppliedOnce", {**FREQUENT_TAKEOVERS, "groups": (CONSUMER,)}),
    counts_offsets_at_once: ("OffsetOrder", {}),
    aborts_in_one_partition_what_is_committed: ("CommittedWhole", {"entries_partitions": 3}),
    commits_what_was_not_written: ("CommittedWhole", {}),
}
"""Broken rules, each with the invariants that find it and lives in which that is likely."""
