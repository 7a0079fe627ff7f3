"""Conversion of the records of a lane's topics to the rows that a pipeline's function gets.

The records of several topics are merged by timestamp, as Kafka Streams reads the partitions of a task. The order within
a topic never changes: the merge time of a record is the highest timestamp of its topic so far. For equal times, the
topic that is declared first comes first.

The order depends on the logs and not on batches. If the log of a topic has records after the fetched range, the batch
ends at the last fetched record of this topic or earlier, because the topic's next record may be the next in the order.
The merge does not wait for producers: after the last record of a log, it continues with the records of the other
topics, like Kafka Streams with `max.task.idle.ms` 0 (KIP-695).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import numpy
import pyarrow as pa
import pyarrow.compute as pc

from tenure.pipeline.values.decoded_records import BadRecord, Values
from tenure.pipeline.values.lane_times import Times
from tenure.pipeline.values.lanes import Range

TOPIC: Final = "_topic"
"""Column with the topic of a row, if there are several topics."""

WATERMARK: Final = "_watermark"
"""Column with the watermark after each row; null before the first event time."""

BEFORE: Final = "_watermark_before"
"""Column with the watermark before each row, if the chain has several steps. Rows that a step drops advance it too."""

RECORD_INDEX: Final = "_record_index"
"""Column with the index of the row's record in the merged records of all topics, if a later step is a join."""

CARRIED: Final = (WATERMARK, BEFORE, RECORD_INDEX)
"""Internal columns that steps carry from their input to their output."""

INSTANT: Final = pa.timestamp("us", "UTC")

NEVER_US: Final = numpy.iinfo(numpy.int64).min
"""Time before every event time."""


@dataclass(frozen=True, slots=True)
class TopicRows:
    """Conversion of one topic's records to rows. Picklable."""

    values: Values
    key: str | None = None
    """Column that the topic is partitioned by; None if no column is declared."""
    event_time: str | None = None
    """Column with the event time; None without a watermark."""
    delay_us: int = 0
    """Watermark delay in µs."""
    idle_us: int | None = None
    """Idle timeout in µs; None if the watermark waits for records."""


class Rows(NamedTuple):
    """Rows in the order in which the function gets them, with the topic and offset of each."""

    table: pa.Table
    topics: Any
    """Index of each row's topic, as a numpy array of int8."""
    offsets: Any
    names: Sequence[str]
    """Names of the topics."""

    def bad(self, row: int, reason: str) -> BadRecord:
        return BadRecord(int(self.offsets[row]), reason, self.topic(row))

    def topic(self, row: int) -> str:
        return self.names[int(self.topics[row])]


class TopicSlice(NamedTuple):
    """Records of one topic that belong to a batch."""

    records: pa.Table
    range: Range
    times_ms: Any
    """Time of each record in ms, by which topics are merged."""


def mergeable_slices(
    fetched: Sequence[pa.Table], ranges: Sequence[Range], has_more: Sequence[bool], so_far: Times
) -> list[TopicSlice]:
    """Return the fetched records of each topic that this batch can merge; the others wait for a later batch.

    A slice ends before a record if another topic may still have an earlier one. This is possible if the log of the
    other topic has records after its fetched range.

    Args:
        fetched: Fetched records of each topic.
        ranges: Fetched range of each topic.
        has_more: For each topic, whether its log has records after the fetched range.
        so_far: Times of the lane before the batch.
    """
    before = so_far.order_ms or (-1,) * len(ranges)
    times_ms = [_order(records, highest) for records, highest in zip(fetched, before, strict=True)]
    ends = [
        (int(times[-1]) if len(times) else highest, number)
        for number, (times, highest, more) in enumerate(zip(times_ms, before, has_more, strict=True))
        if more
    ]
    if len(ranges) == 1 or not ends:
        return [TopicSlice(*parts) for parts in zip(fetched, ranges, times_ms, strict=True)]
    last_ms, last_topic = min(ends)
    slices = []
    for number, (records, part, times) in enumerate(zip(fetched, ranges, times_ms, strict=True)):
        count = int(numpy.searchsorted(times, last_ms, side="right" if number <= last_topic else "left"))
        end = part.end_offset if count == len(records) else records["offset"][count].as_py()
        slices.append(TopicSlice(records[:count], replace(part, end_offset=end), times[:count]))
    return slices


def _order(records: pa.Table, highest: int) -> Any:
    stamps = records["timestamp"].cast(pa.int64()).to_numpy()
    return numpy.maximum.accumulate(numpy.maximum(stamps, highest))


class MergedRows(NamedTuple):
    rows: Rows
    bad: list[BadRecord]
    times: Times


def merge_slices(
    slices: Sequence[TopicSlice], topics: Sequence[TopicRows], key: str | None, so_far: Times
) -> MergedRows:
    """Decode the records of all topics, and merge their rows by time into one table.

    `key` is the pipeline's key column, and `so_far` are the lane's times before the batch.
    """
    parts = [_decoded(one, topic) for one, topic in zip(slices, topics, strict=True)]
    rows = _alone(parts[0]) if len(parts) == 1 else _in_order(parts, topics, key)
    before = so_far.order_ms or (-1,) * len(slices)
    order_ms = tuple(
        int(one.times_ms[-1]) if len(one.times_ms) else highest for one, highest in zip(slices, before, strict=True)
    )
    rows, event_us = _watermarked(rows, topics, so_far)
    return MergedRows(rows, [record for part in parts for record in part.bad], Times(order_ms, event_us))


class TopicPart(NamedTuple):
    """Rows of one topic, with the offset of each row and the time by which the rows of several topics are merged."""

    topic: str
    table: pa.Table
    offsets: Any
    times_ms: Any
    bad: list[BadRecord]


def _decoded(one: TopicSlice, topic: TopicRows) -> TopicPart:
    name, offsets, times = str(one.range.topic), one.records["offset"].to_numpy(), one.times_ms
    table, bad = topic.values.decode(one.records, one.range.partition)
    if bad:
        good = ~numpy.isin(offsets, [record.offset for record in bad])
        offsets, times = offsets[good], times[good]
    return TopicPart(name, table, offsets, times, [record._replace(topic=name) for record in bad])


def _alone(part: TopicPart) -> Rows:
    return Rows(part.table, numpy.zeros(len(part.table), numpy.int8), part.offsets, [part.topic])


def _in_order(parts: Sequence[TopicPart], topics: Sequence[TopicRows], key: str | None) -> Rows:
    """Merge the rows by time. The sort is stable: equal times keep the order of topics and of offsets."""
    order = numpy.argsort(numpy.concatenate([part.times_ms for part in parts]), kind="stable")
    numbers = numpy.repeat(numpy.arange(len(parts), dtype=numpy.int8), [len(part.table) for part in parts])
    table = unite_tables({part.topic: (part.table, topic.key) for part, topic in zip(parts, topics, strict=True)}, key)
    offsets = numpy.concatenate([part.offsets for part in parts])
    return Rows(table.take(pa.array(order)), numbers[order], offsets[order], [part.topic for part in parts])


def unite_tables(tables: Mapping[str, tuple[pa.Table, str | None]], key: str | None) -> pa.Table:
    """Return one table with `_topic`, the key, and the columns of all topics. A column that a topic lacks is null.

    `tables` has, for each topic, its rows and the name of its key column. `key` is the name of the pipeline's key.
    """
    parts = []
    for name, (table, own_key) in tables.items():
        if key is not None and own_key not in (None, key):
            table = table.append_column(pa.field(key, table.schema.field(own_key).type), table[own_key])
        parts.append(table.add_column(0, TOPIC, pa.repeat(pa.scalar(name, pa.string()), len(table))))
    return pa.concat_tables(parts, promote_options="default").combine_chunks()


def _watermarked(rows: Rows, topics: Sequence[TopicRows], so_far: Times) -> tuple[Rows, tuple[int | None, ...]]:
    """Return the rows with the watermark column, and the highest event time of each topic so far.

    Without event time, the rows get no watermark column. `so_far` are the lane's times before these rows.
    """
    before = so_far.event_us or (None,) * len(topics)
    highest: list[int | None] = list(before)
    lowest = None
    for number, topic in enumerate(topics):
        if topic.event_time is None:
            continue
        known = before[number]
        times = event_times_us(rows.table[topic.event_time])
        times[rows.topics != number] = NEVER_US
        times = numpy.maximum.accumulate(numpy.maximum(times, NEVER_US if known is None else known))
        if len(times) and times[-1] > NEVER_US:
            highest[number] = int(times[-1])
        bound = numpy.where(times > NEVER_US, times - topic.delay_us, NEVER_US)
        lowest = bound if lowest is None else numpy.minimum(lowest, bound)
    if lowest is None:
        return rows, tuple(highest)
    column = pa.array(lowest, mask=lowest == NEVER_US).cast(INSTANT)
    return rows._replace(table=rows.table.append_column(WATERMARK, column)), tuple(highest)


def idle_times(topics: Sequence[TopicRows], so_far: Times, times: Times, records: int, now_ms: int) -> Times:
    """Return a lane's times after a batch. If the lane is idle, its watermark follows the processing time.

    A lane is idle if no topic has had a record for the idle timeout. Its event time is then the processing time minus
    this timeout, as if a record of that time had arrived. Like processing-time timers, this depends on when batches
    run.

    Args:
        topics: Topics of the lane.
        so_far: Times before the batch.
        times: Times after the batch's records.
        records: Number of records in the batch.
        now_ms: Processing time of the batch in ms.
    """
    timeouts = [topic.idle_us for topic in topics if topic.idle_us is not None]
    if not timeouts:
        return times
    next_ms = now_ms + max(timeouts) // 1000
    if records:
        return replace(times, idle_at_ms=next_ms)
    if so_far.idle_at_ms is None or now_ms < so_far.idle_at_ms:
        return replace(times, idle_at_ms=so_far.idle_at_ms)
    event_us = tuple(
        at_us if at_us is None or topic.idle_us is None else max(at_us, now_ms * 1000 - topic.idle_us)
        for topic, at_us in zip(topics, times.event_us, strict=True)
    )
    return replace(times, event_us=event_us, idle_at_ms=next_ms)


def carried_names(rows: pa.Table | pa.RecordBatch) -> list[str]:
    """Return the names of the rows' internal columns that later steps need."""
    return [name for name in CARRIED if name in rows.schema.names]


def watermark_before_us(topics: Sequence[TopicRows], so_far: Times) -> int | None:
    """Return the watermark of a lane after its last batch; None before the first record with an event time."""
    known = so_far.event_us or (None,) * len(topics)
    lowest = [
        NEVER_US if at_us is None else at_us - topic.delay_us
        for topic, at_us in zip(topics, known, strict=True)
        if topic.event_time is not None
    ]
    return known_us(min(lowest, default=NEVER_US))


def known_us(at_us: int) -> int | None:
    """Return the time as an integer; None for NEVER_US."""
    return None if at_us == NEVER_US else int(at_us)


def event_times_us(column: Any) -> Any:
    """Return times in µs since 1970 as a new numpy array of int64, with NEVER_US for null.

    The time of a window, a struct of start and end, is its last µs, like Spark's `window_time`.
    """
    if pa.types.is_struct(column.type):
        return pc.fill_null(pc.subtract(pc.struct_field(column, "end").cast(pa.int64()), 1), NEVER_US).to_numpy().copy()
    instants = column.cast(INSTANT) if pa.types.is_timestamp(column.type) and column.type.tz else column
    return pc.fill_null(instants.cast(pa.timestamp("us")).cast(pa.int64()), NEVER_US).to_numpy().copy()
