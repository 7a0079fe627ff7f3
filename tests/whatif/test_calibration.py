"""Forecasts of restarts have the rebalances and moves of librdkafka clients, on `tenure serve` and Apache Kafka.

`python -m tests.whatif.calibration` compares twelve scenarios, and their pauses.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tenure.whatif import Bounce
from tests.apache_kafka import apache_kafka
from tests.oracle.conftest import require_kafka
from tests.serving import serving
from tests.whatif.calibration import SETTINGS, Scenario, compare

pytestmark = [pytest.mark.interop, pytest.mark.long]

RESTART = Bounce("one", down_ms=20_000)
LONG_SESSION_MS = 45_000
"""Session timeout that no restart exceeds."""
LONG_SESSIONS = {"group.consumer.session.timeout.ms": str(LONG_SESSION_MS)}

SCENARIOS = (
    Scenario("eager", "classic", "range", False, 3, 6, RESTART, session_ms=LONG_SESSION_MS, waits=True),
    # Only one member has to revoke a partition. If two have to, one may join again before the other has its assignment,
    # and then one more rebalance is needed.
    Scenario(
        "cooperative", "classic", "cooperative-sticky", False, 3, 3, RESTART, session_ms=LONG_SESSION_MS, waits=True
    ),
    Scenario("consumer", "consumer", "uniform", False, 3, 6, RESTART, session_ms=LONG_SESSION_MS, waits=True),
)


@pytest.fixture(scope="module", params=["tenure", pytest.param("kafka", marks=pytest.mark.oracle)])
def address(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    settings = SETTINGS | LONG_SESSIONS
    if request.param == "tenure":
        with serving(tmp_path_factory.mktemp("tenure"), *(f"{key}={value}" for key, value in settings.items())) as ours:
            yield ours.address
    else:
        require_kafka()
        with apache_kafka(tmp_path_factory.mktemp("kafka"), settings=settings) as kafka:
            yield kafka.address


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_forecast__member_restarts__same_rebalances_and_moves_as_real_clients(
    address: str, tmp_path: Path, scenario: Scenario
) -> None:
    found = compare(scenario, address, tmp_path / "members", groups=1)
    assert (found.rebalances[0], found.moved[0]) == (found.rebalances[1], found.moved[1])
