"""Steps of a request's work, between which other requests are served."""

from asyncio import Future
from collections.abc import Iterator
from typing import Any, Final, TypeAlias

Steps: TypeAlias = Iterator["Future[Any] | None"]
"""Remaining work of a request. Several small steps are run together as one piece of work.

A step may yield a future; the next step runs when the future is done.
"""

ITEMS_AT_ONCE: Final = 16
"""Number of small items, such as partitions, that one step handles; each takes about ten microseconds."""
