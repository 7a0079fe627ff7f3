"""Load of a coordinator's log: 1 M commit records, of which 200 k are the newest of their key.

A new process measures from the opened partition until the shard can answer: it reads, drops replaced records, decodes
and applies. The log is in the page cache. It is written as the broker writes it under load, with many commits in a
batch. The keys are committed in turn, repeatedly, which is the worst order for a load. Our builds and Apache Kafka load
the same segments in turns, each time in a new process.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from bench.figures import Figure, Sample
from bench.kafka_load import kafka_loads
from bench.sides import OURS, OURS_COMPILED, PEER
from compiled.installed import compiled_python

RECORDS = 1_000_000
KEYS = 200_000
GROUPS = 2_000
RECORDS_PER_BATCH = 20
LOAD_S_MAX = 1.5
TIMES_KAFKA_MIN = {OURS: 1.0, OURS_COMPILED: 2.0}
NAME = "__consumer_offsets-0"


def measure(directory: Path, quick: bool) -> Iterator[Figure]:
    return measured(directory, quick, rounds=1 if quick else 5)


def measure_goals(directory: Path, quick: bool) -> Iterator[Figure]:
    return measured(directory, quick, rounds=1 if quick else 2)


def measured(directory: Path, quick: bool, rounds: int) -> Iterator[Figure]:
    records, keys = (RECORDS // 10, KEYS // 10) if quick else (RECORDS, KEYS)
    write_log(directory / "data", records, keys)
    segments = sorted((directory / "data" / NAME).glob("*.log"))
    pythons = {OURS: Path(sys.executable)}
    if compiled := compiled_python():
        pythons[OURS_COMPILED] = compiled
    ours: dict[str, list[tuple[float, float]]] = {build: [] for build in pythons}
    theirs: list[float] = []
    with kafka_loads(directory / "kafka", quick) as kafka:
        for _ in range(rounds):
            for build, python in pythons.items():
                ours[build].append(in_fresh_process(python, directory / "data", keys))
            theirs.append(kafka.load_s(segments, min(keys, GROUPS), keys))
    what = f"load of a coordinator log, {records // 1000} k commits of {keys // 1000} k keys"
    for build, runs in ours.items():
        yield from beside_kafka(f"{what}, {build}", runs, theirs, TIMES_KAFKA_MIN[build], quick=quick)


def beside_kafka(
    what: str, runs: list[tuple[float, float]], theirs: list[float], times_kafka_min: float, *, quick: bool
) -> Iterator[Figure]:
    """Yield the time of our loads, and the ratio of Apache Kafka's time to it, round by round."""
    times, processor_times = zip(*runs, strict=True)
    remark = f"of the processor {Sample.of(processor_times)} s, the import of numpy in it"
    bound = None if quick else LOAD_S_MAX
    yield Figure(what, "s", Sample.of(times), bound, True, PEER, Sample.of(theirs), [remark])
    ratios = [their_s / our_s for our_s, their_s in zip(times, theirs, strict=True)]
    yield Figure("... times Apache Kafka", "x", Sample.of(ratios), None if quick else times_kafka_min)


def write_log(path: Path, records: int, keys: int) -> None:
    from tenure.coordinator.shard import LogRecord
    from tenure.protocol.batches import encode_batch
    from tenure.protocol.coordinator_logs.consumer_offsets import OffsetCommitKey, OffsetCommitValue
    from tenure.protocol.records import Record
    from tenure.protocol.types import GroupId, PartitionId, TopicId, TopicName
    from tenure.runtime.codecs import GroupsCodec

    codec = GroupsCodec()
    topic_id, now_ms = TopicId(b"0123456789abcdef"), time.time_ns() // 1_000_000
    contents = [
        codec.encode(
            LogRecord(
                OffsetCommitKey(
                    GroupId(f"group-{n % GROUPS}"),
                    TopicName(f"topic-{n // GROUPS % 10}"),
                    PartitionId(n // GROUPS // 10),
                ),
                OffsetCommitValue(n, 3, "", now_ms, -1, topic_id),
            )
        )
        for n in range(keys)
    ]
    directory, partition = opened(path)
    for first in range(0, records, RECORDS_PER_BATCH):
        batch = [Record(0, now_ms + first, *contents[(first + i) % keys]) for i in range(RECORDS_PER_BATCH)]
        partition.append(encode_batch(batch), now_ms=now_ms, is_own=True)
    partition.close()
    directory.close()


def opened(path: Path):  # type: ignore[no-untyped-def]  # its classes are imported here, after the start
    from tenure.storage.data_directory import DataDirectory
    from tenure.storage.log.partition import Partition
    from tenure.storage.log.settings import Durability, LogSettings

    directory = DataDirectory.open(str(path))
    settings = LogSettings(segment_bytes=104_857_600, deletes=False, compacts=True)
    return directory, Partition.open(directory, NAME, settings, durability=Durability.OS)


def in_fresh_process(python: Path, path: Path, keys: int) -> tuple[float, float]:
    """Return the seconds and processor seconds in a new process of a build."""
    command = [str(python), "-m", "bench.load_log", str(path), str(keys)]
    seconds, processor_s = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return float(seconds), float(processor_s)


def load(path: Path, keys: int) -> tuple[float, float]:
    import asyncio
    import os

    from tenure.broker.coordinators.served_shard import ServedShard
    from tenure.broker.logs.served_log import ServedLog
    from tenure.broker.loop.clock import LoopClock
    from tenure.broker.loop.turn import Turn
    from tenure.coordinator.groups.settings import GroupSettings
    from tenure.coordinator.groups.shard import GroupsShard
    from tenure.runtime.codecs import GroupsCodec
    from tenure.runtime.host import Host
    from tenure.storage.sync_pool import SyncPool

    async def run() -> tuple[float, float]:
        loop = asyncio.get_running_loop()
        directory, partition = opened(path)
        pool = SyncPool(1)
        host = Host(lambda: GroupsShard(GroupSettings(), os.urandom), GroupsCodec())
        served = ServedLog(partition, loop, pool)
        turn = Turn(loop, LoopClock(loop))
        shard = ServedShard("groups", host, served, turn, lambda work: loop.run_in_executor(None, work))
        loaded = asyncio.Event()
        started, processor_started = time.perf_counter(), time.process_time()
        shard.when_loaded(loaded.set)
        shard.load()
        await loaded.wait()
        seconds = time.perf_counter() - started, time.process_time() - processor_started
        assert sum(1 for _ in host.shard.committed_offsets()) == keys
        pool.close()
        partition.close()
        directory.close()
        return seconds

    return asyncio.run(run())


if __name__ == "__main__":
    print(*load(Path(sys.argv[1]), int(sys.argv[2])))
