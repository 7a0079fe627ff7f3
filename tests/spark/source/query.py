"""Streaming query without Spark: it calls `SourceStream` as Spark does, and keeps a checkpoint."""

from time import monotonic

from tenure.client.producer.producer import Producer
from tenure.spark.source.offset_bounds import from_json, to_json
from tenure.spark.source.options import SourceOptions, source_options
from tenure.spark.source.rows import columns, rows
from tenure.spark.source.source_stream import SourceStream
from tenure.spark.source.task_ranges import ranges

PATIENCE_S = 60.0
Place = tuple[int, int]
"""Partition and offset."""


def options(address: str, topic: str, group: str | None, **others: str) -> SourceOptions:
    given = {"kafka.bootstrap.servers": address, "startingOffsets": "earliest"}
    given |= {"subscribe": topic} if not {"assign", "subscribePattern"} & others.keys() else {}
    given |= {} if group is None else {"kafka.group.id": group}
    given |= {name.replace("__", "."): value for name, value in others.items()}
    return source_options(given)


class Query:
    def __init__(self, options: SourceOptions, checkpoint: dict[str, dict[str, int]] | None = None) -> None:
        self.options = options
        self.stream = SourceStream(options)
        self.checkpoint = checkpoint
        self.read: list[Place] = []
        """Places of all batches, in order."""

    def trigger(self, max_records: int | None = None, min_records: int | None = None) -> int:
        """Run one batch, and return its number of records."""
        if self.checkpoint is None:
            self.checkpoint = to_json(self.stream.first_offsets())
        start = from_json(self.checkpoint)
        end = self.stream.next_offsets(start, max_records, min_records)
        batch = [
            place
            for piece in ranges(start, end)
            for found in rows(self.options, piece, columns(self.options))
            for place in zip(found["partition"].to_pylist(), found["offset"].to_pylist(), strict=True)
        ]
        self.read += batch
        self.checkpoint = to_json(end)
        return len(batch)

    def drain(self, count: int) -> None:
        """Run batches until `count` records were read, and one more batch, which must be empty."""
        deadline = monotonic() + PATIENCE_S
        while len(self.read) < count:
            assert monotonic() < deadline, f"{len(self.read)} of {count} records after {PATIENCE_S:.0f} s"
            self.trigger()
        assert self.trigger() == 0

    def close(self) -> None:
        self.stream.close()


def produce(address: str, topic: str, count: int, partitions: int = 4) -> None:
    """Produce records, the same number for each partition."""
    with Producer(address) as producer:
        for number in range(count):
            producer.send(topic, b"key", b"%d" % number, partition=number % partitions)


def places(count: int, partitions: int = 4, first: int = 0) -> list[Place]:
    return [(at, offset) for at in range(partitions) for offset in range(first, first + count // partitions)]
