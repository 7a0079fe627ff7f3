"""Rows for a Kafka topic become true together with the offset that they come of: in one transaction, the lane's own.

Nothing has to be published afterwards, so nothing of it is staged in files. A task begins a transaction under the
lane's transactional id, writes its rows to the topic and leaves the transaction open; the manifest names it. The member
adds the lane's offset with the pointer (TxnOffsetCommit, under the identity of plan time) and ends it. Who reads the
topic read_committed sees the rows then, and the group its offset.

    a transaction is begun      whatever is left of the lane's last one ends before (KIP-98): an aborted run, a dead
                                driver's. Its epoch is older from then on, so whoever wrote under it writes no more
    a lane is recovered         the same, before its committed offset is read: that may hang on a transaction
    a task runs a second time   it begins anew, and what the first attempt wrote is aborted
    a zombie's task begins one  the owner's is aborted, and its commit refused (epoch); that lane runs again. The
                                zombie's own can never be committed: the group refuses its offset (generation, member
                                epoch, instance id), and without the offset nobody ends it but by aborting
    an outcome is unknown       as that of any commit (decision 4): the seat is taken anew, the lane recovered

A run without rows for a topic needs no transaction, and is committed as any other.
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

Write = Callable[[str, Sequence[Records]], Transaction]
"""Begins a transaction under this transactional id, writes, and leaves it open once everything is safe."""


class Transactions(Protocol):
    """What the engine does with transactions of its lanes. Called from the engine's thread only."""

    def settle(self, transactional_ids: Collection[str]) -> None:
        """Nothing of them is open afterwards, and who wrote under them before is fenced. Raises `Unreachable`."""

    def commit(
        self, transaction: Transaction, offsets: Mapping[TopicPartition, Committed], writer: Writer
    ) -> CommitAnswer:
        """Add the offsets under the identity `writer`, and end it. REFUSED: it will be aborted by the next `settle`."""


def parts(staged: Iterable[Staged]) -> list[list[Staged]]:
    """What one commit each makes true: every transaction alone, and all that have none together."""
    alone = [[run] for run in staged if run.manifest.transaction is not None]
    together = [run for run in staged if run.manifest.transaction is None]
    return [together, *alone] if together else alone
