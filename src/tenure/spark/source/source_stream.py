"""Streaming query as a member of its group: keeps Spark's checkpoint and the group's offsets consistent.

A query offset is `{"topic": {"partition": offset}}` for the partitions that the query owns, as in Spark's Kafka source.
There are three rules:

- A batch is always the records between two query offsets, so that Spark gets the same records if it repeats the batch
  after a crash. If the query gets a new partition, the next query offset only contains the partition's start. The
  batch after that contains its first records.
- The position of a partition is the higher one of the checkpoint's offset and the group's committed offset. If the
  committed offset is higher, another reader had the partition. If it is lower, the last batch is not committed yet. If
  the position differs from the checkpoint's offset, the partition is treated like a new one: the next query offset
  leaves it out, and the query offset after that contains its start.
- When Spark requests the batch after a query offset, it has finished all records before this query offset. The query
  offset is committed, and then revoked partitions are released.

So no record that is still in the log is skipped. A record may be repeated. This happens if another member takes over
the partition after the batch was written, and before the batch is in the checkpoint or committed.
"""

import threading
import time
from collections.abc import Collection
from contextlib import suppress
from typing import Final

from tenure.client.errors import ClientError, OffsetOutOfRange
from tenure.client.values import TopicPartition
from tenure.protocol.errors import ErrorCode
from tenure.protocol.special_values import EARLIEST, LATEST
from tenure.spark.source.offset_bounds import OffsetBound, PartitionOffsets, list_bounds, resolve
from tenure.spark.source.options import SourceOptions, stream_start
from tenure.spark.source.partition_owner import POLL_S, PartitionOwner, partition_owner
from tenure.spark.source.topics import partitions

IDLE_POLL_S: Final = 0.25
"""Seconds between two polls while no batch runs."""


class SourceStream:
    """Stream of one query, in the process of the query's source. While no batch runs, a thread polls the group."""

    def __init__(self, options: SourceOptions) -> None:
        self.options = options
        self.beginning: Final = stream_start(options)
        self.owner: Final[PartitionOwner] = partition_owner(options)
        self.committed: dict[TopicPartition, tuple[int, int]] = {}
        """Ownership id and committed offset of each owned partition."""
        self.first_partitions: Collection[TopicPartition] = ()
        """Partitions that existed at the start of a new query. Later partitions are read from their first record."""
        self.until: PartitionOffsets | None = None
        """Log ends at which the query stops (AvailableNow); None for a query without end."""
        self.last_batch_s = 0.0
        self.lock = threading.RLock()
        self.is_idle = False
        """True if no batch runs: the source reported to Spark that there are no new records."""
        self.is_closed = threading.Event()
        self.thread = threading.Thread(target=self.poll_while_idle, name="tenure-source", daemon=True)
        self.thread.start()

    # --- requests of Spark --------------------------------------------------------------------------------------------

    def first_offsets(self) -> PartitionOffsets:
        """Return the start offsets of a new query."""
        with self.lock:
            self.first_partitions = partitions(self.options)
            self.wait_for_assignment()
            return self.commit_up_to({})

    def stop_at_end(self) -> None:
        """Store the current log ends as the end of the query (AvailableNow)."""
        with self.lock:
            everything = partitions(self.options)
            self.until = self.ends(everything)

    def next_offsets(
        self, start: PartitionOffsets, max_records: int | None, min_records: int | None
    ) -> PartitionOffsets:
        """Return the end of the batch that starts at `start`; `start` itself if there is nothing new."""
        with self.lock:
            self.is_idle = False
            self.owner.poll()
            self.commit_up_to(start)
            self.owner.release_revoked()
            self.wait_for_assignment()
            positions = self.commit_up_to(start)
            after = self.batch_end(start, positions, max_records, min_records)
            self.is_idle = after == start
            if not self.is_idle:
                self.last_batch_s = time.monotonic()
            return after

    def newest_offsets(self) -> PartitionOffsets:
        """Return the log ends of the owned partitions, from which Spark computes the lag."""
        with self.lock:
            return self.ends(self.owner.owned)

    def close(self) -> None:
        self.is_closed.set()
        self.thread.join()
        self.owner.close()

    # --- positions ----------------------------------------------------------------------------------------------------

    def commit_up_to(self, start: PartitionOffsets) -> PartitionOffsets:
        """Commit the owned partitions up to `start`, and return the present position of each."""
        owned = self.owner.owned
        self.committed = {at: known for at, known in self.committed.items() if known[0] == owned.get(at)}
        self.load_committed([at for at in owned if at not in self.committed], start)
        positions = {at: max(start.get(at, -1), self.committed[at][1]) for at in owned}
        changed = {at: offset for at, offset in positions.items() if offset > self.committed[at][1]}
        self.owner.commit(changed)
        self.committed |= {at: (owned[at], offset) for at, offset in changed.items()}
        return {at: offset for at, offset in positions.items() if self.owner.owned.get(at) == owned[at]}

    def load_committed(self, unknown: list[TopicPartition], start: PartitionOffsets) -> None:
        """Load the committed offsets of these partitions.

        For a new partition without a committed offset, commit its start offset.
        """
        owned = self.owner.owned
        found = self.owner.committed(unknown)
        new = [at for at in unknown if at not in found and at not in start]
        self.committed |= {at: (owned[at], found.get(at, -1)) for at in unknown}
        starts = self.start_of(new)
        self.owner.commit(starts)  # A query that restarts before its first batch must have the same start.
        self.committed |= {at: (owned[at], offset) for at, offset in starts.items()}

    def start_of(self, new: list[TopicPartition]) -> PartitionOffsets:
        """Return the start offsets of partitions without a committed offset.

        A partition that was added after the start of the query is read from its first record.
        """
        at_first = [at for at in new if at in self.first_partitions]
        later = [at for at in new if at not in self.first_partitions]
        level = self.options.isolation_level
        return {
            **resolve(self.beginning, at_first, self.options.cluster, level),
            **resolve(OffsetBound(EARLIEST), later, self.options.cluster, level),
        }

    # --- end of a batch -----------------------------------------------------------------------------------------------

    def batch_end(
        self, start: PartitionOffsets, positions: PartitionOffsets, max_records: int | None, min_records: int | None
    ) -> PartitionOffsets:
        """Return the end of the batch after `start`.

        `positions` has the next offset of each owned partition. See the first two rules in the module's docstring.
        """
        ends = self.ends(positions)
        continued = {at: offset for at, offset in positions.items() if start.get(at) == offset}
        lost = self.restart_shorter_logs(continued, ends)
        lags = {at: self.limit_end(at, ends[at]) - offset for at, offset in continued.items() if at not in lost}
        lags = {at: lag for at, lag in lags.items() if lag > 0}
        steps = {} if self.waits_for_more(sum(lags.values()), min_records) else limit_offsets(lags, max_records)
        stays = [at for at in positions if at not in lost and (at in continued or at not in start)]
        return {at: positions[at] + steps.get(at, 0) for at in stays}

    def ends(self, partitions: Collection[TopicPartition]) -> PartitionOffsets:
        """Return the log end of each of the given partitions."""
        return list_bounds(self.options.cluster, dict.fromkeys(partitions, LATEST), self.options.isolation_level)

    def limit_end(self, partition: TopicPartition, end: int) -> int:
        """Return `end`, but at most the end at which the query stops (AvailableNow)."""
        return end if self.until is None else min(end, self.until.get(partition, 0))

    def waits_for_more(self, lag: int, min_records: int | None) -> bool:
        """Return whether the next batch waits for more records, because the total lag is less than `min_records`.

        The first batch of a query never waits, and neither does a query with AvailableNow.
        """
        waited_ms = (time.monotonic() - self.last_batch_s) * 1000
        is_late = not self.last_batch_s or waited_ms >= self.options.max_trigger_delay_ms
        return min_records is not None and self.until is None and not is_late and lag < min_records

    def restart_shorter_logs(self, continued: PartitionOffsets, ends: PartitionOffsets) -> set[TopicPartition]:
        """If the log of a partition ends before its position, move the position to the log start.

        Return these partitions. If records between a position and the log start were deleted, the position is not
        moved, because reading skips deleted records.

        Args:
            continued: Position of each partition.
            ends: Log end of each partition.

        Raises:
            OffsetOutOfRange: Records were deleted, and `failOnDataLoss` is true.
        """
        behind = [at for at, offset in continued.items() if offset < ends[at]]
        first = list_bounds(self.options.cluster, dict.fromkeys(behind, EARLIEST), self.options.isolation_level)
        shorter = [at for at, offset in continued.items() if ends[at] < offset]
        gone = [*shorter, *(at for at in behind if continued[at] < first[at])]
        if gone and self.options.fail_on_data_loss:
            raise data_loss_error(gone[0], continued[gone[0]], first.get(gone[0]), ends[gone[0]])
        anew = list_bounds(self.options.cluster, dict.fromkeys(shorter, EARLIEST), self.options.isolation_level)
        self.owner.commit(anew)
        self.committed |= {at: (self.owner.owned[at], offset) for at, offset in anew.items() if at in self.owner.owned}
        return set(shorter)

    # --- group --------------------------------------------------------------------------------------------------------

    def wait_for_assignment(self) -> None:
        """Wait for the assignment, without a time limit. Raises the error that ended the membership."""
        while not self.owner.has_assignment:
            self.owner.poll(POLL_S)

    def poll_while_idle(self) -> None:
        """Poll the group while no batch runs, so that the member stays in the group until Spark's next request.

        Errors of these polls are ignored here; the next request raises them.
        """
        while not self.is_closed.wait(IDLE_POLL_S):
            with self.lock, suppress(ClientError):
                if self.is_idle:
                    self.owner.poll()
                    self.owner.release_revoked()


def limit_offsets(lags: PartitionOffsets, max_records: int | None) -> PartitionOffsets:
    """Divide `max_records` among the partitions in proportion to their lags; return the number for each partition.

    Each partition gets at least one record.
    """
    total = sum(lags.values())
    if max_records is None or total <= max_records:
        return lags
    return {at: max(1, lag * max_records // total) for at, lag in lags.items()}


def data_loss_error(partition: TopicPartition, offset: int, first: int | None, end: int) -> OffsetOutOfRange:
    bound = f"begins at {first}" if first is not None else f"ends at {end}"
    return OffsetOutOfRange(
        f"partition {partition} continues at offset {offset}, but its log {bound}: records were deleted by retention "
        "or with the topic; to continue without them, set the option 'failOnDataLoss' to false.",
        ErrorCode.OFFSET_OUT_OF_RANGE,
    )
