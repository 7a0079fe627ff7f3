"""The records of a range; or as many of its first as may be in memory at once, where they are larger than thought.

How many that are follows from the records alone: a range that is read again is cut at the same place. A manifest says
where its run ended, so what is left is the next plan's.
"""

from dataclasses import replace
from math import inf
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tenure.pipeline.lanes import Range
from tenure.pipeline.records import Fetch

VIEW_INTS: Final = 4
"""A view is its length, and then the value or the way to it."""


def taken(fetch: Fetch, part: Range, max_bytes: int | None) -> tuple[list[pa.RecordBatch], Range]:
    """Batches of the records, and the range of them. Their keys and values have at most `max_bytes`, unless the first
    record alone has more."""
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
    """The same without views into what was fetched: the next answer is received in memory that this one leaves, where a
    run that kept all its answers would have to have each page of them cleared."""
    plain = (field.with_type(pa.binary()) if pa.types.is_binary_view(field.type) else field for field in batch.schema)
    return batch.cast(pa.schema(plain))


def lengths(column: pa.Array) -> Any:
    """Of each value in bytes; 0 where there is none."""
    if not pa.types.is_binary_view(column.type):
        return pc.fill_null(pc.binary_length(column), 0).to_numpy(zero_copy_only=False)
    if not len(column):
        return np.zeros(0, np.int32)
    views = np.frombuffer(column.buffers()[1], np.int32, (column.offset + len(column)) * VIEW_INTS)
    found = views[column.offset * VIEW_INTS :: VIEW_INTS]
    return found if not column.null_count else np.where(column.is_valid(), found, 0)
