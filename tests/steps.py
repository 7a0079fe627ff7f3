"""Work in steps, run to its end for tests that want the result at once."""

from collections.abc import Generator
from typing import TypeVar, cast

T = TypeVar("T")


def returned(steps: Generator[None, None, T]) -> T:
    """Return what a generator returns, once it has come to its end."""
    try:
        while True:
            next(steps)
    except StopIteration as end:
        return cast("T", end.value)
