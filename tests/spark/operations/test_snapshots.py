"""Snapshots of a state, written by a thread of a Spark worker while the pipeline continues."""

import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tenure.client.producer.partitioner import partition_for_key
from tenure.spark.operations.state import published_lanes
from tests.spark.counting import PARTITIONS, counting, produce, words

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

PATIENCE_S = 180.0


def test_snapshot__half_of_the_keys_changed__is_the_base_of_a_later_batch(
    spark: "SparkSession", address: str, topic: str, tmp_path: Path
) -> None:
    pipeline, produced = counting(topic, tmp_path / "out"), [*words(0, 400)]
    mine = [record for record in produced if partition_for_key(record[0], PARTITIONS) == 0]
    keys = list(dict.fromkeys(key for key, _ in mine))
    assert len(keys) >= 4

    def work(records: list[tuple[bytes, bytes]]) -> None:
        produce(address, topic, records)
        pipeline.run(bootstrap_servers=address, until="caught-up", spark=spark)

    work(produced)
    changed = [record for record in mine if record[0] in keys[: len(keys) // 2]]
    work(changed)
    once = [record for record in mine if record[0] == keys[0]][:1]
    rounds, until_s = 0, time.monotonic() + PATIENCE_S
    while not (base := published_lanes(pipeline).all()[0].manifest.state.base) or not base.name.endswith(
        ".snapshot.arrow"
    ):
        assert time.monotonic() < until_s, "no snapshot came"
        work(once)
        rounds += 1
    kept = {row["word"]: row["seen"] for row in pipeline.state().to_pylist()}
    assert kept == Counter(key.decode() for key, _ in [*produced, *changed, *once * rounds])
