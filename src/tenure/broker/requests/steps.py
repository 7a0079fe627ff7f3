"""Work on a request in steps, between which others are served."""

from asyncio import Future
from collections.abc import Iterator
from typing import Any, Final, TypeAlias

Steps: TypeAlias = Iterator["Future[Any] | None"]
"""The rest of a request's work, in small steps: some of them make the piece of work that a connection does at once. A
future that is yielded is waited for.
"""

ITEMS_AT_ONCE: Final = 16
"""Small items, such as a partition, are done in some ten microseconds."""
