"""Columns of a joined row: those of the left side, then those of the right side. Duplicate names are renamed."""

from typing import Final, Literal, TypeAlias

import pyarrow as pa

from tenure.pipeline.errors import PipelineConfigError
from tenure.pipeline.operators.operator import OperatorInput

How: TypeAlias = Literal["inner", "left", "right", "outer"]

SUFFIX: Final = "_right"


def own_columns(schema: pa.Schema, *without: str | None) -> list[str]:
    """Return the names of a topic's columns, except those in `without` and those that begin with an underscore.

    Columns with an underscore describe the record (such as `_offset`) or are internal.
    """
    return [name for name in schema.names if not name.startswith("_") and name not in without]


def renamed(left: list[str], right: list[str], suffix: str) -> dict[str, str]:
    """Return the name that each right column has in a joined row: with the suffix if a left column has the same name.

    Raises PipelineConfigError if a joined row would have two columns of the same name in spite of the suffix.
    """
    names = {name: f"{name}{suffix}" if name in left else name for name in right}
    taken = [new for new in names.values() if new in left or list(names.values()).count(new) > 1]
    if taken:
        raise PipelineConfigError(f"Joined rows would have the column '{taken[0]}' twice: set another suffix=.")
    return names


def check_how(how: str, known: tuple[str, ...]) -> None:
    if how not in known:
        raise PipelineConfigError(f"Unknown join type how='{how}': use {' or '.join(known)}.")


def two_topics(step_input: OperatorInput, step: str) -> tuple[str, str]:
    if len(step_input.topics) != 2:
        step_input.refuse(f"uses {step}, which needs two topics, but reads {' and '.join(step_input.topics)}")
    left, right = step_input.topics
    return left, right
