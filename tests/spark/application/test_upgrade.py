"""A pipeline of an earlier release was killed in a batch; the current release continues it."""

import tarfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tenure.pipeline.values.progress import Progress, ProgressStep
from tests.serving import serving
from tests.spark.counting import visible
from tests.upgrades.left_behind import INSTANCE, PARTITIONS, THEN, counting, expected, produce
from tests.upgrades.test_upgrades import LEFT_BEHIND

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


@pytest.mark.parametrize("archive", LEFT_BEHIND, ids=lambda archive: archive.name.partition(".")[0])
def test_upgrade__old_release_killed_between_commit_and_publication__new_release_publishes(
    spark: "SparkSession", tmp_path: Path, archive: Path
) -> None:
    with tarfile.open(archive) as left_behind:
        left_behind.extractall(tmp_path, filter="data")
    steps: list[Progress] = []
    with serving(tmp_path / "data") as broker:
        produce(broker.address, THEN, THEN + 100)
        counting(tmp_path / "out").run(
            bootstrap_servers=broker.address,
            group_instance_id=INSTANCE,
            until="caught-up",
            observer=steps.append,
            spark=spark,
        )
    assert (
        len([lane for step in steps if step.step is ProgressStep.ROLLED_FORWARD for lane in step.lanes]) == PARTITIONS
    )
    assert visible(tmp_path / "out") == expected(THEN + 100)
    kept = {row["word"]: row["seen"] for row in counting(tmp_path / "out").state().to_pylist()}
    assert kept == {word: seen for word, _, seen in sorted(expected(THEN + 100), key=lambda row: row[2])}
