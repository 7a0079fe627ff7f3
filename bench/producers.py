"""Memory of the broker for open transactions, and memory that remains after their producers and ids have expired.

An allocator keeps some of the freed memory. So the same number of producers is created a second time, to see whether
this memory is used again.
"""

from __future__ import annotations

import time
from pathlib import Path

from bench.brokers import Broker, create_topic, pid_of, tenure
from bench.figures import Figure, Sample
from bench.memory import resident
from bench.transactions import OF_KIP_890, TOPIC, identified, requests, sent_step
from tenure.protocol.apis import ApiKey
from tenure.protocol.messages import (
    DescribeProducersRequest,
    DescribeProducersTopic,
    ListTransactionsRequest,
)
from tenure.protocol.types import PartitionId
from tests.wire import Wire

PRODUCERS = 10_000
KB_PER_PRODUCER_MAX = 3.0
KB_MORE_PER_PRODUCER_MAX = 0.5
EXPIRED_S = 300.0
PARTITION = PartitionId(0)
SETTINGS = {
    "tenure_coordinator_durability": "os",
    "transactional_id_expiration_ms": "1000",
    "transaction_remove_expired_transaction_cleanup_interval_ms": "1000",
    "producer_id_expiration_ms": "1000",
    "producer_id_expiration_check_interval_ms": "1000",
}
"""Settings by which ids expire in seconds instead of days."""


def measure(directory: Path, quick: bool) -> list[Figure]:
    size = 500 if quick else PRODUCERS
    runs = [memory_per_producer_kb(directory / f"run-{number}", size) for number in range(1 if quick else 3)]
    opened, left, more = (Sample.of(values) for values in zip(*runs, strict=True))
    bounds = (None, None) if quick else (KB_PER_PRODUCER_MAX, KB_MORE_PER_PRODUCER_MAX)
    return [
        Figure(f"memory of {size} open transactions, each", "KB", opened, bounds[0], less_is_better=True),
        Figure("... left when all have expired, of each", "KB", left),
        Figure("... left beside that by as many more, of each", "KB", more, bounds[1], less_is_better=True),
    ]


def memory_per_producer_kb(directory: Path, size: int) -> tuple[float, float, float]:
    """Return three figures of memory per producer in KB.

    With all transactions open; kept after all producers have expired; additionally kept after as many more have
    expired.
    """
    with tenure(directory, **SETTINGS) as broker:
        create_topic(broker, TOPIC, 1)
        run_producers(broker, "warm-up", 1)
        before = resident(pid_of(broker))
        opened = run_producers(broker, "first", size) - before
        expired = resident(pid_of(broker))
        run_producers(broker, "second", size)
        more = resident(pid_of(broker)) - expired
        return opened / 1e3 / size, (expired - before) / 1e3 / size, more / 1e3 / size


def run_producers(broker: Broker, name: str, size: int) -> int:
    """Let `size` producers begin and end a transaction, and expire; return the memory with all transactions open."""
    with Wire(broker.host, broker.port) as wire:
        open_ones = [begun(wire, f"{name}-{number}") for number in range(size)]
        opened = resident(pid_of(broker))
        for transactional_id, identity in open_ones:
            step(wire, transactional_id, identity, ApiKey.END_TXN)
        until_expired(wire)
        return opened


def begun(wire: Wire, transactional_id: str) -> tuple[str, tuple[int, int]]:
    identity = identified(wire, transactional_id)
    step(wire, transactional_id, identity, ApiKey.PRODUCE)
    return transactional_id, identity


def step(wire: Wire, transactional_id: str, identity: tuple[int, int], key: ApiKey) -> None:
    sent_step(wire, requests(transactional_id, PARTITION)[key], OF_KIP_890[key], identity)


def until_expired(wire: Wire) -> None:
    """Wait until neither the coordinator nor the partition remembers a producer."""
    deadline = time.monotonic() + EXPIRED_S
    of_partition = DescribeProducersRequest([DescribeProducersTopic(TOPIC, [PARTITION])])
    while (
        wire.ask(ListTransactionsRequest()).transaction_states
        or wire.ask(of_partition).topics[0].partitions[0].active_producers
    ):
        assert time.monotonic() < deadline, f"there are producers after {EXPIRED_S:.0f} s"
        time.sleep(0.1)
