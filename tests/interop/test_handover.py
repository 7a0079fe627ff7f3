"""Tenure and Apache Kafka run on the same data directory in turn; for clients one broker restarts."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from confluent_kafka import Consumer

from tenure.protocol.batches import decode_records, read_batches
from tenure.protocol.coordinator_logs.consumer_offsets import OffsetCommitKey, OffsetCommitValue
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import DescribeGroupsRequest
from tenure.protocol.types import GroupId
from tests.consumer_offsets import epochs, generations, history, log_of
from tests.interop import payers
from tests.interop.group_of_three import GroupOfThree, group_of_three
from tests.interop.java_clients import JavaClients, java_clients, java_group
from tests.interop.producing import TIMEOUT_S, create_topic, produce
from tests.interop.shared_directory import SharedDirectory, shared_directory
from tests.interop.spark_copy import GROUP, spark_copy
from tests.interop.steady_producer import steady_producer
from tests.metadata_shell import assert_metadata_shell_finds
from tests.oracle.conftest import require_kafka
from tests.wire import Wire

PARTITIONS = 6
RECORDS = 60
ROUNDS = int(os.environ.get("TENURE_HANDOVER_ROUNDS", "1"))
"""Hand-overs in each direction after clean stops, and as many after `kill -9`; `make handover` does three."""
KIP_848 = "confluent-kafka, KIP-848"
JAVA_CONFIG = {"metadata_recovery_strategy": "none", "default_api_timeout_ms": "300000"}
"""By default a consumer of Java forgets its topics when it reaches no broker (KIP-899): the leader then joins again, as
it also does after a restart of Apache Kafka. Its commits are retried for longer than Apache Kafka takes to start."""
CONSUMER_PROTOCOL = {"group_protocol": "consumer"} | dict.fromkeys(
    ("session_timeout_ms", "heartbeat_interval_ms", "partition_assignment_strategy")
)
CLASSIC_GROUPS = ("classic", "ours", "java")
LOADING = (
    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
    ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.NOT_COORDINATOR,
)
CONSUMER_GROUPS = ("modern", "modern-java")
"""Groups of the consumer protocol."""

pytestmark = [pytest.mark.interop, pytest.mark.oracle]


@pytest.mark.timeout(300 + 300 * ROUNDS)  # Apache Kafka starts twice in each round
def test_handover__to_apache_kafka_and_back_after_clean_stops_and_kills__same_partitions_and_each_record_once(
    tmp_path: Path,
) -> None:
    require_kafka()
    with shared_directory(tmp_path) as shared, java_clients(shared.address, new_directory(tmp_path / "java")) as java:
        for topic, partitions in {"work": PARTITIONS, "stream": PARTITIONS, payers.TOPIC: 1}.items():
            create_topic(shared.address, topic, partitions)
        with (
            spark_copy(shared.address, "stream", new_directory(tmp_path / "spark")) as copy,
            groups_that_read_work(shared.address, tmp_path) as work_groups,
            groups_that_read_stream(java) as stream_groups,
            payers.payers(shared.address, java) as producers,
            steady_producer(shared.address, "stream") as steady,
        ):
            groups = [*work_groups, *stream_groups]
            for group in groups:
                group.wait_until_shared(PARTITIONS)
            copy.wait_until_copied(steady.written())
            assignments = [group.assignments for group in groups]
            before = rebalances(shared)
            written = produce("confluent-kafka", shared.address, "work", RECORDS)
            wait_until_read(work_groups, written)
            payments: list[str] = []
            for hand_over in hand_overs(shared):
                for payer in producers:
                    payments.append(f"{hand_over.name} {payer.name}")
                    payer.begin(payments[-1])
                hand_over.end()
                hand_over.start()
                wait_until_coordinator_is_loaded(shared)
                for payer in producers:
                    payer.finish()
                more = produce("confluent-kafka", shared.address, "work", RECORDS)
                assert not more & written, "no offset is used twice"
                written |= more
                wait_until_read(work_groups, written)
                wait_until_read(stream_groups, steady.written())
                assert [group.assignments for group in groups] == assignments
                assert rebalances(shared) == before
            steady.stop()
            wait_until_read(stream_groups, steady.written())
            copy.wait_until_copied(steady.written())
        assert sorted(copy.copied()) == sorted(steady.written())
        assert records_in(shared, "stream") == sorted(steady.written())
        assert records_in(shared, "work") == sorted(written)
        assert not set().union(*(group.read_again for group in groups))
        assert committed_payments(shared.address, len(payments)) == sorted(payments)
        for group_id in (*CLASSIC_GROUPS, *CONSUMER_GROUPS, GROUP):
            assert_commits_never_decrease(shared, group_id)
        shared.stop()
        assert_tools_read(java, shared)


class HandOver(NamedTuple):
    """End of one broker and start of the other one."""

    name: str
    end: Callable[[], None]
    start: Callable[[], None]


def hand_overs(shared: SharedDirectory) -> Iterator[HandOver]:
    for number in range(ROUNDS):
        for ending, end in {"stopped": shared.stop, "killed": shared.kill}.items():
            for successor, start in {"Apache Kafka": shared.start_kafka, "Tenure": shared.start_tenure}.items():
                yield HandOver(f"{number} {ending} {successor}", end, start)


@contextmanager
def groups_that_read_work(address: str, directory: Path) -> Iterator[list[GroupOfThree[Any]]]:
    """Yield groups whose members have committed everything when a broker ends.

    Otherwise members end with the failure of a commit; once a consumer of librdkafka (2.16) did not continue.
    """
    logs = [new_directory(directory / name) for name in ("classic", "ours", "modern")]
    with (
        group_of_three("confluent-kafka", address, "classic", "work", logs[0]) as classic,
        group_of_three("tenure", address, "ours", "work", logs[1]) as ours,
        group_of_three(KIP_848, address, "modern", "work", logs[2]) as modern,
    ):
        yield [classic, ours, modern]


@contextmanager
def groups_that_read_stream(java: JavaClients) -> Iterator[list[GroupOfThree[Any]]]:
    """Yield groups whose members read and commit all the time."""
    with (
        java_group(java, "java", "stream", instances="123456", **JAVA_CONFIG) as classic,
        java_group(java, "modern-java", "stream", **CONSUMER_PROTOCOL, **JAVA_CONFIG) as modern,
    ):
        yield [classic, modern]


def wait_until_coordinator_is_loaded(shared: SharedDirectory) -> None:
    """Wait until the group coordinator answers for its groups. Before that, members of librdkafka get no records.

    Apache Kafka answers NOT_COORDINATOR while it starts. After this answer to a commit, librdkafka (2.16) closes its
    connection to the coordinator, and repeats the commit after 100 ms. But its FindCoordinator waits behind a Fetch of
    up to 500 ms. The commit then fails when the address of the coordinator is set, which closes the next connection,
    too, and so on. Meanwhile the member sends no heartbeat, perhaps until its session ends.
    """
    deadline_s = time.monotonic() + TIMEOUT_S
    with Wire(shared.host, shared.port) as wire:
        while (
            error_code := wire.ask(DescribeGroupsRequest([GroupId(CLASSIC_GROUPS[0])])).groups[0].error_code
        ) in LOADING:
            assert time.monotonic() < deadline_s, f"the coordinator answers {ErrorCode(error_code).name}"
            time.sleep(0.02)


def wait_until_read(groups: list[GroupOfThree[Any]], expected: set[tuple[int, int]]) -> None:
    for group in groups:
        group.wait_until_read(expected)


def new_directory(directory: Path) -> Path:
    directory.mkdir()
    return directory


def rebalances(shared: SharedDirectory) -> tuple[list[list[int]], list[list[int]]]:
    """Return the generations of the classic groups and the epochs of the consumer groups.

    The pipeline is not among them: it joins again if it does not know the outcome of a commit (decision 4).
    """
    numbers = [generations(shared.host, shared.port, each) for each in CLASSIC_GROUPS]
    return numbers, [epochs(shared.host, shared.port, each) for each in CONSUMER_GROUPS]


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
    "stream-*": ["--print-data-log"],
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


def records_in(shared: SharedDirectory, topic: str) -> list[tuple[int, int]]:
    """Return partition and offset of each record in the logs of a topic, in order."""
    return [
        (partition, record.offset)
        for partition in range(PARTITIONS)
        for batch in read_batches(log_of(shared.host, shared.port, topic, partition))
        for record in decode_records(batch)
    ]


def committed_payments(address: str, count: int) -> list[str]:
    """Return the payments that readers of committed records see, sorted."""
    settings = {"bootstrap.servers": address, "group.id": "auditor", "auto.offset.reset": "earliest"}
    seen: list[str] = []
    with closing(Consumer(settings)) as consumer:
        consumer.subscribe([payers.TOPIC])
        while len(seen) < count:
            message = consumer.poll(TIMEOUT_S)
            assert message is not None, f"only {seen} within {TIMEOUT_S:.0f} s"
            if message.error() is None:
                seen.append(message.value().decode())
        assert consumer.poll(1.0) is None
    return sorted(seen)
