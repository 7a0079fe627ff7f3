"""Rows for a Kafka topic become true together with the offset that they come of: in one transaction, the lane's own.

Nothing has to be published afterwards, so nothing of it is staged in files. The member has a transaction of each lane's
own ready and lends it to the task (`LanePlan.transaction`), which writes its rows to the topic under it; the manifest
says so. Then the member adds the lane's offset with the pointer (TxnOffsetCommit, under the identity of plan time) and
ends it. Who reads the topic read_committed sees the rows from then on, and the group its offset.

    a lane is recovered         whatever was left open under its transactional id ends before its committed offset is
                                read, and the id gets a new epoch (KIP-98): what a dead owner wrote is aborted
    a zombie's task writes      refused, as its epoch is an older one
    a zombie recovers a lane    before it knows that it is one: the owner's transaction is aborted, and that lane runs
                                again. The zombie's own can never be committed: the group refuses its offset
                                (generation, member epoch, instance id), and without it nobody ends it but by aborting
    a task runs a second time   it does not know what the first attempt wrote, and fails; the lane is recovered
    a run is dropped            the lane is recovered; where the member ends, what it has lent is aborted
    an outcome is unknown       as that of any commit (decision 4): the seat is taken anew, the lane recovered

A run without rows for a topic is committed as any other, and its transaction is there for the next one.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import pyarrow as pa

from tenure.pipeline.lanes import TopicPartition, Writer
from tenure.pipeline.manifest import Transaction
from tenure.pipeline.seat import CommitAnswer, Committed
from tenure.pipeline.stager import Staged


@dataclass(frozen=True, slots=True)
class TopicRecords:
    """How an output's rows become records of a topic. Picklable."""

    topic: str
    encode: Callable[[pa.Table], pa.Table]
    """To the columns `key`, `value` and, perhaps, `timestamp`. Raises BadFunction where rows are not as declared."""


Records = tuple[str, pa.Table]
"""A topic, and what is to be written to it."""

Write = Callable[[Transaction, Sequence[Records]], int]
"""Writes in a transaction, and tells how many rows, once everything is safe."""


class Transactions(Protocol):
    """What the engine does with transactions of its lanes. Called by one thread at a time."""

    def settle(self, transactional_ids: Collection[str]) -> None:
        """Nothing of them is open afterwards, and who wrote under them before is fenced. Raises `Unreachable`."""

    def lend(self, transactional_id: str) -> Transaction | None:
        """For one run. None: nobody may write under this id before it has been settled. Raises `Unreachable`."""

    def commit(
        self, transaction: Transaction, offsets: Mapping[TopicPartition, Committed], writer: Writer
    ) -> CommitAnswer:
        """Add the offsets under the identity `writer`, and end it. Else the next `settle` ends it."""

    def abort(self) -> None:
        """What is lent. Who has settled the same ids meanwhile is not disturbed."""


def parts(staged: Iterable[Staged]) -> list[list[Staged]]:
    """What one commit each makes true: every transaction alone, and all that have none together."""
    alone = [[run] for run in staged if run.manifest.transaction is not None]
    together = [run for run in staged if run.manifest.transaction is None]
    return [together, *alone] if together else alone
