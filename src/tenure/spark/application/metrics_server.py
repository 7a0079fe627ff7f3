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
    """Pages of one application's HTTP server. The server runs in the thread of the client's event loop."""

    def __init__(self, control: ApplicationControl, listening: socket.socket) -> None:
        self._control: Final = control
        pages: Pages = {"/metrics": self._metrics, "/healthz": self._healthz, "/readyz": self._readyz}
        self._server: Final = MonitoringServer(pages, client_loop())
        run(self._server.start(listening))
        self.address: Final = "{}:{}".format(*listening.getsockname()[:2])

    def close(self) -> None:
        run(self._close())

    async def _close(self) -> None:
        self._server.close()

    async def _metrics(self) -> Answer:
        control = self._control
        instance = control.options.group_instance_id or ""
        statuses = {control.pipeline.name: control.status_of_members, **control.repartitioning}
        samples_of = [status_samples(name, instance, control.doing, status) for name, status in statuses.items()]
        samples = {metric.name: [one for each in samples_of for one in each[metric.name]] for metric in CATALOGUE}
        return Answer(200, exposition(CATALOGUE, samples), CONTENT_TYPE)

    async def _healthz(self) -> Answer:
        return Answer(200, "ok\n")

    async def _readyz(self) -> Answer:
        """Return status 200 once all members have joined, and 503 before. A rolling update waits for status 200."""
        return Answer(200, "ready\n") if self._control.has_all_members else Answer(503, f"{self._control.doing}\n")


@contextmanager
def bind_metrics_socket(text: str | None) -> Iterator[socket.socket | None]:
    """Bind HOST:PORT before any other part of the application starts; yield None without an address.

    Raises:
        PipelineConfigError: The address is invalid or in use.
    """
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
