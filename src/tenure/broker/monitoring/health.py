"""Readiness, in words: what keeps the broker from serving everybody.

Health is no more than an answer: it comes from the very loop that serves clients.
"""

import asyncio
import os
from collections.abc import Iterator
from typing import Final

from tenure.broker.broker import Broker
from tenure.limits import DISK_PROBE_INTERVAL_S, FAILURES_NAMED_MAX
from tenure.runtime.host import HostState
from tenure.storage.data_directory import DataDirectory

PROBE: Final = ".probe"
"""Nobody takes a name that begins with a dot for a partition's."""


class Readiness:
    def __init__(self, directory: DataDirectory, loop: asyncio.AbstractEventLoop) -> None:
        self._directory: Final = directory
        self._loop: Final = loop
        self._probe: asyncio.Future[str | None] | None = None
        self._probed_s = 0.0
        self.is_serving = False
        """Clients are listened to."""
        self.is_stopping = False

    async def reasons(self, broker: Broker) -> list[str]:
        """One sentence each; none: the broker is ready."""
        found = list(self._of_broker(broker))
        disk = await self._disk()
        return found if disk is None else [*found, disk]

    def _of_broker(self, broker: Broker) -> Iterator[str]:
        if self.is_stopping:
            yield "the broker is stopping"
        elif not self.is_serving:
            yield "the broker is starting and does not listen yet"
        shards = broker.shards
        loading = [shard.name for shard in shards if shard.host.state is HostState.LOADING]
        if loading:
            yield f"{len(loading)} of {len(shards)} shards are loading: {_some(loading)}"
        for shard in shards:
            if shard.host.state is HostState.DOWN:
                yield f"{shard.name}: down, {shard.host.failure}"
        failed = [served.partition.name for served in broker.logs.open.values() if served.partition.has_failed]
        if failed:
            yield f"{len(failed)} logs take no writes since their disk failed: {_some(failed)}"
        if unusable := broker.logs.unusable:
            yield f"{len(unusable)} logs are not served, for their files are not theirs: {_some(unusable)}"

    async def _disk(self) -> str | None:
        """However often it is asked, the disk is tried once in a while only; on a thread, for it may hang."""
        if self._probe is None or (self._probe.done() and self._loop.time() - self._probed_s >= DISK_PROBE_INTERVAL_S):
            self._probed_s = self._loop.time()
            self._probe = self._loop.run_in_executor(None, _why_not_writable, self._directory)
        try:
            return await asyncio.wait_for(asyncio.shield(self._probe), DISK_PROBE_INTERVAL_S)
        except TimeoutError:
            return f"the data directory {self._directory.path} has not taken a write for {DISK_PROBE_INTERVAL_S:g} s"


def _why_not_writable(directory: DataDirectory) -> str | None:
    path = os.path.join(directory.path, PROBE)
    try:
        directory.files.write(path, b"?", sync=True)
        directory.files.remove(path)
    except OSError as error:
        return f"the data directory {directory.path} cannot be written to: {error.strerror}"
    return None


def _some(names: list[str]) -> str:
    more = len(names) - FAILURES_NAMED_MAX
    return ", ".join(names[:FAILURES_NAMED_MAX]) + (f" and {more} more" if more > 0 else "")
