"""Process that enters transfers: it consumes, transforms and produces, only with `tenure.client`.

    python -m tests.bank.worker '{"address": "127.0.0.1:9092", ...}'

It sleeps in the middle of its transactions, so that faults happen there. It immediately writes each outcome of a
transaction to a file, one per line. The process ends when its producer or its membership ends.
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
ABORT_SHARE: Final = 0.1
ENDED: Final = 3
"""Exit status of a worker whose producer or membership has ended; status 1 means an unexpected exception."""
RECORDS_AT_ONCE: Final = 20


@dataclass(frozen=True)
class WorkerSettings:
    """Settings of one worker's process, passed to it as JSON."""

    address: str
    name: str
    """Name of this process, unique in the run."""
    group_id: str
    group_protocol: str
    group_instance_id: str | None
    transactional_id: str
    transfers: str
    entries: str
    entries_partitions: int
    pause_ms_max: int
    line: int
    """Port of the proxy to the broker; see `tests.bank.line`."""
    outcome_file: str
    """Path of the file for the outcomes of its transactions."""
    seed: int

    def encode(self) -> str:
        return json.dumps(vars(self))


class OutcomeFile:
    """File of the outcomes of a worker's transactions, each written as soon as the worker knows it."""

    def __init__(self, path: str) -> None:
        self._file: Final = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def __call__(self, what: str, transaction: str, entries: int) -> None:
        os.write(self._file, f"{what} {transaction} {entries}\n".encode())


class Worker:
    def __init__(self, settings: WorkerSettings) -> None:
        connect_through(settings.line)
        self.settings: Final = settings
        self.random: Final = random.Random(settings.seed)
        self.record_outcome: Final = OutcomeFile(settings.outcome_file)
        self.transactions = 0
        common = {"bootstrap.servers": settings.address, "request.timeout.ms": 5_000}
        membership = {"group.id": settings.group_id, "group.protocol": settings.group_protocol}
        if settings.group_protocol == "classic":
            membership |= {"session.timeout.ms": SESSION_MS, "heartbeat.interval.ms": HEARTBEAT_MS}
        if settings.group_instance_id is not None:
            membership |= {"group.instance.id": settings.group_instance_id}
        self.consumer: Final = Consumer({
            **common, **membership, "enable.auto.commit": False, "auto.offset.reset": "earliest",
            "isolation.level": "read_committed", "max.poll.records": RECORDS_AT_ONCE,
        })  # fmt: skip
        self.producer: Final = Producer(
            {
                **common,
                "transactional.id": settings.transactional_id,
                "transaction.timeout.ms": TRANSACTION_TIMEOUT_MS,
            }
        )

    def run(self) -> None:
        self.producer.init_transactions()
        self.consumer.subscribe([self.settings.transfers])
        while True:
            records = self.consumer.poll(0.2)
            if records:
                self.transact(records)

    def transact(self, records: Sequence[ConsumerRecord]) -> None:
        self.transactions += 1
        name = f"{self.settings.name}/{self.transactions}"
        work = {
            TransferPosition(record.partition, record.offset): Transfer.decode(record.value or b"")
            for record in records
        }
        entries = entered(name, work, self.settings.entries_partitions)
        self.producer.begin_transaction()
        try:
            self.enter(name, entries, records)
            if self.random.random() < ABORT_SHARE:
                raise TransactionAbortable("the worker has decided to abort")
            self.until_known(self.producer.commit_transaction)
        except TransactionAbortable:
            self.until_known(self.producer.abort_transaction)
            self.record_outcome("aborted", name, 0)
            self.seek_to_committed()
        else:
            self.record_outcome("committed", name, sum(map(len, entries.values())))

    def enter(self, name: str, entries: dict[int, list[Entry]], records: Sequence[ConsumerRecord]) -> None:
        """Write and flush the payments first, so that the log contains half of each transfer for a while."""
        for half in halves(entries):
            for partition, entry in half:
                self.producer.send(self.settings.entries, None, entry.encode(), partition)
            self.producer.flush()
            time.sleep(self.random.randrange(1 + self.settings.pause_ms_max) / 1_000)
        ends = {TopicPartition(record.topic, record.partition): record.offset + 1 for record in records}
        offsets = {partition: OffsetAndMetadata(offset, name) for partition, offset in ends.items()}
        self.producer.send_offsets_to_transaction(offsets, self.consumer.group_metadata())

    def until_known(self, end: Callable[[], None]) -> None:
        """Call `end`, which commits or aborts the transaction, until its outcome is known."""
        while True:
            try:
                end()
            except UnknownOutcome:
                continue
            return

    def seek_to_committed(self) -> None:
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


def connect_through(line: int) -> None:
    """Open all connections of this process through the proxy at a port."""
    connect = asyncio.BaseEventLoop.create_connection

    async def by_line(loop: asyncio.BaseEventLoop, protocol: Any, _: str, __: int, **how: Any) -> Any:
        return await connect(loop, protocol, "127.0.0.1", line, **how)

    asyncio.BaseEventLoop.create_connection = by_line  # type: ignore[assignment]


def work(worker: Callable[[WorkerSettings], Any], ends: type[Exception]) -> NoReturn:
    """Run a worker until an error of a class in `ends` occurs, and end the process."""
    settings = WorkerSettings(**json.loads(sys.argv[1]))
    try:
        worker(settings).run()
    except ends as error:
        print(f"{settings.name}: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
    os._exit(ENDED)  # without closing the clients: the next process has to handle the open transaction


if __name__ == "__main__":
    work(Worker, ClientError)
