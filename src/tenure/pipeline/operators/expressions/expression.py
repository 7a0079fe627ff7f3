"""Evaluation of parsed expressions over Arrow columns, with the results of Spark in ANSI mode.

An overflow, a division by zero or a value that cannot be cast raises an error, so the record is a bad record. Times are
in UTC. Nulls follow SQL's three-valued logic.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from typing import Any, Final, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.types as kinds


@dataclass(frozen=True, slots=True)
class ColumnPath:
    """Name of a column, or path to a field of a struct column."""

    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Literal:
    value: Any
    type: pa.DataType


@dataclass(frozen=True, slots=True)
class Call:
    function: str
    """Name of the function: a key of FUNCTIONS, or "cast"."""
    arguments: "tuple[Node, ...]"
    to: pa.DataType | None = None
    """Type to which "cast" converts; None for other functions."""


Node: TypeAlias = ColumnPath | Literal | Call


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression over the columns of a row. Picklable. Call it with a table to get one value for each row."""

    text: str
    """SQL text of the expression, for messages."""
    node: Node

    def __call__(self, rows: pa.Table) -> "pa.Array | pa.ChunkedArray":
        made = evaluate(self.node, rows)
        return pa.repeat(made, len(rows)) if isinstance(made, pa.Scalar) else made

    @property
    def column(self) -> str | None:
        """Name of the column, if the expression is a single column."""
        return self.node.path[0] if isinstance(self.node, ColumnPath) and len(self.node.path) == 1 else None


def evaluate(node: Node, rows: pa.Table) -> Any:
    """Return the values of a node for the rows: an array, or a scalar if they are constant."""
    match node:
        case ColumnPath((name, *fields)):
            return reduce(pc.struct_field, fields, rows[name])
        case Literal(value, kind):
            return pa.scalar(value, kind)
        case Call("cast", (argument,), to):
            return cast(evaluate(argument, rows), to)
        case Call(name, arguments):
            return FUNCTIONS[name](*(evaluate(argument, rows) for argument in arguments))
    raise AssertionError(node)


# --- casts ------------------------------------------------------------------------------------------------------------


def cast(values: Any, to: Any) -> Any:
    """Convert values to another type as Spark does in ANSI mode. Raises TypeError if Spark cannot convert the types."""
    kind = values.type
    if kind == to or kinds.is_null(kind):
        return values.cast(to)
    for of_given, of_target, convert in CASTS:
        if of_given(kind) and of_target(to):
            return convert(values, to)
    raise TypeError(f"a value of type {kind} cannot be cast to {to}")


def is_number(kind: pa.DataType) -> bool:
    return bool(kinds.is_integer(kind) or kinds.is_floating(kind))


def plain_cast(values: Any, to: pa.DataType) -> Any:
    return values.cast(to)


def truncated(values: Any, to: pa.DataType) -> Any:
    return pc.trunc(values).cast(to)


def cast_text(values: Any, to: pa.DataType) -> Any:
    return pc.utf8_trim_whitespace(values).cast(to)


def cast_text_to_time(values: Any, to: pa.DataType) -> Any:
    return pc.assume_timezone(pc.utf8_trim_whitespace(values).cast(pa.timestamp("us")), "UTC").cast(to)


def time_text(values: Any, to: pa.DataType) -> Any:
    """Return times as text. The fraction of a second has no trailing zeros, as in Spark."""
    text = values.cast(pa.timestamp("us", values.type.tz)).cast(pa.timestamp("us")).cast(to)
    return pc.replace_substring_regex(text, pattern=r"\.?0+$", replacement="")


def midnight(values: Any, to: pa.DataType) -> Any:
    return pc.assume_timezone(values.cast(pa.timestamp("us")), "UTC").cast(to)


CASTS: Final[Sequence[tuple[Callable[[Any], bool], Callable[[Any], bool], Callable[[Any, Any], Any]]]] = (
    (kinds.is_floating, kinds.is_integer, truncated),
    (kinds.is_floating, kinds.is_floating, plain_cast),
    (kinds.is_integer, is_number, plain_cast),
    (kinds.is_integer, kinds.is_string, plain_cast),
    (kinds.is_boolean, kinds.is_string, plain_cast),
    (kinds.is_boolean, kinds.is_integer, plain_cast),
    (kinds.is_timestamp, kinds.is_string, time_text),
    (kinds.is_date, kinds.is_string, plain_cast),
    (kinds.is_string, is_number, cast_text),
    (kinds.is_string, kinds.is_date, cast_text),
    (kinds.is_string, kinds.is_timestamp, cast_text_to_time),
    (kinds.is_timestamp, kinds.is_date, plain_cast),
    (kinds.is_timestamp, kinds.is_timestamp, plain_cast),
    (kinds.is_date, kinds.is_timestamp, midnight),
)  # fmt: skip


# --- functions --------------------------------------------------------------------------------------------------------


def divide(left: Any, right: Any) -> Any:
    return pc.divide_checked(left.cast(pa.float64()), right.cast(pa.float64()))


def divide_whole(left: Any, right: Any) -> Any:
    return pc.divide_checked(whole(left).cast(pa.int64()), whole(right).cast(pa.int64()))


def remainder(left: Any, right: Any) -> Any:
    """Return the remainder, with the sign of the dividend."""
    return pc.subtract(whole(left), pc.multiply(pc.divide_checked(left, whole(right)), right))


def whole(values: Any) -> Any:
    if not kinds.is_integer(values.type):
        raise TypeError(f"the operator needs integers, not {values.type}")
    return values


def add(left: Any, right: Any) -> Any:
    return pc.add_checked(left, right)


def rounded(values: Any) -> Any:
    return pc.round(values, round_mode="half_towards_infinity")


def as_whole(function: Callable[[Any], Any], values: Any) -> Any:
    return values if kinds.is_integer(values.type) else function(values).cast(pa.int64())


def null_safe_equal(left: Any, right: Any) -> Any:
    both_null = pc.and_(pc.is_null(left), pc.is_null(right))
    return pc.or_(pc.fill_null(pc.equal(left, right), False), both_null)


def nullif(left: Any, right: Any) -> Any:
    return pc.if_else(pc.fill_null(pc.equal(left, right), False), pa.scalar(None, left.type), left)


def among(value: Any, *others: Any) -> Any:
    return reduce(pc.or_kleene, (pc.equal(value, other) for other in others))


def between(value: Any, low: Any, high: Any) -> Any:
    return pc.and_kleene(pc.greater_equal(value, low), pc.less_equal(value, high))


def case(*parts: Any) -> Any:
    """Return the value of the first true condition; `parts` are pairs of condition and value, then the default."""
    *pairs, made = parts
    for condition, value in reversed(list(zip(pairs[::2], pairs[1::2], strict=True))):
        made = pc.if_else(pc.fill_null(condition, False), value, made)
    return made


def like(values: Any, pattern: Any) -> Any:
    return pc.match_like(values, constant(pattern))


def constant(value: Any) -> Any:
    """Return the value of a literal. Raises TypeError if the argument is a column."""
    if not isinstance(value, pa.Scalar):
        raise TypeError("the argument must be a literal, not a column")
    return value.as_py()


def substring(values: Any, start: Any, length: Any = None) -> Any:
    """Return a part of each string. The first character is number 1; a negative start counts from the end."""
    first = constant(start)
    begin = first - 1 if first > 0 else first
    size = None if length is None else max(constant(length), 0)
    end = None if size is None or (begin < 0 and begin + size >= 0) else begin + size
    return pc.utf8_slice_codeunits(values, begin, end)


def concat(*values: Any) -> Any:
    return pc.binary_join_element_wise(*(text(value) for value in values), "")


def text(values: Any) -> Any:
    if not kinds.is_string(values.type):
        raise TypeError(f"the function needs a string, not {values.type}: cast it")
    return values


def replace(values: Any, pattern: Any, replacement: Any) -> Any:
    return pc.replace_substring(values, constant(pattern), constant(replacement))


def date_trunc(unit: Any, values: Any) -> Any:
    name = constant(unit).lower()
    if name not in UNITS:
        raise TypeError(f"date_trunc has the unknown unit '{name}': use {', '.join(UNITS)}")
    return pc.floor_temporal(values, unit=name)


UNITS: Final = ("year", "quarter", "month", "week", "day", "hour", "minute", "second")

FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "+": add,
    "-": pc.subtract_checked,
    "*": pc.multiply_checked,
    "/": divide,
    "div": divide_whole,
    "%": remainder,
    "negative": pc.negate_checked,
    "=": pc.equal,
    "<>": pc.not_equal,
    "<": pc.less,
    "<=": pc.less_equal,
    ">": pc.greater,
    ">=": pc.greater_equal,
    "<=>": null_safe_equal,
    "and": pc.and_kleene,
    "or": pc.or_kleene,
    "not": pc.invert,
    "is null": pc.is_null,
    "in": among,
    "between": between,
    "case": case,
    "like": like,
    "coalesce": pc.coalesce,
    "nullif": nullif,
    "greatest": partial(pc.max_element_wise, skip_nulls=True),
    "least": partial(pc.min_element_wise, skip_nulls=True),
    "abs": pc.abs_checked,
    "sqrt": pc.sqrt,
    "floor": partial(as_whole, pc.floor),
    "ceil": partial(as_whole, pc.ceil),
    "round": rounded,
    "upper": pc.utf8_upper,
    "lower": pc.utf8_lower,
    "length": pc.utf8_length,
    "trim": partial(pc.utf8_trim, characters=" "),
    "concat": concat,
    "substring": substring,
    "replace": replace,
    "startswith": lambda values, pattern: pc.starts_with(values, constant(pattern)),
    "endswith": lambda values, pattern: pc.ends_with(values, constant(pattern)),
    "contains": lambda values, pattern: pc.match_substring(values, constant(pattern)),
    "date_trunc": date_trunc,
    "year": lambda values: pc.year(values).cast(pa.int32()),
    "month": lambda values: pc.month(values).cast(pa.int32()),
    "day": lambda values: pc.day(values).cast(pa.int32()),
    "hour": lambda values: pc.hour(values).cast(pa.int32()),
    "minute": lambda values: pc.minute(values).cast(pa.int32()),
    "second": lambda values: pc.second(values).cast(pa.int32()),
    "dayofweek": lambda values: pc.day_of_week(values, count_from_zero=False, week_start=7).cast(pa.int32()),
    "size": pc.list_value_length,
}
"""Functions by their name in `parser.py`. Each gets arrays or scalars."""
