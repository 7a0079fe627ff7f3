"""A streaming query as a member of its group: Spark's checkpoint and the group's offsets, kept in step.

An offset of Spark's is, as that of its Kafka source, `{"topic": {"partition": offset}}` of what the query holds. Three
rules are all there is:

- A partition that is new in an offset begins there; it has records from the next offset on. So a batch is what lies
  between two offsets, whoever reads them: Spark may repeat a batch after a crash, and it will be the same one.
- Where a partition stands is the later of the two: what the checkpoint says is done, and what the group has committed.
  A group that has committed more than the checkpoint had another reader meanwhile; one that has committed less has not
  heard of the last batch. Where it stands elsewhere than the checkpoint has it, it leaves for one offset, and is new in
  the next.
- When Spark asks what comes after `start`, all up to `start` is done: that is committed, and then what the group wants
  back is given up.

So no record is left out, and one may come twice: where a batch was written, but neither the checkpoint nor the group
had heard of it before another member took over.
"""

import threading
import time
from collections.abc import Collection
from contextlib import suppress
from typing import Final

from tenure.client.errors import ClientError, OffsetOutOfRange
from tenure.client.queries.blocking import EARLIEST, LATEST
from tenure.client.values import TopicPartition
from tenure.protocol.errors import ErrorCode
from tenure.spark.source.offset_bounds import OffsetBound, PartitionOffsets, list_bounds, resolve
from tenure.spark.source.options import SourceOptions, stream_start
from tenure.spark.source.partition_owner import AGAIN_S, PartitionOwner, partition_owner
from tenure.spark.source.topics import partitions

ATTEND_S: Final = 0.25
"""Between two looks at the group while nothing runs."""


class SourceStream:
    """Lives in the process that Spark keeps for a query's source; a thread attends to the group while nothing runs."""

    def __init__(self, options: SourceOptions) -> None:
        self.options = options
        self.beginning: Final = stream_start(options)
        self.holder: Final[PartitionOwner] = partition_owner(options)
        self.committed: dict[TopicPartition, tuple[int, int]] = {}
        """Tenure, and what is committed in it: known as long as the tenure lasts."""
        self.there_at_first: Collection[TopicPartition] = ()
        """Partitions that there were when a new query began: one that comes later is read from its first record."""
        self.until: PartitionOffsets | None = None
        """Where a query ends that takes what there is (AvailableNow)."""
        self.last_batch_s = 0.0
        self.lock = threading.RLock()
        self.is_idle = False
        """Spark was told that there is nothing new, so no batch runs."""
        self.is_closed = threading.Event()
        self.attendant = threading.Thread(target=self.attend_while_idle, name="tenure-source", daemon=True)
        self.attendant.start()

    # --- what Spark asks ----------------------------------------------------------------------------------------------

    def first(self) -> PartitionOffsets:
        """Where a new query begins."""
        with self.lock:
            self.there_at_first = partitions(self.options)
            self.wait_for_seat()
            return self.settle({})

    def take_what_there_is(self) -> None:
        with self.lock:
            everything = partitions(self.options)
            self.until = self.ends(everything)

    def next(self, start: PartitionOffsets, max_records: int | None, min_records: int | None) -> PartitionOffsets:
        """Where the batch ends that begins at `start`; `start` itself where there is nothing new."""
        with self.lock:
            self.is_idle = False
            self.holder.attend()
            self.settle(start)
            self.holder.let_go()
            self.wait_for_seat()
            standing = self.settle(start)
            after = self.after(start, standing, max_records, min_records)
            self.is_idle = after == start
            if not self.is_idle:
                self.last_batch_s = time.monotonic()
            return after

    def newest(self) -> PartitionOffsets:
        """The ends of what is held: the lag in the query's progress."""
        with self.lock:
            return self.ends(self.holder.held)

    def close(self) -> None:
        self.is_closed.set()
        self.attendant.join()
        self.holder.close()

    # --- where partitions stand ---------------------------------------------------------------------------------------

    def settle(self, start: PartitionOffsets) -> PartitionOffsets:
        """Where each partition that is held stands; what the group has not heard of is committed."""
        held = self.holder.held
        self.committed = {at: known for at, known in self.committed.items() if known[0] == held.get(at)}
        self.look_up([at for at in held if at not in self.committed], start)
        standing = {at: max(start.get(at, -1), self.committed[at][1]) for at in held}
        news = {at: offset for at, offset in standing.items() if offset > self.committed[at][1]}
        self.holder.commit(news)
        self.committed |= {at: (held[at], offset) for at, offset in news.items()}
        return {at: offset for at, offset in standing.items() if self.holder.held.get(at) == held[at]}

    def look_up(self, strangers: list[TopicPartition], start: PartitionOffsets) -> None:
        held = self.holder.held
        found = self.holder.committed(strangers)
        new = [at for at in strangers if at not in found and at not in start]
        self.committed |= {at: (held[at], found.get(at, -1)) for at in strangers}
        begun = self.begun(new)
        self.holder.commit(begun)  # or a restart before the first batch would begin elsewhere
        self.committed |= {at: (held[at], offset) for at, offset in begun.items()}

    def begun(self, new: list[TopicPartition]) -> PartitionOffsets:
        at_first = [at for at in new if at in self.there_at_first]
        later = [at for at in new if at not in self.there_at_first]
        level = self.options.isolation_level
        return {
            **resolve(self.beginning, at_first, self.options.cluster, level),
            **resolve(OffsetBound(EARLIEST), later, self.options.cluster, level),
        }

    # --- how far a batch goes -----------------------------------------------------------------------------------------

    def after(
        self, start: PartitionOffsets, standing: PartitionOffsets, max_records: int | None, min_records: int | None
    ) -> PartitionOffsets:
        ends = self.ends(standing)
        going_on = {at: offset for at, offset in standing.items() if start.get(at) == offset}
        lost = self.lost(going_on, ends)
        ahead = {at: self.bounded(at, ends[at]) - offset for at, offset in going_on.items() if at not in lost}
        ahead = {at: count for at, count in ahead.items() if count > 0}
        steps = {} if self.is_too_little(sum(ahead.values()), min_records) else limit_offsets(ahead, max_records)
        stays = [at for at in standing if at not in lost and (at in going_on or at not in start)]
        return {at: standing[at] + steps.get(at, 0) for at in stays}

    def ends(self, of: Collection[TopicPartition]) -> PartitionOffsets:
        return list_bounds(self.options.cluster, dict.fromkeys(of, LATEST), self.options.isolation_level)

    def bounded(self, partition: TopicPartition, end: int) -> int:
        return end if self.until is None else min(end, self.until.get(partition, 0))

    def is_too_little(self, ahead: int, min_records: int | None) -> bool:
        """The first batch is not held up, nor any that takes what there is."""
        waited_ms = (time.monotonic() - self.last_batch_s) * 1000
        is_late = not self.last_batch_s or waited_ms >= self.options.max_trigger_delay_ms
        return min_records is not None and self.until is None and not is_late and ahead < min_records

    def lost(self, going_on: PartitionOffsets, ends: PartitionOffsets) -> set[TopicPartition]:
        """Partitions whose log ends before where they stand: they begin anew, if that is wanted. Records that are gone
        from the beginning of a log are left out where it is read."""
        behind = [at for at, offset in going_on.items() if offset < ends[at]]
        first = list_bounds(self.options.cluster, dict.fromkeys(behind, EARLIEST), self.options.isolation_level)
        shorter = [at for at, offset in going_on.items() if ends[at] < offset]
        gone = [*shorter, *(at for at in behind if going_on[at] < first[at])]
        if gone and self.options.fail_on_data_loss:
            raise data_loss_error(gone[0], going_on[gone[0]], first.get(gone[0]), ends[gone[0]])
        anew = list_bounds(self.options.cluster, dict.fromkeys(shorter, EARLIEST), self.options.isolation_level)
        self.holder.commit(anew)
        self.committed |= {at: (self.holder.held[at], offset) for at, offset in anew.items() if at in self.holder.held}
        return set(shorter)

    # --- the group, meanwhile -----------------------------------------------------------------------------------------

    def wait_for_seat(self) -> None:
        """However long the others take; what ends the membership is raised."""
        while not self.holder.is_seated:
            self.holder.attend(AGAIN_S)

    def attend_while_idle(self) -> None:
        """Spark may ask again in a millisecond or in an hour: the group must not wait for that. What is raised here is
        raised again when Spark asks."""
        while not self.is_closed.wait(ATTEND_S):
            with self.lock, suppress(ClientError):
                if self.is_idle:
                    self.holder.attend()
                    self.holder.let_go()


def limit_offsets(ahead: PartitionOffsets, max_records: int | None) -> PartitionOffsets:
    """Each partition's share of what a batch may have, by what lies before it; one record at least."""
    total = sum(ahead.values())
    if max_records is None or total <= max_records:
        return ahead
    return {at: max(1, count * max_records // total) for at, count in ahead.items()}


def data_loss_error(partition: TopicPartition, offset: int, first: int | None, end: int) -> OffsetOutOfRange:
    there = f"begins at {first}" if first is not None else f"ends at {end}"
    return OffsetOutOfRange(
        f"{partition} continues at offset {offset}, but its log {there}: records were deleted by retention or "
        "with the topic; to continue without them, set the option 'failOnDataLoss' to false.",
        ErrorCode.OFFSET_OUT_OF_RANGE,
    )
