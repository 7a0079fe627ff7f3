"""Rows of a fetched chunk, returned in several polls. Runs in the user's thread."""

from collections.abc import Collection, Iterator
from itertools import islice

from tenure.client.consumer.consumer_records import ConsumerRecord, rows
from tenure.client.consumer.positions import Chunk
from tenure.client.values import TopicPartition


class BufferedRows:
    """Rows of one fetched chunk that polls have not returned yet."""

    def __init__(self) -> None:
        self._chunk: Chunk | None = None
        self._rows: Iterator[ConsumerRecord] = iter(())

    @property
    def is_empty(self) -> bool:
        """True if no row can be returned: there is no chunk, its partition was lost, or a seek changed the position."""
        return self._chunk is None or not self._chunk.is_current

    def open(self, chunk: Chunk) -> None:
        """Replace the buffered rows by those of `chunk`.

        Raises ValueError if a batch is malformed; the position does not change.
        """
        self._rows = rows(chunk)
        self._chunk = chunk

    def next_rows(self, count: int) -> list[ConsumerRecord]:
        """Return up to `count` rows, and advance the partition's position to the offset after the last one."""
        chunk = self._chunk
        if chunk is None or not chunk.is_current:
            return []
        taken = list(islice(self._rows, count))
        if len(taken) < count:
            self._chunk = None
            chunk.advance(chunk.next_offset)
        else:
            chunk.advance(taken[-1].offset + 1)
        return taken

    def drop(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, int]:
        """Drop the rows if they belong to one of these partitions; return the offset of the first dropped row."""
        chunk = self._chunk
        if chunk is None or not chunk.is_current or chunk.reading.partition not in partitions:
            return {}
        assert chunk.reading.position is not None, "it is read"
        self._chunk = None
        return {chunk.reading.partition: chunk.reading.position}
