"""Restart of a lane with 1 GB of state: time from a ready Spark session to the first commit.

It is measured on the host that had the lane and on another host. The state is the last value of each key, a thousand
random bytes, which no codec compresses. The other host is simulated by an application with an empty temporary
directory. For comparison, the same files are copied; in both cases they are not in the page cache. The clock starts
when the session has been created. Spark has then started no Python worker yet, so the time is also measured with a
session that has run a Python job before.
"""

from __future__ import annotations

import os
import random
import shutil
import time
from pathlib import Path

from bench.brokers import Broker, create_topic, tenure
from bench.figures import Figure, Sample
from bench.pipelines.application import application
from bench.records import write
from tenure.pipeline.output.files import LocalFiles
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.state.kept_lanes import kept_lanes
from tenure.protocol.batches import encode_batch
from tenure.protocol.messages import PartitionProduceData, ProduceRequest, TopicProduceData
from tenure.protocol.records import Record
from tenure.protocol.types import GroupId, PartitionId, TopicName
from tests.wire import Wire

WARM_S_MAX = 1.0
VALUE_BYTES = 1_000
KEYS = 1_000_000
PER_BATCH = 900
BATCH_RECORDS_MAX = 250_000
"""Records in a batch of the pipeline that fills the state."""
TOPIC = "large"


def measure(directory: Path, quick: bool) -> list[Figure]:
    rounds, keys = (1, 20_000) if quick else (3, KEYS)
    return restarts(directory, rounds, keys)


def measure_large(directory: Path, quick: bool) -> list[Figure]:
    """Measure with ten times as much state."""
    return restarts(directory, 1, 200_000 if quick else 10 * KEYS)


def restarts(directory: Path, rounds: int, keys: int) -> list[Figure]:
    host, scratch = directory / "host", directory / "run"
    warm: list[float] = []
    new: list[float] = []
    cold: list[float] = []
    copied: list[float] = []
    with tenure(directory / "broker", group_initial_rebalance_delay_ms="0") as broker:
        create_topic(broker, TOPIC, 1)
        produce(broker, range(keys))
        with application("ours", scratch, address=broker.address, temporary=str(host)) as first:
            first.ask("counted", topic=TOPIC, function="keep", tasks=1, max_records=min(keys // 4, BATCH_RECORDS_MAX))
        size = state_bytes(scratch)
        for number in range(rounds):
            warm.append(restart_s(broker, scratch, host, python=True))
            new.append(restart_s(broker, scratch, host))
            drop_from_memory(scratch)
            copied.append(copy_s(scratch, directory / "copied"))
            drop_from_memory(scratch)
            cold.append(restart_s(broker, scratch, directory / f"host-{number}", python=True))
    what = f"restart with {size / 1e9:.2g} GB of state in a lane, until the first commit"
    return [
        Figure(f"{what}: warm host", "s", Sample.of(warm), WARM_S_MAX, less_is_better=True),
        Figure("... in a session that has not run Python", "s", Sample.of(new), less_is_better=True),
        Figure(
            "... cold host", "s", Sample.of(cold), less_is_better=True, peer="a copy of it", theirs=Sample.of(copied)
        ),
    ]


def produce(broker: Broker, keys: range) -> None:
    drawn = random.Random(keys.start)
    now_ms = int(time.time() * 1000)
    with Wire(broker.host, broker.port) as wire:
        for first in range(keys.start, keys.stop, PER_BATCH):
            some = range(first, min(first + PER_BATCH, keys.stop))
            records = [
                Record(n, now_ms, f"key-{key}".encode(), drawn.randbytes(VALUE_BYTES), []) for n, key in enumerate(some)
            ]
            data = TopicProduceData(
                name=TopicName(TOPIC), partition_data=[PartitionProduceData(PartitionId(0), encode_batch(records))]
            )
            write(wire, ProduceRequest(acks=-1, timeout_ms=10_000, topic_data=[data]), f"{TOPIC}-0")


def restart_s(broker: Broker, scratch: Path, host: Path, *, python: bool = False) -> float:
    """Produce one more record, and return the seconds until an application commits it.

    With `python`, its Spark session has run a Python job before.
    """
    produce(broker, range(1))
    with application("ours", scratch, address=broker.address, temporary=str(host)) as restarted:
        if python:
            restarted.ask("run_python")
        seconds: float = restarted.ask("followed", topic=TOPIC, function="keep", max_records=1_000, records=1)[
            "seconds"
        ]
    return seconds


def state_files(scratch: Path) -> list[Path]:
    """Return the state files in the lane's last manifest; others remain until they are swept."""
    layout = Layout.of(GroupId(f"{TOPIC}-{scratch.name}"), str(scratch / TOPIC))
    (kept,) = kept_lanes(LocalFiles(), layout).all()
    return [Path(layout.state_directory(kept.lane), file.name) for file in kept.manifest.state.files]


def state_bytes(scratch: Path) -> int:
    return sum(path.stat().st_size for path in state_files(scratch))


def drop_from_memory(scratch: Path) -> None:
    for path in state_files(scratch):
        descriptor = os.open(path, os.O_RDONLY)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(descriptor)


def copy_s(scratch: Path, target: Path) -> float:
    target.mkdir()
    started = time.monotonic()
    for path in state_files(scratch):
        shutil.copyfile(path, target / path.name)
    seconds = time.monotonic() - started
    shutil.rmtree(target)
    return seconds
