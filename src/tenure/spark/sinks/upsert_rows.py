"""Selection of the last row of each key, for sinks that replace rows with the same key."""

from collections.abc import Sequence

import pyarrow as pa


def last_row_of_each_key(rows: pa.Table, keys: Sequence[pa.ChunkedArray]) -> pa.Table:
    """Return the last row of each key, because one statement may not write a row twice.

    Args:
        rows: Rows in order: later rows replace earlier ones.
        keys: Columns of the key, with a value for each row. None of them is a struct or a list.
    """
    if not keys:
        return rows
    names = [f"key_{number}" for number in range(len(keys))]
    numbered = pa.table({**dict(zip(names, keys, strict=True)), "row": pa.array(range(len(rows)), pa.int64())})
    last = numbered.group_by(names, use_threads=False).aggregate([("row", "max")])["row_max"]
    return rows.take(last.combine_chunks().sort())
