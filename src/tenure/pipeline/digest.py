"""The user's function over one batch, and the record in it that it cannot digest.

A function that raises says nothing about which record it was. So the batch is halved: the first half is tried on a copy
of the state, and the second half on what the first made of it, until a single record stands alone. What a function
makes of a batch must not depend on where the batch was cut, which holds for every pipeline anyway: a log has no cuts.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import pyarrow as pa

from tenure.limits import BAD_RECORDS_PER_RUN_MAX, REASON_CHARACTERS_MAX
from tenure.pipeline.records import BadRecord
from tenure.pipeline.state import KeyedState

Answer: TypeAlias = "pa.Table | Mapping[str, pa.Table]"
"""The rows of the main output; or rows by the name of their output, the main one's being MAIN."""

Function = Callable[[pa.Table, KeyedState], Answer]

MAIN: Final = ""


class BadFunction(Exception):
    """The function fails on everything, or returns what is no table."""


@dataclass(slots=True)
class Digested:
    outputs: dict[str, list[pa.Table]] = field(default_factory=dict)
    """By the name of the output; none of them is empty."""
    bad: list[BadRecord] = field(default_factory=list)

    def add(self, answer: object) -> None:
        for name, rows in _by_name(answer).items():
            if len(rows):
                self.outputs.setdefault(name, []).append(rows)

    def tables(self) -> dict[str, pa.Table]:
        return {name: pa.concat_tables(rows, promote_options="default") for name, rows in self.outputs.items()}


def digest_rows(
    function: Function,
    rows: pa.Table,
    bad_record: Callable[[int, str], BadRecord],
    state: KeyedState,
    *,
    bad_records_max: int,
) -> Digested:
    """Run `function` over `rows`. `bad_record` says of a row's number which record it came from.

    Returns at the bad record number `bad_records_max`, with what came before it; raises BadFunction instead when that
    is BAD_RECORDS_PER_RUN_MAX.
    """
    digested = Digested()
    pending = [(0, len(rows))]
    while pending and len(digested.bad) < bad_records_max:
        start, end = pending.pop()
        attempt = state.copy()
        try:
            output = function(rows.slice(start, end - start), attempt)
        except BadFunction:
            raise
        except Exception as error:
            if end - start > 1:
                half = (start + end) // 2
                pending += [(half, end), (start, half)]
            elif end > start:
                digested.bad.append(bad_record(start, in_words(error)))
            else:
                raise
        else:
            state.adopt(attempt)
            digested.add(output)
    if len(digested.bad) >= BAD_RECORDS_PER_RUN_MAX:
        raise BadFunction(
            f"the function failed on {len(digested.bad)} records of one batch, first at offset"
            f" {digested.bad[0].offset}: {digested.bad[0].reason}"
        )
    return digested


def in_words(error: BaseException) -> str:
    words = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return " ".join(words.split())[:REASON_CHARACTERS_MAX]


def _by_name(answer: object) -> dict[str, pa.Table]:
    named = answer if isinstance(answer, Mapping) else {MAIN: answer}
    return {name: _table(rows) for name, rows in named.items()}


def _table(output: object) -> pa.Table:
    if isinstance(output, pa.RecordBatch):
        return pa.Table.from_batches([output])
    if not isinstance(output, pa.Table):
        raise BadFunction(f"the function returned {type(output).__name__}: let it return a pyarrow.Table")
    return output
