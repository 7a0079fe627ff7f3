"""Tenure and Apache Kafka serve the same data directory in turn; clients only see a broker that restarts."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import Consumer, Producer

from tenure.protocol.batches import read_batches
from tenure.protocol.coordinator_logs.consumer_offsets import OffsetCommitKey, OffsetCommitValue
from tests.consumer_offsets import epochs, generations, history
from tests.interop.group_of_three import GroupOfThree, group_of_three
from tests.interop.java_clients import JavaClients, java_clients, java_group
from tests.interop.producing import PATIENCE_S, create_topic, produce
from tests.interop.shared_directory import SharedDirectory, shared_directory
from tests.metadata_shell import assert_metadata_shell_finds
from tests.oracle.conftest import require_kafka

PARTITIONS = 6
RECORDS = 60
ROUNDS = 3
KIP_848 = "confluent-kafka, KIP-848"
KEEP_METADATA = {"metadata_recovery_strategy": "none"}
"""By default a consumer of Java forgets its topics when it reaches no broker (KIP-899): the leader then joins again, as
it also does after a restart of Apache Kafka."""
CLASSIC = ("classic", "ours", "java")
MODERN = "modern"
"""Names of the groups of both protocols."""

pytestmark = [pytest.mark.interop, pytest.mark.oracle]


@pytest.mark.timeout(600)  # Apache Kafka starts three times
@pytest.mark.parametrize("end", [SharedDirectory.stop, SharedDirectory.kill], ids=["clean", "killed"])
def test_handover__three_times_to_apache_kafka_and_back__same_seats_and_each_record_once(
    end: Callable[[SharedDirectory], None], tmp_path: Path
) -> None:
    require_kafka()
    payments = ["before"]
    with shared_directory(tmp_path) as shared, java_clients(shared.address, made(tmp_path / "java")) as java:
        create_topic(shared.address, "work", PARTITIONS)
        create_topic(shared.address, "payments", 1)
        payer = Payer(shared.address)
        with (
            group_of_three("confluent-kafka", shared.address, "classic", "work", made(tmp_path / "classic")) as classic,
            group_of_three(KIP_848, shared.address, MODERN, "work", made(tmp_path / "modern")) as modern,
            group_of_three("tenure", shared.address, "ours", "work", made(tmp_path / "ours")) as ours,
            java_group(java, "java", "work", **KEEP_METADATA) as javas,
        ):
            groups: list[GroupOfThree[Any]] = [classic, modern, ours, javas]
            for group in groups:
                group.wait_until_shared(PARTITIONS)
                group.wait("all have two", lambda group=group: all(len(one.assigned) == 2 for one in group.members))  # type: ignore[misc]
            seats = [group.seats for group in groups]
            before = rebalances(shared)
            written = produce("confluent-kafka", shared.address, "work", RECORDS)
            payer.pay("before")
            for number in range(ROUNDS):
                for name, start in {"Apache Kafka": shared.start_kafka, "Tenure": shared.start_tenure}.items():
                    payments.append(f"{name} {number}")
                    payer.begin(payments[-1])
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
        assert not set().union(*(group.read_again for group in groups))
        assert len(written) == (1 + 2 * ROUNDS) * RECORDS
        assert committed_payments(shared.address, len(payments)) == payments
        for group_id in (*CLASSIC, MODERN):
            assert_commits_never_decrease(shared, group_id)
        shared.stop()
        assert_tools_read(java, shared)


def made(directory: Path) -> Path:
    directory.mkdir()
    return directory


def rebalances(shared: SharedDirectory) -> tuple[list[list[int]], list[int]]:
    """Return the generations of the classic groups and the epochs of the consumer group."""
    return [generations(shared.host, shared.port, each) for each in CLASSIC], epochs(shared.host, shared.port, MODERN)


def assert_commits_never_decrease(shared: SharedDirectory, group_id: str) -> None:
    last: dict[int, int] = {}
    for key, value in history(shared.host, shared.port, group_id):
        if isinstance(key, OffsetCommitKey):
            assert isinstance(value, OffsetCommitValue), f"{key} was deleted"
            assert value.offset >= last.get(key.partition, 0), (key, value)
            last[key.partition] = value.offset
    assert len(last) == PARTITIONS


DECODERS = {
    "work-*": ["--print-data-log"],
    "payments-*": ["--print-data-log"],
    "__cluster_metadata-0": ["--cluster-metadata-decoder"],
    "__consumer_offsets-*": ["--offsets-decoder"],
    "__transaction_state-*": ["--transaction-log-decoder"],
}
"""Options of `kafka-dump-log.sh` by directories of logs."""


def assert_tools_read(java: JavaClients, shared: SharedDirectory) -> None:
    """Read the directory with `kafka-storage.sh info`, `kafka-metadata-shell.sh` and, each log, `kafka-dump-log.sh`."""
    printed = java.run("storage", "info", "-c", str(shared.properties))
    assert str(shared.data) in printed, printed
    assert "Found problem" not in printed, printed
    (metadata,) = shared.data.glob("__cluster_metadata-0/*.log")
    assert_metadata_shell_finds(metadata, partitions_of(shared.data))
    for name, decoder in DECODERS.items():
        segments = sorted(shared.data.glob(f"{name}/*.log"))
        assert segments, name
        printed = java.run("dump-log", "--files", ",".join(map(str, segments)), "--deep-iteration", *decoder)
        batches = sum(len(list(read_batches(segment.read_bytes()))) for segment in segments)
        assert printed.count("isvalid: true") == batches, printed
        assert not re.search("could not|corrupt|mismatch|exception", printed, re.IGNORECASE), printed


def partitions_of(data: Path) -> set[str]:
    """Return the partitions (`TOPIC/NUMBER`) whose logs are in a data directory."""
    logs = {log.parent.name for log in data.glob("*-*/*.log")} - {"__cluster_metadata-0"}
    return {"/".join(name.rsplit("-", 1)) for name in logs}


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


def committed_payments(address: str, count: int) -> list[str]:
    """Return the payments that readers of committed records see."""
    settings = {"bootstrap.servers": address, "group.id": "auditor", "auto.offset.reset": "earliest"}
    seen: list[str] = []
    with closing(Consumer(settings)) as consumer:
        consumer.subscribe(["payments"])
        while len(seen) < count:
            message = consumer.poll(PATIENCE_S)
            assert message is not None, f"only {seen} within {PATIENCE_S:.0f} s"
            if message.error() is None:
                seen.append(message.value().decode())
        assert consumer.poll(1.0) is None
    return seen
