"""Call of the user's function for a batch, and search for the records on which it fails.

An exception does not show which record caused it. So the batch is halved: the function runs on the first half with a
copy of the state, and then on the second half with the resulting state. A half on which it fails is halved again, until
a single record remains. This is correct because results must not depend on where batches are cut.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import pyarrow as pa

from tenure.limits.pipeline import BAD_RECORDS_PER_BATCH_MAX
from tenure.pipeline.errors import BadFunction
from tenure.pipeline.state.keyed_state import KeyedState
from tenure.pipeline.user_errors import describe_user_error
from tenure.pipeline.values.decoded_records import BadRecord
from tenure.plural import format_count

Answer: TypeAlias = "pa.Table | Mapping[str, pa.Table]"
"""Rows of the main output, or a mapping from output names to rows; MAIN is the main output."""

Function = Callable[[pa.Table, KeyedState], Answer]

MAIN: Final = ""


@dataclass(slots=True)
class FunctionResult:
    outputs: dict[str, list[pa.Table]] = field(default_factory=dict)
    """Non-empty tables by the name of their output."""
    bad: list[BadRecord] = field(default_factory=list)

    def add(self, answer: object) -> None:
        for name, rows in outputs_by_name(answer).items():
            if len(rows):
                self.outputs.setdefault(name, []).append(rows)

    def tables(self) -> dict[str, pa.Table]:
        return {name: pa.concat_tables(rows, promote_options="default") for name, rows in self.outputs.items()}


def run_function(
    function: Function,
    rows: pa.Table,
    bad_record: Callable[[int, str], BadRecord],
    state: KeyedState,
    results: FunctionResult,
    *,
    bad_records_max: int,
) -> None:
    """Run `function` over `rows`. If it fails, bisect them to find the bad records.

    Args:
        function: The user's function.
        rows: Rows of the batch, or of a piece of it.
        bad_record: Function that returns the bad record for a row number and a reason.
        state: State of the lane. The changes of successful rows are added to it.
        results: Results of the earlier pieces of the batch. The results of `rows` are added.
        bad_records_max: Stop after this many bad records, with the results so far.

    Raises:
        BadFunction: The function failed on BAD_RECORDS_PER_BATCH_MAX records, or returned no table.
    """
    pending = [(0, len(rows))]
    while pending and len(results.bad) < bad_records_max:
        start, end = pending.pop()
        attempt = state.copy()
        try:
            output = function(rows.slice(start, end - start), attempt)
        except (BadFunction, ModuleNotFoundError):  # Each record would get this error, so all would be skipped.
            raise
        except Exception as error:
            if end - start > 1:
                half = (start + end) // 2
                pending += [(half, end), (start, half)]
            elif end > start:
                results.bad.append(bad_record(start, describe_user_error(error)))
                state.watermark_us = attempt.watermark_us  # The skipped record still advances the watermark.
            else:
                raise
        else:
            state.set_changes_of(attempt)
            results.add(output)
    if len(results.bad) >= BAD_RECORDS_PER_BATCH_MAX:
        raise BadFunction(
            f"the function failed on {format_count(len(results.bad), 'record')} of one batch, first at offset"
            f" {results.bad[0].offset}: {results.bad[0].reason}"
        )


def outputs_by_name(answer: object) -> dict[str, pa.Table]:
    """Return the function's result as one table for each output name. Raises BadFunction."""
    named = answer if isinstance(answer, Mapping) else {MAIN: answer}
    return {name: _table(rows) for name, rows in named.items()}


def _table(output: object) -> pa.Table:
    if isinstance(output, pa.RecordBatch):
        return pa.Table.from_batches([output])
    if not isinstance(output, pa.Table):
        raise BadFunction(f"the function returned {type(output).__name__}: return a pyarrow.Table")
    return output
