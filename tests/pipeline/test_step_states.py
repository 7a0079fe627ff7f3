"""The states of several steps in one state of the lane."""

import pyarrow as pa
import pytest

from tenure.pipeline.state import layers
from tenure.pipeline.state.keyed_state import KeyedState
from tenure.pipeline.state.layers import Layers
from tenure.pipeline.state.step_states import StepStates, step_row_ids
from tenure.spark.operations.state import row_of_steps

KEY = pa.field("key", pa.int64())
COUNTS = pa.schema([KEY, ("count", pa.int64()), ("_timers", pa.list_(pa.int64()))])
WINDOWS = pa.schema([("_window", pa.binary()), KEY, ("end", pa.int64())])
STATES = StepStates(KEY, {"counts": COUNTS, "windows": WINDOWS})


def counts(rows: dict[int, int]) -> pa.Table:
    return pa.table({"count": list(rows.values()), "_timers": pa.nulls(len(rows), pa.list_(pa.int64()))})


def put(state: KeyedState, values: dict[int, int], windows: dict[bytes, int]) -> None:
    steps = STATES.open(state)
    steps["counts"].put(pa.array(values), counts(values))
    ends = pa.table({"key": list(windows.values()), "end": list(windows.values())})
    steps["windows"].put(pa.array(list(windows), pa.binary()), ends)
    STATES.write_back(steps, state)


def test_step_states__changes_and_deletes_over_a_sorted_base__each_step_has_its_own_state(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(layers, "STATE_IN_ORDER_ROWS_MIN", 1)
    first = KeyedState(STATES.schema.empty_table())
    many = dict.fromkeys(range(1000, 1200), 0)
    put(first, {-3: 1, 7: 2, 300: 3, **many}, {b"a": 7, b"b": -3})
    base = Layers(pa.Table.from_batches(list(first.layers.batches()), first.layers.written_schema))
    assert base.in_order

    second = KeyedState(base)
    steps = STATES.open(second)
    steps["counts"].delete(pa.array([7]))
    steps["windows"].delete(pa.array([b"a"]))
    STATES.write_back(steps, second)
    put(second, {5: 9}, {b"c": 5})
    third = KeyedState(base.with_delta(second.changes))

    for state in (second, third):
        steps = STATES.open(state)
        assert steps["counts"].layers.in_order
        assert sorted(steps["counts"].scan()["key"].to_pylist()) == [-3, 5, 300, *many]
        assert steps["counts"].get(pa.array([7, 300, -3, 5]))["count"].to_pylist() == [None, 3, 1, 9]
        assert sorted(steps["windows"].scan()["_window"].to_pylist()) == [b"b", b"c"]
        assert len(state.scan()) == 5 + len(many)


def test_row_ids__negative_and_positive_integers__sorted_like_the_integers() -> None:
    keys = [-(2**63), -256, -1, 0, 1, 255, 256, 2**63 - 1]
    ids = step_row_ids(3, pa.array(keys, pa.int64())).to_pylist()
    assert ids == sorted(ids)
    assert len({*ids}) == len(keys)


def test_row_of_steps__key_with_state_or_without__states_of_all_its_steps_or_none() -> None:
    state = KeyedState(STATES.schema.empty_table())
    put(state, {7: 2}, {b"a": 7, b"b": 7})
    found = row_of_steps(state.layers, pa.array([7]))
    assert found is not None
    assert (found["key"], found["counts"], len(found["windows"])) == (7, [{"count": 2}], 2)
    assert row_of_steps(state.layers, pa.array([8])) is None
