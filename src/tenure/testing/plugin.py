"""Fixtures for pytest, available once tenure is installed.

    kafka_broker   a `tenure.testing.Broker`, new for each test
    kafka_topic    the name of a new topic in this broker
    kafka_group    an unused group id

The marker `@pytest.mark.kafka(partitions=4, settings={"group.max.size": 2})` sets the number of partitions of the topic
and the settings of the broker.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tenure.testing import Broker


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "kafka(partitions=1, settings={}): the topic and the broker of the fixtures kafka_topic, kafka_broker",
    )


def _marker_argument(request: pytest.FixtureRequest, name: str, otherwise: Any) -> Any:
    marker = request.node.get_closest_marker("kafka")
    return otherwise if marker is None else marker.kwargs.get(name, otherwise)


@pytest.fixture
def kafka_broker(request: pytest.FixtureRequest) -> "Iterator[Broker]":
    """Yield a broker in this process, with its data in memory.

    Connect clients to `.address`. Other methods inject faults.
    """
    from tenure.testing import Broker

    with Broker(_marker_argument(request, "settings", {})) as broker:
        yield broker


@pytest.fixture
def kafka_topic(kafka_broker: "Broker", request: pytest.FixtureRequest) -> str:
    """Return the name of an empty topic."""
    kafka_broker.create_topic("topic", _marker_argument(request, "partitions", 1))
    return "topic"


@pytest.fixture
def kafka_group() -> str:
    """Return the id of a group that does not exist yet, because each test has its own broker."""
    return "group"
