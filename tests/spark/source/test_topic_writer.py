"""Batch writes of `format("tenure")`."""

import pickle
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

from tenure.client.configuration import ConfigurationError
from tenure.client.consumer.read_arrow import read_arrow
from tenure.spark.source.data_source import TenureSource
from tenure.spark.source.topic_writer import TopicWriter, write_options
from tenure.testing import Broker
from tests.spark.counting import PARTITIONS, create_topic

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


def written(address: str, topic: str, partition: int = 0) -> list[dict[str, Any]]:
    return list(read_arrow(address, topic, partitions=[partition], headers=True).to_pylist())


def test_batch_write__topic_column_and_all_other_columns__records_with_these_values() -> None:
    rows = {
        "topic": ["a", "b", "a"],
        "key": ["x", None, "y"],
        "value": [b"1", b"2", None],
        "partition": pa.array([0, 0, 1], pa.int32()),
        "headers": [[{"key": "h", "value": b"1"}], [], None],
    }
    headers = pa.list_(pa.struct([("key", pa.string()), ("value", pa.binary())]))
    batch = pa.record_batch({**rows, "headers": pa.array(rows["headers"], headers)})
    with Broker() as broker:
        for topic in ("a", "b"):
            broker.create_topic(topic, partitions=2)
        options = write_options({"kafka.bootstrap.servers": broker.address}, list(rows))
        pickle.loads(pickle.dumps(TopicWriter(options))).write(iter([batch]))
        first, second = written(broker.address, "a", 0), written(broker.address, "a", 1)
        assert [(row["key"], row["value"]) for row in (*first, *second)] == [(b"x", b"1"), (b"y", None)]
        assert first[0]["headers"] == [{"key": "h", "value": b"1"}]
        assert [row["value"] for row in written(broker.address, "b", 0)] == [b"2"]


def test_batch_write__row_without_a_topic__error_names_the_column() -> None:
    writer = TopicWriter(write_options({"kafka.bootstrap.servers": "localhost:1"}, ["topic", "value"]))
    with pytest.raises(ValueError, match="A row has no topic: fill the column 'topic'"):
        writer.write(iter([pa.record_batch({"topic": pa.array([None], pa.string()), "value": ["x"]})]))


@pytest.mark.parametrize(
    ("options", "columns", "message"),
    [
        ({}, ["value"], "Set the topic of the rows either as the option 'topic' or as the column 'topic'"),
        ({"topic": "t"}, ["value", "topic"], "either as the option 'topic' or as the column"),
        ({"topic": "t"}, ["value", "n"], "Unknown column 'n': a record has the columns"),
        ({"topic": "t"}, ["key"], "Missing column 'value'"),
        ({"topic": "t", "kafka.acks": "7"}, ["value"], "acks"),
        ({"topic": "t", "kafka.transactional.id": "x"}, ["value"], r"Unknown setting .*kafka.transactional.id"),
        ({"topics": "t"}, ["value"], r"topics.*did you mean .topic."),
    ],
)
def test_batch_write__invalid_options_or_columns__refused(
    options: Mapping[str, str], columns: list[str], message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        write_options({"kafka.bootstrap.servers": "localhost:1", **options}, columns)


def test_batch_write__mode_overwrite__refused() -> None:
    with pytest.raises(ConfigurationError, match="cannot be overwritten"):
        TenureSource({}).writer(None, overwrite=True)  # type: ignore[arg-type]


def test_batch_write__rows_of_many_tasks__one_record_each_in_the_partition_of_its_key(
    spark: "SparkSession", address: str, topic: str
) -> None:
    check_write(spark, address, topic)


def check_write(spark: "SparkSession", address: str, topic: str) -> None:
    """Write rows into an empty topic, in every version of Spark with Python data sources."""
    rows = spark.range(0, 1000, numPartitions=4).selectExpr("cast(id % 7 as string) key", "cast(id as string) value")
    options = {"kafka.bootstrap.servers": address, "topic": topic, "Kafka.Compression.Type": "zstd"}
    rows.write.format("tenure").mode("append").options(**options).save()
    found = [written(address, topic, partition) for partition in range(PARTITIONS)]
    assert sorted(int(row["value"]) for rows in found for row in rows) == list(range(1000))
    assert sum(len({row["key"] for row in rows}) for rows in found) == 7

    other = f"{topic}-other"
    create_topic(address, other, 1)
    with_topic = spark.createDataFrame([(other, b"1"), (topic, b"2")], "topic string, value binary")
    with_topic.write.format("tenure").mode("append").option("kafka.bootstrap.servers", address).save()
    assert [row["value"] for row in written(address, other)] == [b"1"]
