"""Values that windows aggregate, and where each belongs."""

from typing import Any, NamedTuple, TypeAlias

import pyarrow as pa

Kept: TypeAlias = list[Any]
"""State of an aggregate for one session, a value per field; None before the first row."""


class Grouped(NamedTuple):
    """Values of one column, and where each belongs. None of them is null."""

    values: pa.Array
    groups: Any
    """The number of each value's window."""
    times_us: Any
