"""Reader of the records of a range, up to a limit of bytes in memory.

The end of a batch depends only on the records, so a range that is read again ends at the same record. The manifest
contains this end, and the next plan starts there.
"""

from dataclasses import replace
from math import inf
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tenure.pipeline.values.bad_records import Fetch
from tenure.pipeline.values.lanes import Range

VIEW_INTS: Final = 4
"""Size of an Arrow view in int32: its length, then the value or its location."""


def taken(fetch: Fetch, part: Range, max_bytes: int | None) -> tuple[list[pa.RecordBatch], Range]:
    """Read the first records of a range. Return them as batches, and the range that they cover.

    Keys and values have at most `max_bytes` together, unless the first record alone is larger.
    """
    batches: list[pa.RecordBatch] = []
    left: float = inf if max_bytes is None else max_bytes
    for batch in fetch(part.topic, part.partition, part.start_offset, part.end_offset):
        sizes = np.cumsum(lengths(batch["key"]) + lengths(batch["value"]), dtype=np.int64)
        count = max(int(np.searchsorted(sizes, left, side="right")), 0 if batches else 1)
        if count:
            batches.append(own(batch[:count]))
        if count < len(batch):
            return batches, replace(part, end_offset=batch["offset"][count].as_py())
        left -= sizes[-1] if len(sizes) else 0
    return batches, part


def own(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Return a copy of the batch, so that no view keeps the memory of the fetched buffer in use."""
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
