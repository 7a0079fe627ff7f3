"""The three pages, and the address at which they are read: from before the logs are loaded until the broker ends."""

import asyncio
import logging
import socket
from typing import Final

from tenure.broker.broker import Broker
from tenure.broker.monitoring.catalogue import CATALOGUE
from tenure.broker.monitoring.health import Readiness
from tenure.broker.monitoring.lag import Lag
from tenure.broker.server import Server
from tenure.monitoring.exposition import CONTENT_TYPE, exposition
from tenure.monitoring.http import Answer, Door, Pages
from tenure.storage.data_directory import DataDirectory

log = logging.getLogger("tenure.broker")


class Monitor:
    def __init__(self, broker: Broker, directory: DataDirectory) -> None:
        self._broker: Final = broker
        self._readiness: Final = Readiness(directory, broker.loop)
        self._lag: Final = Lag(broker.loop)
        self._doors: set[Door] = set()
        self._server: Server | None = None
        self._listener: asyncio.Server

    async def start(self, listening: socket.socket) -> None:
        pages: Pages = {"/metrics": self._metrics, "/healthz": self._healthz, "/readyz": self._readyz}
        loop = self._broker.loop
        self._listener = await loop.create_server(lambda: Door(pages, self._doors, loop), sock=listening)
        self._lag.start()
        host, port = listening.getsockname()[:2]
        log.info("metrics, health and readiness are at http://%s:%d%s", host, port, ", ".join(pages))

    def serving(self, server: Server) -> None:
        """Clients are listened to from now on."""
        self._server = server
        self._readiness.is_serving = True

    def stopping(self) -> None:
        self._readiness.is_stopping = True

    def close(self) -> None:
        self._lag.stop()
        self._listener.close()
        for door in list(self._doors):
            door.close()

    async def _metrics(self) -> Answer:
        from tenure.broker.monitoring.collect import collect

        if self._server is None:
            return Answer(503, "the broker is starting: there is nothing to tell yet\n")
        samples = await collect(self._broker, self._server, self._lag)
        return Answer(200, exposition(CATALOGUE, samples), CONTENT_TYPE)

    async def _healthz(self) -> Answer:
        return Answer(200, "ok\n")

    async def _readyz(self) -> Answer:
        reasons = await self._readiness.reasons(self._broker)
        return Answer(503, "".join(f"{reason}\n" for reason in reasons)) if reasons else Answer(200, "ready\n")
