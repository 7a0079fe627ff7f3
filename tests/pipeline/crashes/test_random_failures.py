"""Ten seconds of random failures on each broker. `tests.pipeline.crashes.random_failures` runs for minutes."""

from pathlib import Path

import pytest

from tests.fork_server import ForkServer
from tests.pipeline.crashes.random_failures import FLIGHTS_AT_ONCE, play
from tests.pipeline.crashes.test_crashes import BROKERS

pytestmark = pytest.mark.long

SECONDS = 10.0
SEED = 3


@pytest.mark.timeout(900)
@pytest.mark.parametrize("address", BROKERS, indirect=True)
def test_four_applications__started_stopped_and_killed_at_random__every_flight_in_output_once(
    address: str, tmp_path: Path, fork_server: ForkServer
) -> None:
    failures = play(address, "consumer", tmp_path, fork_server, SECONDS, SEED)
    print(dict(failures.did))
    assert failures.did["join"] >= 2
    assert sum(map(len, failures.case.partitions)) >= 2 * FLIGHTS_AT_ONCE
