"""Windows in update mode: results before their end, and corrected results after it.

A batch returns at most three results of a window, in this order:

- "early": the result so far, if the batch changed a window that has not ended;
- "on-time": the result when the watermark passes the end, once;
- "late": the corrected result, if the batch had rows for a window that ended within the allowed lateness.

The numbers of early and late results depend on how the log is cut into batches. The on-time result and the last result
of a window do not: the watermarks of rows determine them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

from tenure.pipeline.operators.windows.aggregates import AggregateColumn, Count
from tenure.pipeline.operators.windows.windowed import (
    ID,
    WINDOW,
    Windowed,
    close,
    ended,
    other_indices,
    window_rows,
    window_state,
)
from tenure.pipeline.state.keyed_state import KeyedState

REVISION: Final = "revision"
"""Column with the number of rows in the window so far. Each row that changes the window adds 1."""

TIMING: Final = "timing"
"""Column of the results: "early", "on-time" or "late"."""

HAS_ENDED: Final = "has_ended"
"""Column of the state: true after the on-time result was returned."""

UPDATE_COLUMNS: Final = (REVISION, TIMING, HAS_ENDED)

REVISED: Final = AggregateColumn(Count(REVISION), ())


def updating_state(key: pa.Field, columns: Sequence[AggregateColumn]) -> pa.Schema:
    return window_state(key, columns).append(pa.field(HAS_ENDED, pa.bool_()))


@dataclass(frozen=True, slots=True)
class UpdatingWindows:
    """Function that computes windows in update mode. Picklable."""

    windowed: Windowed
    """Windows with the user's aggregates and with REVISED, the number of rows."""
    lateness_us: int
    early: bool

    def __call__(self, rows: pa.Table, state: KeyedState) -> dict[str, pa.Table]:
        windowed = self.windowed
        which, starts, watermarks = windowed.windows_of(rows)
        ends = starts + windowed.windows.size_us
        is_open = ends > watermarks
        is_late = ~is_open & (ends + self.lateness_us > watermarks)
        changed = windowed.fold(rows, state, which[is_open], starts[is_open], {HAS_ENDED: False})
        # Rows of open windows are folded before late rows. This is the log's order in each window, because a watermark
        # never falls.
        on_time = ended(state, state.watermark_us, unless=HAS_ENDED)
        mark_ended(state, on_time)
        corrected = windowed.fold(rows, state, which[is_late], starts[is_late], {HAS_ENDED: True})
        results = [self.results(on_time, "on-time"), self.results(windows_in(state, corrected), "late")]
        if self.early:
            so_far = windows_in(state, changed)
            results.append(self.results(so_far.filter(pc.invert(so_far[HAS_ENDED])), "early"))
        if state.watermark_us is not None:
            close(state, state.watermark_us - self.lateness_us)
        too_late = other_indices(which[is_open | is_late], len(rows))
        return windowed.answer.with_late(pa.concat_tables(results), rows, too_late)

    def results(self, windows: pa.Table, timing: str) -> pa.Table:
        rows = window_rows(windows, self.windowed.key, self.windowed.columns)
        return rows.append_column(TIMING, pa.repeat(pa.scalar(timing, pa.string()), len(rows)))


def mark_ended(state: KeyedState, windows: pa.Table) -> None:
    if len(windows):
        has_ended = pa.repeat(True, len(windows))
        state.put(windows[ID], windows.set_column(windows.column_names.index(HAS_ENDED), HAS_ENDED, has_ended))


def windows_in(state: KeyedState, ids: pa.Array) -> pa.Table:
    """Return the windows with these ids from the state."""
    return state.get(ids).append_column(ID, ids).drop_columns(["found"])


def update_key(key: str) -> tuple[tuple[str, ...], ...]:
    """Return the paths of the columns that identify a window. A result replaces earlier ones with the same values."""
    return (key,), (WINDOW, "start")
