"""Records of fetched chunks, as rows or as Arrow columns.

Rows are decoded with numpy: it finds one field of all records of a chunk at once. Then a loop creates one tuple per
row.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from tenure.client.consumer.positions import Chunk
from tenure.protocol.batches import decode_records, read_batches, verify_crc
from tenure.protocol.records import Header

if TYPE_CHECKING:
    import pyarrow as pa

COLUMNS_FROM_BYTES: Final = 8_192
"""Chunk size in bytes from which numpy and Arrow decode faster than a loop. Each call of them has a fixed cost."""


class ConsumerRecord(NamedTuple):
    """Record that a consumer read from a topic."""

    topic: str
    partition: int
    offset: int
    timestamp_ms: int
    key: bytes | None
    value: bytes | None
    headers: tuple[Header, ...]
    """Names and values in the order of the record."""


def rows(chunk: Chunk) -> Iterator[ConsumerRecord]:
    """Decode all rows of a chunk. Raises `CorruptBatch` or `UnsupportedMagic` before the first row."""
    if chunk.error is not None:
        raise chunk.error
    if len(chunk.data) < COLUMNS_FROM_BYTES:
        return iter(_few_rows(chunk))
    return _rows_of(chunk, columns(chunk, headers=True))


def _few_rows(chunk: Chunk) -> list[ConsumerRecord]:
    topic, partition = chunk.reading.partition
    found: list[ConsumerRecord] = []
    for batch in read_batches(chunk.data):
        if batch.is_control:
            continue
        verify_crc(batch)
        found += [
            ConsumerRecord(topic, partition, row.offset, row.timestamp_ms, row.key, row.value, tuple(row.headers))
            for row in decode_records(batch)
            if row.offset >= chunk.start
        ]
    return found


def _rows_of(chunk: Chunk, table: "pa.RecordBatch") -> Iterator[ConsumerRecord]:
    import pyarrow as pa

    topic, partition = chunk.reading.partition
    headers: Iterable[tuple[Header, ...]] = (
        (tuple((header["key"], header["value"]) for header in listed) for listed in table["headers"].to_pylist())
        if len(table["headers"].flatten())
        else [()] * len(table)
    )
    fields = zip(
        [topic] * len(table),
        [partition] * len(table),
        table["offset"].to_pylist(),
        table["timestamp"].cast(pa.int64()).to_pylist(),
        table["key"].to_pylist(),
        table["value"].to_pylist(),
        headers,
        strict=True,
    )
    return map(ConsumerRecord._make, fields)


def batches_before_malformed(chunk: Chunk) -> tuple[bytes, int]:
    """Return the batches before the first malformed batch, and the offset after them."""
    end, next_offset = 0, chunk.start
    try:
        for batch in read_batches(chunk.data):
            if not batch.is_control:
                verify_crc(batch)
                list(decode_records(batch))
            end, next_offset = batch.position + batch.size, batch.last_offset + 1
    except ValueError:
        pass
    return bytes(chunk.data[:end]), next_offset


def columns(chunk: Chunk, *, headers: bool = False) -> "pa.RecordBatch":
    """Decode a chunk into the columns of `tenure.protocol.columnar.decode.to_arrow`.

    Keys and values are views of the chunk's memory. Raises the chunk's error if its first batch is malformed.
    """
    from tenure.protocol.columnar.decode import to_arrow

    if chunk.error is not None:
        raise chunk.error
    return to_arrow(chunk.data, from_offset=chunk.start, headers=headers)


def table_of(chunk: Chunk, *, headers: bool) -> "pa.Table":
    """Return a chunk as a table, and advance the position.

    The table has the columns `topic` and `partition`, then the columns that `columns` returns.

    Raises:
        ValueError: A batch is malformed; the position does not change.
    """
    import pyarrow as pa

    batch = columns(chunk, headers=headers)
    topic, partition = chunk.reading.partition
    zeros = pa.repeat(pa.scalar(0, pa.int32()), len(batch))
    table = pa.Table.from_batches([batch])
    table = table.add_column(0, "partition", pa.repeat(pa.scalar(partition, pa.int32()), len(batch)))
    table = table.add_column(0, "topic", pa.DictionaryArray.from_arrays(zeros, [topic]))
    chunk.advance(chunk.next_offset)
    return table


def schema_of(*, headers: bool) -> "pa.Schema":
    """Return the schema of the tables that `table_of` returns."""
    import pyarrow as pa

    from tenure.protocol.columnar.decode import SCHEMA, SCHEMA_WITH_HEADERS

    names = [pa.field("topic", pa.dictionary(pa.int32(), pa.string())), pa.field("partition", pa.int32())]
    return pa.schema([*names, *(SCHEMA_WITH_HEADERS if headers else SCHEMA)])
