"""Monitoring pages of the broker, available from before the logs are loaded until the process ends."""

import asyncio
import logging
import socket
from collections.abc import Sequence
from typing import Final

from tenure.broker.loop.threads import Threads
from tenure.broker.monitoring.catalogue import CATALOGUE
from tenure.broker.monitoring.loop_lag import Lag
from tenure.broker.monitoring.readiness import Readiness
from tenure.broker.requests.context import Context
from tenure.broker.security.monitoring_security import MonitoringSecurity
from tenure.broker.server.server import Server
from tenure.monitoring.exposition import CONTENT_TYPE, exposition
from tenure.monitoring.http import Answer, MonitoringServer, Pages
from tenure.storage.data_directory import DataDirectory

log = logging.getLogger("tenure.broker")


class Monitor:
    """The pages /metrics, /healthz and /readyz."""

    def __init__(
        self, context: Context, server: Server, directory: DataDirectory, security: MonitoringSecurity
    ) -> None:
        self._context: Final = context
        self._server: Final = server
        self._readiness: Final = Readiness(context, directory)
        self._lag: Final = Lag(context.loop)
        self._pages: Final[Pages] = {"/metrics": self._metrics, "/healthz": self._healthz, "/readyz": self._readyz}
        self._tls: Final = security.tls
        self._tls_threads: Final = Threads(context.loop, 1, "certificates")
        self._http: Final = MonitoringServer(
            self._pages, context.loop, token=security.token, protected=frozenset({"/metrics"})
        )
        self._scrape: asyncio.Task[Answer] | None = None

    async def start(self, listening: socket.socket) -> None:
        """Serve the pages on a bound socket."""
        tls = self._tls
        await self._http.start(listening, None if tls is None else tls.following_context())
        if tls is not None:
            from tenure.broker.security.tls import watch_files  # imported already if there is TLS

            watch_files(self._context.loop, self._tls_threads, lambda: [tls])
        self._lag.start()
        host, port = listening.getsockname()[:2]
        scheme = "http" if tls is None else "https"
        log.info("metrics, health and readiness are at %s://%s:%d%s", scheme, host, port, ", ".join(self._pages))

    def mark_serving(self) -> None:
        """Record that the broker listens for clients. Before that, it is not ready."""
        self._readiness.is_serving = True

    def mark_stopping(self) -> None:
        """Record that the broker is stopping, so that it is no longer ready."""
        self._readiness.is_stopping = True

    def close(self) -> None:
        """Stop serving the pages."""
        self._lag.stop()
        self._http.close()
        self._tls_threads.close()

    async def _metrics(self) -> Answer:
        """Return the metrics. Simultaneous requests share one collection, because it takes long with many groups."""
        if self._scrape is None or self._scrape.done():
            self._scrape = self._context.loop.create_task(self._collected())
        return await asyncio.shield(self._scrape)

    async def _collected(self) -> Answer:
        from tenure.broker.monitoring.collect import collect

        if not self._readiness.is_serving:
            return Answer(503, "the broker is starting: there are no metrics yet\n")
        samples = await collect(self._context, self._server, self._lag)
        return Answer(200, exposition(CATALOGUE, samples), CONTENT_TYPE)

    async def _healthz(self) -> Answer:
        return _verdict("ok", await self._readiness.health_problems())

    async def _readyz(self) -> Answer:
        return _verdict("ready", await self._readiness.readiness_problems())


def _verdict(good: str, problems: Sequence[str]) -> Answer:
    return Answer(503, "".join(f"{problem}\n" for problem in problems)) if problems else Answer(200, f"{good}\n")
