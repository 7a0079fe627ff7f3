"""Transactional producers of each library: each aborts a transaction, and leaves the next one open for a while."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, Protocol

import confluent_kafka

from tenure.client import Producer
from tests.interop.java_clients import JavaClients
from tests.interop.producing import TIMEOUT_S

TOPIC: Final = "payments"
SETTINGS: Final = {"transaction.timeout.ms": 300_000}
"""Transactions stay open longer than a busy machine needs to start Apache Kafka."""


class Payer(Protocol):
    name: str

    def begin(self, payment: str) -> None:
        """Abort a transaction with a record, then begin one with the payment."""

    def finish(self) -> None:
        """Commit the transaction."""


class LibrdkafkaPayer:
    name = "librdkafka"

    def __init__(self, address: str) -> None:
        self._producer = confluent_kafka.Producer(
            {"bootstrap.servers": address, "transactional.id": f"payer-{self.name}", **SETTINGS}
        )
        self._producer.init_transactions(TIMEOUT_S)

    def begin(self, payment: str) -> None:
        self._producer.begin_transaction()
        self._producer.produce(TOPIC, f"not {payment}")
        self._producer.flush(TIMEOUT_S)
        self._producer.abort_transaction(TIMEOUT_S)
        self._producer.begin_transaction()
        self._producer.produce(TOPIC, payment)
        assert self._producer.flush(TIMEOUT_S) == 0

    def finish(self) -> None:
        self._producer.commit_transaction(TIMEOUT_S)


class OwnPayer:
    name = "tenure"

    def __init__(self, producer: Producer) -> None:
        self._producer = producer
        producer.init_transactions()

    def begin(self, payment: str) -> None:
        self._producer.begin_transaction()
        self._producer.send(TOPIC, None, f"not {payment}".encode())
        self._producer.flush()
        self._producer.abort_transaction()
        self._producer.begin_transaction()
        self._producer.send(TOPIC, None, payment.encode())
        self._producer.flush()

    def finish(self) -> None:
        self._producer.commit_transaction()


class JavaPayer:
    name = "java"

    def __init__(self, java: JavaClients) -> None:
        self._java = java

    def begin(self, payment: str) -> None:
        self._ask("begin", topic=TOPIC, payment=payment)

    def finish(self) -> None:
        self._ask("finish")

    def _ask(self, do: str, **what: str) -> None:
        answer = self._java.ask(do, **what)
        assert "refused" not in answer, answer


@contextmanager
def payers(address: str, java: JavaClients) -> Iterator[list[Payer]]:
    with Producer({"bootstrap.servers": address, "transactional.id": "payer-tenure", **SETTINGS}) as own:
        yield [LibrdkafkaPayer(address), OwnPayer(own), JavaPayer(java)]
