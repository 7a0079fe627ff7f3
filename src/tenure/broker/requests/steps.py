"""Steps of a request's work, between which others are served."""

from asyncio import Future
from collections.abc import Iterator
from typing import Any, Final, TypeAlias

Steps: TypeAlias = Iterator["Future[Any] | None"]
"""Remaining work of a request, in small steps, several of which make one piece of work.

A yielded future is waited for.
"""

ITEMS_AT_ONCE: Final = 16
"""Small items, such as a partition, are done in some ten microseconds."""
