"""The broker's own sockets beside the transports of the event loop, on asyncio's loop and on uvloop (decision 6).

Interpreted brokers only: the compiled connections call the compiled sockets directly. Processor time is that of the
broker's process, in user space and in the kernel. Instructions are those in user space, counted as by `instructions`,
so other load on the machine does not change them.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import psutil

from bench import steady_requests
from bench.brokers import Broker, pid_of, tenure
from bench.extent import FULL, QUICK, Extent
from bench.figures import Figure, Sample
from bench.instructions import count
from bench.load import Load, Rate, run
from bench.loop_transports import OWN, TRANSPORTS
from bench.members import COMMIT_VERSION, form, load, repeated
from bench.memory import resident
from bench.peers.venv import python
from bench.records import RECORDS_PER_BATCH, fill
from bench.steady_requests import CONNECTIONS, FETCH_VERSION
from tenure.protocol.messages import FetchPartition, FetchRequest, FetchTopic
from tenure.protocol.types import PartitionId, TopicName
from tests.wire import Wire

MANY_CONNECTIONS: Final = 1_000
ASYNCIO, UVLOOP = "asyncio", "uvloop"
SETTINGS: Final = {"tenure_coordinator_durability": "os", "group_max_session_timeout_ms": "1800000"}
SLOW_CLIENTS: Final = 20
SLOW_FETCH_BYTES: Final = 16_000_000
"""Size of the response that a slow client requests and does not read."""


class Variant(NamedTuple):
    sockets: str
    loop: str

    def command(self) -> str:
        """Return the command that runs Tenure with these sockets. Raises `Unavailable` if uvloop is not installed."""
        site = ""
        if self.loop == UVLOOP:
            (found,) = python(UVLOOP, UVLOOP).parent.parent.glob("lib/python*/site-packages")
            site = str(found)
        return f"{sys.executable} -m bench.loop_transports {self.sockets} '{site}'"


VARIANTS: Final = tuple(Variant(sockets, loop) for loop in (ASYNCIO, UVLOOP) for sockets in (OWN, TRANSPORTS))


class Kind(NamedTuple):
    """Requests of `load_of`; `connections` are the numbers of connections that send them."""

    what: str
    load_of: Callable[[Broker, int], Load]
    connections: tuple[int, ...] = (CONNECTIONS, MANY_CONNECTIONS)


def heartbeats(broker: Broker, connections: int) -> Load:
    return steady_requests.heartbeats(broker, f"beats-{connections}", connections)


def commits(broker: Broker, connections: int) -> Load:
    if connections == CONNECTIONS:  # A broker that is measured with both numbers has the topic already.
        return steady_requests.commits(broker)
    return load(broker, form(broker, f"commits-{connections}", connections).commits(), COMMIT_VERSION, 0)


def fetches(records: int, broker: Broker, connections: int) -> Load:
    """Fetch the same batch of `records` records from each connection, without a session."""
    topic = f"fetched-{records}-{connections}"
    fill(broker, topic, 1, records, records)
    return repeated(broker, [fetch_of(topic, 1)] * connections, FETCH_VERSION, 0)


def fetch_of(topic: str, bytes_max: int) -> FetchRequest:
    partition = FetchPartition(PartitionId(0), partition_max_bytes=bytes_max)
    return FetchRequest(session_epoch=-1, topics=[FetchTopic(topic=TopicName(topic), partitions=[partition])])


KINDS: Final = (
    Kind("heartbeat", heartbeats),
    Kind("offset commit", commits),
    Kind("fetch of ten records", partial(fetches, 10)),
    Kind("fetch of 0.8 MB", partial(fetches, RECORDS_PER_BATCH), (CONNECTIONS,)),
)


def measure(directory: Path, quick: bool) -> Iterator[Figure]:
    extent = QUICK if quick else FULL
    for kind in KINDS:
        yield from instructions(directory, kind, 20 if quick else 100)
    with contextlib.ExitStack() as running:
        brokers = {
            variant: running.enter_context(
                tenure(directory_of(directory, variant), launcher(directory, variant), **SETTINGS)
            )
            for variant in VARIANTS
        }
        for kind in KINDS:
            for connections in kind.connections[: 1 if quick else None]:
                yield from steady(brokers, kind, connections, extent)
        yield from unread_responses(brokers)


def directory_of(directory: Path, variant: Variant) -> Path:
    return directory / f"{variant.sockets}-{variant.loop}"


def launcher(directory: Path, variant: Variant) -> Path:
    """Write an executable file that takes the arguments of `python`."""
    path = directory / f"python-{variant.sockets}-{variant.loop}"
    path.write_text(f'#!/bin/sh\nexec {variant.command()} "$@"\n')
    path.chmod(0o755)
    return path


def instructions(directory: Path, kind: Kind, rounds: int) -> Iterator[Figure]:
    counted: dict[Variant, list[float]] = {}
    for variant in VARIANTS:
        name = f"{kind.what}-{variant.sockets}-{variant.loop}".replace(" ", "-")
        counts = count(
            directory / name, variant.command(), SETTINGS, lambda broker: kind.load_of(broker, CONNECTIONS), rounds
        )
        counted[variant] = [counts.instructions]
    yield from beside_loop(f"instructions per {kind.what}", "", counted)


class Measured(NamedTuple):
    rate: Rate
    processor_us: float
    """Processor time of the broker for each request, in microseconds."""


def steady(brokers: Mapping[Variant, Broker], kind: Kind, connections: int, extent: Extent) -> Iterator[Figure]:
    """Measure each variant in each round. Each connection waits for its answer before its next request."""
    loads = {
        variant: replace(kind.load_of(broker, connections), warm_up_s=0, seconds=extent.seconds)
        for variant, broker in brokers.items()
    }
    runs: dict[Variant, list[Measured]] = {variant: [] for variant in brokers}
    for number in extent.turns:
        for variant, of_variant in loads.items():
            measured = run_beside(brokers[variant], of_variant)
            if number:
                runs[variant].append(measured)
    what = f"{kind.what}, {connections:,} connections"
    processor = {variant: [one.processor_us for one in measured] for variant, measured in runs.items()}
    yield from beside_loop(f"processor time per {what}", "µs", processor)
    rates = {variant: [one.rate.per_second for one in measured] for variant, measured in runs.items()}
    yield from beside_loop(f"requests per second: {what}", "/s", rates, less_is_better=False)


def run_beside(broker: Broker, load: Load) -> Measured:
    """Run the load, and measure the processor time of the broker meanwhile."""
    process = psutil.Process(pid_of(broker))
    before = process.cpu_times()
    rate = run(load)
    after = process.cpu_times()
    used_s = after.user + after.system - before.user - before.system
    return Measured(rate, 1e6 * used_s / rate.count)


def unread_responses(brokers: Mapping[Variant, Broker]) -> Iterator[Figure]:
    grown: dict[Variant, list[float]] = {}
    for variant, broker in brokers.items():
        fill(broker, "unread", 1, SLOW_FETCH_BYTES // 100, RECORDS_PER_BATCH)
        with contextlib.ExitStack() as clients:
            before_bytes = resident(pid_of(broker))
            for _ in range(SLOW_CLIENTS):
                wire = clients.enter_context(Wire(broker.host, broker.port))
                wire.send(fetch_of("unread", SLOW_FETCH_BYTES), FETCH_VERSION)
            grown[variant] = [max(0.0, (resident(pid_of(broker)) - before_bytes) / 1e6)]
    size = SLOW_FETCH_BYTES // 1_000_000
    for figure in beside_loop(f"memory for {SLOW_CLIENTS} clients that do not read {size} MB each", "MB", grown):
        figure.remarks.append("above queued.max.request.bytes, by default 64 MiB, fetches of other clients wait")
        yield figure


def beside_loop(
    what: str, unit: str, values: Mapping[Variant, list[float]], *, less_is_better: bool = True
) -> Iterator[Figure]:
    """Compare the own sockets with the loop's transports, on each loop."""
    for loop in (ASYNCIO, UVLOOP):
        ours, theirs = Sample.of(values[Variant(OWN, loop)]), Sample.of(values[Variant(TRANSPORTS, loop)])
        peer = f"transports of {loop}"
        yield Figure(f"{what}, {loop}", unit, ours, less_is_better=less_is_better, peer=peer, theirs=theirs)
