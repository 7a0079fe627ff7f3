"""Program for Bytewax in `make bench ARGS=peers`, in its own environment, without imports from this project."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime, timedelta
from typing import Any

import bytewax.operators as op
import bytewax.operators.windowing as win
from bytewax.connectors.kafka import KafkaSink, KafkaSinkMessage, KafkaSource
from bytewax.dataflow import Dataflow
from bytewax.operators import StatefulBatchLogic, Stream
from bytewax.testing import run_main
from confluent_kafka import OFFSET_BEGINNING, Consumer, TopicPartition

BATCH = 10_000
WINDOW = timedelta(seconds=10)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Counting(StatefulBatchLogic):
    """Count of a key, returned once for each batch."""

    def __init__(self, count: int | None) -> None:
        self.count = count or 0

    def on_batch(self, values: list[Any]) -> tuple[list[int], bool]:
        self.count += len(values)
        return [self.count], StatefulBatchLogic.RETAIN

    def snapshot(self) -> int:
        return self.count


def following(count: int | None, _: Any) -> tuple[int, int]:
    count = (count or 0) + 1
    return count, count


def time_of(message: tuple[str, int]) -> datetime:
    return EPOCH + timedelta(milliseconds=message[1])


def window_text(item: tuple[str, tuple[int, int]]) -> tuple[str, str]:
    key, (window, count) = item
    return key, f"{window * 10_000} {count}"


def table_of(address: str, topic: str) -> dict[bytes, bytes]:
    """Return the latest value of each key of a topic."""
    consumer = Consumer({"bootstrap.servers": address, "group.id": "table", "enable.partition.eof": True})
    partitions = consumer.list_topics(topic).topics[topic].partitions
    consumer.assign([TopicPartition(topic, number, OFFSET_BEGINNING) for number in partitions])
    found, left = {}, len(partitions)
    while left:
        message = consumer.poll(10)
        if message is None or (message.error() and message.error().name() != "_PARTITION_EOF"):
            raise SystemExit(f"topic {topic} cannot be read")
        if message.error():
            left -= 1
        else:
            found[message.key()] = message.value()
    consumer.close()
    return found


def rows(workload: str, events: Stream[Any], address: str, table: str) -> Stream[tuple[str, Any]]:
    if workload == "join":
        known = table_of(address, table)
        return op.map("join", events, lambda message: (message.key, known[message.key]))
    if workload == "windows":
        timed = op.map("key", events, lambda message: (message.key.decode(), message.timestamp[1]))
        clock = win.EventClock(time_of, timedelta(0))
        counted = win.count_window("count", timed, clock, win.TumblingWindower(WINDOW, EPOCH), lambda item: item[0])
        return op.map("text", counted.down, window_text)
    keyed = op.map("key", events, lambda message: (message.key.decode(), None))
    if workload == "each":
        return op.stateful_map("count", keyed, following)
    return op.stateful_batch("count", keyed, Counting)


def main(workload: str, address: str, topic: str, table: str, output: str, **_: Any) -> None:
    flow = Dataflow("bench")
    source = KafkaSource([address], [topic], tail=False, batch_size=BATCH)
    found = rows(workload, op.input("in", flow, source), address, table)
    written = op.map("out", found, message_of)
    op.output("sink", written, KafkaSink([address], output))
    run_main(flow)


def message_of(item: tuple[Any, Any]) -> KafkaSinkMessage:
    key, value = item
    return KafkaSinkMessage(
        key if isinstance(key, bytes) else key.encode(), value if isinstance(value, bytes) else str(value).encode()
    )


if __name__ == "__main__":
    main(**json.loads(sys.argv[1]))
