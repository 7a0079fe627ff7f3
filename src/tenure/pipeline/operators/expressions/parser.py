"""Parser of expressions in Spark's SQL.

sqlglot parses the text. Only constructs that `expression.py` evaluates as Spark does are accepted. Functions that
depend on other rows, on random numbers or on a clock are rejected, because their results would depend on how the log is
cut into batches.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, TypeAlias

import pyarrow as pa

from tenure.pipeline.errors import PipelineConfigError
from tenure.pipeline.operators.expressions.expression import Call, ColumnPath, Expression, Literal, Node
from tenure.pipeline.values import ddl

Tree: TypeAlias = Any
"""Tree of sqlglot. The type is Any, because the names of sqlglot's classes differ between its versions."""

OPERATORS: Final[Mapping[str, str]] = {
    "Add": "+", "Sub": "-", "Mul": "*", "Div": "/", "IntDiv": "div", "Mod": "%", "Neg": "negative",
    "EQ": "=", "NEQ": "<>", "LT": "<", "LTE": "<=", "GT": ">", "GTE": ">=", "NullSafeEQ": "<=>",
    "And": "and", "Or": "or", "Not": "not", "Like": "like", "DPipe": "concat", "Nullif": "nullif",
    "Abs": "abs", "Sqrt": "sqrt", "Upper": "upper", "Lower": "lower", "StartsWith": "startswith",
    "EndsWith": "endswith", "Contains": "contains", "Year": "year", "Month": "month", "Day": "day", "DayOfMonth": "day",
    "Hour": "hour", "Minute": "minute", "Second": "second", "DayOfWeek": "dayofweek",
    "ArraySize": "size",
}  # fmt: skip
"""Name in FUNCTIONS for classes of sqlglot whose nodes have the arguments `this` and `expression`."""

FUNCTION_ARGUMENTS: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "Between": ("between", ("this", "low", "high")),
    "Coalesce": ("coalesce", ("this", "expressions")),
    "Concat": ("concat", ("expressions",)),
    "Greatest": ("greatest", ("this", "expressions")),
    "Least": ("least", ("this", "expressions")),
    "In": ("in", ("this", "expressions")),
    "Substring": ("substring", ("this", "start", "length")),
    "Replace": ("replace", ("this", "expression", "replacement")),
    "Round": ("round", ("this", "decimals")),
    "Floor": ("floor", ("this", "decimals")),
    "Ceil": ("ceil", ("this", "decimals")),
    "Length": ("length", ("this",)),
    "Trim": ("trim", ("this", "expression")),
}
"""Classes of sqlglot with other arguments. Each has its name in FUNCTIONS, and the names of its arguments in the order
in which the function takes them."""

ANONYMOUS_FUNCTIONS: Final = ("isnull", "isnotnull", "endswith")
"""Functions that sqlglot has no class for."""

INT32_MAX: Final = 2**31 - 1


@lru_cache(maxsize=256)
def parse(text: str) -> Tree:
    """Return sqlglot's tree of a text in Spark's SQL. Raises PipelineConfigError."""
    import sqlglot
    from sqlglot.errors import SqlglotError

    try:
        return sqlglot.parse_one(text, read="spark")
    except SqlglotError as error:
        raise PipelineConfigError(f"The expression '{text}' is not valid SQL: {str(error).splitlines()[0]}") from error


def expression(tree: Tree) -> Expression:
    """Return the expression of a tree. Raises PipelineConfigError if it is not supported."""
    text = tree.sql("spark")
    return Expression(text, node_of(tree, text))


def expression_type(parsed: Expression, columns: pa.Schema, subject: str) -> pa.DataType:
    """Return the type of an expression over rows with these columns.

    Raises:
        PipelineConfigError: A column does not exist, or a function does not accept arguments of these types. The
            message begins with `subject`.
    """
    for name in columns_of(parsed.node):
        if name not in columns.names:
            known = ", ".join(column for column in columns.names if not column.startswith("_"))
            raise PipelineConfigError(
                f"{subject} uses the column '{name}' in '{parsed.text}', but the rows have {known}."
            )
    try:
        return parsed(columns.empty_table()).type
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, TypeError, KeyError) as error:
        raise PipelineConfigError(
            f"{subject} has the expression '{parsed.text}', which does not fit the types of its columns: {error}"
        ) from error


def columns_of(node: Node) -> set[str]:
    """Return the names of the columns that a node reads."""
    match node:
        case ColumnPath((name, *_)):
            return {name}
        case Call(_, arguments):
            return {name for argument in arguments for name in columns_of(argument)}
    return set()


def node_of(tree: Any, text: str) -> Node:
    """Convert sqlglot's tree to a node that `expression.py` evaluates. `text` is the whole expression, for errors."""

    def of(part: Any) -> Node:
        return node_of(part, text)

    kind = type(tree).__name__
    match kind:
        case "Paren":
            return of(tree.this)
        case "TsOrDsToDate" if not tree.args.get("format"):
            return Call("cast", (of(tree.this),), pa.date32())
        case "Column":
            return ColumnPath(tuple(part.name for part in tree.parts))
        case "Literal" | "Boolean" | "Null":
            return literal(tree)
        case "Is":
            if type(tree.expression).__name__ == "Null":
                return Call("is null", (of(tree.this),))
        case "If":
            return Call("case", (of(tree.this), of(tree.args["true"]), of_default(tree.args.get("false"), text)))
        case "Case" if tree.this is None:
            pairs = [of(part) for branch in tree.args["ifs"] for part in (branch.this, branch.args["true"])]
            return Call("case", (*pairs, of_default(tree.args.get("default"), text)))
        case "Cast" | "TryCast":
            (field,) = ddl.schema(f"x {tree.to.sql('spark')}")
            return Call("cast", (of(tree.this),), field.type)
        case "TimestampTrunc" | "DateTrunc":
            return Call("date_trunc", (Literal(tree.args["unit"].name, pa.string()), of(tree.this)))
        case "Anonymous" if tree.name.lower() in ANONYMOUS_FUNCTIONS:
            return named(tree.name.lower(), tuple(of(part) for part in tree.expressions))
    if kind in FUNCTION_ARGUMENTS and not (kind == "In" and tree.args.get("query")):
        function, names = FUNCTION_ARGUMENTS[kind]
        values = [value for name in names for value in listed(tree.args.get(name))]
        return Call(function, tuple(of(value) for value in values))
    if kind in OPERATORS:
        values = [tree.args[name] for name in ("this", "expression") if tree.args.get(name) is not None]
        return Call(OPERATORS[kind], tuple(of(value) for value in values))
    raise PipelineConfigError(
        f"The expression '{text}' uses {tree.sql('spark')}, which is not supported: use .map(…) or .map_batches(…)."
    )


def listed(value: Any) -> list[Any]:
    return [] if value is None else list(value) if isinstance(value, list) else [value]


def of_default(tree: Any, text: str) -> Node:
    return Literal(None, pa.null()) if tree is None else node_of(tree, text)


def named(name: str, arguments: tuple[Node, ...]) -> Node:
    if name == "endswith":
        return Call(name, arguments)
    null = Call("is null", arguments)
    return null if name == "isnull" else Call("not", (null,))


def literal(tree: Any) -> Literal:
    kind = type(tree).__name__
    if kind == "Null":
        return Literal(None, pa.null())
    if kind == "Boolean":
        return Literal(bool(tree.this), pa.bool_())
    if tree.is_string:
        return Literal(tree.name, pa.string())
    if tree.is_int:
        number = int(tree.name)
        return Literal(number, pa.int32() if number <= INT32_MAX else pa.int64())
    return Literal(float(tree.name), pa.float64())
