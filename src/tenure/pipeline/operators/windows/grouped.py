"""Values to aggregate, with the window of each."""

from typing import Any, NamedTuple, TypeAlias

import pyarrow as pa

AggregateState: TypeAlias = list[Any]
"""State of an aggregate for one session: a list with one value per field. A value is None before the first row."""


class Grouped(NamedTuple):
    """Non-null values of one column, with the window of each."""

    values: pa.Array
    groups: Any
    """Index of the window of each value."""
    times_us: Any
