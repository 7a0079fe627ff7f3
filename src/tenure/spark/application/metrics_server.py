"""HTTP server of a running application for /metrics (Prometheus), /healthz and /readyz."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from tenure.client.net.event_loop import client_loop, run
from tenure.monitoring.exposition import CONTENT_TYPE, exposition
from tenure.monitoring.http import Answer, MonitoringServer, Pages
from tenure.pipeline.errors import PipelineConfigError
from tenure.spark.application.application_control import ApplicationControl
from tenure.spark.reporting.metrics import CATALOGUE, status_samples


class ApplicationMetrics:
    """Pages of a running application, served on the client's event loop in a thread of its own."""

    def __init__(self, operation: "ApplicationControl", listening: socket.socket) -> None:
        self._operation: Final = operation
        pages: Pages = {"/metrics": self._metrics, "/healthz": self._healthz, "/readyz": self._readyz}
        self._server: Final = MonitoringServer(pages, client_loop())
        run(self._server.start(listening))
        self.address: Final = "{}:{}".format(*listening.getsockname()[:2])

    def close(self) -> None:
        run(self._close())

    async def _close(self) -> None:
        self._server.close()

    async def _metrics(self) -> Answer:
        operation = self._operation
        instance = operation.options.group_instance_id or ""
        standings = {operation.pipeline.name: operation.standing, **operation.stages}
        told = [status_samples(name, instance, operation.doing, standing) for name, standing in standings.items()]
        samples = {metric.name: [one for each in told for one in each[metric.name]] for metric in CATALOGUE}
        return Answer(200, exposition(CATALOGUE, samples), CONTENT_TYPE)

    async def _healthz(self) -> Answer:
        return Answer(200, "ok\n")

    async def _readyz(self) -> Answer:
        """Of use to whoever rolls out a new version: go on when this one has its seats."""
        return Answer(200, "ready\n") if self._operation.has_its_seats else Answer(503, f"{self._operation.doing}\n")


@contextmanager
def bind_metrics_socket(text: str | None) -> Iterator[socket.socket | None]:
    """Bound before anything else begins, so that a wrong address is refused at once."""
    if text is None:
        yield None
        return
    host, _, port = text.rpartition(":")
    try:
        listening = socket.create_server((host or "127.0.0.1", int(port)))
    except (OSError, ValueError, OverflowError) as error:
        raise PipelineConfigError(
            f"Metrics cannot be served at {text!r} ({str(error).lower()}): use a free address such as 127.0.0.1:9400."
        ) from None
    with listening:
        yield listening
