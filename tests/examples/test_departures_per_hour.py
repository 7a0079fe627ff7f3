"""Example `departures_per_hour` with real flights, without Spark and without a broker."""

import pandas as pd

from examples.departures_per_hour import pipeline
from examples.flights_data import flights
from tenure.testing import Rehearsal

FLIGHTS = 5_000
HOUR = pd.Timedelta(hours=1)


def hours(of: pd.DataFrame) -> pd.DataFrame:
    """Return the expected number of flights of each airport in each hour that is over."""
    began = pd.to_datetime(of["time_hour"], utc=True)
    by_hour = of.groupby([of["origin"], began.rename("start")])["arr_delay"].agg(["size", "mean"]).reset_index()
    over = by_hour["start"] + HOUR <= began.max() - pd.Timedelta(days=1)
    return by_hour[over].set_axis(["origin", "start", "flights", "delay"], axis=1)


def test_departures_per_hour__real_flights__same_as_computed_with_pandas() -> None:
    table = flights(FLIGHTS)[["origin", "time_hour", "arr_delay"]]
    rehearsal = Rehearsal(pipeline)
    rows = rehearsal.run(table.astype(object).where(table.notna(), None).to_dict("records")).to_pandas()
    rows["start"] = [window["start"] for window in rows.pop("window")]
    found = rows[["origin", "start", "flights", "delay"]].sort_values(["origin", "start"], ignore_index=True)
    expected = hours(table).reset_index(drop=True)
    assert len(expected) > 100
    pd.testing.assert_frame_equal(found, expected, check_dtype=False)
