"""Tenure and Apache Kafka serve the same data directory in turn; clients only see a broker that restarts."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from confluent_kafka import Consumer, Producer

from tests.consumer_offsets import epochs, generations
from tests.interop.group_of_three import group_of_three
from tests.interop.producing import PATIENCE_S, create_topic, produce
from tests.interop.shared_directory import SharedDirectory, shared_directory
from tests.oracle.conftest import require_kafka

PARTITIONS = 6
RECORDS = 60
KIP_848 = "confluent-kafka, KIP-848"

pytestmark = [pytest.mark.interop, pytest.mark.oracle]


@pytest.mark.parametrize("end", [SharedDirectory.stop, SharedDirectory.kill], ids=["clean", "killed"])
def test_handover__there_and_back_under_static_members__same_seats_and_every_record_once(
    end: Callable[[SharedDirectory], None], tmp_path: Path
) -> None:
    require_kafka()
    (tmp_path / "classic").mkdir()
    (tmp_path / "consumer").mkdir()
    with shared_directory(tmp_path) as shared:
        create_topic(shared.address, "work", PARTITIONS)
        create_topic(shared.address, "payments", 1)
        payer = Payer(shared.address)
        with (
            group_of_three("confluent-kafka", shared.address, "classic", "work", tmp_path / "classic") as classic,
            group_of_three(KIP_848, shared.address, "modern", "work", tmp_path / "consumer") as modern,
        ):
            groups = [classic, modern]
            for group in groups:
                group.wait_until_shared(PARTITIONS)
            seats = [group.seats for group in groups]
            before = rebalances(shared)
            written = produce("confluent-kafka", shared.address, "work", RECORDS)
            payer.pay("before")
            for name, start in {"Apache Kafka": shared.start_kafka, "Tenure": shared.start_tenure}.items():
                payer.begin(name)
                end(shared)
                start()
                payer.finish()
                more = produce("confluent-kafka", shared.address, "work", RECORDS)
                assert not more & written, "no offset is used twice"
                written |= more
                for group in groups:
                    group.wait_until_read(written)
                assert [group.seats for group in groups] == seats
                assert rebalances(shared) == before
        assert len(written) == 3 * RECORDS
        assert committed_payments(shared.address) == ["before", "Apache Kafka", "Tenure"]


def rebalances(shared: SharedDirectory) -> tuple[list[int], list[int]]:
    """Return the generations of the classic group and the epochs of the consumer group."""
    return generations(shared.host, shared.port, "classic"), epochs(shared.host, shared.port, "modern")


class Payer:
    """Transactional producer, of whose transactions every second one is aborted."""

    def __init__(self, address: str) -> None:
        self._producer = Producer({"bootstrap.servers": address, "transactional.id": "payer"})
        self._producer.init_transactions(PATIENCE_S)

    def begin(self, payment: str) -> None:
        self._producer.begin_transaction()
        self._producer.produce("payments", f"not {payment}")
        self._producer.flush(PATIENCE_S)
        self._producer.abort_transaction(PATIENCE_S)
        self._producer.begin_transaction()
        self._producer.produce("payments", payment)
        assert self._producer.flush(PATIENCE_S) == 0

    def finish(self) -> None:
        self._producer.commit_transaction(PATIENCE_S)

    def pay(self, payment: str) -> None:
        self.begin(payment)
        self.finish()


def committed_payments(address: str) -> list[str]:
    """Return the payments that readers of committed records see."""
    settings = {"bootstrap.servers": address, "group.id": "auditor", "auto.offset.reset": "earliest"}
    seen: list[str] = []
    with closing(Consumer(settings)) as consumer:
        consumer.subscribe(["payments"])
        while len(seen) < 3:
            message = consumer.poll(PATIENCE_S)
            assert message is not None, f"only {seen} within {PATIENCE_S:.0f} s"
            if message.error() is None:
                seen.append(message.value().decode())
        assert consumer.poll(1.0) is None
    return seen
