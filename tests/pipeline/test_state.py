"""Keyed state: against a dictionary, as files, and in the host's cache."""

from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenure.limits.pipeline import STATE_DELTAS_MAX
from tenure.pipeline.errors import BadSchema
from tenure.pipeline.state.keyed_state import KeyedState
from tenure.pipeline.state.state_cache import StateCache
from tests.pipeline.harness import Harness

KEYS = st.lists(st.sampled_from(["a", "b", "c", "dd", ""]), max_size=6)
OPERATIONS = st.lists(
    st.one_of(
        st.tuples(st.just("put"), KEYS, st.integers(0, 99)),
        st.tuples(st.just("delete"), KEYS, st.just(0)),
        st.tuples(st.just("new run"), st.just([]), st.just(0)),
    ),
    max_size=12,
)


def empty() -> KeyedState:
    return KeyedState.empty(key="name", state="count long, seen array<string>")


def row(count: int, *seen: str) -> pa.Table:
    return pa.table({"count": [count], "seen": [list(seen)]})


@given(OPERATIONS)
def test_keyed_state__random_operations__same_as_a_dictionary(operations: list[tuple[str, list[str], int]]) -> None:
    state, expected = KeyedState.empty(key="name", state="count long"), dict[str, int]()
    for operation, keys, number in operations:
        match operation:
            case "put":
                counts = list(range(number, number + len(keys)))
                state.put(pa.array(keys, pa.string()), pa.table({"count": pa.array(counts, pa.int64())}))
                expected |= dict(zip(keys, counts, strict=True))
            case "delete":
                state.delete(pa.array(keys, pa.string()))
                for key in keys:
                    expected.pop(key, None)
            case _:
                state = KeyedState(state.scan())
        asked = ["dd", "a", "never", "a", "b", "", "c"]
        got = state.get(pa.array(asked))
        assert got["count"].to_pylist() == [expected.get(key) for key in asked]
        assert got["found"].to_pylist() == [key in expected for key in asked]
        assert {row["name"]: row["count"] for row in state.scan().to_pylist()} == expected


def test_keyed_state_get__many_or_few_keys__same_values() -> None:
    state = empty()
    names = pa.array([f"n{number}" for number in range(1000)])
    state.put(names, pa.table({"count": list(range(1000)), "seen": [[str(number)] for number in range(1000)]}))
    state = KeyedState(state.scan())
    assert state.get(names)["count"].to_pylist() == list(range(1000))
    assert state.get(pa.array(["n7", "n999", "x"])).to_pydict() == {
        "count": [7, 999, None],
        "seen": [["7"], ["999"], None],
        "found": [True, True, False],
    }


def test_keyed_state_get__null_key__not_found() -> None:
    state = empty()
    state.put(pa.array(["a"]), row(1))
    assert state.get(pa.array([None, "a"], pa.string()))["found"].to_pylist() == [False, True]


def test_keyed_state_put__null_key__error() -> None:
    with pytest.raises(ValueError, match=r"remove the rows with a null key \(1\)"):
        empty().put(pa.array([None], pa.string()), row(1))


def test_keyed_state_put__column_missing__error_names_it() -> None:
    with pytest.raises(ValueError, match="column seen"):
        empty().put(pa.array(["a"]), pa.table({"count": [1]}))


def test_keyed_state_copy__changed__original_unchanged() -> None:
    state = empty()
    state.put(pa.array(["a"]), row(1))
    other = state.copy()
    other.put(pa.array(["a"]), row(2))
    assert state.get(pa.array(["a"]))["count"].to_pylist() == [1]


@pytest.mark.parametrize("schema", ["found long", "name long", "_deleted boolean", "count lang"])
def test_empty_keyed_state__invalid_schema__refused(schema: str) -> None:
    with pytest.raises(BadSchema):
        KeyedState.empty(key="name", state=schema)


def test_state_files__many_batches__number_of_deltas_never_exceeds_the_maximum() -> None:
    harness = Harness(1)
    harness.produce(100, keys=1000)
    harness.start(max_records=100).run()
    most = 0
    for _ in range(2 * STATE_DELTAS_MAX):
        harness.produce(1)
        harness.start().run()
        (manifest,) = harness.committed_manifests().values()
        most = max(most, len(manifest.state.deltas))
    harness.check()
    assert most == STATE_DELTAS_MAX
    assert harness.orphans() == []


def test_state_files__keys_deleted__still_deleted_after_a_reload() -> None:
    harness = Harness(1)

    def forget(rows: pa.Table, state: KeyedState) -> pa.Table:
        state.put(rows["key"], pa.table({"count": rows["number"], "total": rows["number"]}))
        state.delete(rows["key"].slice(0, 1))
        return rows

    harness.log.partitions[0] = [("a", 1), ("b", 2), ("c", 3), ("d", 4)]
    harness.start(job=harness.job(forget), max_records=2).run()
    (manifest,) = harness.committed_manifests().values()
    assert harness.state(manifest) == {"b": (2, 2), "d": (4, 4)}


def test_pipeline__state_cache_on_the_host__same_result_without_reading_deltas(tmp_path: Path) -> None:
    harness = Harness()
    harness.cache = StateCache(str(tmp_path))
    harness.produce(100)
    harness.start().run()
    harness.check()
    harness.produce(10)
    for path in [path for path in harness.files.now if path.endswith("delta.arrow")]:
        harness.files.now[path] = b"?" * len(harness.files.now[path])
    harness.coordinator.after_commit = lambda _: None
    harness.start().run()
