"""A crash at every crash point, on both brokers: every record is counted once and visible once, and no file is left.

`python -m tests.pipeline.crashes` runs more cases (the classic protocol, the first batch of a group) and prints a
table.
"""

from pathlib import Path

import pytest

from tests.pipeline.crashes.case import AFTERMATHS, Aftermath, batch
from tests.pipeline.crashes.fork_server import ForkServer
from tests.pipeline.crashes.matrix import Matrix

pytestmark = pytest.mark.long

BROKERS = [pytest.param("tenure", id="tenure"), pytest.param("kafka", id="kafka", marks=pytest.mark.oracle)]

CRASH_POINTS_MIN = 40

IN_TRANSACTION = ("rows written to the topic", "offset added to the transaction", "transaction committed")

MUST_BE_AMONG_THEM = ("planned", "staged", "commit sent", "commit applied", "published", "swept", *IN_TRANSACTION)

SYNCED = ("state of lane 0", "state of lane 1", "staged files of lane 0", "staged files of lane 1", "sink")
"""Crash points of synced directories; files are synced as they are written."""


@pytest.mark.timeout(900)  # many tests may share the machine
@pytest.mark.parametrize("aftermath", AFTERMATHS, ids=lambda aftermath: aftermath.name)
@pytest.mark.parametrize("address", BROKERS, indirect=True)
def test_application_killed__at_every_crash_point_of_a_batch__exactly_once(
    address: str, tmp_path: Path, fork_server: ForkServer, aftermath: Aftermath
) -> None:
    matrix = Matrix(address, "consumer", tmp_path, fork_server, name=aftermath.name.replace(" ", "-").replace(",", ""))
    crash_points = list(batch(matrix.crash_points(), 3))
    assert len(crash_points) >= CRASH_POINTS_MIN
    assert {crash_point.rpartition(" (")[0] for crash_point in crash_points} >= {
        *MUST_BE_AMONG_THEM,
        *(f"synced: directory of {what}" for what in SYNCED),
    }
    verdict = matrix.play(crash_points, aftermath)
    assert not verdict.failures, "\n\n".join(verdict.failures)
    assert verdict.played == len(crash_points)
    if aftermath.name == "wakes, its seat taken":
        assert verdict.fenced > len(crash_points) // 2


@pytest.mark.timeout(900)  # many tests may share the machine
@pytest.mark.parametrize("aftermath", AFTERMATHS[:2], ids=lambda aftermath: aftermath.name)
@pytest.mark.parametrize("address", BROKERS[:1], indirect=True)
def test_application_killed__at_every_crash_point_of_a_chain__exactly_once_for_each_step(
    address: str, tmp_path: Path, fork_server: ForkServer, aftermath: Aftermath
) -> None:
    name = f"chain-{aftermath.name.replace(' ', '-')}"
    matrix = Matrix(address, "consumer", tmp_path, fork_server, name=name, has_steps=True)
    crash_points = list(batch(matrix.crash_points(), 3))
    assert len(crash_points) >= CRASH_POINTS_MIN
    verdict = matrix.play(crash_points, aftermath)
    assert not verdict.failures, "\n\n".join(verdict.failures)
    assert verdict.played == len(crash_points)
