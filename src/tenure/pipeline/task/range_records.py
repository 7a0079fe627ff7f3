"""Reader of the records of a range, up to a limit of bytes in memory.

The end of a batch depends only on the records, so a range that is read again ends at the same record. The manifest
contains this end, and the next plan starts there.
"""

from collections.abc import Iterator
from dataclasses import replace
from math import inf
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tenure.pipeline.values.decoded_records import Fetch
from tenure.pipeline.values.lanes import Range

RECORDS: Final = pa.schema(
    [("offset", pa.int64()), ("timestamp", pa.timestamp("ms", "UTC")), ("key", pa.binary()), ("value", pa.binary())]
)

VIEW_INTS: Final = 4
"""Number of int32 in an Arrow view. The first is the length of the value; the others are the value or its location."""


class RangePart(NamedTuple):
    """Part of the offset range of a task, with its records in memory."""

    batches: list[pa.RecordBatch]
    range: Range

    @property
    def table(self) -> pa.Table:
        return pa.Table.from_batches(self.batches) if self.batches else RECORDS.empty_table()


def pieces(fetch: Fetch, to_read: Range, max_bytes: int | None, piece_bytes: float = inf) -> Iterator[RangePart]:
    """Yield the records of a range in pieces, up to `max_bytes`. There is at least one piece, which may be empty.

    Args:
        fetch: Function that returns the records of a range.
        to_read: Range to read.
        max_bytes: Maximum bytes of keys and values in all pieces together; None for no limit. A first record that is
            larger is returned nevertheless.
        piece_bytes: Bytes of keys and values at which a piece is complete. A piece consists of whole fetched Arrow
            batches, so it may be larger.
    """
    batches: list[pa.RecordBatch] = []
    left: float = inf if max_bytes is None else max_bytes
    held, is_first = 0, True
    for batch in fetch(to_read.topic, to_read.partition, to_read.start_offset, to_read.end_offset):
        if held >= piece_bytes and len(batch):
            begins = batch["offset"][0].as_py()
            yield RangePart(batches, replace(to_read, end_offset=begins))
            to_read, batches, held = replace(to_read, start_offset=begins), [], 0
        sizes = np.cumsum(lengths(batch["key"]) + lengths(batch["value"]), dtype=np.int64)
        count = max(int(np.searchsorted(sizes, left, side="right")), 1 if is_first else 0)
        if count:
            batches.append(copy_batch(batch[:count]))
        if count < len(batch):
            to_read = replace(to_read, end_offset=batch["offset"][count].as_py())
            break
        size = int(sizes[-1]) if len(sizes) else 0
        left, held, is_first = left - size, held + size, is_first and not batches
    yield RangePart(batches, to_read)


def copy_batch(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return a copy of the batch. Views into the fetched buffer would keep the whole buffer in memory."""
    plain = (field.with_type(pa.binary()) if pa.types.is_binary_view(field.type) else field for field in batch.schema)
    return batch.cast(pa.schema(plain))


def lengths(column: pa.Array) -> Any:
    """Return the length of each value in bytes; 0 for null."""
    if not pa.types.is_binary_view(column.type):
        return pc.fill_null(pc.binary_length(column), 0).to_numpy(zero_copy_only=False)
    if not len(column):
        return np.zeros(0, np.int32)
    views = np.frombuffer(column.buffers()[1], np.int32, (column.offset + len(column)) * VIEW_INTS)
    found = views[column.offset * VIEW_INTS :: VIEW_INTS]
    return found if not column.null_count else np.where(column.is_valid(), found, 0)
