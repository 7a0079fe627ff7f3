"""Moves over TLS and SASL to a cluster of two Apache Kafka brokers, and back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from tenure.admin import Admin
from tenure.testing import Broker
from tests.apache_kafka import ApacheKafka, free_ports, java, quick_jvm, wait_until_kafka_answers
from tests.move.moving import moving, rows
from tests.oracle.conftest import require_kafka
from tests.secured_kafka import config, secured_kafka

pytestmark = pytest.mark.oracle

PARTITIONS: Final = 4
RECORDS: Final = 50
TOPIC: Final = "orders"
COMMITTED: Final = {(TOPIC, 0): 3, (TOPIC, 3): 7}


@pytest.fixture(scope="module")
def secured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """Yield the settings of clients for a cluster of two brokers."""
    require_kafka()
    second = tmp_path_factory.mktemp("second")
    with secured_kafka(tmp_path_factory.mktemp("first")) as first, second_broker(first.kafka, second):
        yield config(first, "SASL_SSL", "SCRAM-SHA-256")


@contextmanager
def second_broker(first: ApacheKafka, directory: Path) -> Iterator[ApacheKafka]:
    """Run a broker that joins the cluster of another one, with the same listeners on other ports."""
    settings = read_properties(first.log_directory.parent / "server.properties")
    names = [listener.partition(":")[0] for listener in settings["advertised.listeners"].split(",")]
    ports = dict(zip(names, free_ports(first.host, len(names)), strict=True))
    listeners = ",".join(f"{name}://{first.host}:{port}" for name, port in ports.items())
    settings |= {"process.roles": "broker", "node.id": "2", "log.dirs": str(directory / "data")}
    settings |= {"listeners": listeners, "advertised.listeners": listeners}
    own = directory / "server.properties"
    own.write_text("".join(f"{key}={value}\n" for key, value in settings.items()))
    cluster_id = read_properties(first.log_directory / "meta.properties")["cluster.id"]
    java("kafka.tools.StorageTool", "format", "-t", cluster_id, "-c", str(own))
    broker = ApacheKafka(quick_jvm(), "1G", first.host, ports["PLAINTEXT"], directory / "data")
    try:
        wait_until_kafka_answers(broker, directory / "output.txt")
        yield broker
    finally:
        broker.stop()


def read_properties(file: Path) -> dict[str, str]:
    lines = file.read_text().splitlines()
    return dict(line.split("=", 1) for line in lines if not line.startswith("#"))


def test_move__over_tls_and_sasl_to_a_cluster_of_two_brokers_and_back__all_records_and_commits(
    secured: dict[str, Any],
) -> None:
    with Broker(security="SASL_SSL") as source, Broker(security="SASL_SSL") as target:
        ours, back = source.credentials().librdkafka, target.credentials().librdkafka
        source.create_topic(TOPIC, partitions=PARTITIONS)
        for partition in range(PARTITIONS):
            source.produce(TOPIC, [f"order-{number}" for number in range(RECORDS)], partition=partition)
        source.commit("billing", COMMITTED)
        with moving(ours, secured, TOPIC, groups=["billing"]) as there:
            assert there.are_equal()
        with Admin(secured) as admin:
            (described,) = admin.describe_topics([TOPIC])
        assert {partition.leader for partition in described.partitions} == {1, 2}
        with moving(secured, back, TOPIC, groups=["billing"]) as again:
            assert again.are_equal()
        assert rows(back, TOPIC) == rows(secured, TOPIC) == rows(ours, TOPIC)
        assert len(rows(ours, TOPIC)) == PARTITIONS * RECORDS
        assert target.committed("billing") == COMMITTED
