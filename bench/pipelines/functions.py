"""Functions of the measured pipelines: they count records by key, in whole columns."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
import pyarrow.compute as pc

from tenure.spark import KeyedState


def count(rows: pa.Table, seen: KeyedState) -> pa.Table:
    """Return the number of records of each key so far, these rows included."""
    counted = counts(rows["key"])
    known = pc.fill_null(seen.get(counted["key"])["records"], 0)
    table = pa.table({"key": counted["key"], "records": pc.add(counted["records"], known)})
    seen.put(table["key"], table)
    return table


def keep(rows: pa.Table, last: KeyedState) -> pa.Table:
    """Keep the last value of each key, and return the number of its records."""
    last.put(rows["key"], rows)
    return pa.table({"records": [len(rows)]})


def counts(keys: pa.ChunkedArray) -> pa.Table:
    found = pc.value_counts(keys.combine_chunks())
    return pa.table({"key": found.field("values"), "records": found.field("counts")})


def count_batches(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Count the records of each key in each batch, for `mapInArrow`, without state."""
    for batch in batches:
        table = counts(pa.chunked_array([batch.column("key")]))
        yield from table.cast(pa.schema([("key", pa.binary()), ("records", pa.int64())])).to_batches()
