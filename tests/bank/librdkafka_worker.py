"""Worker as in `worker.py`, but with librdkafka and directly connected to the broker."""

import random
import time
from collections.abc import Callable
from typing import Any, Final

from confluent_kafka import Consumer, KafkaException, Producer, TopicPartition

from tests.bank.worker import (
    ABORT_SHARE,
    HEARTBEAT_MS,
    RECORDS_AT_ONCE,
    SESSION_MS,
    TRANSACTION_TIMEOUT_MS,
    OutcomeFile,
    WorkerSettings,
    halves,
    work,
)
from tests.simulation.bank.entries import Transfer, TransferPosition, entered

TIMEOUT_S: Final = 10.0
POLL_INTERVAL_MS: Final = 10_000
"""Maximum poll interval. A worker that waits for the end of its transaction does not poll, and delays a rebalance for
up to this time."""
NO_REBOOTSTRAP: Final = "none"
"""Setting that turns re-bootstrap (KIP-899) off. While the only broker is down, a re-bootstrap removes it from the
producer's list of brokers. If it was the group's coordinator, `send_offsets_to_transaction` then waits without end,
whatever its timeout (issues 5511 and 5456 of librdkafka)."""


class Worker:
    def __init__(self, settings: WorkerSettings) -> None:
        self.settings: Final = settings
        self.random: Final = random.Random(settings.seed)
        self.record_outcome: Final = OutcomeFile(settings.outcome_file)
        self.transactions = 0
        seat = {} if settings.group_instance_id is None else {"group.instance.id": settings.group_instance_id}
        self.consumer: Final = Consumer({
            "bootstrap.servers": settings.address, "log_level": 0, "group.id": settings.group_id, **seat,
            "enable.auto.commit": False, "auto.offset.reset": "earliest", "isolation.level": "read_committed",
            "session.timeout.ms": SESSION_MS, "heartbeat.interval.ms": HEARTBEAT_MS,
            "max.poll.interval.ms": POLL_INTERVAL_MS,
        })  # fmt: skip
        self.producer: Final = Producer({
            "bootstrap.servers": settings.address, "log_level": 0, "transactional.id": settings.transactional_id,
            "transaction.timeout.ms": TRANSACTION_TIMEOUT_MS, "metadata.recovery.strategy": NO_REBOOTSTRAP,
        })  # fmt: skip

    def run(self) -> None:
        until_known(self.producer.init_transactions)
        self.consumer.subscribe([self.settings.transfers], on_assign=self.begin_at_committed)
        while True:
            found = self.consumer.consume(RECORDS_AT_ONCE, 0.2)
            for failed in [one for one in found if one.error() is not None and one.error().fatal()]:
                raise KafkaException(failed.error())
            records = [one for one in found if one.error() is None]
            if records:
                self.transact(records)

    def transact(self, records: list[Any]) -> None:
        self.transactions += 1
        name = f"{self.settings.name}/{self.transactions}"
        work = {
            TransferPosition(record.partition(), record.offset()): Transfer.decode(record.value()) for record in records
        }
        entries = entered(name, work, self.settings.entries_partitions)
        self.producer.begin_transaction()
        try:
            for half in halves(entries):
                for partition, entry in half:
                    self.producer.produce(self.settings.entries, entry.encode(), partition=partition)
                self.producer.flush(TIMEOUT_S)
                time.sleep(self.random.randrange(1 + self.settings.pause_ms_max) / 1_000)
            ends = {(one.topic(), one.partition()): one.offset() + 1 for one in records}
            offsets = [TopicPartition(*partition, offset) for partition, offset in ends.items()]
            who = self.consumer.consumer_group_metadata()
            until_known(lambda patience_s: self.producer.send_offsets_to_transaction(offsets, who, patience_s))
            commits = self.random.random() >= ABORT_SHARE
            if commits:
                until_known(self.producer.commit_transaction)
        except KafkaException as error:
            if not error.args[0].txn_requires_abort():
                raise
            commits = False
        if commits:
            self.record_outcome("committed", name, sum(map(len, entries.values())))
        else:
            until_known(self.producer.abort_transaction)
            self.record_outcome("aborted", name, 0)
            self.seek_to_committed()

    def begin_at_committed(self, _: Consumer, assigned: list[TopicPartition]) -> None:
        """Begin at the committed offsets, given as numbers.

        librdkafka requests the earliest offset by name. If the response arrives after a rebalance, it requests it again
        and returns to the earliest offset, even if a later one is committed by then.
        """
        self.consumer.assign(self.committed(assigned))

    def seek_to_committed(self) -> None:
        for committed in self.committed(self.consumer.assignment()):
            self.consumer.seek(committed)

    def committed(self, places: list[TopicPartition]) -> list[TopicPartition]:
        found = self.consumer.committed(places, timeout=TIMEOUT_S)
        for failed in [one for one in found if one.error is not None]:
            raise KafkaException(failed.error)
        return [TopicPartition(one.topic, one.partition, max(one.offset, 0)) for one in found]


def until_known(ask: Callable[[float], object]) -> None:
    while True:
        try:
            ask(TIMEOUT_S)
        except KafkaException as error:
            if error.args[0].retriable():
                continue
            raise
        return


if __name__ == "__main__":
    work(Worker, KafkaException)
