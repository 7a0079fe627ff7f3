"""The part of a consumer that hands out what was fetched, and moves the positions by it. Runs in its user's thread."""

from collections.abc import Collection, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from tenure.client.consumer_records import ConsumerRecord, columns, rows
from tenure.client.positions import Chunk
from tenure.client.values import TopicPartition

if TYPE_CHECKING:
    import pyarrow as pa


class Handout:
    """Rows of one chunk at a time: a poll of 500 takes them from what a fetch of thousands brought."""

    def __init__(self) -> None:
        self._chunk: Chunk | None = None
        self._rows: Iterator[ConsumerRecord] = iter(())

    @property
    def is_empty(self) -> bool:
        return self._chunk is None or not self._chunk.is_current

    def open(self, chunk: Chunk) -> None:
        """Begin with a chunk. Raises ValueError when it cannot be read; its position is then where it was."""
        self._rows = rows(chunk)
        self._chunk = chunk

    def next_rows(self, count: int) -> list[ConsumerRecord]:
        chunk = self._chunk
        if chunk is None or not chunk.is_current:
            return []
        taken = list(islice(self._rows, count))
        if len(taken) < count:
            self._chunk = None
            _move(chunk, chunk.next_offset)
        else:
            _move(chunk, taken[-1].offset + 1)
        return taken

    def give_up(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, int]:
        """Give up the rows of a partition that is paused, or read in columns from now on: where they have to be read
        again from."""
        chunk = self._chunk
        if chunk is None or not chunk.is_current or chunk.reading.partition not in partitions:
            return {}
        assert chunk.reading.position is not None, "it is read"
        self._chunk = None
        return {chunk.reading.partition: chunk.reading.position}


def table_of(chunk: Chunk, *, headers: bool) -> "pa.Table":
    """All of a chunk: `topic` and `partition`, then the columns of `tenure.protocol.columnar.to_arrow`.

    Raises ValueError when it cannot be read; its position is then where it was.
    """
    import pyarrow as pa

    batch = columns(chunk, headers=headers)
    topic, partition = chunk.reading.partition
    zeros = pa.repeat(pa.scalar(0, pa.int32()), len(batch))
    table = pa.Table.from_batches([batch])
    table = table.add_column(0, "partition", pa.repeat(pa.scalar(partition, pa.int32()), len(batch)))
    table = table.add_column(0, "topic", pa.DictionaryArray.from_arrays(zeros, [topic]))
    _move(chunk, chunk.next_offset)
    return table


def _move(chunk: Chunk, position: int) -> None:
    chunk.reading.position = position
    if chunk.leader_epoch >= 0:
        chunk.reading.leader_epoch = chunk.leader_epoch


def schema_of(*, headers: bool) -> "pa.Schema":
    """Of what `table_of` gives."""
    import pyarrow as pa

    from tenure.protocol.columnar import SCHEMA, SCHEMA_WITH_HEADERS

    names = [pa.field("topic", pa.dictionary(pa.int32(), pa.string())), pa.field("partition", pa.int32())]
    return pa.schema([*names, *(SCHEMA_WITH_HEADERS if headers else SCHEMA)])
