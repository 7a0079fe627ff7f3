"""Declaration of `windowed(…)`, which parses its aggregates when it knows its input."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import pyarrow as pa

from tenure.pipeline.errors import PipelineConfigError
from tenure.pipeline.operators.operator import BoundOperator, OperatorInput
from tenure.pipeline.operators.windows.aggregates import Aggregate, Column, Count, Extreme, Mean, Pick, Sum
from tenure.pipeline.operators.windows.kinds import Session, Sliding
from tenure.pipeline.operators.windows.sessions import Sessions, session_state
from tenure.pipeline.operators.windows.windowed import LATE, Windowed, check_names, window_state

CALL: Final = re.compile(r"\s*(\w+)\s*\(\s*(\*|\w+|`[^`]+`)\s*\)\s+as\s+(\w+|`[^`]+`)\s*", re.IGNORECASE)

KINDS: Final[dict[str, Callable[[str, pa.DataType], Aggregate]]] = {
    "count": lambda name, _: Count(name),
    "sum": lambda name, kind: Sum(name, _sum_type(kind)),
    "avg": lambda name, _: Mean(name),
    "mean": lambda name, _: Mean(name),
    "min": lambda name, kind: Extreme(name, kind, largest=False),
    "max": lambda name, kind: Extreme(name, kind, largest=True),
    "first": lambda name, kind: Pick(name, kind, last=False),
    "last": lambda name, kind: Pick(name, kind, last=True),
}

NUMBERS: Final = ("sum", "avg", "mean")


def parsed(text: str, given: OperatorInput) -> list[Column]:
    """Return the aggregates of a declaration. Raises PipelineConfigError."""
    columns = [_column(part, given) for part in text.split(",")]
    names = [field.name for column in columns for field in column.aggregate.fields]
    if twice := [name for name in names if names.count(name) > 1]:
        given.refuse(f"computes the column '{twice[0]}' twice: rename one of them")
    return columns


def _column(part: str, given: OperatorInput) -> Column:
    call = CALL.fullmatch(part)
    if call is None or call[1].lower() not in KINDS:
        raise PipelineConfigError(
            f"has the invalid aggregate '{part.strip()}': write it like 'max(delay) as worst', with one of"
            f" {', '.join(KINDS)}."
        )
    kind, column, name = call[1].lower(), call[2].strip("`"), call[3].strip("`")
    if column == "*":
        if kind != "count":
            given.refuse(f"computes {kind}(*): name a column instead of *")
        return Column(Count(name), None)
    found = given.column(column, part.strip()).type
    if kind in NUMBERS and not (pa.types.is_integer(found) or pa.types.is_floating(found)):
        given.refuse(f"computes {kind}({column}), but {column} is {found}: use an integer, float or double column")
    if pa.types.is_nested(found) and kind in ("min", "max"):
        given.refuse(f"computes {kind}({column}), but {column} is {found}, which has no order: use another column")
    return Column(KINDS[kind](name, found), column)


def _sum_type(kind: pa.DataType) -> pa.DataType:
    return pa.float64() if pa.types.is_floating(kind) else pa.int64()


@dataclass(frozen=True, slots=True)
class WindowedOperator:
    windows: Sliding | Session
    aggregate: str

    def bound(self, given: OperatorInput) -> BoundOperator:
        key, topic = given.keyed(), given.only_topic("windowed(…)")
        time = given.event(topic, "windowed(…)").column
        columns = parsed(self.aggregate, given)
        check_names(given, columns)
        late = LATE in given.sides
        if isinstance(self.windows, Session):
            sessions = Sessions(self.windows.gap_us, columns, key.name, time, late)
            return BoundOperator(sessions, session_state(key, columns))
        return BoundOperator(Windowed(self.windows, columns, key.name, time, late), window_state(key, columns))
