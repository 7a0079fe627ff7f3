"""States of the stateful steps of a chain, stored together as one state of the lane.

Each row belongs to one step. Its id consists of the step's number and the key in the step's own state. The columns of a
step are one struct column with the step's name. Internal columns (expiry, timers) are top-level columns, so the engine
finds the next timer of any step. Sorted by id, the rows of a step are contiguous and in the order of their keys.
"""

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy
import pyarrow as pa
import pyarrow.compute as pc

from tenure.pipeline.state.keyed_state import HIDDEN, KeyedState, visible
from tenure.pipeline.state.layers import DELETED, IN_ORDER, Layers, combined, with_deleted

ROW_ID: Final = "_row_id"
"""Key column of the lane's whole state, which contains the states of all steps."""

SIGN_BIT: Final = numpy.uint64(1 << 63)


@dataclass(frozen=True, slots=True)
class StepStates:
    """States of the steps of a chain. Picklable."""

    key: pa.Field
    """Key column of the pipeline."""
    schemas: Mapping[str, pa.Schema]
    """Schema of each step's own state, by the step's name."""

    @property
    def schema(self) -> pa.Schema:
        """Schema of the lane's whole state."""
        hidden = {field.name: field for schema in self.schemas.values() for field in schema if field.name in HIDDEN}
        steps = [pa.field(name, pa.struct(self._fields(name))) for name in self.schemas]
        return pa.schema([pa.field(ROW_ID, pa.binary()), self.key, *steps, *hidden.values()])

    def open(self, state: KeyedState) -> dict[str, KeyedState]:
        """Return the state of each step by its name. `write_back` transfers their changes to `state`."""
        return {name: self._state_of(state, name) for name in self.schemas}

    def write_back(self, states: Mapping[str, KeyedState], state: KeyedState) -> None:
        """Replace the changes of `state` by the changes of all steps."""
        state.replace_changes(
            pa.concat_tables([self._whole(name, states[name].changes) for name in self.schemas]).combine_chunks()
        )

    def layers(self, whole: Layers, name: str) -> Layers:
        """Return the layers of the state of the step `name`. `whole` are the layers of the lane's whole state."""
        base = whole.base
        if whole.in_order:
            ids, number = base[ROW_ID], self._number(name)
            start, end = (bisect_left(range(len(ids)), bytes([at]), key=lambda row: ids[row].as_py())
                          for at in (number, number + 1))  # fmt: skip
            mine = self._part(base.slice(start, end - start), name)
            mine = mine.replace_schema_metadata(IN_ORDER)
        else:
            mine = self._part(self._rows_of(base, name), name)
        return Layers(mine, [self._delta(delta, name) for delta in whole.deltas])

    def _state_of(self, state: KeyedState, name: str) -> KeyedState:
        changes = self._delta(state.changes, name)
        step = KeyedState(self.layers(state.before, name), changes, now_ms=state.now_ms)
        step.watermark_us = state.watermark_us
        return step

    def _number(self, name: str) -> int:
        return list(self.schemas).index(name)

    def _fields(self, name: str) -> list[pa.Field]:
        """Return the columns of this step's state that are not shared by all steps."""
        return [field for field in visible(self.schemas[name]) if field.name != self.key.name]

    def _rows_of(self, rows: pa.Table, name: str) -> pa.Table:
        first = pc.binary_slice(rows[ROW_ID], 0, 1)
        return rows.filter(pc.equal(first, pa.scalar(bytes([self._number(name)]), pa.binary())))

    def _part(self, rows: pa.Table, name: str) -> pa.Table:
        schema, own = self.schemas[name], rows[name]
        columns = [
            rows[field.name]
            if field.name in HIDDEN or field.name == self.key.name
            else pc.struct_field(own, field.name)
            for field in schema
        ]
        return pa.table(columns, schema=schema)

    def _delta(self, rows: pa.Table, name: str) -> pa.Table:
        mine = self._rows_of(rows, name)
        return self._part(mine, name).append_column(DELETED, mine[DELETED])

    def _whole(self, name: str, changes: pa.Table) -> pa.Table:
        """Convert the changes of one step to rows of the whole state."""
        fields, schema = self._fields(name), with_deleted(self.schema)
        own = pa.StructArray.from_arrays([combined(changes[field.name]) for field in fields], fields=fields)
        columns: dict[str, Any] = {column: changes[column] for column in changes.column_names if column in schema.names}
        columns |= {ROW_ID: step_row_ids(self._number(name), combined(changes[self.schemas[name].names[0]])), name: own}
        return pa.table(
            [columns.get(field.name, pa.nulls(len(changes), field.type)) for field in schema], schema=schema
        )


def step_row_ids(number: int, keys: pa.Array) -> pa.Array:
    """Return the ids of the rows of step `number`. The ids are bytes. They sort in the order of the keys."""
    prefix = pa.scalar(bytes([number]), pa.binary())
    return pc.binary_join_element_wise(prefix, ordered_bytes(keys), pa.scalar(b"", pa.binary()))


def ordered_bytes(keys: pa.Array) -> pa.Array:
    """Encode keys as bytes that sort in the order of the keys. Integers are big-endian, with the sign first."""
    if not pa.types.is_integer(keys.type):
        return keys.cast(pa.binary())
    biased = (keys.cast(pa.int64()).to_numpy().view(numpy.uint64) ^ SIGN_BIT).astype(">u8")
    return pa.FixedSizeBinaryArray.from_buffers(pa.binary(8), len(keys), [None, pa.py_buffer(biased.tobytes())]).cast(
        pa.binary()
    )
