"""Probes of the coordinators, the logs and the disk, each with a timeout.

A probe does the same as a request, but changes nothing and appends nothing to a log. A probe begins only after its
previous run has ended. So at most one probe of each kind is running, however often health is requested.
"""

import asyncio
import os
from collections.abc import Mapping
from typing import Any, Final

from tenure.broker.coordinators.served_shard import ServedShard
from tenure.broker.logs.served_log import ServedLog
from tenure.broker.requests.context import Context
from tenure.coordinator.groups.commands import Heartbeat
from tenure.coordinator.groups.shard import GroupsShard
from tenure.coordinator.metadata.commands import DescribeTopics
from tenure.coordinator.metadata.shard import MetadataShard
from tenure.coordinator.transactions.commands import DescribeTransaction
from tenure.coordinator.transactions.shard import TransactionsShard
from tenure.limits.broker import COORDINATOR_PROBE_TIMEOUT_S, DISK_PROBE_INTERVAL_S, LOG_PROBE_TIMEOUT_S
from tenure.protocol.types import GenerationId, GroupId, MemberId
from tenure.storage.data_directory import DataDirectory

QUESTIONS: Final[Mapping[type, object]] = {
    MetadataShard: DescribeTopics([]),
    GroupsShard: Heartbeat(GroupId(""), MemberId(""), None, GenerationId(-1)),
    TransactionsShard: DescribeTransaction(""),
}
"""Command that the probe sends to each kind of shard; the shard answers or refuses it in its next turn."""

PROBE_FILE: Final = ".probe"
"""Name of the file that the probe writes. No partition's directory begins with a dot."""


class CoordinatorProbe:
    """Probe that sends a command to every shard. The shard handles the command in its next turn, like any request."""

    def __init__(self, context: Context) -> None:
        self._context: Final = context
        self._questions: Final[dict[str, asyncio.Future[None]]] = {}
        """Future of the last command, by the shard's name."""

    async def silent_shards(self) -> list[str]:
        """Return the names of shards that do not answer within COORDINATOR_PROBE_TIMEOUT_S."""
        for shard in self._context.shards:
            question = self._questions.get(shard.name)
            if question is None or question.done():
                self._questions[shard.name] = self._ask(shard)
        return await _unfinished(self._questions, COORDINATOR_PROBE_TIMEOUT_S)

    def _ask(self, shard: ServedShard[Any]) -> asyncio.Future[None]:
        question: asyncio.Future[None] = self._context.loop.create_future()
        shard.ask(QUESTIONS[type(shard.host.shard)], lambda _: question.set_result(None))
        return question


class LogProbe:
    """Probe that waits until the last append to a log is durable, as the answer to a request does."""

    def __init__(self, context: Context) -> None:
        self._context: Final = context
        self._waits: dict[str, asyncio.Future[None]] = {}
        """Future of the last wait, by the log's name."""

    async def stuck_logs(self) -> list[str]:
        """Return the names of logs whose appends are not durable within LOG_PROBE_TIMEOUT_S."""
        self._waits = {name: wait for name, wait in self._waits.items() if not wait.done()}
        for served in self._context.logs.open.values():
            partition = served.partition
            waits = partition.durable_offset < partition.log_end_offset and not partition.has_failed
            if waits and partition.name not in self._waits:
                self._waits[partition.name] = self._durable(served)
        return await _unfinished(self._waits, LOG_PROBE_TIMEOUT_S)

    def _durable(self, served: ServedLog) -> asyncio.Future[None]:
        wait: asyncio.Future[None] = self._context.loop.create_future()
        served.when_durable(served.partition.log_end_offset, lambda _: wait.set_result(None))
        return wait


class DiskProbe:
    """Probe that writes a small file, on a thread, because a disk may hang."""

    def __init__(self, directory: DataDirectory, loop: asyncio.AbstractEventLoop) -> None:
        self._directory: Final = directory
        self._loop: Final = loop
        self._write: asyncio.Future[str | None] | None = None
        self._began_s = 0.0

    async def failure(self) -> str | None:
        """Return the reason why the data directory is not writable; None if it is writable."""
        if self._write is None or (self._write.done() and self._loop.time() - self._began_s >= DISK_PROBE_INTERVAL_S):
            self._began_s = self._loop.time()
            self._write = self._loop.run_in_executor(None, self._try_to_write)
        try:
            return await asyncio.wait_for(asyncio.shield(self._write), DISK_PROBE_INTERVAL_S)
        except TimeoutError:
            return (
                f"the data directory {self._directory.path} has not completed a write for {DISK_PROBE_INTERVAL_S:g} s"
            )

    def _try_to_write(self) -> str | None:
        path = os.path.join(self._directory.path, PROBE_FILE)
        try:
            self._directory.files.write(path, b"?", sync=True)
            self._directory.files.remove(path)
        except OSError as error:
            return f"the data directory {self._directory.path} cannot be written to: {error.strerror}"
        return None


async def _unfinished(waits: Mapping[str, asyncio.Future[None]], timeout_s: float) -> list[str]:
    """Return the names of the futures that are not done after the timeout."""
    waits = dict(waits)
    if open_waits := [wait for wait in waits.values() if not wait.done()]:
        await asyncio.wait(open_waits, timeout=timeout_s)
    return [name for name, wait in waits.items() if not wait.done()]
