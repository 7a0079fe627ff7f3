"""Function of the example `flight_delays` in a plain unit test, without Spark and without a broker."""

import random

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from examples.flight_delays import FLIGHT, STATE, running_delay
from examples.flights_data import FIGURES, expected_rows, expected_state, flights
from tenure.spark import KeyedState, schema


def flown(*legs: tuple[str | None, str, float | None]) -> pa.Table:
    tailnum, dest, arr_delay = zip(*legs, strict=True)
    rows = pd.DataFrame({"tailnum": tailnum, "dest": dest, "arr_delay": arr_delay})
    return pa.Table.from_pandas(rows.reindex(columns=schema(FLIGHT).names), schema(FLIGHT), preserve_index=False)


def figures(rows: pa.Table) -> list[tuple[object, ...]]:
    return [tuple(row.values()) for row in rows.select(FIGURES).to_pylist()]


def test_running_delay__second_batch__continues_with_the_state_of_the_first() -> None:
    aircraft = KeyedState.empty(key="tailnum", state=STATE)
    first = running_delay(flown(("N1", "IAH", 11), ("N2", "MIA", -5), ("N1", "ORD", 30)), aircraft)
    second = running_delay(flown(("N1", "IAH", -20)), aircraft)
    assert figures(first) == [(1, 11, 11, 1, "IAH"), (1, -5, -5, 1, "MIA"), (2, 41, 30, 2, "ORD")]
    assert figures(second) == [(3, 21, 30, 2, "IAH")]


def test_running_delay__flight_without_arrival__average_delay_unchanged() -> None:
    aircraft = KeyedState.empty(key="tailnum", state=STATE)
    rows = running_delay(flown(("N1", "IAH", None), ("N1", "ORD", 7), ("N1", "MIA", None)), aircraft)
    assert figures(rows) == [(0, 0, None, 0, None), (1, 7, 7, 1, "ORD"), (1, 7, 7, 1, "ORD")]


def test_running_delay__flight_without_tail_number__row_without_figures_and_no_state() -> None:
    aircraft = KeyedState.empty(key="tailnum", state=STATE)
    rows = running_delay(flown((None, "IAH", None)), aircraft)
    assert figures(rows) == [(None, None, None, None, None)]
    assert len(aircraft.scan()) == 0


def test_running_delay__real_flights_in_random_batches__same_as_computed_with_pandas() -> None:
    count = 20_000
    table = pa.Table.from_pandas(flights(count), schema(FLIGHT), preserve_index=False)
    cuts = sorted(random.sample(range(1, count), 5))
    aircraft = KeyedState.empty(key="tailnum", state=STATE)
    pieces = [table[start:end] for start, end in zip([0, *cuts], [*cuts, count], strict=True)]
    rows = pa.concat_tables([running_delay(piece, aircraft) for piece in pieces])
    assert rows.equals(pa.Table.from_pandas(expected_rows(count), rows.schema, preserve_index=False))

    state = aircraft.scan().sort_by("tailnum")
    counts = pc.list_value_length(state["destinations"]).cast(pa.int64())
    state = state.set_column(4, "destinations", counts)
    assert state.equals(pa.Table.from_pandas(expected_state(count).reset_index(), state.schema, preserve_index=False))
