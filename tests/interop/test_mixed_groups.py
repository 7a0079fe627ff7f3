"""Our members share groups with Java's, librdkafka's, kafka-python's and aiokafka's, on our broker and on Apache Kafka.

Whoever comes first leads. Whatever happens then (members join, restart, leave, crash), every partition ends with one
owner, by what the members say and by what the coordinator says, and every record is read. kafka-python and aiokafka
tell their leader what they know in version 0 and 1 of the subscription; ours and Java's in version 3.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.apache_kafka import apache_kafka
from tests.consumer_offsets import generations
from tests.interop.java_clients import JavaClients, java_clients
from tests.interop.mixed_group import mixed_group
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
}
EAGER = ("tenure", "static-tenure", "static-java", "librdkafka", "kafka-python", "aiokafka")
NO_LIBRDKAFKA = tuple(name for name in EAGER if name != "librdkafka")
COOPERATIVE = tuple(name for name in EAGER if name != "aiokafka")

pytestmark = [
    pytest.mark.interop,
    pytest.mark.oracle,
    pytest.mark.timeout(180),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # the libraries' own affair
]


@pytest.fixture(scope="module", params=["tenure", "kafka"])
def address(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    require_kafka()  # Java's members come out of its jars, too
    directory = tmp_path_factory.mktemp(request.param)
    if request.param == "tenure":
        with serving(directory, *(f"{key}={value}" for key, value in SETTINGS.items())) as broker:
            yield broker.address
    else:
        with apache_kafka(directory, settings=SETTINGS) as broker:
            wait_for_coordinator(broker.host, broker.port)
            yield broker.address


@pytest.fixture(scope="module")
def java(tmp_path_factory: pytest.TempPathFactory) -> Iterator[JavaClients]:
    """One JVM for both brokers: each member is told its own."""
    require_kafka()
    with java_clients("127.0.0.1:0", tmp_path_factory.mktemp("java")) as java:
        yield java


@pytest.mark.parametrize(
    ("assignor", "members", "leader"),
    [
        ("range", EAGER, "tenure"),
        ("roundrobin", EAGER, "aiokafka"),
        ("sticky", NO_LIBRDKAFKA, "tenure"),
        ("cooperative-sticky", COOPERATIVE, "tenure"),
        ("cooperative-sticky", COOPERATIVE, "librdkafka"),
    ],
)
def test_members_of_five_makes__join_restart_crash_and_leave__one_owner_each_and_nothing_unread(
    address: str, java: JavaClients, tmp_path: Path, assignor: str, members: tuple[str, ...], leader: str
) -> None:
    name = f"{assignor}-{next(NUMBERS)}"
    create_topic(address, name, PARTITIONS)
    with mixed_group(address, java, name, name, assignor, PARTITIONS, tmp_path) as group:
        group.join(leader)
        group.wait_until_shared()
        group.join(*(member for member in members if member != leader))
        group.wait_until_shared()
        assert group.leader == leader
        written = produce("confluent-kafka", address, name, RECORDS)
        group.wait_until_read(written)

        host, _, port = address.rpartition(":")
        seats, before = group.seats, generations(host, int(port), name)
        for member in ("static-tenure", "static-java"):
            group.bounce(member)
            group.wait_until_shared()
        assert (group.seats, generations(host, int(port), name)) == (seats, before)

        group.crash(leader)
        group.stop("kafka-python")
        written |= produce("confluent-kafka", address, name, RECORDS)
        group.wait_until_shared()
        assert group.leader != leader
        group.join(leader, "kafka-python")
        group.wait_until_shared()
        written |= produce("confluent-kafka", address, name, RECORDS)
        group.wait_until_read(written)
