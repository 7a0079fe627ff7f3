from collections.abc import Iterator

import pytest

from tests.broker.wire import Wire
from tests.serving import Serving, serving


@pytest.fixture(scope="package")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """One broker for all tests that neither stop it nor need settings of their own; each uses names of its own."""
    with serving(tmp_path_factory.mktemp("shared"), "num.partitions=2") as shared:
        yield shared


@pytest.fixture
def wire(broker: Serving) -> Iterator[Wire]:
    with Wire(broker) as connection:
        yield connection
