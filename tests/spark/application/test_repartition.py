"""A topic grows while a pipeline keeps state: it stops, its state is repartitioned, and it continues."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest
from typer.testing import CliRunner, Result

from tenure.admin import Admin
from tenure.client.producer.partitioner import partition_for_key
from tenure.pipeline.errors import Code
from tenure.spark import PipelineStopped
from tests.command_line import app
from tests.spark.counting import PARTITIONS, counting, expected, produce, visible, words

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

GROWN = 7

DECLARED = """
from pathlib import Path
from tests.spark.counting import counting

pipeline = counting({topic!r}, Path({sink!r}))
"""


def repartition(address: str, topic: str, place: Path, *options: str) -> Result:
    file = place / f"declared_{topic.replace('-', '_')}.py"
    file.write_text(DECLARED.format(topic=topic, sink=str(place / "out")))
    return CliRunner().invoke(
        app, ["pipeline", "repartition", f"{file}:pipeline", "-b", address, *options], catch_exceptions=False
    )


@pytest.mark.parametrize("group_protocol", ["consumer", "streams"])
def test_repartition__records_not_processed_yet__each_processed_once_with_the_moved_state(
    spark: "SparkSession",
    address: str,
    topic: str,
    tmp_path: Path,
    group_protocol: Literal["consumer", "streams"],
) -> None:
    pipeline = counting(topic, tmp_path / "out")

    def run() -> None:
        pipeline.run(
            bootstrap_servers=address,
            group_protocol=group_protocol,
            until="caught-up",
            max_records=100,
            spark=spark,
        )

    produce(address, topic, words(0, 300))
    run()
    assert "needs no repartitioning" in repartition(address, topic, tmp_path).stderr
    produce(address, topic, words(300, 400))
    with Admin(address) as admin:
        admin.create_partitions(topic, GROWN)
    produce(address, topic, words(400, 500))
    if group_protocol == "streams":
        with pytest.raises(PipelineStopped, match="delete the group's changelog topics"):
            run()
        with Admin(address) as admin:
            admin.delete_topics([f"{pipeline.name}-0-state-changelog"])
    with pytest.raises(PipelineStopped, match="tenure pipeline repartition") as stopped:
        run()
    assert stopped.value.code is Code.PARTITIONS_CHANGED

    shown = repartition(address, topic, tmp_path)
    assert "Nothing was changed" in shown.stderr, shown.stderr
    left_over = sum(int(line.rpartition("\t")[2]) for line in shown.stdout.splitlines()[1:])
    assert 0 < left_over <= 100
    before = len(visible(tmp_path / "out"))
    done = repartition(address, topic, tmp_path, "--execute")
    assert done.exit_code == 0, done.stderr
    assert len(visible(tmp_path / "out")) == before + left_over

    run()
    assert visible(tmp_path / "out") == expected(words(0, 500))
    kept = {row["word"]: row["seen"] for row in pipeline.state().to_pylist()}
    assert kept == Counter(word.decode() for word, _ in words(0, 500))
    moved = [word for word, _ in words(0, 500) if partition_for_key(word, PARTITIONS) != partition_for_key(word, GROWN)]
    assert moved


def test_repartition__group_has_members__refused(
    spark: "SparkSession", address: str, topic: str, tmp_path: Path
) -> None:
    produce(address, topic, words(0, 50))
    counting(topic, tmp_path / "out").run(
        bootstrap_servers=address, group_instance_id="host-a", until="caught-up", spark=spark
    )
    with Admin(address) as admin:
        admin.create_partitions(topic, GROWN)
    before = sorted(tmp_path.rglob("out/**/*"))
    refused = repartition(address, topic, tmp_path, "--execute")
    assert refused.exit_code == 1
    assert "is in use" in refused.stderr
    assert sorted(tmp_path.rglob("out/**/*")) == before
