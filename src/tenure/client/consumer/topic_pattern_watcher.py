"""Lookup of the topics that match a Python pattern, repeated at an interval."""

import asyncio
from collections.abc import Callable
from re import Pattern
from typing import Final

from tenure.client.errors import ClientError
from tenure.client.net.cluster import Cluster


class TopicWatch:
    """Repeated lookup of the topics that match a pattern."""

    def __init__(self, cluster: Cluster, pattern: Pattern[str], interval_ms: int) -> None:
        self._cluster: Final = cluster
        self._pattern: Final = pattern
        self._interval_s: Final = interval_ms / 1000
        self._task: asyncio.Task[None] | None = None

    async def topics(self) -> tuple[str, ...]:
        """Return all topics whose whole name matches the pattern, except internal topics."""
        answer = await self._cluster.retry(lambda: self._cluster.metadata(None))
        names = [topic.name or "" for topic in answer.topics if not topic.is_internal and not topic.error_code]
        return tuple(sorted(name for name in names if self._pattern.fullmatch(name)))

    def begin(self, on_topics: Callable[[tuple[str, ...]], None]) -> None:
        """Start to look up the topics at each interval. Each result is passed to `on_topics`."""
        self._task = asyncio.get_running_loop().create_task(self._look_up_repeatedly(on_topics))

    async def _look_up_repeatedly(self, on_topics: Callable[[tuple[str, ...]], None]) -> None:
        while True:
            await asyncio.sleep(self._interval_s)
            try:
                on_topics(await self.topics())
            except ClientError:
                continue  # the membership handles an unreachable broker

    def end(self) -> None:
        """Stop the lookups."""
        if self._task is not None:
            self._task.cancel()
