"""A pipeline whose output and state are in an object store."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import fsspec
import pyarrow.dataset
import pytest

from tenure.spark import Parquet, Pipeline, Topic, json, stateful
from tests.object_store import object_store
from tests.spark.counting import count, expected, produce, words

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


def test_pipeline__output_and_state_under_urls__each_row_once_and_nothing_on_this_host(
    spark: "SparkSession", address: str, topic: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with object_store() as store:
        pipeline = Pipeline(
            f"store-{topic}",
            source=Topic(topic, value=json("word string, number long")).keyed_by("word"),
            process=stateful(count, state="seen long"),
            sink=Parquet(f"{store.url}/out"),
            state_directory=f"{store.url}/state",
            storage_options=store.options,
        )
        assert "any" not in repr(pipeline)
        for first, end in ((0, 200), (200, 300)):
            produce(address, topic, words(first, end))
            pipeline.run(bootstrap_servers=address, until="caught-up", spark=spark)
            files = fsspec.filesystem("s3", use_listings_cache=False, **store.options)
            table = pyarrow.dataset.dataset(f"{store.url[5:]}/out", filesystem=files, format="parquet").to_table()
            found = [(row["word"], row["number"], row["seen"]) for row in table.to_pylist()]
            assert sorted(found) == expected(words(0, end))
        kept = {row["word"]: row["seen"] for row in pipeline.state().to_pylist()}
        assert kept == Counter(word.decode() for word, _ in words(0, 300))
    assert list(tmp_path.iterdir()) == []
