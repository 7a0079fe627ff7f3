"""Layers of a state, compared with a dictionary, in any order and in pieces."""

from random import Random

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from tenure.pipeline.state import layers as layers_module
from tenure.pipeline.state.keyed_state import state_schema
from tenure.pipeline.state.layers import DELETED, IN_ORDER, Layers, newest_of, positions, take_rows, with_deleted

SCHEMA = state_schema("name", "count long, text string")

Rows = dict[str, tuple[int, str]]


def table(rows: Rows, pieces: int = 1) -> pa.Table:
    columns = {
        "name": list(rows),
        "count": [row[0] for row in rows.values()],
        "text": [row[1] for row in rows.values()],
    }
    whole = pa.table(columns, schema=SCHEMA)
    size = -(-len(whole) // pieces) or 1
    return pa.concat_tables([whole.slice(start, size) for start in range(0, len(whole), size)] or [whole])


def in_order(rows: Rows, pieces: int) -> pa.Table:
    return table(dict(sorted(rows.items())), pieces).replace_schema_metadata(IN_ORDER)


def delta(random: Random, keys: list[str], number: int) -> tuple[pa.Table, Rows, set[str]]:
    some = random.sample(keys, random.randint(1, len(keys)))
    gone = {key for key in some if random.random() < 0.3}
    put = {key: (number, f"{key}/{number}") for key in some if key not in gone}
    rows = [{"name": key, "count": put.get(key, (None, ""))[0], DELETED: key in gone} for key in some]
    for row in rows:
        row["text"] = None if row[DELETED] else put[str(row["name"])][1]
    return pa.Table.from_pylist(rows, schema=with_deleted(SCHEMA)), put, gone


@pytest.mark.parametrize("searched", [True, False])
@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("seed", range(5))
def test_layers__random_deltas_over_a_random_base__same_as_a_dictionary(
    seed: int, ordered: bool, searched: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not searched:
        monkeypatch.setattr(layers_module, "SEARCHED", None)
    monkeypatch.setattr(layers_module, "SEARCH_ROWS_PER_KEY", 2)
    monkeypatch.setattr(layers_module, "STATE_BATCH_BYTES", 400)
    random = Random(seed)
    keys = [f"k{number:03d}" for number in range(120)]
    expected: Rows = {key: (-1, key) for key in random.sample(keys, 90)}
    state = Layers(in_order(expected, 7) if ordered else table(expected, 7))
    for number in range(6):
        laid, put, gone = delta(random, keys, number)
        state = state.with_delta(laid)
        expected = {key: row for key, row in (expected | put).items() if key not in gone}
        asked = [*random.sample(keys, 20), "never", None, "a"]
        for wanted in (asked, asked * 30):
            rows = state.take(state.rows_of(pa.array(wanted, pa.string()))).to_pylist()
            assert [(row["count"], row["text"]) for row in rows] == [expected.get(str(k), (None, None)) for k in wanted]
    assert as_rows(state.scan()) == expected
    written = pa.Table.from_batches(list(state.batches()), schema=SCHEMA)
    assert as_rows(written) == expected
    if ordered:
        assert written["name"].to_pylist() == sorted(expected)


@pytest.mark.parametrize("with_delta", [True, False])
def test_batches_of_layers__many_keys__sorted_by_key(with_delta: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layers_module, "STATE_IN_ORDER_ROWS_MIN", 50)
    monkeypatch.setattr(layers_module, "STATE_BATCH_BYTES", 400)
    monkeypatch.setattr(layers_module, "STATE_SORTED_BYTES", 900)
    rows = {f"k{number * 37 % 100}": (number, "") for number in range(100)}
    layers = Layers(table(rows, pieces=3))
    if with_delta:
        laid, put, gone = delta(Random(1), [*rows, "j", "l"], 7)
        layers = layers.with_delta(laid)
        rows = {key: row for key, row in (rows | put).items() if key not in gone}
    written = pa.Table.from_batches(list(layers.batches()), schema=SCHEMA)
    assert layers.written_schema.metadata == IN_ORDER
    assert as_rows(written) == rows
    assert written["name"].to_pylist() == sorted(rows)


def test_batches_of_layers__few_keys__not_sorted() -> None:
    layers = Layers(table({"b": (1, ""), "a": (2, "")}))
    assert layers.written_schema.metadata is None
    assert [batch["name"].to_pylist() for batch in layers.batches()] == [["b", "a"]]


@pytest.mark.long
@pytest.mark.parametrize("ordered", [True, False])
def test_batches_of_layers__more_bytes_than_an_arrow_array_can_have__all_rows(
    ordered: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Offsets of Arrow's texts have 32 bits, so the limit is 2 GiB. Here, the pieces of a table share their texts."""
    monkeypatch.setattr(layers_module, "STATE_IN_ORDER_ROWS_MIN", 1)
    texts = pa.repeat("x" * (1 << 20), 64)
    pieces = [
        pa.table(
            [pa.array([f"{number:02}-{piece:02}" for number in range(64)]), pa.nulls(64, pa.int64()), texts], SCHEMA
        )
        for piece in range(33)
    ]
    large = pa.concat_tables(pieces)
    assert large.nbytes > 1 << 31
    if ordered:
        marked = large.append_column(DELETED, pa.repeat(False, len(large)))
        layers = Layers(in_order({"00-05": (1, "-"), "33": (1, "-"), "99": (1, "-")}, 1), [marked])
    else:
        layers = Layers(large)
    names = [name for batch in layers.batches() for name in batch["name"].to_pylist()]
    assert names == sorted([*large["name"].to_pylist(), *(["33", "99"] if ordered else [])])


def test_batches_of_layers__many_changed_keys_between_two_base_keys__batches_within_the_byte_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(layers_module, "STATE_BATCH_BYTES", 400)
    base: Rows = dict.fromkeys(("a", "z"), (1, "-"))
    between: Rows = {f"m{number:03d}": (2, "-") for number in range(100)}
    marked = table(between).append_column(DELETED, pa.array([False] * 100))
    batches = list(Layers(in_order(base, 1), [marked]).batches())
    written = pa.Table.from_batches(batches)
    assert written["name"].to_pylist() == sorted(base | between)
    assert max(batch.nbytes for batch in batches) <= 500


def test_newest_of_layers__several_deltas__last_change_of_each_key() -> None:
    random = Random(1)
    keys = [f"k{number}" for number in range(20)]
    deltas = [delta(random, keys, number)[0] for number in range(4)]
    merged = newest_of(deltas)
    last = {row["name"]: row for laid in deltas for row in laid.to_pylist()}
    assert {row["name"]: row for row in merged.to_pylist()} == last
    assert len(merged) == len(last)


def test_layers_take__chunked_table_and_indices_with_nulls__requested_rows_and_nulls() -> None:
    rows = table({f"k{number}": (number, "") for number in range(1000)}, pieces=9)
    asked = pa.array([999, None, 0, 0, 500, None, 111], pa.int64())
    assert take_rows(rows, asked)["count"].to_pylist() == [999, None, 0, 0, 500, None, 111]
    assert take_rows(rows, pa.array([], pa.int64())).num_rows == 0
    assert take_rows(rows, pa.nulls(3, pa.int64()))["count"].to_pylist() == [None] * 3


@pytest.mark.parametrize("kind", [pa.string(), pa.binary(), pa.int8(), pa.int64()])
def test_positions_of_keys__binary_search_or_hash_lookup__same_result(kind: pa.DataType) -> None:
    numbers = pa.array(sorted(range(0, 100, 3), key=lambda n: n if pa.types.is_integer(kind) else str(n)))
    among = text_or_number(numbers, kind)
    keys = text_or_number(pa.array([3, 4, None, 99, 0, 100]), kind)
    searched = positions(keys, pa.chunked_array([among.slice(0, 5), among.slice(5)]), in_order=True)
    hashed = positions(keys, among)
    assert searched.equals(hashed)
    assert pc.take(numbers, searched).to_pylist() == [3, None, None, 99, 0, None]


def text_or_number(numbers: pa.Array, kind: pa.DataType) -> pa.Array:
    return numbers.cast(kind) if pa.types.is_integer(kind) else numbers.cast(pa.string()).cast(kind)


def as_rows(found: pa.Table) -> Rows:
    rows = {row["name"]: (row["count"], row["text"]) for row in found.to_pylist()}
    assert len(rows) == len(found)
    return rows
