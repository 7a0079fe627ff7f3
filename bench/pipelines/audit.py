"""Records of `__consumer_offsets` per CPU-second into the tables of an audit, beside a plain PySpark job.

All read a topic of the same records and write windows of commits as Parquet. The job is what a user would write:
`format("kafka")`, a decoder in Python, and a `groupBy`; once with the decoder in a `udf`, once in `mapInArrow`, which
is faster. Ours also keeps the state of groups, and its position. The processor time is that of the whole application
with its JVM and Python workers, without the broker.
"""

from __future__ import annotations

import itertools
import struct
from collections.abc import Iterator
from pathlib import Path

import numpy
import pyarrow as pa

from bench.brokers import Broker, create_topic, tenure
from bench.figures import Figure, Sample
from bench.pipelines.application import Application, application
from bench.pipelines.rows import Run, run
from bench.records import write
from tenure.protocol.batches import PackedRecords, encode_packed
from tenure.protocol.columnar.encode import RecordColumns, pack_columns
from tenure.protocol.compression import Codec
from tenure.protocol.coordinator_logs.consumer_offsets import (
    OffsetCommitKey,
    OffsetCommitValue,
    encode_key,
    encode_value,
)
from tenure.protocol.coordinator_logs.partition import partition_of
from tenure.protocol.messages import PartitionProduceData, ProduceRequest, TopicProduceData
from tenure.protocol.types import GroupId, PartitionId, TopicId, TopicName

TIMES_A_JOB_MIN = 10.0
PER_CPU_SECOND_MIN = 500_000.0
TOPIC, LARGE, WARM_UP = "bench-offsets", "bench-offsets-large", "bench-offsets-warm-up"
JOB_RECORDS, LARGE_RECORDS = 8_000_000, 20_000_000
PARTITIONS = 4
GROUPS = 20_000
KEYS_PER_GROUP = 4
RECORDS_PER_BATCH = 10_000
INTERVAL_MS = 5_000
"""Interval of commits of one partition: the default of consumers."""
BEGIN_MS = 1_795_000_000_000
OURS = "ours"
SIDES = {
    OURS: ("ours", "audited"),
    'format("kafka") and a decoder in a udf': ("theirs", "audited_by_udf"),
    'format("kafka") and a decoder in mapInArrow': ("theirs", "audited"),
}
"""Program of each side, and its command. A short run has the first job only."""
WINDOWS = "group string, topic string, partition int, window long, committed long"


def measure(directory: Path, quick: bool) -> Iterator[Figure]:
    """Measure one run of each side; all of it takes about four minutes on a quiet machine.

    The jobs take much longer for each record, so they read fewer. The audit beside them reads as few.
    """
    groups = GROUPS // 10 if quick else GROUPS
    sides = dict(list(SIDES.items())[: 2 if quick else None])
    runs: dict[str, Run] = {}
    with tenure(directory / "broker", group_initial_rebalance_delay_ms="0") as broker:
        fill(broker, WARM_UP, 40_000, 100)
        count = fill(broker, TOPIC, 200_000 if quick else JOB_RECORDS, groups)
        for side, (module, work) in sides.items():
            with application(module, directory / f"{module}-{work}", quick=quick, address=broker.address) as measured:
                measured.ask(work, topic=WARM_UP)
                runs[side] = run(measured, work, TOPIC, count)
                if side == OURS and not quick:
                    yield from large(measured, broker, groups)
    what = f"audit, {count // 1000} k records of {groups} groups, topic to tables"
    for peer in list(sides)[1:]:
        yield from compared(f"{what}, beside {peer}", peer, runs[OURS], runs[peer], quick)


def large(measured: Application, broker: Broker, groups: int) -> Iterator[Figure]:
    """Measure the audit of a large topic, and the memory of its workers."""
    count = fill(broker, LARGE, LARGE_RECORDS, groups)
    found = run(measured, SIDES[OURS][1], LARGE, count)
    what = f"audit, {count // 1000} k records of {groups} groups"
    yield Figure(what, "records/CPU-s", Sample.of([found.per_cpu_second]), PER_CPU_SECOND_MIN)
    yield Figure("... wall", "records/s", Sample.of([found.per_second]))
    peak = Sample.of([measured.worker_peak_mb()])
    yield Figure("... peak memory of a Python worker", "MB", peak, less_is_better=True)


def compared(what: str, peer: str, ours: Run, theirs: Run, quick: bool) -> Iterator[Figure]:
    """Yield our figure beside that of a job, and their ratio."""
    own, other = ours.per_cpu_second, theirs.per_cpu_second
    yield Figure(what, "records/CPU-s", Sample.of([own]), peer=peer, theirs=Sample.of([other]))
    yield Figure(f"... times {peer}", "x", Sample.of([own / other]), None if quick else TIMES_A_JOB_MIN)


def fill(broker: Broker, topic: str, records: int, groups: int) -> int:
    """Fill a topic with commits of groups, each in its partition; return their number."""
    create_topic(broker, topic, PARTITIONS)
    from tests.wire import Wire

    total = 0
    with Wire(broker.host, broker.port) as wire:
        for partition in range(PARTITIONS):
            count = 0
            batches = batches_of(partition, groups)
            while count * PARTITIONS < records:
                packed = next(batches)
                data = [PartitionProduceData(PartitionId(partition), encode_packed(packed))]
                request = ProduceRequest(
                    acks=-1,
                    timeout_ms=10_000,
                    topic_data=[TopicProduceData(name=TopicName(topic), partition_data=data)],
                )
                write(wire, request, f"{topic}-{partition}")
                count += packed.record_count
            total += count
    return total


def batches_of(partition: int, groups: int) -> Iterator[PackedRecords]:
    """Yield batches with the commits of all groups of a partition, repeatedly and without end."""
    keys = [
        encode_key(OffsetCommitKey(GroupId(name), TopicName(f"topic-{index % 50}"), PartitionId(each)))
        for index, name in enumerate(names_of(partition, groups))
        for each in range(KEYS_PER_GROUP)
    ]
    turns = -(-RECORDS_PER_BATCH // len(keys))
    repeated = pa.array(keys * turns, pa.binary())
    starts = numpy.arange(0, len(repeated), RECORDS_PER_BATCH)
    topic_id = TopicId(bytes(range(16)))
    for first in itertools.count(0, turns):
        times_ms = [BEGIN_MS + turn * INTERVAL_MS for turn in range(first, first + turns)]
        values = [
            encode_value(OffsetCommitValue((first + number) * 100, 3, "", time_ms, -1, topic_id), 4)
            for number, time_ms in enumerate(times_ms)
        ]
        columns = RecordColumns(
            repeated,
            pa.array(values, pa.binary()).take(pa.array(numpy.repeat(numpy.arange(turns), len(keys)))),
            numpy.repeat(numpy.array(times_ms, numpy.int64), len(keys)),
            None,
        )
        yield from pack_columns(columns, starts, Codec.NONE)


def names_of(partition: int, groups: int) -> Iterator[str]:
    """Yield the names of the groups of a partition."""
    names = (f"group-{number}" for number in range(groups))
    return (name for name in names if partition_of(name, PARTITIONS) == partition)


def decode_batches(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Decode commits one by one, as a user would do it."""
    for batch in batches:
        rows = [
            decoded
            for key, value in zip(batch.column("key").to_pylist(), batch.column("value").to_pylist(), strict=True)
            if (decoded := decode(key, value)) is not None
        ]
        yield pa.RecordBatch.from_arrays(
            [pa.array(column) for column in zip(*rows, strict=True)] if rows else [pa.array([])] * 5,
            names=["group", "topic", "partition", "window", "committed"],
        ).cast(
            pa.schema(
                [
                    ("group", pa.string()), ("topic", pa.string()), ("partition", pa.int32()),
                    ("window", pa.int64()), ("committed", pa.int64()),
                ]
            )
        )  # fmt: skip


def decode(key: bytes, value: bytes | None) -> tuple[str, str, int, int, int] | None:
    """Decode one commit of versions 0 to 4."""
    if value is None or int.from_bytes(key[:2], "big") > 1:
        return None
    at = 4 + int.from_bytes(key[2:4], "big")
    group = key[4:at].decode()
    size = int.from_bytes(key[at : at + 2], "big")
    topic = key[at + 2 : at + 2 + size].decode()
    (partition,) = struct.unpack_from(">i", key, at + 2 + size)
    version, committed = struct.unpack_from(">hq", value)
    at = 10 if version < 3 else 14
    at += value[at] if version >= 4 else 2 + int.from_bytes(value[at : at + 2], "big")
    (time_ms,) = struct.unpack_from(">q", value, at)
    return group, topic, partition, time_ms // 60_000, committed
