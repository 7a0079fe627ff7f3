"""One broker for all tests of a module: `tenure serve` or (marker oracle) Apache Kafka."""

import itertools
from collections.abc import Iterator

import pytest

from tests.apache_kafka import apache_kafka
from tests.oracle.conftest import require_kafka, wait_for_coordinator
from tests.serving import serving
from tests.spark.counting import create_topic

NUMBERS = itertools.count(1)
QUICK = {
    "group.consumer.min.heartbeat.interval.ms": "100",
    "group.consumer.heartbeat.interval.ms": "200",
    "group.consumer.assignment.interval.ms": "0",
}
"""Settings with short heartbeat intervals: members of a consumer group learn of changes with their heartbeats."""


@pytest.fixture(scope="module", params=["tenure", pytest.param("kafka", marks=pytest.mark.oracle)])
def address(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    if request.param == "tenure":
        with serving(tmp_path_factory.mktemp("tenure"), *(f"{key}={value}" for key, value in QUICK.items())) as broker:
            yield broker.address
    else:
        require_kafka()
        with apache_kafka(tmp_path_factory.mktemp("kafka"), settings=QUICK) as other:
            wait_for_coordinator(other.host, other.port)
            yield other.address


@pytest.fixture
def topic(address: str) -> str:
    name = f"rows-{next(NUMBERS)}"
    create_topic(address, name)
    return name
