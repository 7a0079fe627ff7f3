"""Batch writes of `format("tenure")`: one record for each row, at least once.

Each task attempt writes with an idempotent producer, which repeats no record. But if an attempt fails after it has
written rows, Spark starts another attempt, which writes these rows again. Rows of a failed query remain in the topic.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql.datasource import DataSourceArrowWriter, WriterCommitMessage

from tenure.client.configuration import Configuration, ConfigurationError
from tenure.client.producer.arrow_batches import COLUMNS
from tenure.client.producer.producer import Producer
from tenure.client.producer.producer_settings import PRODUCER_KEYS, producer_settings
from tenure.config_keys import ConfigKey, text
from tenure.spark.source.options import JAAS, KAFKA, credentials

TOPIC: Final = "topic"
REFUSED_KEYS: Final = ("enable.idempotence", "transactional.id", "transaction.timeout.ms")
"""Producer keys that are not accepted: the producer is always idempotent, and writes without transactions."""

KEYS: Final = tuple(key._replace(name=KAFKA + key.name) for key in PRODUCER_KEYS if key.name not in REFUSED_KEYS)
OPTIONS: Final = (
    ConfigKey(TOPIC, text, None, "topic of all rows; default: the column topic"),
    *KEYS,
    ConfigKey(JAAS, text, None, "user and password in the format of Java clients"),
)
CANONICAL: Final = {key.name.lower(): key.name for key in OPTIONS}


@dataclass(frozen=True, slots=True)
class WriteOptions:
    """Parsed options of a write."""

    producer: dict[str, Any] = field(repr=False)
    """Kafka's keys of a producer."""
    topic: str | None


def write_options(given: Mapping[str, str], columns: list[str]) -> WriteOptions:
    """Parse the options of a write of rows with these columns. Raises `ConfigurationError`."""
    named = {CANONICAL.get(name.lower(), name): value for name, value in given.items()}
    values = Configuration(OPTIONS, named)
    values.required("kafka.bootstrap.servers", "to find the cluster")
    if (values[TOPIC] is None) is (TOPIC not in columns):
        raise ConfigurationError("Set the topic of the rows either as the option 'topic' or as the column 'topic'.")
    if unknown := [name for name in columns if name not in (*COLUMNS, TOPIC)]:
        raise ConfigurationError(
            f"Unknown column '{unknown[0]}': a record has the columns {', '.join(COLUMNS)} and topic; convert others to"
            " one value, for example with to_json(struct(…))."
        )
    if "value" not in columns:
        raise ConfigurationError("Missing column 'value': add it with type binary or string; nulls are tombstones.")
    producer = {key.name.removeprefix(KAFKA): named[key.name] for key in KEYS if key.name in named}
    producer |= credentials(values[JAAS])
    producer_settings(producer)
    return WriteOptions(producer, values[TOPIC])


class TopicWriter(DataSourceArrowWriter):
    """Writer of one query. Spark pickles it for the tasks."""

    def __init__(self, options: WriteOptions) -> None:
        self.options = options

    def write(self, iterator: Iterator[pa.RecordBatch]) -> WriterCommitMessage:
        """Write the rows of a task. Returns after the brokers have acknowledged all of them."""
        with Producer(self.options.producer) as producer:
            for batch in iterator:
                for topic, rows in self.by_topic(pa.Table.from_batches([batch])):
                    producer.send_arrow(topic, rows)
        return WriterCommitMessage()

    def by_topic(self, rows: pa.Table) -> Iterator[tuple[str, pa.Table]]:
        """Yield the rows of each topic, in their order."""
        if self.options.topic is not None:
            yield self.options.topic, rows
            return
        if rows[TOPIC].null_count:
            raise ValueError("A row has no topic: fill the column 'topic', or set the option 'topic'.")
        for topic in pc.unique(rows[TOPIC]).to_pylist():
            yield topic, rows.filter(pc.equal(rows[TOPIC], topic)).drop_columns([TOPIC])
