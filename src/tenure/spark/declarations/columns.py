"""Steps that consist of SQL expressions, named like the methods of Spark's DataFrame."""

from typing import Any

from tenure.pipeline.errors import PipelineConfigError
from tenure.pipeline.operators.expressions.expression import Expression
from tenure.pipeline.operators.expressions.operators import Filter, Select, SideOutput
from tenure.pipeline.operators.expressions.parser import expression, parse
from tenure.spark.declarations.processing import TaskStep


def filter_rows(condition: str, *, side: str | None = None) -> TaskStep:
    """Keep the rows that satisfy a condition.

    Example: `topic.filter("delay > 15 and dest is not null", side="on-time")`.

    Args:
        condition: Condition in Spark's SQL.
        side: Name of the side output for the other rows; without it they are left out.

    Raises:
        PipelineConfigError: The condition is invalid.
    """
    return TaskStep(Filter(parse_expression(condition), side), form="filter")


def select(*columns: str) -> TaskStep:
    """Return rows with these columns.

    Example: `topic.select("tailnum", "delay * 60 as seconds")`.

    Args:
        columns: Columns or expressions in Spark's SQL, each with `as name` unless it is a column; "*" stands for all
            columns.

    Raises:
        PipelineConfigError: An expression is invalid.
    """
    return TaskStep(Select("select", [parse_selected(column) for column in columns]), form="select")


def with_column(name: str, expression: str) -> TaskStep:
    """Add a column, or replace the column of the same name.

    Example: `topic.with_column("late", "delay > 15")`.

    Args:
        name: Name of the column.
        expression: Its value, as an expression in Spark's SQL.

    Raises:
        PipelineConfigError: The expression is invalid.
    """
    return TaskStep(Select("with_column", [None, (name, parse_expression(expression))]), form="with_column")


def drop(*columns: str) -> TaskStep:
    """Leave out columns.

    Args:
        columns: Names of the columns.
    """
    return TaskStep(Select("drop", [None], columns), form="drop")


def side_output(name: str, where: str | None = None) -> TaskStep:
    """Copy rows to a side output. All rows also continue to the next step.

    Args:
        name: Name of the side output.
        where: Condition in Spark's SQL; without it, all rows are copied.

    Raises:
        PipelineConfigError: The condition is invalid.
    """
    return TaskStep(SideOutput(name, None if where is None else parse_expression(where)), form="side_output")


def parse_expression(text: str) -> Expression:
    """Parse an expression in Spark's SQL. Raises PipelineConfigError."""
    if not isinstance(text, str) or not text.strip():
        raise PipelineConfigError(f"An expression must be SQL text such as 'delay > 15', not {text!r}.")
    return expression(parse(text))


def parse_selected(text: str) -> tuple[str, Expression] | None:
    """Parse one column of `select`. Return its name and expression; None for `*`. Raises PipelineConfigError."""
    if text == "*":
        return None
    tree: Any = parse(text) if isinstance(text, str) and text.strip() else None
    if tree is not None and type(tree).__name__ == "Alias":
        return tree.alias, expression(tree.this)
    made = parse_expression(text)
    if made.column is None:
        raise PipelineConfigError(f"The column '{text}' of select(…) has no name: write '{text} as name'.")
    return made.column, made
