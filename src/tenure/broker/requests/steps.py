"""Steps of a request's work, between which other requests are served."""

from asyncio import Future
from collections.abc import Generator, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, TypeAlias, TypeVar

T = TypeVar("T")

Steps: TypeAlias = Iterator["Future[Any] | None"]
"""Remaining work of a request. Several small steps are run together as one piece of work.

A step may yield a future; the next step runs when the future is done.
"""

ITEMS_AT_ONCE: Final = 16
"""Number of small items, such as partitions, that one step handles; each takes about ten microseconds."""


def in_steps(items: Iterable[T], at_once: int = ITEMS_AT_ONCE) -> Generator[None, None, list[T]]:
    """Return the items as a list; a step takes `at_once` items."""
    rest = iter(items)
    found = list(islice(rest, at_once))
    size = len(found)
    while size == at_once:
        yield
        more = list(islice(rest, at_once))
        size = len(more)
        found += more
    return found


def results_of(works: Iterable[Generator[None, None, T]]) -> Generator[None, None, list[T]]:
    """Run generators one after the other, in steps, and return their results."""
    found: list[T] = []
    for work in works:
        found.append((yield from work))  # noqa: PERF401 - a comprehension cannot yield
    return found


def portions(items: Sequence[T], size: int) -> list[Sequence[T]]:
    """Divide a sequence into portions of at most `size` items. An empty sequence gives one empty portion."""
    return [items[start : start + size] for start in range(0, len(items) or 1, size)]
