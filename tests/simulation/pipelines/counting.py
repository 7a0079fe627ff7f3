"""Function with an easily computed result: each record with the count of its key so far.

A record is a key and a decimal number; the state of a key is the number of its records and their sum.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

import pyarrow as pa

from tenure.pipeline.state.keyed_state import KeyedState, state_schema
from tenure.pipeline.values.decoded_records import Decoded

STATE: Final = state_schema("key", "count long, total long")

State = dict[str, tuple[int, int]]
"""Count and sum by key."""


class Record(NamedTuple):
    key: str
    number: int


class Row(NamedTuple):
    """Row of the output."""

    partition: int
    offset: int
    key: str
    times: int
    """Number of records with the key so far."""


class Numbers:
    """Decoder of values, which are decimal numbers."""

    def decode(self, records: pa.Table, partition: int) -> Decoded:
        columns = {
            "partition": pa.array([partition] * len(records), pa.int32()),
            "offset": records["offset"],
            "key": pa.array([key.decode() for key in records["key"].to_pylist()], pa.string()),
            "number": pa.array([int(value) for value in records["value"].to_pylist()], pa.int64()),
        }
        return Decoded(pa.table(columns), [])


def counted(rows: pa.Table, state: KeyedState) -> pa.Table:
    """Return each record with the count of its key so far."""
    known = dict(zip(rows["key"].to_pylist(), state.get(rows["key"]).to_pylist(), strict=True))
    standing = {key: (was["count"] or 0, was["total"] or 0) for key, was in known.items()}
    counts = []
    for row in rows.to_pylist():
        count, total = standing[row["key"]]
        standing[row["key"]] = (count + 1, total + row["number"])
        counts.append(count + 1)
    values = pa.table(
        {name: [value[index] for value in standing.values()] for index, name in enumerate(STATE.names[1:])}
    )
    state.put(pa.array(list(standing), pa.string()), values)
    return rows.select(["partition", "offset", "key"]).append_column("count", pa.array(counts, pa.int64()))


def folded(records: Sequence[Record]) -> State:
    """Return the expected state after these records."""
    state: State = {}
    for key, number in records:
        count, total = state.get(key, (0, 0))
        state[key] = (count + 1, total + number)
    return state


def rows_of(partition: int, records: Sequence[Record]) -> Counter[Row]:
    """Return the expected visible rows of these records."""
    counts: Counter[str] = Counter()
    rows: Counter[Row] = Counter()
    for offset, (key, _) in enumerate(records):
        counts[key] += 1
        rows[Row(partition, offset, key, counts[key])] += 1
    return rows
