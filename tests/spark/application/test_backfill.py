"""Backfills beside a running pipeline."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tenure.admin import Admin
from tests.spark.counting import counting, expected, produce, visible, words
from tests.spark.operations.deployed import Deployment, deployment

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


@pytest.fixture
def deployed(spark: "SparkSession", address: str, topic: str, tmp_path: Path) -> Iterator[Deployment]:
    """Run the commands in this process: they use the active session."""
    del spark
    with deployment(address, topic, tmp_path) as deployed:
        yield deployed


def committed(address: str, group: str) -> int:
    with Admin(address) as admin:
        return sum(at.offset for at in admin.committed_offsets(group).values())


def test_backfill__beside_running_pipeline__ends_at_its_end_and_can_continue(
    deployed: Deployment, address: str, topic: str, tmp_path: Path
) -> None:
    produce(address, topic, words(0, 100))
    assert deployed.run("run", deployed.reference, "--until", "caught-up").exit_code == 0
    produce(address, topic, words(100, 150))
    again = f"{deployed.group}-again"
    place = ["--name", again, "--into", str(tmp_path / "again")]

    for _ in range(2):  # The second run has nothing to do.
        done = deployed.run("backfill", deployed.reference, *place, "--threads", "2")
        assert done.exit_code == 0, done.stderr
        assert done.stdout == f"Group '{again}' processed 150 records and reached the end of the backfill.\n"
        assert committed(address, again) == 150
        produce(address, topic, words(150, 160))
        assert visible(tmp_path / "again") == expected(words(0, 150))
    assert committed(address, deployed.group) == 100
    assert visible(deployed.sink) == expected(words(0, 100))


def test_backfill__from_time_before_first_record__starts_at_log_start(
    deployed: Deployment, address: str, topic: str, tmp_path: Path
) -> None:
    produce(address, topic, words(0, 60))
    place = ["--name", f"{topic}-past", "--into", str(tmp_path / "past")]
    done = deployed.run("backfill", deployed.reference, *place, "--from", "7d", "--to", "2201-01-01")
    assert done.exit_code == 0, done.stderr
    assert visible(tmp_path / "past") == expected(words(0, 60))


def test_backfill__name_of_running_pipeline__refused(deployed: Deployment, address: str, topic: str) -> None:
    produce(address, topic, words(0, 20))
    assert deployed.run("run", deployed.reference, "--until", "caught-up").exit_code == 0
    refused = deployed.run("backfill", deployed.reference)
    assert refused.exit_code == 2
    assert "that no backfill wrote: set another group and directory" in refused.stderr
    assert committed(address, counting(topic, deployed.sink).name) == 20


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--from", "yesterday"], "--from: Invalid time 'yesterday'"),
        (["--name", "other"], "set both --name and --into"),
    ],
)
def test_backfill__invalid_arguments__refused(deployed: Deployment, options: list[str], said: str) -> None:
    refused = deployed.run("backfill", deployed.reference, *options)
    assert refused.exit_code == 2
    assert said in refused.stderr
