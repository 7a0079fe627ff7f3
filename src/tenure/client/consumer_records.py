"""What a consumer hands out: rows, or Arrow columns, of the chunks that were fetched.

Rows are cut from columns, too: numpy finds the fields of all records of a chunk at once, and only the tuples are made
one by one.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final, NamedTuple

from tenure.client.positions import Chunk
from tenure.protocol.records import Header, decode_records, read_batches, verify_crc

if TYPE_CHECKING:
    import pyarrow as pa

COLUMNS_FROM_BYTES: Final = 8_192
"""A smaller chunk is decoded row by row: below this, the fixed cost of numpy and Arrow is the larger part."""


class ConsumerRecord(NamedTuple):
    topic: str
    partition: int
    offset: int
    timestamp_ms: int
    key: bytes | None
    value: bytes | None
    headers: tuple[Header, ...]
    """Name and value, in the order in which they were written."""


def rows(chunk: Chunk) -> Iterator[ConsumerRecord]:
    """All at once or not at all: raises `CorruptBatch` or `UnsupportedMagic` before the first."""
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


def sound_part(chunk: Chunk) -> tuple[bytes, int]:
    """The batches before the first one that cannot be read, and the offset behind them."""
    end, next_offset = 0, chunk.start
    try:
        for batch in read_batches(chunk.data):
            if not batch.is_control:
                verify_crc(batch)
                list(decode_records(batch))
            end, next_offset = batch.position + batch.size, batch.last_offset + 1
    except ValueError:
        pass
    return chunk.data[:end], next_offset


def columns(chunk: Chunk, *, headers: bool = False) -> "pa.RecordBatch":
    """As `tenure.protocol.columnar.to_arrow` lays them out; keys and values are views into the chunk."""
    from tenure.protocol.columnar import to_arrow

    if chunk.error is not None:
        raise chunk.error
    return to_arrow(chunk.data, from_offset=chunk.start, headers=headers)
