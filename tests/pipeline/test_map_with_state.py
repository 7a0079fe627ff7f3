"""One record and the state of its key: the simple form of stateful work."""

import pickle
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenure.pipeline.errors import BadFunction
from tenure.pipeline.operators.map_with_state import MapWithState, OnRecord
from tenure.pipeline.operators.record_rows import RecordRows
from tenure.pipeline.operators.user_function import MAIN
from tenure.pipeline.state.keyed_state import KeyedState
from tenure.pipeline.values.ddl import schema

RECORDS = st.lists(
    st.tuples(st.sampled_from(["a", "b", "c", None]), st.integers(-3, 9)),
    max_size=30,
)


def running(record: Mapping[str, Any], state: dict[str, Any]) -> object:
    """Return sums by key. A negative number removes the state, 0 returns no row and 9 returns two."""
    if record["number"] < 0:
        state["total"] = None
        return None
    state["total"] = (state["total"] or 0) + record["number"]
    row = {"name": record["name"], "total": state["total"]}
    return {0: None, 9: [row, row]}.get(record["number"], row)


def mapped(on_record: Any) -> MapWithState:
    function: OnRecord = on_record
    return MapWithState(function, RecordRows(schema("name string, total long")))


def table(records: list[tuple[str | None, int]]) -> pa.Table:
    names, numbers = [name for name, _ in records], [number for _, number in records]
    return pa.table({"name": pa.array(names, pa.string()), "number": pa.array(numbers, pa.int64())})


def kept() -> KeyedState:
    return KeyedState.empty(key="name", state="total long")


@given(RECORDS, st.lists(st.integers(0, 30), max_size=4))
def test_map_with_state__records_in_random_batches__rows_and_state_as_with_a_dictionary(
    records: list[tuple[str | None, int]], cuts: list[int]
) -> None:
    totals, expected = dict[str | None, int](), list[dict[str, Any]]()
    for name, number in records:
        if number < 0:
            totals.pop(name, None)
            continue
        totals[name] = (0 if name is None else totals.get(name, 0)) + number
        expected += [{"name": name, "total": totals[name]}] * {0: 0, 9: 2}.get(number, 1)
    state, made, edges = kept(), list[dict[str, Any]](), sorted({0, *cuts, len(records)})
    function = pickle.loads(pickle.dumps(mapped(running)))
    for start, end in pairwise(edges):
        outputs = function(table(records[start:end]), state)
        made += outputs[MAIN].to_pylist() if outputs else []
    assert made == expected
    totals.pop(None, None)
    assert {row["name"]: row["total"] for row in state.scan().to_pylist()} == totals


def misspelt_column(record: Mapping[str, Any], _: dict[str, Any]) -> object:
    return {"nmae": record["name"]}


def misspelt_state(_: Mapping[str, Any], state: dict[str, Any]) -> object:
    state["totl"] = 1
    return None


def a_number(_: Mapping[str, Any], __: dict[str, Any]) -> object:
    return 3


def numbers(_: Mapping[str, Any], __: dict[str, Any]) -> object:
    return [3]


@pytest.mark.parametrize(
    ("on_record", "says"),
    [
        (misspelt_column, "a row with the undeclared column 'nmae': output declares name, total"),
        (misspelt_state, "put the undeclared column 'totl' into the state: state declares total"),
        (a_number, "returned int: return a dict, a list of dicts, or None"),
        (numbers, "a row of type int: return rows as dicts"),
    ],
)
def test_map_with_state__function_returns_undeclared_columns__error_names_them(on_record: Any, says: str) -> None:
    with pytest.raises(BadFunction, match=says):
        mapped(on_record)(table([("a", 1)]), kept())
