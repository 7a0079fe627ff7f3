from collections.abc import Iterator

import pytest

from tests.broker.wire import Wire
from tests.serving import Serving, serving


@pytest.fixture(scope="package")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """Return a broker for all tests that neither stop it nor need own settings; each uses names of its own."""
    no_retention = "log.retention.check.interval.ms=86400000"  # else the first check removes the tests' records of 1970
    with serving(tmp_path_factory.mktemp("shared"), "num.partitions=2", no_retention) as shared:
        yield shared


@pytest.fixture
def wire(broker: Serving) -> Iterator[Wire]:
    with Wire(broker) as connection:
        yield connection
