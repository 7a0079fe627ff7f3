"""Comparison of the result with the expected one: every row once, every figure right, and the state."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from examples.flights_data import FIGURES, expected_rows, expected_state

if TYPE_CHECKING:
    import pandas as pd

FLIGHT: Final = ["time_hour", "carrier", "flight"]
"""Columns that identify a flight."""


@dataclass(frozen=True, slots=True)
class Verdict:
    records_in: int
    rows_out: int
    rows_duplicated: int
    rows_lost: int
    state_equal: bool
    difference: str | None
    """First difference as text; None if there is none."""


def judge(sink: Path, state: "pd.DataFrame", count: int | None) -> Verdict:
    """Compare; `state` has the pipeline's own figures by tail number, as `expected_state` returns them."""
    import pyarrow.dataset as ds

    expected = expected_rows(count)
    rows = ds.dataset(sink, format="parquet").to_table(columns=[*FLIGHT, "tailnum", *FIGURES]).to_pandas()
    duplicated = rows.duplicated(FLIGHT)
    once = rows[~duplicated].set_index(FLIGHT)
    wanted = expected.set_index(FLIGHT)
    lost = wanted.index.difference(once.index)
    stray = once.index.difference(wanted.index)
    state_difference = _difference(state.sort_index(), expected_state(count), "State")
    return Verdict(
        records_in=len(expected),
        rows_out=len(rows),
        rows_duplicated=int(duplicated.sum()),
        rows_lost=len(lost),
        state_equal=state_difference is None,
        difference=(
            _named("is there twice", rows[duplicated].set_index(FLIGHT).index)
            or _named("is missing", lost)
            or _named("was never flown", stray)
            or _difference(once.loc[wanted.index], wanted, "Row")
            or state_difference
        ),
    )


def _named(what: str, flights: "pd.MultiIndex") -> str | None:
    return None if flights.empty else f"Flight {_flight(flights[0])} {what}, and so are {len(flights) - 1:,} others."


def _flight(key: object) -> str:
    return " ".join(map(str, key)) if isinstance(key, tuple) else str(key)


def _difference(found: "pd.DataFrame", wanted: "pd.DataFrame", what: str) -> str | None:
    """Return the first key with different figures; both tables are by key, and nulls are equal."""
    if missing := list(wanted.index.difference(found.index)):
        return f"{what} {_flight(missing[0])} is missing, and so are {len(missing) - 1:,} others."
    if surplus := list(found.index.difference(wanted.index)):
        return f"{what} {_flight(surplus[0])} should not be there, nor {len(surplus) - 1:,} others."
    found = found.loc[wanted.index]
    for column in FIGURES:
        mine, theirs = found[column], wanted[column]
        differs = ~((mine == theirs) | (mine.isna() & theirs.isna())).fillna(False).astype(bool)
        if differs.any():
            key = wanted.index[differs.to_numpy().argmax()]
            return f"{what} {_flight(key)}: {column} is {mine.loc[key]}, not {theirs.loc[key]}."
    return None
