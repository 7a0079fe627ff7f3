"""Pipelines with output and state in an object store."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import fsspec
import pyarrow as pa
import pyarrow.dataset
import pytest
from deltalake import DeltaTable

from tenure.pipeline.output.fsspec_files import files_for
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.output.staging import prepare, stage_rows
from tenure.pipeline.values.lanes import Lane, Range, Writer
from tenure.pipeline.values.manifest import Manifest
from tenure.protocol.types import GenerationId, GroupId, MemberId, PartitionId, TopicName
from tenure.spark import Delta, Parquet, Pipeline, Topic, json, stateful
from tests.object_store import object_store
from tests.spark.counting import count, expected, produce, words

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


def test_delta_sink__published_twice_to_an_object_store__each_row_once() -> None:
    with object_store() as store:
        key, secret, endpoint = (store.options[name] for name in ("key", "secret", "endpoint_url"))
        options = {
            "AWS_ACCESS_KEY_ID": key,
            "AWS_SECRET_ACCESS_KEY": secret,
            "AWS_ENDPOINT_URL": endpoint,
            "AWS_REGION": "us-east-1",
            "AWS_ALLOW_HTTP": "true",
        }
        sink = Delta(f"{store.url}/table", storage_options=options)
        assert secret not in repr(sink)
        sink.check()
        files = files_for(store.url, options=store.options)
        layout = Layout.of(GroupId("g"), sink.path, f"{store.url}/state")
        lane, writer = Lane((TopicName("t"),), PartitionId(0)), Writer(MemberId("m"), GenerationId(1))
        for sequence in (1, 2):
            ranges = (Range(lane.topics[0], lane.partition, sequence, sequence + 1),)
            begun = Manifest(f"{sequence:022d}", GroupId("g"), lane, sequence, ranges, 1, writer, "run", first="0" * 22)
            prepare(files, layout, begun)
            manifest = stage_rows(files, layout, begun, "", sink.staged, pa.table({"n": [sequence]}))
            for _ in range(2):
                sink.publisher("").publish(files, layout, manifest, manifest.outputs)
        table = DeltaTable(sink.path, storage_options=options)
        assert sorted(table.to_pyarrow_table()["n"].to_pylist()) == [1, 2]
        assert table.version() == 2


def test_pipeline__output_and_state_at_urls__each_row_once_and_no_local_files(
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
