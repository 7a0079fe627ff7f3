"""Groups of Tenure's members and those of other clients, on Tenure's broker and on Apache Kafka.

The others are Java's, librdkafka's, kafka-python's and aiokafka's; with KIP-848 Java's and librdkafka's. The first
member leads. Members join, restart, leave and crash. At the end every partition has one owner, according to the members
and to the coordinator, and every record is read. kafka-python and aiokafka send their leader version 0 and 1 of the
subscription; Tenure's members and Java's send version 3.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from tests.apache_kafka import apache_kafka
from tests.consumer_offsets import generations
from tests.interop.group_of_three import HEARTBEAT_INTERVAL_MS
from tests.interop.java_clients import JavaClients, java_clients
from tests.interop.mixed_group import MixedGroup, mixed_group
from tests.interop.producing import create_topic, produce
from tests.oracle.conftest import require_kafka, wait_for_coordinator
from tests.serving import serving

PARTITIONS = 8
RECORDS = 120
NUMBERS = itertools.count(1)
SETTINGS = {
    "offsets.topic.num.partitions": "1",
    "group.min.session.timeout.ms": "1000",
    "group.initial.rebalance.delay.ms": "0",
    "group.consumer.session.timeout.ms": "30000",
    "group.consumer.heartbeat.interval.ms": str(HEARTBEAT_INTERVAL_MS),
    "group.consumer.assignment.interval.ms": "0",
}
KAFKAS_BOUNDS = {"group.consumer.min.session.timeout.ms": "1000", "group.consumer.min.heartbeat.interval.ms": "100"}
EAGER = ("tenure", "static-tenure", "static-java", "librdkafka", "kafka-python", "aiokafka")
WITHOUT_LIBRDKAFKA = tuple(name for name in EAGER if name != "librdkafka")
CONSUMER_PROTOCOL = ("static-tenure", "tenure", "static-java", "java", "static-librdkafka", "librdkafka")
COOPERATIVE = tuple(name for name in EAGER if name != "aiokafka")

pytestmark = [
    pytest.mark.interop,
    pytest.mark.oracle,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # raised within the libraries
]


@pytest.fixture(scope="module")
def addresses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Yield the addresses of both brokers."""
    require_kafka()
    directory = tmp_path_factory.mktemp("brokers")
    ours = serving(directory, *(f"{key}={value}" for key, value in SETTINGS.items()))
    with ours as tenure, apache_kafka(directory / "kafka", settings=SETTINGS | KAFKAS_BOUNDS) as kafka:
        wait_for_coordinator(kafka.host, kafka.port)
        yield {"tenure": tenure.address, "kafka": kafka.address}


@pytest.fixture(scope="module")
def java(tmp_path_factory: pytest.TempPathFactory) -> Iterator[JavaClients]:
    """Yield one JVM for both brokers; each member gets the address of its own."""
    require_kafka()
    with java_clients("127.0.0.1:0", tmp_path_factory.mktemp("java")) as java:
        yield java


@pytest.mark.parametrize(
    ("assignor", "members", "leader"),
    [
        ("range", EAGER, "static-tenure"),
        ("roundrobin", EAGER, "aiokafka"),
        ("sticky", WITHOUT_LIBRDKAFKA, "tenure"),
        ("cooperative-sticky", COOPERATIVE, "tenure"),
        ("cooperative-sticky", COOPERATIVE, "librdkafka"),
    ],
)
def test_members_of_five_libraries__join_restart_crash_and_leave__one_owner_per_partition_and_all_records_read(
    addresses: dict[str, str], java: JavaClients, tmp_path: Path, assignor: str, members: tuple[str, ...], leader: str
) -> None:
    def run(group: AbstractContextManager[MixedGroup], address: str) -> None:
        run_classic_group(group, address, members, leader)

    on_both(addresses, java, tmp_path, assignor, run)


def test_members_of_the_consumer_protocol__join_restart_crash_and_leave__one_owner_per_partition(
    addresses: dict[str, str], java: JavaClients, tmp_path: Path
) -> None:
    on_both(addresses, java, tmp_path, "", run_consumer_group)


def on_both(
    addresses: dict[str, str],
    java: JavaClients,
    directory: Path,
    assignor: str,
    run: Callable[[AbstractContextManager[MixedGroup], str], None],
) -> None:
    """Run two groups at the same time, one on each broker, because they mostly wait."""
    with ThreadPoolExecutor() as pool:
        runs = []
        for broker, address in addresses.items():
            name = f"{broker}-{assignor or 'kip-848'}-{next(NUMBERS)}"
            logs = directory / broker
            logs.mkdir()
            create_topic(address, name, PARTITIONS)
            group = mixed_group(address, java, name, name, assignor, PARTITIONS, logs)
            runs.append(pool.submit(run, group, address))
    for one in runs:
        one.result()


def run_classic_group(
    group_of_five: AbstractContextManager[MixedGroup], address: str, members: tuple[str, ...], leader: str
) -> None:
    host, _, port = address.rpartition(":")
    with group_of_five as group:
        group.join(leader)
        group.wait_until_shared()
        group.join(*(member for member in members if member != leader))
        group.wait_until_shared()
        assert group.leader == leader
        written = produce("confluent-kafka", address, group.name, RECORDS)
        group.wait_until_read(written)

        assignments, before = group.assignments, generations(host, int(port), group.name)
        for member in ("static-tenure", "static-java"):
            group.restart(member)
            group.wait_until_shared()
        assert (group.assignments, generations(host, int(port), group.name)) == (assignments, before)

        group.crash(leader)
        group.stop("kafka-python")
        written |= produce("confluent-kafka", address, group.name, RECORDS)
        group.wait_until_shared()
        assert group.leader != leader
        group.join(leader, "kafka-python")
        group.wait_until_shared()
        written |= produce("confluent-kafka", address, group.name, RECORDS)
        group.wait_until_read(written)


def run_consumer_group(group_of_three: AbstractContextManager[MixedGroup], address: str) -> None:
    with group_of_three as group:
        group.join("tenure")
        group.wait_until_shared()
        group.join(*(member for member in CONSUMER_PROTOCOL if member != "tenure"))
        group.wait_until_shared()
        written = produce("confluent-kafka", address, group.name, RECORDS)
        group.wait_until_read(written)

        assignments = group.assignments
        for member in ("static-tenure", "static-java", "static-librdkafka"):
            group.restart(member)
            group.wait_until_shared()
            assert group.assignments == assignments
        group.crash("static-tenure")
        group.join("static-tenure")  # takes over its instance id
        group.wait_until_shared()
        assert group.assignments == assignments

        group.crash("tenure")
        group.stop("java")
        group.stop("librdkafka")
        written |= produce("confluent-kafka", address, group.name, RECORDS)
        group.wait_until_shared()
        group.join("librdkafka", "java", "tenure")
        group.wait_until_shared()
        written |= produce("confluent-kafka", address, group.name, RECORDS)
        group.wait_until_read(written)
