"""Join of a stream with a state table: the last value of each key in a topic, like a KTable of Kafka Streams.

The rows of both topics are merged by time (`operators/rows.py`). Each row of the stream is joined with the content of
the table at the row's position in this order. This does not depend on where batches end. A null value is a tombstone,
which removes the key.
"""

from dataclasses import dataclass
from typing import Any

import numpy
import pyarrow as pa
import pyarrow.compute as pc

from tenure.pipeline.operators.joins.columns import How, own_columns, renamed, two_topics
from tenure.pipeline.operators.operator import BoundOperator, OperatorInput
from tenure.pipeline.operators.rows import TOPIC, carried_names
from tenure.pipeline.state.keyed_state import KeyedState

RECORD_KEY = "_key"


@dataclass(frozen=True, slots=True)
class StateTableJoin:
    """Function that joins the rows of a stream with a state table. Picklable."""

    table: str
    """Name of the state table: the topic whose last value for each key is joined."""
    key: str
    how: How
    stream: tuple[str, ...]
    """Columns of the stream's rows."""
    columns: dict[str, str]
    """Column names in joined rows by column name of the table."""
    carries: bool = False
    """True if joined rows have the internal columns of the stream's rows, because another step follows."""

    def __call__(self, rows: pa.Table, state: KeyedState) -> pa.Table:
        of_table = pc.equal(rows[TOPIC], self.table).to_numpy()
        keys, gone = self.keys(rows, of_table, state.schema.field(0).type)
        upserts, asks = numpy.flatnonzero(of_table), numpy.flatnonzero(~of_table)
        matches = last_before(keys, of_table)[asks]
        here = numpy.flatnonzero(matches >= 0)
        there = numpy.flatnonzero(matches < 0)
        before = state.get(keys.take(pa.array(asks[there])))
        values = pa.concat_tables([before.select(list(self.columns)), self.values(rows, matches[here], state.schema)])
        order = numpy.empty(len(asks), numpy.int64)
        order[numpy.concatenate([there, here])] = numpy.arange(len(asks))
        found = numpy.concatenate([before["found"].to_numpy(), ~gone[matches[here]]])[order]
        self.upsert(rows, keys, upserts, gone, state)
        return self.joined(rows.take(pa.array(asks)), values.take(pa.array(order, mask=~found)), found)

    def keys(self, rows: pa.Table, of_table: Any, kind: pa.DataType) -> tuple[Any, Any]:
        """Return the key of each row, and a mask of the tombstones.

        The key of a tombstone is the record's key, because its value is null. `of_table` is true for the table's rows,
        and `kind` is the type of the keys.
        """
        keys = rows[self.key].combine_chunks()
        gone = of_table & pc.is_null(keys).to_numpy(zero_copy_only=False)
        if not gone.any():
            return keys, gone
        named = rows[RECORD_KEY].combine_chunks()
        text = named if pa.types.is_binary(kind) else named.cast(pa.string()).cast(kind)
        return pc.if_else(pa.array(gone), text, keys), gone

    def values(self, rows: pa.Table, which: Any, schema: pa.Schema) -> pa.Table:
        """Return the state table's columns of the rows with the indices `which`, cast to their types in `schema`."""
        kept = pa.schema([schema.field(name) for name in self.columns])
        return rows.select(list(self.columns)).take(pa.array(which, pa.int64())).cast(kept)

    def upsert(self, rows: pa.Table, keys: Any, upserts: Any, gone: Any, state: KeyedState) -> None:
        """Write the last table row of each key to the state, or remove the key if this row is a tombstone.

        Args:
            rows: Rows of both topics.
            keys: Key of each row.
            upserts: Indices of the table's rows.
            gone: Mask of the tombstones.
            state: State of the table.
        """
        valid = pc.is_valid(keys).to_numpy(zero_copy_only=False)
        upserts = upserts[valid[upserts]]
        numbered = pa.table({"key": keys.take(pa.array(upserts)), "row": upserts})
        last = numbered.group_by("key", use_threads=False).aggregate([("row", "max")])["row_max"].to_numpy()
        put, deleted = last[~gone[last]], last[gone[last]]
        state.put(keys.take(pa.array(put, pa.int64())), self.values(rows, put, state.schema))
        state.delete(keys.take(pa.array(deleted, pa.int64())))

    def joined(self, stream: pa.Table, values: pa.Table, found: Any) -> pa.Table:
        rows = stream.select([*self.stream, *(carried_names(stream) if self.carries else ())])
        for name, called in self.columns.items():
            rows = rows.append_column(called, values[name])
        return rows.filter(pa.array(found)) if self.how == "inner" else rows


def last_before(keys: Any, of_table: Any) -> Any:
    """Return for each row the index of the last table row with the same key up to this row; -1 if there is none.

    `of_table` is true for the rows of the table.
    """
    codes = pc.fill_null(keys.dictionary_encode().indices, -1).to_numpy(zero_copy_only=False)
    order = numpy.argsort(codes, kind="stable")
    sorted_codes = codes[order]
    indices = numpy.arange(len(order))
    begins = numpy.searchsorted(sorted_codes, sorted_codes)
    latest = numpy.maximum.accumulate(numpy.where(of_table[order], indices, -1)) if len(order) else indices
    known = (latest >= begins) & (sorted_codes >= 0)
    found = numpy.full(len(order), -1)
    found[order[known]] = order[latest[known]]
    return found


@dataclass(frozen=True, slots=True)
class StateTableJoinOperator:
    table: str
    how: How
    suffix: str

    def bound(self, step_input: OperatorInput) -> BoundOperator:
        key, names = step_input.require_key(), two_topics(step_input, "join_state_table(…)")
        if self.table not in names:
            step_input.refuse(f"joins with the table '{self.table}', but reads only {' and '.join(names)}")
        stream = names[1 - names.index(self.table)]
        if RECORD_KEY not in step_input.topics[self.table].names:
            step_input.refuse(
                f"joins with '{self.table}', whose values are raw: declare its columns with json(…) or avro(…)"
            )
        left = [key.name, *own_columns(step_input.topics[stream], key.name)]
        right = own_columns(step_input.topics[self.table], key.name, step_input.keys.get(self.table))
        columns = renamed(left, right, self.suffix)
        state = pa.schema([key, *(step_input.rows.field(name) for name in columns)])
        output = pa.schema(
            [
                *(step_input.rows.field(name) for name in left),
                *(step_input.rows.field(one).with_name(new) for one, new in columns.items()),
            ]
        )
        join = StateTableJoin(self.table, key.name, self.how, tuple(left), columns, carries=not step_input.is_last)
        event = step_input.events.get(stream)
        kept = event.column if event is not None and event.column in left else None
        return BoundOperator(join, state, output=output, event=kept)
