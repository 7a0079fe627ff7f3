"""Conversion of Arrow columns into record batches per partition.

The column `partition` has the partition of each row. If it is null, the row's key determines the partition, as in
Java's producer. Rows without partition and key fill one batch after the other, and each batch goes to the next
partition (KIP-480). Rows of a partition keep their order.
"""

import time
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tenure.client.errors import RecordTooLarge
from tenure.client.producer.partitioner import partitions_for_keys
from tenure.client.producer.producer_settings import ProducerSettings
from tenure.limits.client import RECORD_OVERHEAD_BYTES, SEND_ARROW_BYTES
from tenure.protocol.batches import PackedRecords
from tenure.protocol.columnar.decode import HEADERS_TYPE
from tenure.protocol.columnar.encode import RecordColumns, encoded_headers, pack_columns
from tenure.protocol.columnar.table import Ints

COLUMNS: Final = ("key", "value", "timestamp", "partition", "headers")


class PartitionBatch(NamedTuple):
    """Packed record batch and the partition to send it to."""

    partition: int
    records: PackedRecords
    size_bytes: int
    """Approximate size before compression."""


def partition_batches(
    rows: pa.Table | pa.RecordBatch, partitions: int, keyless_to: int, settings: ProducerSettings
) -> Iterator[PartitionBatch]:
    """Yield batches of at most `batch.size`; a larger record gets a batch of its own.

    Args:
        rows: Columns as in `Producer.send_arrow`.
        partitions: Number of partitions of the topic.
        keyless_to: Partition of the first batch of rows without key.
        settings: The producer's settings.

    Raises:
        ValueError: A column is missing, unknown, or has the wrong type, or a partition does not exist.
        RecordTooLarge: A record exceeds `max.request.size`.
    """
    table = _checked_table(rows, partitions)
    keyless = _Keyless(partitions, keyless_to, settings.batch_bytes)
    for first, part in _slices(table, settings):
        columns = _columns(part)
        size = columns.content_bytes() + RECORD_OVERHEAD_BYTES
        _check_sizes(size, settings.max_request_bytes, first)
        partition = _partitions(part, columns.key, size, keyless)
        if (partition[1:] < partition[:-1]).any():
            order = np.argsort(partition, kind="stable")
            columns, size, partition = columns.take(order), size[order], partition[order]
        starts = _starts(partition, size, settings.batch_bytes)
        sizes = np.add.reduceat(size, starts).tolist()
        packed = pack_columns(columns, starts, settings.codec)
        yield from map(PartitionBatch, partition[starts].tolist(), packed, sizes)


# --- columns ----------------------------------------------------------------------------------------------------------


def _checked_table(rows: pa.Table | pa.RecordBatch, partitions: int) -> pa.Table:
    table = rows if isinstance(rows, pa.Table) else pa.Table.from_batches([rows])
    for name in table.column_names:
        if name not in COLUMNS:
            raise ValueError(f"Unknown column '{name}': a record has the columns {', '.join(COLUMNS)}.")
    if "value" not in table.column_names:
        raise ValueError("Missing column 'value': add it with type binary or string; nulls are tombstones.")
    if "partition" in table.column_names and len(table):
        lowest, highest = pc.min_max(table["partition"]).as_py().values()
        if lowest is not None and not 0 <= lowest <= highest < partitions:
            wrong = lowest if lowest < 0 else highest
            raise ValueError(f"Unknown partition {wrong}: the topic has partitions 0 to {partitions - 1}.")
    return table


def _slices(table: pa.Table, settings: ProducerSettings) -> Iterator[tuple[int, pa.Table]]:
    """Divide the table into parts of bounded size. Yield each part, preceded by its first row's index in the table."""
    at_once_bytes = min(SEND_ARROW_BYTES, settings.buffer_bytes // 2)
    rows = max(1, len(table) * at_once_bytes // max(table.nbytes, 1))
    for first in range(0, len(table), rows):
        yield first, table.slice(first, rows)


def _columns(part: pa.Table) -> RecordColumns:
    now_ms = time.time_ns() // 1_000_000
    timestamp_ms = np.full(len(part), now_ms)
    if "timestamp" in part.column_names:
        timestamp_ms = pc.fill_null(_cast(part, "timestamp", pa.timestamp("ms")).cast(pa.int64()), now_ms).to_numpy()
    key = _cast(part, "key", pa.binary()) if "key" in part.column_names else pa.nulls(len(part), pa.binary())
    headers = _headers(part) if "headers" in part.column_names else None
    return RecordColumns(key, _cast(part, "value", pa.binary()), timestamp_ms, headers)


def _cast(part: pa.Table, name: str, kind: pa.DataType) -> pa.Array:
    chunked = part[name]
    column = chunked.chunk(0) if chunked.num_chunks == 1 else chunked.combine_chunks()  # also copies a single chunk
    try:
        if pa.types.is_timestamp(column.type) and column.type.tz:  # a zone changes the display only, not the time
            column = column.cast(pa.timestamp(column.type.unit, "UTC")).cast(pa.timestamp(column.type.unit))
        cast = column.cast(kind, safe=False)
    except pa.ArrowException:
        raise ValueError(f"Invalid column '{name}': {column.type} cannot be converted to {kind}.") from None
    return cast.combine_chunks() if isinstance(cast, pa.ChunkedArray) else cast


def _headers(part: pa.Table) -> pa.Array | None:
    headers = _cast(part, "headers", HEADERS_TYPE)
    if headers.flatten().field("key").null_count:
        raise ValueError("Invalid column 'headers': a header has no name.")
    return encoded_headers(headers) if len(headers.flatten()) else None


def _check_sizes(size: Ints, max_bytes: int, first: int) -> None:
    if size.max() > max_bytes:
        row = int(np.argmax(size > max_bytes))
        raise RecordTooLarge(
            f"Row {first + row} has {size[row]} bytes and exceeds 'max.request.size' ({max_bytes}): raise this "
            f"setting, and the broker's 'message.max.bytes'. Rows from {first} on were not sent."
        )


# --- partitions -------------------------------------------------------------------------------------------------------


class _Keyless:
    """Distribution of rows that have neither key nor partition: each batch goes to the next partition."""

    def __init__(self, partitions: int, first: int, batch_bytes: int) -> None:
        self.partitions: Final = partitions
        self._batch_bytes: Final = batch_bytes
        self._assigned_bytes = first * batch_bytes

    def partitions_for(self, size: Ints) -> Ints:
        behind = self._assigned_bytes + np.cumsum(size)
        self._assigned_bytes = int(behind[-1]) % (self.partitions * self._batch_bytes)
        assigned: Ints = (behind - size) // self._batch_bytes % self.partitions
        return assigned


def _partitions(part: pa.Table, key: pa.Array, size: Ints, keyless: _Keyless) -> Ints:
    given = (
        _cast(part, "partition", pa.int64()) if "partition" in part.column_names else pa.nulls(len(part), pa.int64())
    )
    partition: Ints = pc.fill_null(given, -1).to_numpy(zero_copy_only=False).copy()
    is_open = partition < 0
    has_key = np.asarray(pc.is_valid(key))
    keyed, others = np.flatnonzero(is_open & has_key), np.flatnonzero(is_open & ~has_key)
    if keyed.size:
        keys = key if keyed.size == len(key) else key.take(pa.array(keyed))
        partition[keyed] = partitions_for_keys(keys, keyless.partitions)
    if others.size:
        partition[others] = keyless.partitions_for(size[others])
    return partition


def _starts(partition: Ints, size: Ints, batch_bytes: int) -> Ints:
    """Return the index of each batch's first row. The rows are sorted by partition.

    `partition` and `size` have the partition and the bytes of each row. A row that exceeds `batch_bytes` has a batch of
    its own.
    """
    ends = np.flatnonzero(np.append(partition[1:] != partition[:-1], True)) + 1
    behind = np.cumsum(size)
    starts, first = [], 0
    for end in ends.tolist():
        while first < end:
            starts.append(first)
            full = int(np.searchsorted(behind, behind[first] - size[first] + batch_bytes, "right"))
            first = min(max(full, first + 1), end)
    return np.array(starts, np.int64)
