"""Topics by a pattern that is matched here, in Python: which ones there are, looked up again every now and then."""

import asyncio
from collections.abc import Callable
from re import Pattern
from typing import Final

from tenure.client.cluster import Cluster
from tenure.client.errors import ClientError


class TopicWatch:
    def __init__(self, cluster: Cluster, pattern: Pattern[str], interval_ms: int) -> None:
        self._cluster: Final = cluster
        self._pattern: Final = pattern
        self._interval_s: Final = interval_ms / 1000
        self._task: asyncio.Task[None] | None = None

    async def topics(self) -> tuple[str, ...]:
        """Those whose whole name matches now; internal ones never do."""
        answer = await self._cluster.persist(lambda: self._cluster.metadata(None))
        names = [topic.name or "" for topic in answer.topics if not topic.is_internal and not topic.error_code]
        return tuple(sorted(name for name in names if self._pattern.fullmatch(name)))

    def begin(self, tell: Callable[[tuple[str, ...]], None]) -> None:
        self._task = asyncio.get_running_loop().create_task(self._go_on(tell))

    async def _go_on(self, tell: Callable[[tuple[str, ...]], None]) -> None:
        while True:
            await asyncio.sleep(self._interval_s)
            try:
                tell(await self.topics())
            except ClientError:
                continue  # the broker is away; it is the membership that has to find it again

    def end(self) -> None:
        if self._task is not None:
            self._task.cancel()
