"""Apache Kafka and we are asked the same, one scenario at a time, and answer and log the same."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from difflib import unified_diff

import pytest

from tests.oracle import scenarios_join, scenarios_members, scenarios_offsets, scenarios_static
from tests.oracle.scenarios import SCENARIOS, play
from tests.oracle.side import Side

pytestmark = pytest.mark.oracle

PLAYED = (scenarios_join, scenarios_members, scenarios_offsets, scenarios_static)
LINES_MIN = 4


@pytest.mark.parametrize("name", sorted(SCENARIOS))
def test_scenario__played_on_both__same_answers_and_same_records(name: str, kafka: Side, tenure: Side) -> None:
    with ThreadPoolExecutor() as together:
        expected, ours = together.map(lambda side: trace(name, side), (kafka, tenure))
    assert len(expected) >= LINES_MIN
    difference = list(unified_diff(expected, ours, "Apache Kafka", "Tenure", lineterm="", n=4))
    assert not difference, "\n".join(difference)


def trace(name: str, side: Side) -> list[str]:
    session = side.session()
    try:
        return play(name, session)
    except Exception as error:  # the trace until then says more than the error alone
        raise AssertionError(f"{side.name}: {error!r} after\n" + "\n".join(session.trace)) from error
    finally:
        session.close()
