"""Process that enters transfers: it consumes, transforms and produces, only with `tenure.client`.

    python -m tests.bank.worker '{"address": "127.0.0.1:9092", ...}'

It sleeps in the middle of its transactions, so that faults happen there. It immediately writes each outcome that it
receives to a file, one per line. The process ends when its producer or its membership ends.
"""

import asyncio
import json
import os
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, NoReturn

from tenure.client import (
    ClientError,
    Consumer,
    ConsumerRecord,
    OffsetAndMetadata,
    Producer,
    TopicPartition,
    TransactionAbortable,
)
from tenure.client.errors import UnknownOutcome
from tests.simulation.bank.entries import Entry, Transfer, TransferPosition, entered

SESSION_MS: Final = 1_500
HEARTBEAT_MS: Final = 300
TRANSACTION_TIMEOUT_MS: Final = 4_000
CHANGES_ITS_MIND: Final = 0.1
ENDED: Final = 3
"""Exit status of a worker whose producer or membership has ended; Python's own status 1 means a bug."""
RECORDS_AT_ONCE: Final = 20


@dataclass(frozen=True)
class Orders:
    address: str
    name: str
    """Name of this process; no other one has it."""
    group_id: str
    group_protocol: str
    group_instance_id: str | None
    transactional_id: str
    transfers: str
    entries: str
    entries_partitions: int
    dawdles_ms: int
    line: int
    """Port of the line by which it reaches the broker; see `tests.bank.line`."""
    told: str
    """Path of the file for its results."""
    seed: int

    def encode(self) -> str:
        return json.dumps(vars(self))


class Told:
    """Writer of the worker's results, which are written as soon as they are known."""

    def __init__(self, path: str) -> None:
        self._file: Final = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def __call__(self, what: str, transaction: str, entries: int) -> None:
        os.write(self._file, f"{what} {transaction} {entries}\n".encode())


class Worker:
    def __init__(self, orders: Orders) -> None:
        goes_by(orders.line)
        self.orders: Final = orders
        self.random: Final = random.Random(orders.seed)
        self.tell: Final = Told(orders.told)
        self.transactions = 0
        common = {"bootstrap.servers": orders.address, "request.timeout.ms": 5_000}
        membership = {"group.id": orders.group_id, "group.protocol": orders.group_protocol}
        if orders.group_protocol == "classic":
            membership |= {"session.timeout.ms": SESSION_MS, "heartbeat.interval.ms": HEARTBEAT_MS}
        if orders.group_instance_id is not None:
            membership |= {"group.instance.id": orders.group_instance_id}
        self.consumer: Final = Consumer({
            **common, **membership, "enable.auto.commit": False, "auto.offset.reset": "earliest",
            "isolation.level": "read_committed", "max.poll.records": RECORDS_AT_ONCE,
        })  # fmt: skip
        self.producer: Final = Producer(
            {
                **common,
                "transactional.id": orders.transactional_id,
                "transaction.timeout.ms": TRANSACTION_TIMEOUT_MS,
            }
        )

    def run(self) -> None:
        self.producer.init_transactions()
        self.consumer.subscribe([self.orders.transfers])
        while True:
            records = self.consumer.poll(0.2)
            if records:
                self.transact(records)

    def transact(self, records: Sequence[ConsumerRecord]) -> None:
        self.transactions += 1
        name = f"{self.orders.name}/{self.transactions}"
        work = {
            TransferPosition(record.partition, record.offset): Transfer.decode(record.value or b"")
            for record in records
        }
        entries = entered(name, work, self.orders.entries_partitions)
        self.producer.begin_transaction()
        try:
            self.enter(name, entries, records)
            if self.random.random() < CHANGES_ITS_MIND:
                raise TransactionAbortable("it has changed its mind")
            self.until_known(self.producer.commit_transaction)
        except TransactionAbortable:
            self.until_known(self.producer.abort_transaction)
            self.tell("aborted", name, 0)
            self.go_back()
        else:
            self.tell("committed", name, sum(map(len, entries.values())))

    def enter(self, name: str, entries: dict[int, list[Entry]], records: Sequence[ConsumerRecord]) -> None:
        """Enter the payments, then the receipts, and flush each, so that half of a transfer is in the log first."""
        for half in halves(entries):
            for partition, entry in half:
                self.producer.send(self.orders.entries, None, entry.encode(), partition)
            self.producer.flush()
            time.sleep(self.random.randrange(1 + self.orders.dawdles_ms) / 1_000)
        ends = {TopicPartition(record.topic, record.partition): record.offset + 1 for record in records}
        offsets = {partition: OffsetAndMetadata(offset, name) for partition, offset in ends.items()}
        self.producer.send_offsets_to_transaction(offsets, self.consumer.group_metadata())

    def until_known(self, end: Callable[[], None]) -> None:
        """Repeat the end of a transaction until its answer arrives."""
        while True:
            try:
                end()
            except UnknownOutcome:
                continue
            return

    def go_back(self) -> None:
        """Seek to the committed offset of each partition that it owns."""
        assigned = self.consumer.assignment()
        for partition, committed in self.consumer.committed(assigned).items():
            if partition in self.consumer.assignment():
                self.consumer.seek(partition, 0 if committed is None else committed.offset)


def halves(entries: dict[int, list[Entry]]) -> Iterator[list[tuple[int, Entry]]]:
    """Yield the first half of each partition's entries, then the second."""
    for is_first in (True, False):
        yield [
            (partition, entry)
            for partition, some in entries.items()
            for entry in (some[: len(some) // 2] if is_first else some[len(some) // 2 :])
        ]


def goes_by(line: int) -> None:
    connect = asyncio.BaseEventLoop.create_connection

    async def by_line(loop: asyncio.BaseEventLoop, protocol: Any, _: str, __: int, **how: Any) -> Any:
        return await connect(loop, protocol, "127.0.0.1", line, **how)

    asyncio.BaseEventLoop.create_connection = by_line  # type: ignore[assignment]


def work(worker: Callable[[Orders], Any], ends: type[Exception]) -> NoReturn:
    """Work until an error of `ends` occurs."""
    orders = Orders(**json.loads(sys.argv[1]))
    try:
        worker(orders).run()
    except ends as error:
        print(f"{orders.name}: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
    os._exit(ENDED)  # without closing: its successor has to handle what it leaves open


if __name__ == "__main__":
    work(Worker, ClientError)
