"""Both brokers for all banks; each starts when first used."""

from collections.abc import Iterator

import pytest

from tests.bank.__main__ import Running, running
from tests.oracle.conftest import require_kafka


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running("ours", tmp_path_factory.mktemp("ours")) as found:
        yield found


@pytest.fixture(scope="module")
def kafka(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    require_kafka()
    with running("kafka", tmp_path_factory.mktemp("kafka")) as found:
        yield found


@pytest.fixture
def broker(request: pytest.FixtureRequest) -> Running:
    """Return the broker that the test's parameter names."""
    found: Running = request.getfixturevalue(request.param)
    return found
