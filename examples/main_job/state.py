"""State of the pipeline at the end, in the same form as the direct computation."""

from typing import TYPE_CHECKING

from examples.flight_delays import pipeline
from examples.flights_data import FIGURES

if TYPE_CHECKING:
    import pandas as pd


def read_state(directory: str) -> "pd.DataFrame":
    """Return every aircraft's figures by tail number; every file's digest is checked."""
    state = pipeline(directory).state().to_pandas().set_index("tailnum").query("flights > 0")
    return state.assign(destinations=state["destinations"].map(len))[FIGURES].sort_index()
