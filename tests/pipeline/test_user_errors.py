"""Descriptions of the errors of users' functions, with the lines that raised them."""

import json
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

from tenure.limits.pipeline import TRACEBACK_FRAMES_MAX
from tenure.pipeline.operators.map_with_state import MapWithState
from tenure.pipeline.operators.record_rows import RecordRows
from tenure.pipeline.state.keyed_state import KeyedState
from tenure.pipeline.user_errors import describe_user_error
from tenure.pipeline.values.ddl import schema

HERE = __file__


def described(call: Callable[[], object]) -> str:
    """Return the description without the frame of the test, which calls the function instead of Tenure."""
    with pytest.raises(Exception) as raised:
        call()
    return describe_user_error(raised.value.with_traceback(raised.value.__traceback__.tb_next.tb_next))  # type: ignore[union-attr]


def line_of(function: Any, offset: int = 1) -> str:
    return f"{HERE}:{function.__code__.co_firstlineno + offset} in {function.__name__}"


def check(number: int) -> None:
    raise ValueError(f"{number} is too low")


def caller(number: int) -> None:
    check(number)


def deep(depth: int) -> None:
    deep(depth - 1) if depth else check(0)


def parse(text: str) -> object:
    return json.loads(text)


def add_columns() -> pa.Table:
    return pa.table({"a": [1]}).add_column(7, "b", [[1]])


def test_raised_at__error_in_a_users_function__files_and_lines_listed_with_the_innermost_call_first() -> None:
    assert described(lambda: caller(3)) == f"ValueError: 3 is too low, at {line_of(check)}, called at {line_of(caller)}"


def test_raised_at__deep_recursion__only_the_last_frames() -> None:
    told = described(lambda: deep(9))
    assert told.count("called at") == TRACEBACK_FRAMES_MAX - 1
    assert f", at {line_of(check)}, called at {line_of(deep)}" in told


@pytest.mark.parametrize(("function", "argument"), [(parse, ["no json"]), (add_columns, [])])
def test_raised_at__error_raised_inside_a_library__line_of_the_users_function_that_called_it(
    function: Any, argument: list[str]
) -> None:
    told = described(lambda: function(*argument))
    assert told.endswith(f", at {line_of(function)}")


def test_raised_at__users_function_calls_tenure__frames_of_tenure_left_out() -> None:
    def put(_record: Any, _state: dict[str, Any]) -> None:
        KeyedState.empty(key="name", state="total long").put(pa.array(["a"]), pa.table({"x": [1]}))

    function = MapWithState(put, RecordRows(schema("name string")))
    told = described(lambda: function(pa.table({"name": ["a"]}), KeyedState.empty(key="name", state="total long")))
    assert told.endswith(f"the column total of the state is missing: pass all columns of the state, at {line_of(put)}")
