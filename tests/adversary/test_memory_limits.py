"""Short run of brokers with little memory."""

from pathlib import Path

import pytest

from tests.adversary.memory_limits import run

pytestmark = pytest.mark.long


@pytest.mark.parametrize("limit_kb", [250_000, 80_000])
def test_broker__little_memory_and_many_attacks__answers_or_refuses(tmp_path: Path, limit_kb: int) -> None:
    """Answer or refuse. A limit that is too small for a start ends the broker with one sentence."""
    assert run(tmp_path / "limited", limit_kb).failures == []


def test_broker__too_little_memory_to_start__ends_with_an_error_of_one_sentence(tmp_path: Path) -> None:
    outcome = run(tmp_path / "limited", 40_000)
    assert not outcome.started
    assert outcome.log.startswith("tenure: there is not enough memory for the broker")
    assert outcome.failures == []
