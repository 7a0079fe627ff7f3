"""Runs generators of steps to their end, for tests that need only the result."""

from collections.abc import Generator
from typing import TypeVar, cast

T = TypeVar("T")


def returned(steps: Generator[None, None, T]) -> T:
    """Run a generator to its end, and return its result."""
    try:
        while True:
            next(steps)
    except StopIteration as end:
        return cast("T", end.value)
