"""Transactions that commit rows for Kafka topics together with the offsets of their lane.

Rows become visible with the commit, so no files are staged for them. The member begins a transaction for each lane and
lends it to the task (`LanePlan.transaction`). The task writes its rows to the topic in this transaction and notes this
in the manifest. Then the member adds the lane's offset with the pointer (TxnOffsetCommit, with the identity at plan
time) and commits. After that, read_committed readers see the rows, and the group has the new offset.

    a lane is recovered         before its committed offset is read, an open transaction of its transactional id is
                                ended, and the id gets a new epoch (KIP-98): records of a crashed owner are aborted
    a zombie's task writes      the broker rejects it, because its epoch is old
    a zombie recovers a lane    because it does not know yet that it has lost the lane: this aborts the transaction of
                                the owner, and the owner repeats the batch. The zombie cannot commit, because the group
                                rejects its offset (generation, member epoch, instance id)
    a task runs a second time   it fails, because it cannot find out what the first attempt wrote; the lane is recovered
    a batch is dropped          the lane is recovered; when the member ends, it aborts all lent transactions
    an outcome is unknown       as for any commit: the member joins again, and the lane is recovered

A batch without rows for a topic is committed without a transaction (OffsetCommit). The transaction that was begun for
it stays open for the next batch of the lane.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import pyarrow as pa

from tenure.pipeline.values.lanes import Writer
from tenure.pipeline.values.manifest import TransactionHandle
from tenure.pipeline.values.membership import CommitAnswer
from tenure.pipeline.values.stager import Staged
from tenure.values import OffsetAndMetadata, TopicPartition


@dataclass(frozen=True, slots=True)
class TopicRecords:
    """Conversion of an output's rows to records of a topic. Picklable."""

    topic: str
    encode: Callable[[pa.Table], pa.Table]
    """Conversion to the columns `key`, `value` and optionally `timestamp`. Raises BadFunction if rows do not match the
    declaration."""


Records = tuple[str, pa.Table]
"""A topic and the records to write to it."""

Write = Callable[[TransactionHandle, Sequence[Records]], int]
"""Function that writes records in a transaction; returns their number once the brokers have stored all of them. It is
also called without records. It raises an error in a second attempt of a task, because the rows of the first attempt are
unknown."""


class OutputTransactions(Protocol):
    """Interface of the engine to the transactions of its lanes. One thread calls it at a time."""

    def fence_producers(self, transactional_ids: Collection[str]) -> None:
        """Abort open transactions of these ids and fence their earlier producers. Raises `Unreachable`."""

    def begin(self, transactional_id: str) -> TransactionHandle | None:
        """Begin a transaction for one batch. Return None if `fence_producers` has to be called for the id first.

        Raises `Unreachable`.
        """

    def commit(
        self, transaction: TransactionHandle, offsets: Mapping[TopicPartition, OffsetAndMetadata], writer: Writer
    ) -> CommitAnswer:
        """Add the offsets to the transaction with the identity `writer`, and commit the transaction.

        After a failure, the next `fence_producers` aborts the transaction.
        """

    def abort(self) -> None:
        """Abort all transactions that this member began. Later owners of the same ids are not affected."""


def parts(staged: Iterable[Staged]) -> list[list[Staged]]:
    """Group staged lanes by commit: one commit for each lane with a transaction, and one for all other lanes."""
    alone = [[one] for one in staged if one.manifest.transaction is not None]
    together = [one for one in staged if one.manifest.transaction is None]
    return [together, *alone] if together else alone
