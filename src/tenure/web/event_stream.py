"""Updates of a page as server-sent events with the parts that have changed."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Final

from starlette.concurrency import run_in_threadpool

from tenure.client.errors import ClientError
from tenure.limits.web import ROUND_INTERVAL_S, STREAMS_MAX
from tenure.web.pages.page import NotFound
from tenure.web.parts import Parts, update

GONE: Final = "event: gone\ndata: 1\n\n"
"""Event that makes the page reload itself."""
ALIVE: Final = ": alive\n\n"
"""Comment without content. If sending it fails, the page was closed."""


class EventStreams:
    """Open event streams: at most STREAMS_MAX. All end when the server stops."""

    def __init__(self) -> None:
        self.open = 0
        self._stopped: Final = asyncio.Event()

    @property
    def is_full(self) -> bool:
        """True if no further stream can be opened until a page is closed."""
        return self.open >= STREAMS_MAX

    def stop(self) -> None:
        """End all open streams."""
        self._stopped.set()

    async def events(self, parts: Callable[[], Parts]) -> AsyncIterator[str]:
        """Yield an event for each change of a page. `parts` may block, so it is called in a thread.

        The first event contains all parts, and the browser removes parts that are not in it: the page may have been
        loaded long before the stream was opened.
        """
        self.open += 1
        try:
            before: Mapping[str, str] | None = None
            while not self._stopped.is_set():
                try:
                    after = await run_in_threadpool(parts)
                except NotFound:
                    yield GONE
                    return
                except ClientError:
                    yield ALIVE  # the page's status part shows the error when a round has failed
                else:
                    change = update(before, after)
                    before = {part.element_id: part.html for part in after}
                    yield f"data: {json.dumps(change, ensure_ascii=False)}\n\n" if change else ALIVE
                await self._pause()
        finally:
            self.open -= 1

    async def _pause(self) -> None:
        try:
            await asyncio.wait_for(self._stopped.wait(), ROUND_INTERVAL_S)
        except TimeoutError:
            return
