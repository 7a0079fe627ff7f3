"""Two steps with state and an easily computed result: the second step counts again what the first one has counted.

Both states are those of `counting`. If the two counts differ, the second step fails.
"""

from typing import Final

import pyarrow as pa

from tenure.pipeline.operators.chain import StepOperator, bind_chain
from tenure.pipeline.operators.operator import BoundOperator, OperatorInput
from tenure.pipeline.operators.stateful import StatefulOperator, StatelessOperator, WithoutState
from tenure.pipeline.state.keyed_state import KeyedState
from tenure.pipeline.state.step_states import StepStates
from tenure.pipeline.values.ddl import schema
from tests.simulation.pipelines.counting import STATE, counted

COLUMNS: Final = "partition int, offset long, key string, number long"
STEPS: Final = ("first", "second")
COLUMNS_OF_STATE: Final = "count long, total long"


def count_first(rows: pa.Table, state: KeyedState) -> pa.Table:
    return rows.append_column("first", counted(rows, state)["count"])


def pass_rows(rows: pa.Table) -> pa.Table:
    """Return the rows unchanged, as a step between the two."""
    return rows


def count_again(rows: pa.Table, state: KeyedState) -> pa.Table:
    made = counted(rows, state)
    if not made["count"].equals(rows["first"]):
        raise AssertionError("the states of the two steps differ")
    return made


def counting_steps() -> BoundOperator:
    """Return the chain of both counts."""
    rows = schema(COLUMNS)
    given = OperatorInput("counts", rows, {"topic": rows}, "key", {"topic": "key"})
    output = schema(f"{COLUMNS}, first long")
    return bind_chain(
        [
            StepOperator("first", StatefulOperator(count_first, COLUMNS_OF_STATE, output=output)),
            StepOperator("between", StatelessOperator(WithoutState(pass_rows), output)),
            StepOperator("second", StatefulOperator(count_again, COLUMNS_OF_STATE)),
        ],
        given,
    )


STATES: Final = StepStates(STATE.field(0), dict.fromkeys(STEPS, STATE))
