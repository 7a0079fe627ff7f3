"""Pipelines end to end: real broker, real members, real Spark tasks."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow.dataset
import pytest

from tenure.client.consumer.read_arrow import read_arrow
from tenure.client.queries.blocking import end_offsets
from tenure.client.values import TopicPartition
from tenure.pipeline.errors import BadRecordFound, Code
from tenure.pipeline.values.progress import Progress, ProgressStep
from tenure.spark import DeadLetter, Parquet, Pipeline, PipelineStopped, Topic, json, transform
from tenure.spark.declarations.processing import TransformFunction
from tests.spark.counting import PARTITIONS, counting, create_topic, expected, produce, visible, words

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark

BAD = (b"w1", b'{"word": "w1", "number": "many"}')
NEGATIVE = (b"w1", b'{"word": "w1", "number": -1}')


def test_stateful__two_applications_in_sequence__each_row_once_and_state_continues(
    spark: "SparkSession", address: str, topic: str, tmp_path: Path
) -> None:
    pipeline = counting(topic, tmp_path)
    steps: list[Progress] = []
    for first, end in ((0, 700), (700, 1000)):
        produce(address, topic, words(first, end))
        pipeline.run(
            bootstrap_servers=address,
            group_instance_id="host-a",
            threads=2,
            until="caught-up",
            max_records=150,
            tasks=2,
            observer=steps.append,
            spark=spark,
        )
    assert visible(tmp_path) == expected(words(0, 1000))
    members = {progress.member for progress in steps if progress.step is ProgressStep.COMMITTED}
    assert members == {"host-a-thread-1", "host-a-thread-2"}
    assert len([progress for progress in steps if progress.step is ProgressStep.COMMITTED]) >= 4

    last = {word: seen for word, _, seen in sorted(expected(words(0, 1000)), key=lambda row: row[2])}
    assert {row["word"]: row["seen"] for row in pipeline.state().to_pylist()} == last


def test_group_protocol_consumer__application_restarted__static_members_stay_and_each_row_once(
    spark: "SparkSession", address: str, topic: str, tmp_path: Path
) -> None:
    pipeline = counting(topic, tmp_path)
    steps: list[Progress] = []
    for first, end in ((0, 300), (300, 500)):
        produce(address, topic, words(first, end))
        pipeline.run(
            bootstrap_servers=address,
            group_instance_id="host-a",
            group_protocol="consumer",
            until="caught-up",
            observer=steps.append,
            spark=spark,
        )
    assert visible(tmp_path) == expected(words(0, 500))
    assert {progress.member for progress in steps if progress.step is ProgressStep.COMMITTED} == {"host-a-thread-1"}


def test_run__no_observer__log_lines_on_standard_error(
    spark: "SparkSession",
    address: str,
    topic: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        "tenure.spark.reporting.console_reporter.SUMMARY_S", 3_600.0
    )  # After a slow end the line would end with "caught up".
    produce(address, topic, words(0, 100))
    counting(topic, tmp_path).run(bootstrap_servers=address, group_instance_id="host-a", until="caught-up", spark=spark)
    told = [line.partition(" tenure: ")[2] for line in capsys.readouterr().err.splitlines() if " tenure: " in line]
    told = [
        re.sub(r"[\d,]+ (records|rows)/s", r"9 \1/s", re.sub(r"generation \d+", "generation 1", line)) for line in told
    ]
    lanes = ", ".join(f"{topic}-{number}" for number in range(PARTITIONS))
    assert told == [
        f"pipeline count-{topic} reads {topic} at {address} and writes to {tmp_path}",
        f"host-a-thread-1 joined (generation 1): {lanes}, lag 100",
        "100 records in 1 batch, 100 rows written; 9 records/s, 9 rows/s; lag 0",
        "stopped: 100 records in 1 batch, 100 rows written",
    ]


def test_transform__filter_and_join__rows_of_all_lanes_published_once(
    spark: "SparkSession", address: str, topic: str, tmp_path: Path
) -> None:
    def rare(batch: "DataFrame") -> "DataFrame":
        from pyspark.sql import functions as f

        often = batch.groupBy("word").agg(f.count("*").alias("times"))
        return batch.join(often, "word").where(f.col("number") % 3 == 0).select("word", "number", "times", "_offset")

    source = Topic(topic, value=json("word string, number long"))
    pipeline = Pipeline(f"rare-{topic}", source, transform(rare), Parquet(str(tmp_path)))
    for first, end in ((0, 300), (300, 400)):
        produce(address, topic, words(first, end))
        pipeline.run(bootstrap_servers=address, until="caught-up", max_bytes=60_000, spark=spark)
    rows = pyarrow.dataset.dataset(tmp_path, format="parquet").to_table()
    assert sorted(rows["number"].to_pylist()) == list(range(0, 400, 3))
    assert rows.schema.names == ["word", "number", "times", "_offset"]


@pytest.mark.parametrize(
    ("function", "reason"),
    [
        (lambda _: None, "returned NoneType, not a DataFrame"),
        (lambda batch: batch.select("nothing"), "failed: .*nothing"),
        (lambda batch: batch.select("word", "word"), "cannot be written: .*word"),
    ],
)
def test_transform__function_returns_an_invalid_result__pipeline_stops_at_once(
    spark: "SparkSession",
    address: str,
    topic: str,
    tmp_path: Path,
    function: TransformFunction,
    reason: str,
) -> None:
    produce(address, topic, words(0, 10))
    source = Topic(topic, value=json("word string, number long"))
    pipeline = Pipeline(f"none-{topic}", source, transform(function), Parquet(str(tmp_path)))
    with pytest.raises(PipelineStopped, match=reason) as stopped:
        pipeline.run(bootstrap_servers=address, until="caught-up", spark=spark)
    assert stopped.value.code is Code.BAD_FUNCTION


@pytest.mark.parametrize("kind", ["stateful", "transform"])
def test_bad_record__on_bad_record_stop__error_names_topic_partition_and_offset(
    spark: "SparkSession", address: str, topic: str, tmp_path: Path, kind: str
) -> None:
    pipeline = counting(topic, tmp_path)
    if kind == "transform":
        pipeline = Pipeline(pipeline.name, pipeline.source, transform(lambda batch: batch), pipeline.sink)
    produce(address, topic, [*words(0, 50), BAD])
    ends = end_offsets(address, [TopicPartition(topic, number) for number in range(PARTITIONS)])
    with pytest.raises(BadRecordFound, match=r"cannot be decoded.*from number to string.*fix the producer") as stopped:
        pipeline.run(bootstrap_servers=address, until="caught-up", spark=spark)
    found = stopped.value
    assert found.topic == topic
    assert found.offset == ends[TopicPartition(topic, found.partition)] - 1


def test_bad_record__on_bad_record_skip__all_others_processed(
    spark: "SparkSession", address: str, topic: str, tmp_path: Path
) -> None:
    produce(address, topic, [*words(0, 50), BAD, *words(50, 60)])
    counting(topic, tmp_path, "skip").run(bootstrap_servers=address, until="caught-up", spark=spark)
    assert visible(tmp_path) == expected(words(0, 60))


def count_positive(row: Mapping[str, Any], word: dict[str, Any]) -> dict[str, Any]:
    if row["number"] < 0:
        raise ValueError("a negative number")
    word["seen"] = (word["seen"] or 0) + 1
    return {**row, "seen": word["seen"]}


def test_bad_record__dead_letter_topic__unchanged_record_with_headers_for_origin_and_reason(
    spark: "SparkSession", address: str, topic: str, tmp_path: Path
) -> None:
    create_topic(address, f"{topic}-dead")
    produce(address, topic, [*words(0, 50), BAD, NEGATIVE, *words(50, 60)])
    pipeline = Pipeline(
        f"count-{topic}",
        Topic(topic, value=json("word string, number long"))
        .keyed_by("word")
        .select("word", "number")
        .map_with_state(count_positive, state="seen long", output="word string, number long, seen long"),
        sink=Parquet(str(tmp_path)),
        on_bad_record=DeadLetter(f"{topic}-dead"),
    )
    pipeline.run(bootstrap_servers=address, until="caught-up", spark=spark)
    assert visible(tmp_path) == expected(words(0, 60))

    letters = read_arrow(address, f"{topic}-dead", headers=True).to_pylist()
    reasons = {}
    for letter in letters:
        told = {header["key"]: header["value"].decode() for header in letter["headers"]}
        reasons[letter["key"], letter["value"]] = told["tenure.reason"]
        source = read_arrow(address, told["tenure.topic"], partitions=[int(told["tenure.partition"])]).to_pylist()
        (origin,) = (record for record in source if record["offset"] == int(told["tenure.offset"]))
        assert (origin["key"], origin["value"]) == (letter["key"], letter["value"])
    assert reasons.keys() == {BAD, NEGATIVE}
    assert "its value is not JSON of the schema" in reasons[BAD]
    where = r"^ValueError: a negative number, at .*test_pipeline\.py:\d+ in count_positive$"
    assert re.search(where, reasons[NEGATIVE])


def test_keyed_by__column_is_not_the_partition_key__pipeline_stops_with_the_remedy(
    spark: "SparkSession", address: str, topic: str, tmp_path: Path
) -> None:
    produce(address, topic, words(0, 50))
    with pytest.raises(PipelineStopped, match=r"number '\d+' of record .* belongs to partition") as stopped:
        counting(topic, tmp_path, key="number").run(bootstrap_servers=address, until="caught-up", spark=spark)
    assert stopped.value.code is Code.KEY_IS_NOT_PARTITIONING
