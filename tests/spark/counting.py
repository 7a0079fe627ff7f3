"""Pipeline whose result is easy to compute: each record's word, and the number of its occurrences so far."""

import json as text
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa

from tenure.admin import Admin
from tenure.client.producer.producer import Producer
from tenure.spark import KeyedState, Parquet, Pipeline, Topic, json, stateful

PARTITIONS = 4

Row = tuple[str, int, int]
"""Word, number, and how many records of the word there are up to this one."""


def count(rows: pa.Table, words: KeyedState) -> pa.Table:
    table = rows.select(["word", "number"]).to_pandas()
    known = words.get(rows["word"].combine_chunks())["seen"].fill_null(0).to_pandas()
    table["seen"] = table.groupby("word").cumcount() + 1 + known
    latest = pa.Table.from_pandas(table.groupby("word").tail(1), preserve_index=False)
    words.put(latest["word"], latest)
    return pa.Table.from_pandas(table, preserve_index=False)


def count_for_all(rows: pa.Table, words: KeyedState) -> dict[str, pa.Table]:
    """Return the same rows for the main output and for four side outputs."""
    return dict.fromkeys(("", "parquet", "delta", "iceberg", "topic"), count(rows, words))


def counting(topic: str, sink: Path, on_bad_record: object = "stop", key: str = "word") -> Pipeline:
    source = Topic(topic, value=json("word string, number long")).keyed_by(key)
    work = stateful(count, state="seen long")
    return Pipeline(f"count-{topic}", source, work, Parquet(str(sink)), on_bad_record=on_bad_record)  # type: ignore[arg-type]


def words(first: int, end: int) -> list[tuple[bytes, bytes]]:
    """Return key and value of records number `first` to `end`."""
    named = [(f"w{number * number % 41}", number) for number in range(first, end)]
    return [(word.encode(), text.dumps({"word": word, "number": number}).encode()) for word, number in named]


def create_topic(address: str, topic: str, partitions: int = PARTITIONS) -> None:
    """Create a topic, and wait until all brokers know it: Apache Kafka answers a moment earlier."""
    with Admin(address) as admin:
        admin.create_topics([topic], partitions=partitions)
        while topic not in {found.topic for found in admin.list_topics()}:
            time.sleep(0.02)


def produce(address: str, topic: str, records: Sequence[tuple[bytes, bytes]]) -> None:
    with Producer(address) as producer:
        for key, value in records:
            producer.send(topic, key, value)


def expected(records: Sequence[tuple[bytes, bytes]]) -> list[Row]:
    """Return the expected rows. All records of a word are in one partition, so they are counted in order."""
    seen: Counter[str] = Counter()
    rows = []
    for _, value in records:
        record = text.loads(value)
        seen[record["word"]] += 1
        rows.append((record["word"], record["number"], seen[record["word"]]))
    return sorted(rows)


def visible(sink: Path) -> list[Row]:
    """Return the rows that any reader of the directory sees."""
    import pyarrow.dataset  # Applications in processes of their own do without it: it imports pandas.

    table = pyarrow.dataset.dataset(sink, format="parquet").to_table()
    return sorted((row["word"], row["number"], row["seen"]) for row in table.to_pylist())
