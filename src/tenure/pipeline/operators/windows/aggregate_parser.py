"""Parser of aggregates in Spark's SQL, such as `sum(n * 2) filter (where n > 0) as total`."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import pyarrow as pa

from tenure.pipeline.errors import PipelineConfigError
from tenure.pipeline.operators.expressions.expression import Expression
from tenure.pipeline.operators.expressions.parser import expression, expression_type, parse
from tenure.pipeline.operators.operator import OperatorInput
from tenure.pipeline.operators.windows.aggregates import (
    Aggregate,
    AggregateColumn,
    Count,
    Extreme,
    FirstOrLast,
    Mean,
    Sum,
)
from tenure.pipeline.operators.windows.collected import (
    Collect,
    DiscretePercentile,
    Percentile,
    UserAggregate,
    UserFinish,
    as_lists,
    counts,
)

FORMS: Final[Mapping[str, Callable[[str, pa.DataType], Aggregate]]] = {
    "count": lambda name, _: Count(name),
    "sum": lambda name, kind: Sum(name, _sum_type(kind)),
    "avg": lambda name, _: Mean(name),
    "min": lambda name, kind: Extreme(name, kind, largest=False),
    "max": lambda name, kind: Extreme(name, kind, largest=True),
    "first": lambda name, kind: FirstOrLast(name, kind, last=False),
    "last": lambda name, kind: FirstOrLast(name, kind, last=True),
    "collect_list": lambda name, kind: Collect(name, kind, as_lists, pa.list_(kind)),
    "collect_set": lambda name, kind: Collect(name, kind, as_lists, pa.list_(kind), distinct=True),
    "count_distinct": lambda name, kind: Collect(name, kind, counts, pa.int64(), distinct=True),
    "median": lambda name, kind: Collect(name, kind, Percentile(0.5), pa.float64()),
}
"""Aggregates with one argument, by SQL name. Each function takes the name of the result and the argument's type."""

PERCENTILES: Final[Mapping[str, type[Percentile | DiscretePercentile]]] = {
    "percentile": Percentile,
    "percentile_approx": DiscretePercentile,
}

CLASSES: Final = {
    "Count": "count", "CountIf": "count_if", "Sum": "sum", "Avg": "avg", "Min": "min", "Max": "max", "First": "first",
    "Last": "last", "ArrayAgg": "collect_list", "ArrayUniqueAgg": "collect_set", "Median": "median",
    "Quantile": "percentile", "ApproxQuantile": "percentile_approx",
}  # fmt: skip
"""Aggregates by class name of sqlglot."""

ALIASES: Final = {"mean": "avg"}

NUMBERS: Final = ("sum", "avg", "median", "percentile")

KNOWN: Final = ("count", "count_if", *(form for form in FORMS if form not in ("count", "count_distinct")), *PERCENTILES)


def aggregate_columns(
    text: str, step_input: OperatorInput, functions: Mapping[str, UserAggregate]
) -> list[AggregateColumn]:
    """Parse the aggregates `text` of a declaration. Raises PipelineConfigError.

    `step_input` is the input of the step, and `functions` are the user's aggregates by name.
    """
    columns = [_column(tree, step_input, functions) for tree in parse(f"SELECT {text}").expressions]
    names = [field.name for column in columns for field in column.aggregate.fields]
    if twice := [name for name in names if names.count(name) > 1]:
        step_input.refuse(f"computes the column '{twice[0]}' twice: rename one of them")
    return columns


def _column(tree: Any, step_input: OperatorInput, functions: Mapping[str, UserAggregate]) -> AggregateColumn:
    name, call, condition = tree.alias, tree.this, None
    if type(call).__name__ == "Filter":
        call, condition = call.this, _condition(call.expression.this, step_input)
    form = CLASSES.get(type(call).__name__) or ALIASES.get(call.name.lower(), call.name)
    if type(tree).__name__ != "Alias" or form not in (*KNOWN, *functions):
        known = ", ".join((*KNOWN, *functions))
        raise PipelineConfigError(
            f"Pipeline {step_input.pipeline} has the invalid aggregate '{tree.sql('spark')}': write it like"
            f" 'max(delay) as worst', with one of {known}."
        )
    if form == "count" and type(call.this).__name__ == "Distinct":
        form, arguments = "count_distinct", call.this.expressions
    elif type(call).__name__ == "Anonymous":
        arguments = call.expressions
    else:
        arguments = [call.this]
    if form == "count_if":
        return AggregateColumn(Count(name), (), _condition(arguments[0], step_input))
    if type(arguments[0]).__name__ == "Star":
        if form != "count":
            step_input.refuse(f"computes {form}(*): name a column instead of *")
        return AggregateColumn(Count(name), (), condition)
    values = [expression(argument) for argument in arguments]
    kinds = [expression_type(value, step_input.rows, f"Pipeline {step_input.pipeline}") for value in values]
    if form in functions:
        return AggregateColumn(_user_aggregate(name, form, functions[form], kinds), values, condition)
    if len(values) != 1:
        step_input.refuse(f"computes {call.sql('spark')}, which has more than one argument: use one aggregate for each")
    _check_type(form, values[0], kinds[0], step_input)
    if form in PERCENTILES:
        return AggregateColumn(_percentile(name, form, call, kinds[0], step_input), values, condition)
    return AggregateColumn(FORMS[form](name, kinds[0]), values, condition)


def _condition(tree: Any, step_input: OperatorInput) -> Expression:
    condition = expression(tree)
    kind = expression_type(condition, step_input.rows, f"Pipeline {step_input.pipeline}")
    if not pa.types.is_boolean(kind):
        step_input.refuse(f"has the condition '{condition.text}' in an aggregate, which is {kind} instead of boolean")
    return condition


def _check_type(form: str, value: Expression, kind: pa.DataType, step_input: OperatorInput) -> None:
    text = value.text
    if form in NUMBERS and not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        step_input.refuse(f"computes {form}({text}), but {text} is {kind}: use an integer, float or double column")
    if pa.types.is_nested(kind) and form in ("min", "max", "percentile_approx", "collect_set", "count_distinct"):
        step_input.refuse(f"computes {form}({text}), but {text} is {kind}, which has no order: use another column")


def _user_aggregate(name: str, form: str, aggregate: UserAggregate, kinds: list[pa.DataType]) -> Collect:
    kind = kinds[0] if len(kinds) == 1 else pa.struct([(f"_{number}", one) for number, one in enumerate(kinds)])
    return Collect(name, kind, UserFinish(form, aggregate, len(kinds)), aggregate.result_type)


def _percentile(name: str, form: str, call: Any, kind: pa.DataType, step_input: OperatorInput) -> Collect:
    quantile = call.args["quantile"]
    fraction = float(quantile.name) if type(quantile).__name__ == "Literal" and not quantile.is_string else -1.0
    if not 0 <= fraction <= 1:
        step_input.refuse(f"computes {call.sql('spark')}: give one number from 0 to 1")
    return Collect(name, kind, PERCENTILES[form](fraction), pa.float64() if form == "percentile" else kind)


def _sum_type(kind: pa.DataType) -> pa.DataType:
    return pa.float64() if pa.types.is_floating(kind) else pa.int64()
