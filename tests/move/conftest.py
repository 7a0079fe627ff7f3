"""Two brokers in memory for all tests of a process; each test has topics of its own."""

from collections.abc import Iterator

import pytest

from tenure.testing import Broker

KEEPS_ALL = {"log.retention.ms": "-1"}
"""No retention, because the records of the tests have fixed timestamps (`moving.FIRST_MS`) from years ago."""

SETTINGS = {"transaction.state.log.num.partitions": "1"} | KEEPS_ALL


@pytest.fixture(scope="session")
def source() -> Iterator[Broker]:
    with Broker(SETTINGS) as broker:
        yield broker


@pytest.fixture(scope="session")
def target() -> Iterator[Broker]:
    with Broker(SETTINGS) as broker:
        yield broker


@pytest.fixture
def topic(source: Broker, request: pytest.FixtureRequest) -> str:
    """A topic of the test at the source, with three partitions."""
    name = request.node.name.replace("[", "-").replace("]", "")
    source.create_topic(name, partitions=3)
    return str(name)
