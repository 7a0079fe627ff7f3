"""Expiry of a key's state some time after its last change.

The clock is the lane's event time and not wall time, so a replay of the log has the same result. It advances in steps
of a sixteenth of the time to live. Keys expire only at such a step. The function is called separately for the rows
before and after a step. Therefore the result does not depend on where batches begin.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy
import pyarrow as pa
import pyarrow.compute as pc

from tenure.limits.pipeline import TTL_TICKS
from tenure.pipeline.operators.rows import INSTANT, NEVER_US, WATERMARK, event_times_us, known_us
from tenure.pipeline.operators.user_function import Function, FunctionResult
from tenure.pipeline.state.keyed_state import EXPIRES, KeyedState

FIELD = pa.field(EXPIRES, INSTANT)


@dataclass(frozen=True, slots=True)
class ExpiringFunction:
    """Function whose state expires. Picklable if `function` is."""

    function: Function
    ttl_us: int

    def __call__(self, rows: pa.Table, state: KeyedState) -> dict[str, pa.Table]:
        made = FunctionResult()
        if not len(rows):
            made.add(self.function(rows, state))
            return made.tables()
        tick_us = max(self.ttl_us // TTL_TICKS, 1)
        watermarks = event_times_us(rows[WATERMARK])
        clock = numpy.where(watermarks == NEVER_US, NEVER_US, watermarks // tick_us * tick_us)
        steps = [0, *(numpy.flatnonzero(clock[1:] != clock[:-1]) + 1).tolist(), len(rows)]
        for start, end in pairwise(steps):
            self.advance(state, int(clock[start]))
            state.watermark_us = known_us(watermarks[end - 1])
            made.add(self.function(rows.slice(start, end - start), state))
        return made.tables()

    def advance(self, state: KeyedState, clock_us: int) -> None:
        if clock_us == NEVER_US:
            return
        delete_expired(state, clock_us)
        state.expires_us = clock_us + self.ttl_us


def delete_expired(state: KeyedState, clock_us: int) -> None:
    """Delete the state of expired keys."""
    layers, now = state.layers, pa.scalar(clock_us, pa.int64())
    over = [
        chunk
        for table in (layers.base, *layers.deltas)
        for chunk in table[state.key].filter(pc.less_equal(table[EXPIRES].cast(pa.int64()), now)).chunks
    ]
    keys = pc.unique(pa.chunked_array(over, state.schema.field(0).type))
    if not len(keys):
        return
    rows = state.rows(keys)
    gone = pc.fill_null(pc.less_equal(rows[EXPIRES].cast(pa.int64()), now), False)
    state.delete(keys.filter(gone.combine_chunks()))
