"""Both brokers, with short sessions, and a process that forks applications. Each starts when first used."""

from collections.abc import Iterator

import pytest

from tests.apache_kafka import apache_kafka
from tests.fork_server import ForkServer
from tests.oracle.conftest import require_kafka, wait_for_coordinator
from tests.pipeline.crashes.forked_application import application_server
from tests.pipeline.crashes.matrix import KAFKA_SETTINGS, SETTINGS
from tests.serving import serving


@pytest.fixture(scope="module")
def fork_server() -> Iterator[ForkServer]:
    with application_server() as fork_server:
        yield fork_server


@pytest.fixture(scope="module")
def tenure(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    settings = [f"{key}={value}" for key, value in SETTINGS.items()]
    with serving(tmp_path_factory.mktemp("tenure"), *settings) as broker:
        yield broker.address


@pytest.fixture(scope="module")
def kafka(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    require_kafka()
    with apache_kafka(tmp_path_factory.mktemp("kafka"), settings=SETTINGS | KAFKA_SETTINGS) as broker:
        wait_for_coordinator(broker.host, broker.port)
        yield broker.address


@pytest.fixture
def address(request: pytest.FixtureRequest) -> str:
    """Return the address of the broker that the test's parameter names."""
    return str(request.getfixturevalue(request.param))
