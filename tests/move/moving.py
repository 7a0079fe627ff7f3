"""Moves between two brokers, and comparisons of their records, for the tests of `tenure move`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from tenure.client import Producer, TopicPartition, read_arrow
from tenure.client.net.bootstrap import ClusterConfig
from tenure.client.net.event_loop import run
from tenure.move.cluster_move import ClusterMove, MovePlan, PassResult
from tenure.move.offset_translation import OffsetTranslation
from tenure.move.options import MoveOptions

FIRST_MS = 1_700_000_000_000


class Moved(NamedTuple):
    """A move after its first pass."""

    move: ClusterMove
    plan: MovePlan
    passed: PassResult

    def pass_again(self) -> PassResult:
        return run(self.move.run_pass(self.plan))

    def translate(self, partition: TopicPartition, source_offset: int) -> int:
        """Return the offset of a record's copy."""
        return run(self._translation(partition).translate(source_offset))

    def _translation(self, partition: TopicPartition) -> OffsetTranslation:
        move, copier = self.move, self.move._copier
        assert copier is not None
        return OffsetTranslation(move._source, move._target, partition, copier.copies[partition].progress)

    def are_equal(self) -> bool:
        """Return whether `--verify` finds no difference."""
        return all(one.is_equal for one in run(self.move.verify(self.plan)))


@contextmanager
def moving(source: ClusterConfig, target: ClusterConfig, *topics: str, **options: Any) -> Iterator[Moved]:
    """Move topics and their groups in one pass."""
    move = ClusterMove(MoveOptions(source, target, topics=topics, watch_s=0, **options), quiet=True)
    try:
        plan = run(move.plan())
        run(move.begin(plan))
        yield Moved(move, plan, run(move.run_pass(plan)))
    finally:
        move.close()


def move(source: str, target: str, *topics: str, **options: Any) -> PassResult:
    with moving(source, target, *topics, **options) as moved:
        return moved.passed


Row = tuple[Any, ...]


def rows(address: str | Mapping[str, Any], topic: str) -> list[Row]:
    """Return the contents of all records that readers of uncommitted records see, in order, without offsets."""
    table = read_arrow(address, topic, headers=True).select(["partition", "timestamp", "key", "value", "headers"])
    return [tuple(map(_hashable, row.values())) for row in table.to_pylist()]


def _hashable(value: Any) -> Any:
    return tuple(tuple(header.items()) for header in value) if isinstance(value, list) else value


def offsets_by_value(address: str, topic: str) -> dict[tuple[int, bytes], int]:
    """Return partition and value of each record, with its offset."""
    table = read_arrow(address, topic).select(["partition", "value", "offset"])
    return {(row["partition"], row["value"]): row["offset"] for row in table.to_pylist()}


def write(address: str, topic: str, values: Iterable[int], **settings: Any) -> None:
    """Write records with keys, headers and timestamps, in small batches."""
    config = {"bootstrap.servers": address, "batch.size": 600, **settings}
    with Producer(config) as producer:
        for number in values:
            producer.send(
                topic,
                b"key-%d" % (number % 40),
                b"value-%d" % number,
                headers=[("number", b"%d" % number), ("none", None)] if number % 3 == 0 else (),
                timestamp_ms=FIRST_MS + number,
            )


def write_transactions(address: str, topic: str, transactions: Sequence[tuple[str, int]], *, first: int = 0) -> None:
    """Write transactions of several records each: ("commit" or "abort", number of records)."""
    number = first
    with Producer({"bootstrap.servers": address, "transactional.id": f"writer-of-{topic}"}) as producer:
        producer.init_transactions()
        for end, count in transactions:
            producer.begin_transaction()
            for _ in range(count):
                producer.send(topic, b"k", b"%s-%d" % (end.encode(), number), 0, timestamp_ms=FIRST_MS + number)
                number += 1
            producer.flush()
            if end == "commit":
                producer.commit_transaction()
            else:
                producer.abort_transaction()


def ends(moved: Moved) -> dict[TopicPartition, int]:
    """Return the offset at the target after the last copy, by partition."""
    copier = moved.move._copier
    assert copier is not None
    return {at: copy.progress.target_end for at, copy in copier.copies.items()}
