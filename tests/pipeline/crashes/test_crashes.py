"""Crashes at every crash point, on both brokers: every record is counted once and visible once, and no file is left.

`python -m tests.pipeline.crashes` runs more cases (the classic protocol, the first batch of a group) and prints a
table.
"""

import signal
from pathlib import Path

import pytest

from tenure.client.producer.producer import Producer
from tests.fork_server import ForkServer
from tests.pipeline.crashes.case import AFTERMATHS, MORE_RECORDS, Aftermath, batch
from tests.pipeline.crashes.forked_application import application_server
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
    matrix = Matrix(address, "consumer", tmp_path, fork_server, name=aftermath.name.replace(" ", "-"))
    crash_points = list(batch(matrix.crash_points(), 3))
    assert len(crash_points) >= CRASH_POINTS_MIN
    assert {crash_point.rpartition(" (")[0] for crash_point in crash_points} >= {
        *MUST_BE_AMONG_THEM,
        *(f"synced: directory of {what}" for what in SYNCED),
    }
    verdict = matrix.play(crash_points, aftermath)
    assert not verdict.failures, "\n\n".join(verdict.failures)
    assert verdict.played == len(crash_points)
    if aftermath.name == "resumed after its instance id was taken over":
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


@pytest.mark.timeout(900)  # many tests may share the machine
@pytest.mark.parametrize(
    ("address", "every"),
    [
        pytest.param("tenure", 2, id="tenure"),
        pytest.param("kafka", 6, id="kafka", marks=pytest.mark.oracle),
    ],
    indirect=["address"],
)
def test_application_killed__at_some_crash_points_in_a_streams_group__exactly_once(
    address: str, every: int, tmp_path: Path, fork_server: ForkServer
) -> None:
    """Try some crash points, each with one aftermath; `python -m tests.pipeline.crashes` tries all of them."""
    matrix = Matrix(address, "streams", tmp_path, fork_server)
    crash_points = list(batch(matrix.crash_points(), 3))
    assert len(crash_points) >= CRASH_POINTS_MIN
    verdict = matrix.play(crash_points[::every], *AFTERMATHS)
    assert not verdict.failures, "\n\n".join(verdict.failures)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("address", BROKERS, indirect=True)
def test_streams_group__host_with_the_active_lanes_killed__standby_host_continues_with_its_copies(
    address: str, tmp_path: Path, fork_server: ForkServer
) -> None:
    (case,) = Matrix(address, "streams", tmp_path, fork_server, name="standby").cases_for(1)
    with Producer(address) as producer:

        def both_have_a_lane() -> bool:
            case.produce(producer, 1)
            case.await_end()
            return case.writers() == {"a", "b"}

        try:
            victim = case.start("a")
            case.start("b")
            case.await_("each host has a lane", both_have_a_lane)
            case.await_("the other host has copies", lambda: case.copies("b") >= case.state_digests("a") != set())
            victim.child.send(signal.SIGKILL)
            case.produce(producer, MORE_RECORDS)
            case.await_end()
            case.kill_all()
            case.check_end()
        finally:
            case.kill_all()


def test_fork_server__its_connection_ends__applications_are_killed(tenure: str, tmp_path: Path) -> None:
    """End the applications with the connection, which ends even if the process of the tests is killed."""
    with application_server() as fork_server:
        (case,) = Matrix(tenure, "consumer", tmp_path, fork_server, name="orphan").cases_for(1)
        worker = case.start("a")
        case.await_("the application is idle", lambda: worker.is_idle)
        fork_server.close()
        worker.child.wait()
