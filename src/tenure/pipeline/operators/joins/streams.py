"""Join of two streams: rows with the same key whose times are close enough.

A row is kept until the watermark shows that no later row can be close enough. A pair is returned once, when its later
row arrives. An outer join returns a row without a partner when it drops the row. A row is late if its time is before
the watermark at its own position in the log. Late rows are not joined. Rows are dropped only at the end of a batch, but
the pairs do not depend on batches: only a late row could match a row that should have been dropped earlier.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy
import pyarrow as pa
import pyarrow.compute as pc

from tenure.pipeline.operators.joins.columns import How, own_columns, renamed, two_topics
from tenure.pipeline.operators.operator import BoundOperator, OperatorInput
from tenure.pipeline.operators.rows import NEVER_US, TOPIC, event_times_us
from tenure.pipeline.operators.user_function import MAIN
from tenure.pipeline.operators.windows.windowed import LATE, late_rows, other_indices, watermark_us
from tenure.pipeline.state.keyed_state import KeyedState

ROW: Final = "_row"
"""Key of a kept row: the number of its topic, its partition and its offset."""

SIDES: Final = ("left", "right")


@dataclass(frozen=True, slots=True)
class Side:
    topic: str
    time: str
    columns: tuple[str, ...]
    """Columns of this side without the key."""
    waits_us: int
    """Time in µs for which a row of this side waits for a partner: until the watermark is later by this time."""
    keeps_unmatched: bool
    """True if rows without a partner are part of the result."""


@dataclass(frozen=True, slots=True)
class StreamJoin:
    """Function that joins the rows of two streams. Picklable."""

    key: str
    left: Side
    right: Side
    names: dict[str, str]
    """Column names in joined rows by column name of the right side."""
    late: str | None
    """Side output of late rows; None drops them."""

    def __call__(self, rows: pa.Table, state: KeyedState) -> dict[str, pa.Table]:
        watermarks = watermark_us(rows)
        new, late = self.joinable(rows, watermarks, state.schema)
        old = self.rows_with_keys(state, new[self.key])
        candidates = pa.concat_tables([old, new])
        pairs = self.pairs(candidates, len(old))
        matched = candidates["matched"].to_numpy().copy()
        if self.left.keeps_unmatched or self.right.keeps_unmatched:
            matched[numpy.concatenate(pairs)] = True
        changed = numpy.flatnonzero(matched != candidates["matched"].to_numpy())
        touched = numpy.union1d(changed, numpy.arange(len(old), len(candidates)))
        self.keep(state, with_matched(candidates, matched).take(pa.array(touched)))
        unmatched = self.drop_expired(state, NEVER_US if state.watermark_us is None else state.watermark_us)
        made = pa.concat_tables([self.joined(candidates, *pairs), *unmatched])
        return {MAIN: made} if self.late is None else {MAIN: made, self.late: late_rows(rows, late)}

    def joinable(self, rows: pa.Table, watermarks: Any, schema: pa.Schema) -> tuple[pa.Table, Any]:
        """Return the rows of both topics that take part in the join, and the indices in `rows` of all other rows.

        Rows that are late, or have no key or no time, do not take part. The returned rows have the columns `schema`.
        """
        parts, fits = [], []
        for number, side in enumerate((self.left, self.right)):
            times = event_times_us(rows[side.time])
            mine = pc.equal(rows[TOPIC], side.topic).to_numpy() & pc.is_valid(rows[self.key]).to_numpy()
            in_time = (times != NEVER_US) & (times >= watermarks)
            fit = numpy.flatnonzero(mine & in_time)
            fits.append(fit)
            parts.append(self.state_rows(rows.take(pa.array(fit)), times[fit], number, schema))
        return pa.concat_tables(parts), other_indices(numpy.concatenate(fits), len(rows))

    def state_rows(self, rows: pa.Table, times_us: Any, number: int, schema: pa.Schema) -> pa.Table:
        values = {}
        for name, side in zip(SIDES, (self.left, self.right), strict=True):
            field = schema.field(name)
            if name == SIDES[number]:
                arrays = [rows[column].combine_chunks() for column in side.columns]
                values[name] = pa.StructArray.from_arrays(arrays, fields=list(field.type)) if arrays else pa.array(
                    [{}] * len(rows), field.type
                )  # fmt: skip
            else:
                values[name] = pa.nulls(len(rows), field.type)
        columns = {
            ROW: record_ids(number, rows),
            self.key: rows[self.key],
            "at": pa.array(times_us, pa.int64()),
            "matched": pa.repeat(False, len(rows)),
            **values,
        }
        return pa.table(columns, schema=schema)

    def rows_with_keys(self, state: KeyedState, keys: pa.ChunkedArray) -> pa.Table:
        """Return the rows in the state that have one of these keys."""
        layers, among = state.layers, pc.unique(keys)
        found = [
            table[ROW].filter(pc.is_in(table[self.key], value_set=among)) for table in (layers.base, *layers.deltas)
        ]
        return rows_of(state, found)

    def pairs(self, candidates: pa.Table, old: int) -> tuple[Any, Any]:
        """Return the pairs with at least one new row, as two arrays of indices: left rows and right rows.

        The indices refer to `candidates`. Its first `old` rows are from the state, and the others are new.
        """
        codes = candidates[self.key].combine_chunks().dictionary_encode().indices.to_numpy()
        times = candidates["at"].to_numpy()
        is_left = pc.is_valid(candidates["left"]).to_numpy()
        left, right = numpy.flatnonzero(is_left), numpy.flatnonzero(~is_left)
        lefts, rights = within(
            codes[left], times[left] - self.right.waits_us, times[left] + self.left.waits_us, codes[right], times[right]
        )
        lefts, rights = left[lefts], right[rights]
        is_new = (lefts >= old) | (rights >= old)
        return lefts[is_new], rights[is_new]

    def keep(self, state: KeyedState, rows: pa.Table) -> None:
        if len(rows):
            state.put(rows[ROW], rows)

    def drop_expired(self, state: KeyedState, watermark: int) -> list[pa.Table]:
        """Drop rows that no later row can match.

        Return the output rows for dropped rows that never had a partner. Only outer joins have such output rows.
        """
        layers, over = state.layers, []
        for table in (layers.base, *layers.deltas):
            waits = pc.if_else(pc.is_valid(table["left"]), self.left.waits_us, self.right.waits_us)
            over.append(table[ROW].filter(pc.less(pc.add(table["at"], waits), pa.scalar(watermark, pa.int64()))))
        gone = rows_of(state, over)
        if not len(gone):
            return []
        state.delete(gone[ROW])
        unmatched = numpy.flatnonzero(~gone["matched"].to_numpy())
        is_left = pc.is_valid(gone["left"]).to_numpy()[unmatched]
        missing = numpy.full(len(unmatched), -1)
        made = []
        if self.left.keeps_unmatched:
            made.append(self.joined(gone, unmatched[is_left], missing[is_left]))
        if self.right.keeps_unmatched:
            made.append(self.joined(gone, missing[~is_left], unmatched[~is_left]))
        return made

    def joined(self, rows: pa.Table, lefts: Any, rights: Any) -> pa.Table:
        """Return the joined rows for pairs of indices into `rows`; -1 stands for a missing partner."""
        left, right = (pa.array(side, pa.int64(), mask=side < 0) for side in (lefts, rights))
        key = rows[self.key].combine_chunks()
        columns = {self.key: pc.coalesce(key.take(left), key.take(right))}
        columns |= flattened(rows["left"], left)
        columns |= {self.names[name]: column for name, column in flattened(rows["right"], right).items()}
        return pa.table(columns)


def record_ids(number: int, rows: pa.Table) -> pa.Array:
    """Return an id for each row: topic number, partition and offset of its record.

    `number` is 0 for the left topic and 1 for the right one. The id does not contain the lane, so it stays valid when
    `tenure pipeline repartition` moves the row to another lane.
    """
    parts = [rows[name].cast(pa.string()).combine_chunks() for name in ("_partition", "_offset")]
    return pc.binary_join_element_wise(pa.scalar(str(number)), *parts, pa.scalar(":")).cast(pa.binary())


def flattened(column: pa.ChunkedArray, rows: pa.Array) -> dict[str, Any]:
    taken = column.combine_chunks().take(rows)
    return {field.name: pc.struct_field(taken, [number]) for number, field in enumerate(taken.type)}


def with_matched(rows: pa.Table, matched: Any) -> pa.Table:
    return rows.set_column(rows.schema.get_field_index("matched"), "matched", pa.array(matched))


def rows_of(state: KeyedState, ids: list[pa.ChunkedArray]) -> pa.Table:
    """Return those rows of the state that have one of these ids."""
    kind = state.schema.field(0).type
    wanted = pc.unique(pa.chunked_array([chunk for column in ids for chunk in column.chunks], kind))
    found = state.get(wanted)
    return found.add_column(0, ROW, wanted).filter(found["found"]).select(state.schema.names)


def within(codes: Any, least_us: Any, most_us: Any, other_codes: Any, other_us: Any) -> tuple[Any, Any]:
    """Return the pairs of a left row and a right row with equal keys and close times, as two arrays of row indices.

    Args:
        codes: Integer for the key of each left row.
        least_us: Earliest time of a partner of each left row.
        most_us: Latest time of a partner of each left row.
        other_codes: Integer for the key of each right row.
        other_us: Time of each right row.
    """
    instants = numpy.unique(numpy.concatenate([least_us, most_us, other_us]))
    wide = len(instants) + 1
    other_ranks = other_codes.astype(numpy.int64) * wide + numpy.searchsorted(instants, other_us)
    order = numpy.argsort(other_ranks, kind="stable")
    ranks = codes.astype(numpy.int64) * wide
    first = numpy.searchsorted(other_ranks[order], ranks + numpy.searchsorted(instants, least_us), side="left")
    last = numpy.searchsorted(other_ranks[order], ranks + numpy.searchsorted(instants, most_us), side="right")
    counts = last - first
    ones = numpy.repeat(numpy.arange(len(codes)), counts)
    offsets = numpy.arange(counts.sum()) - numpy.repeat(numpy.cumsum(counts) - counts, counts)
    return ones, order[numpy.repeat(first, counts) + offsets]


@dataclass(frozen=True, slots=True)
class StreamJoinOperator:
    before_us: int
    after_us: int
    how: How
    suffix: str

    def bound(self, step_input: OperatorInput) -> BoundOperator:
        if step_input.made_by is not None:
            step_input.refuse(
                f"uses join_streams(…) after {step_input.made_by}(…), whose rows have no offsets: join first"
            )
        key, (one, other) = step_input.require_key(), two_topics(step_input, "join_streams(…)")
        left = self.side(step_input, one, self.after_us, keeps_unmatched=self.how in ("left", "outer"))
        right = self.side(step_input, other, self.before_us, keeps_unmatched=self.how in ("right", "outer"))
        names = renamed([key.name, *left.columns], list(right.columns), self.suffix)
        fields: Mapping[str, pa.DataType] = {
            name: pa.struct([step_input.topics[side.topic].field(column) for column in side.columns])
            for name, side in zip(SIDES, (left, right), strict=True)
        }
        state = pa.schema(
            [(ROW, pa.binary()), key, ("at", pa.int64()), ("matched", pa.bool_()), *fields.items()]
        )  # fmt: skip
        if key.name in (ROW, "at", "matched", *SIDES):
            step_input.refuse(f"is keyed by '{key.name}', which join_streams(…) reserves: rename the column")
        join = StreamJoin(key.name, left, right, names, LATE if LATE in step_input.sides else None)
        output = pa.schema([key, *fields["left"], *(field.with_name(names[field.name]) for field in fields["right"])])
        sides = step_input.columns_to_side(join.late)
        return BoundOperator(join, state, output=output, carries=False, ordered=False, sides=sides)

    def side(self, step_input: OperatorInput, topic: str, waits_us: int, *, keeps_unmatched: bool) -> Side:
        if "_offset" not in step_input.topics[topic].names:
            step_input.refuse(f"joins {topic}, whose values are raw: declare its columns with json(…) or avro(…)")
        time = step_input.require_event_time(topic, "join_streams(…)").column
        own = own_columns(step_input.topics[topic], step_input.key, step_input.keys.get(topic))
        return Side(topic, time, tuple(own), waits_us, keeps_unmatched)
