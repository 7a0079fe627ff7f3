"""Work that every side does: its input topics, and the check of what a side has written.

Input has records of 4,000 keys in four partitions. A batch of a partition has each of its keys twice, and is a second
of event time. Output is a topic whose values are text, so that each side's output can be compared with the expected.
"""

from __future__ import annotations

import struct
import time
from typing import NamedTuple

import google_crc32c
import pyarrow as pa
import pyarrow.compute as pc

from bench.brokers import Broker, create_topic
from bench.records import VALUE, batch_of, keys_of, write
from tenure.protocol.batches import encode_batch
from tenure.protocol.messages import PartitionProduceData, ProduceRequest, TopicProduceData
from tenure.protocol.records import Record
from tenure.protocol.types import PartitionId, TopicName
from tests.topic_records import table_of
from tests.wire import Wire

PARTITIONS = 4
KEYS_PER_PARTITION = 1_000
TIMES_PER_BATCH = 2
"""Records of each key of a partition in a batch."""
RECORDS_PER_BATCH = KEYS_PER_PARTITION * TIMES_PER_BATCH
BATCH_MS = 1_000
WINDOW_MS = 10_000
AGE_MS = 3_600_000
"""Age of the first record; the table is as much older."""
TABLE = "segments"
CRC_AT, CRC_FROM, TIMESTAMPS_AT = 17, 21, 27


class Workload(NamedTuple):
    """Kind of work."""

    name: str
    what: str
    topic: str = "events"
    value: bytes = VALUE


COUNTS = Workload("counts", "counts per key")
EACH = Workload("each", "running count with every record")
WINDOWS = Workload("windows", f"counts per key and {WINDOW_MS // 1000} s window")
JOIN = Workload("join", "join with a table of 4,000 keys")
LARGE = Workload("large", "counts per key, records of 1 KB", "large-events", VALUE * 10)
WORKLOADS = (COUNTS, EACH, WINDOWS, JOIN, LARGE)


class Input(NamedTuple):
    """Input topic with `batches` batches in each partition."""

    topic: str
    batches: int

    @property
    def records(self) -> int:
        return self.batches * RECORDS_PER_BATCH * PARTITIONS


def fill(broker: Broker, workload: Workload, batches: int) -> Input:
    """Create the input topic. The batches of a partition differ only in their times."""
    filled = Input(f"{workload.topic}-{batches}", batches)
    create_topic(broker, filled.topic, PARTITIONS)
    first_ms = (int(time.time() * 1000) - AGE_MS) // WINDOW_MS * WINDOW_MS
    with Wire(broker.host, broker.port) as wire:
        for partition in range(PARTITIONS):
            keys = keys_of(partition, PARTITIONS, KEYS_PER_PARTITION)
            batch = batch_of(keys, RECORDS_PER_BATCH, workload.value)
            for number in range(batches):
                send(wire, filled.topic, partition, with_first_time(batch, first_ms + number * BATCH_MS))
    return filled


def fill_table(broker: Broker) -> None:
    """Create the topic with the segment of each key."""
    create_topic(broker, TABLE, PARTITIONS)
    at_ms = int(time.time() * 1000) - 2 * AGE_MS
    with Wire(broker.host, broker.port) as wire:
        for partition in range(PARTITIONS):
            keys = keys_of(partition, PARTITIONS, KEYS_PER_PARTITION)
            records = [Record(n, at_ms, key, segment_of(key), []) for n, key in enumerate(keys)]
            send(wire, TABLE, partition, encode_batch(records))


def segment_of(key: bytes) -> bytes:
    return b"segment-%d" % (int(key.removeprefix(b"key-")) % 7)


def send(wire: Wire, topic: str, partition: int, batch: bytes) -> None:
    data = TopicProduceData(name=TopicName(topic), partition_data=[PartitionProduceData(PartitionId(partition), batch)])
    write(wire, ProduceRequest(acks=-1, timeout_ms=10_000, topic_data=[data]), f"{topic}-{partition}")


def with_first_time(batch: bytes, first_ms: int) -> bytes:
    """Return the batch with `first_ms` as the time of its first record, and the other times shifted by as much."""
    base_ms, max_ms = struct.unpack_from(">qq", batch, TIMESTAMPS_AT)
    changed = bytearray(batch)
    struct.pack_into(">qq", changed, TIMESTAMPS_AT, first_ms, first_ms + max_ms - base_ms)
    struct.pack_into(">I", changed, CRC_AT, google_crc32c.value(bytes(changed[CRC_FROM:])))
    return bytes(changed)


# --- check ------------------------------------------------------------------------------------------------------------


def check(workload: Workload, given: Input, address: str, output: str) -> None:
    """Compare the output of a side with a direct computation. The last value of each key counts."""
    rows = table_of(address, output)
    text = pc.cast(rows["value"], pa.string())
    each = given.batches * TIMES_PER_BATCH
    keys = PARTITIONS * KEYS_PER_PARTITION
    if workload is WINDOWS:
        check_windows(rows["key"], text, given)
    elif workload is JOIN:
        found = pa.table({"key": rows["key"], "value": rows["value"]}).group_by(["key", "value"])
        pairs = found.aggregate([([], "count_all")]).to_pylist()
        assert len(pairs) == keys, f"{len(pairs)} pairs of key and segment, of {keys}"
        assert all(pair["count_all"] == each and pair["value"] == segment_of(pair["key"]) for pair in pairs), pairs[:9]
    else:
        counts = pa.table({"key": rows["key"], "n": pc.cast(text, pa.int64())})
        last = counts.group_by("key").aggregate([("n", "max"), ("n", "sum"), ("n", "count")])
        assert len(last) == keys, f"counts of {len(last)} keys, of {keys}"
        assert pc.all(pc.equal(last["n_max"], each)).as_py(), f"wrong counts: {last.slice(0, 9).to_pylist()}"
        if workload is EACH:
            assert pc.all(pc.equal(last["n_count"], each)).as_py(), f"not one row a record: {last.slice(0, 9)}"
            assert pc.all(pc.equal(last["n_sum"], each * (each + 1) // 2)).as_py(), f"wrong: {last.slice(0, 9)}"


def check_windows(keys: pa.ChunkedArray, text: pa.ChunkedArray, given: Input) -> None:
    """Check all windows but the last ones, which may still be open."""
    parts = pc.split_pattern(text, " ").combine_chunks()
    start, n = (pc.cast(pc.list_element(parts, index), pa.int64()) for index in (0, 1))
    found = pa.table({"key": keys, "start": start, "n": n}).group_by(["key", "start"]).aggregate([("n", "max")])
    batches = WINDOW_MS // BATCH_MS
    closed = given.batches // batches - 1
    starts = sorted(set(found["start"].to_pylist()))[:closed]
    assert len(starts) == max(closed, 0), f"{len(starts)} windows, of {closed}"
    full = found.filter(pc.is_in(found["start"], pa.array(starts, pa.int64())))
    assert len(full) == len(starts) * PARTITIONS * KEYS_PER_PARTITION, f"{len(full)} counts in {closed} windows"
    assert pc.all(pc.equal(full["n_max"], batches * TIMES_PER_BATCH), min_count=0).as_py(), full.slice(0, 9).to_pylist()
