from collections.abc import Iterator

import pytest

from tests.broker.wire import Wire
from tests.serving import Serving, serving


@pytest.fixture(scope="package")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """Return a broker for all tests that neither stop it nor need own settings; each uses names of its own."""
    of_any_time = "log.retention.check.interval.ms=86400000"  # records of 1970 are gone at the first check
    with serving(tmp_path_factory.mktemp("shared"), "num.partitions=2", of_any_time) as shared:
        yield shared


@pytest.fixture
def wire(broker: Serving) -> Iterator[Wire]:
    with Wire(broker) as connection:
        yield connection
