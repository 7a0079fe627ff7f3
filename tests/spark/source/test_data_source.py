"""`format("tenure")` in Spark, against both brokers."""

import json
from pathlib import Path
from time import monotonic, sleep, time
from typing import TYPE_CHECKING, Any

import pytest

from tenure.admin import Admin
from tenure.client.net.event_loop import run
from tenure.client.net.shared_clusters import shared_cluster
from tenure.client.producer.producer import Producer
from tenure.client.queries.group_queries import committed_offsets
from tests.spark.patience import Patiently, repeats_slow_starts
from tests.spark.source.query import places, produce

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming import StreamingQuery

pytestmark = pytest.mark.spark


def loaded(reader: Any, address: str, **options: str) -> "DataFrame":
    given = {name.replace("__", "."): value for name, value in options.items()}
    return reader.format("tenure").options(**{"kafka.bootstrap.servers": address} | given).load()


@repeats_slow_starts
def test_batch_read__all_columns_of_sparks_kafka_source__values_as_produced(
    spark: "SparkSession", address: str, topic: str, patiently: Patiently
) -> None:
    now_ms = int(time() * 1000)  # Retention would delete older records.
    with Producer(address) as producer:
        producer.send(topic, b"a", b"one", partition=1, timestamp_ms=now_ms)
        producer.send(topic, None, None, partition=2, headers=[("h", b"x"), ("h", None)])
    found = loaded(spark.read, address, subscribe=topic, includeHeaders="true", minPartitions="2")
    first, second = patiently(found.orderBy("partition").collect)
    assert first.asDict() | {"timestamp": None} == {
        "key": b"a", "value": b"one", "topic": topic, "partition": 1, "offset": 0, "timestamp": None,
        "timestampType": 0, "headers": None,
    }  # fmt: skip
    assert round(first.timestamp.timestamp() * 1000) == now_ms
    assert (second.key, second.value, [tuple(header) for header in second.headers]) == (
        None, None, [("h", b"x"), ("h", None)],
    )  # fmt: skip
    some = loaded(spark.read, address, subscribe=topic, startingOffsets=json.dumps({topic: {"1": 1, "2": 0}}))
    assert [row.partition for row in patiently(some.collect)] == [2]
    none = loaded(spark.read, address, subscribe=topic, startingOffsets=json.dumps({topic: {"1": 1, "2": 1}}))
    assert patiently(none.collect) == []
    with Admin(address) as admin:
        assert topic not in [group.group_id for group in admin.list_groups()]


@repeats_slow_starts
def test_stream__existing_and_then_new_records__each_read_once_and_committed(
    spark: "SparkSession", address: str, topic: str, tmp_path: Path, patiently: Patiently
) -> None:
    produce(address, topic, 400)
    rows = loaded(
        spark.readStream, address, subscribe=topic, startingOffsets="earliest", kafka__group__id=topic,
        kafka__session__timeout__ms="300000", maxOffsetsPerTrigger="300",
    )  # fmt: skip

    def taken() -> "StreamingQuery":
        """Return all rows since the last query."""
        query = (
            rows.writeStream.format("parquet")
            .option("path", str(tmp_path / "rows"))
            .option("checkpointLocation", str(tmp_path / "checkpoint"))
            .trigger(availableNow=True)
            .start()
        )
        assert query.awaitTermination(120)
        return query

    for count in (400, 440):
        query = patiently(taken)
        visible = spark.read.parquet(str(tmp_path / "rows")).select("partition", "offset").collect()
        assert sorted(tuple(row) for row in visible) == places(count)
        committed = run(committed_offsets(shared_cluster(address, "tests"), topic, None))
        assert {at.offset for at in committed.values()} == {count // 4}
        assert query.lastProgress is not None
        assert query.lastProgress.sources[0].endOffset == query.lastProgress.sources[0].latestOffset
        assert left_by_all(address, topic)
        produce(address, topic, 40)


@repeats_slow_starts
def test_stream__stopped_and_continued__each_record_read_once_and_committed(
    spark: "SparkSession", address: str, topic: str, tmp_path: Path, patiently: Patiently
) -> None:
    check_stream_continues(spark, address, topic, tmp_path, patiently)


def check_stream_continues(
    spark: "SparkSession",
    address: str,
    topic: str,
    directory: Path,
    patiently: Patiently = lambda work: work(),
) -> None:
    """Run a query, stop it, and start it again, in every version of Spark with Python data sources."""
    stream = loaded(
        spark.readStream, address, subscribe=topic, startingOffsets="earliest", kafka__group__id=topic,
        kafka__session__timeout__ms="300000",
    )  # fmt: skip

    def read_everything() -> None:
        writer = stream.writeStream.format("parquet").option("path", str(directory / "rows"))
        query = writer.option("checkpointLocation", str(directory / "checkpoint")).start()
        try:
            query.processAllAvailable()
        finally:
            query.stop()

    for count in (400, 440):
        produce(address, topic, 400 if count == 400 else 40)
        patiently(read_everything)
        visible = spark.read.parquet(str(directory / "rows")).select("partition", "offset").collect()
        assert sorted(tuple(row) for row in visible) == places(count)
        committed = run(committed_offsets(shared_cluster(address, "tests"), topic, None))
        assert {at.offset for at in committed.values()} == {count // 4}
        assert left_by_all(address, topic)
    assert loaded(spark.read, address, subscribe=topic).count() == 440


def left_by_all(address: str, group: str) -> bool:
    """Wait until the group is empty, within a fifth of the session timeout: members have left, not timed out."""
    deadline = monotonic() + 60
    with Admin(address) as admin:
        while admin.describe_groups([group])[0].members:
            if monotonic() > deadline:
                return False
            sleep(0.1)
    return True


def test_stream__misspelt_option__error_suggests_a_similar_one(spark: "SparkSession", address: str, topic: str) -> None:
    from pyspark.errors import PySparkException

    with pytest.raises(PySparkException, match="did you mean 'startingOffsets'"):
        loaded(spark.readStream, address, subscribe=topic, startingOffset="earliest")
