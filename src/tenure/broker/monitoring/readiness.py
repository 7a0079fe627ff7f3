"""Health and readiness of the broker: one sentence for each reason why it is not healthy or not ready.

Unhealthy means that a restart would help: the event loop or a coordinator does not answer. Not ready means that some
clients cannot be served: the broker is unhealthy, shards are loading, or a log or the disk accepts no writes.
"""

import asyncio
from collections.abc import Iterator, Sequence
from typing import Final

from tenure.broker.monitoring.probes import CoordinatorProbe, DiskProbe, LogProbe
from tenure.broker.requests.context import Context
from tenure.limits.broker import COORDINATOR_PROBE_TIMEOUT_S, FAILURES_NAMED_MAX, LOG_PROBE_TIMEOUT_S
from tenure.runtime.host import HostState
from tenure.storage.data_directory import DataDirectory


class Readiness:
    """Reasons why the broker is not healthy or not ready."""

    def __init__(self, context: Context, directory: DataDirectory) -> None:
        self._context: Final = context
        self._coordinators: Final = CoordinatorProbe(context)
        self._logs: Final = LogProbe(context)
        self._disk: Final = DiskProbe(directory, context.loop)
        self.is_serving = False
        """True while the broker listens for clients."""
        self.is_stopping = False

    async def health_problems(self) -> list[str]:
        """Return reasons to restart the broker; none if it is healthy.

        If the event loop hangs, /healthz does not answer at all.
        """
        silent = await self._coordinators.silent_shards()
        return list(_counted(f"shards that did not answer within {COORDINATOR_PROBE_TIMEOUT_S:g} s", silent))

    async def readiness_problems(self) -> list[str]:
        """Return reasons why the broker cannot serve every client; none if it is ready."""
        known = [*self._of_start_and_stop(), *self._of_shards(), *self._of_logs()]
        silent, stuck, disk = await asyncio.gather(
            self.health_problems(), self._logs.stuck_logs(), self._disk.failure()
        )
        late = _counted(f"logs whose appends did not become durable within {LOG_PROBE_TIMEOUT_S:g} s", stuck)
        return [*known, *silent, *late, *([] if disk is None else [disk])]

    def _of_start_and_stop(self) -> Iterator[str]:
        if self.is_stopping:
            yield "the broker is stopping"
        elif not self.is_serving:
            yield "the broker is starting and does not listen yet"

    def _of_shards(self) -> Iterator[str]:
        shards = self._context.shards
        loading = [shard.name for shard in shards if shard.host.state is HostState.LOADING]
        yield from _counted(f"shards still loading, of {len(shards)}", loading)
        for shard in shards:
            if shard.host.state is HostState.DOWN:
                yield f"{shard.name}: down, {shard.host.failure}"

    def _of_logs(self) -> Iterator[str]:
        logs = self._context.logs
        failed = [served.partition.name for served in logs.open.values() if served.partition.has_failed]
        yield from _counted("logs that take no writes since their disk failed", failed)
        full = [served.partition.name for served in logs.open.values() if served.is_full]
        yield from _counted("logs that take no writes because the disk is full", full)
        yield from _counted("logs that are not served because their files are unusable", logs.unusable)


def _counted(problem: str, names: Sequence[str]) -> Iterator[str]:
    """Yield one sentence with the problem, the number of names and the first of them. Yield nothing without names."""
    if names:
        more = len(names) - FAILURES_NAMED_MAX
        rest = f" and {more} more" if more > 0 else ""
        yield f"{problem}: {len(names)} ({', '.join(names[:FAILURES_NAMED_MAX])}{rest})"
