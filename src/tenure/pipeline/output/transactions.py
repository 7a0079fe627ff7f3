"""Transactions in which rows for Kafka topics are committed together with the offsets of their lane.

Rows are visible after the commit, so no files are staged for them. The member keeps a transaction for each lane and
lends it to the task (`LanePlan.transaction`), which writes its rows to the topic under it; the manifest
says so. Then the member adds the lane's offset with the pointer (TxnOffsetCommit, under the identity of plan time) and
ends it. From then on, read_committed readers see the rows, and the group has the new offset.

    a lane is recovered         an open transaction of its transactional id ends before its committed offset is read,
                                and the id gets a new epoch (KIP-98): records of a crashed owner are aborted
    a zombie's task writes      refused, as its epoch is an older one
    a zombie recovers a lane    before it knows that it is one: the owner's transaction is aborted, and that lane's
                                batch is repeated. The zombie's own can never be committed: the group refuses its offset
                                (generation, member epoch, instance id), and without it it can only be aborted
    a task runs a second time   it does not know what the first attempt wrote, and fails; the lane is recovered
    a batch is dropped          the lane is recovered; where the member ends, what it has lent is aborted
    an outcome is unknown       as that of any commit (decision 4): the member joins again, the lane is recovered

A batch without rows for a topic is committed as any other, and its transaction is there for the next one.
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
"""Write the records in a transaction, and return the number of rows once all of them are safe.

It is also called without records. A second attempt of a task raises: what the first one wrote is unknown.
"""


class OutputTransactions(Protocol):
    """Interface of the engine to the transactions of its lanes. Called by one thread at a time."""

    def settle(self, transactional_ids: Collection[str]) -> None:
        """Abort open transactions of these ids and fence their earlier producers. Raises `Unreachable`."""

    def lend(self, transactional_id: str) -> TransactionHandle | None:
        """Begin a transaction for one batch. Return None if the id must be settled first. Raises `Unreachable`."""

    def commit(
        self, transaction: TransactionHandle, offsets: Mapping[TopicPartition, OffsetAndMetadata], writer: Writer
    ) -> CommitAnswer:
        """Add the offsets with the identity `writer` and commit. After a failure the next `settle` aborts it."""

    def abort(self) -> None:
        """Abort all transactions that this member began. Later owners of the same ids are not affected."""


def parts(staged: Iterable[Staged]) -> list[list[Staged]]:
    """Split staged batches into commits: one for each batch with a transaction, and one for all others."""
    alone = [[one] for one in staged if one.manifest.transaction is not None]
    together = [one for one in staged if one.manifest.transaction is None]
    return [together, *alone] if together else alone
