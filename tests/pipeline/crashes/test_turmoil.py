"""Ten seconds of random failures on each broker; `python -m tests.pipeline.crashes.turmoil` runs for minutes."""

from pathlib import Path

import pytest

from tests.pipeline.crashes.fork_server import ForkServer
from tests.pipeline.crashes.test_crashes import BROKERS
from tests.pipeline.crashes.turmoil import FLIGHTS_AT_ONCE, play

pytestmark = pytest.mark.long

SECONDS = 10.0
SEED = 3


@pytest.mark.timeout(900)
@pytest.mark.parametrize("address", BROKERS, indirect=True)
def test_four_applications__started_stopped_and_killed_at_random__every_flight_in_output_once(
    address: str, tmp_path: Path, fork_server: ForkServer
) -> None:
    turmoil = play(address, "consumer", tmp_path, fork_server, SECONDS, SEED)
    print(dict(turmoil.did))
    assert turmoil.did["join"] >= 2
    assert sum(map(len, turmoil.stage.partitions)) >= 2 * FLIGHTS_AT_ONCE
