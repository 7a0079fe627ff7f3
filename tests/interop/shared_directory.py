"""One data directory and one address of Tenure and Apache Kafka, which run in turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from typer.testing import CliRunner

from tests.apache_kafka import ApacheKafka, free_ports, quick_jvm, wait_until_kafka_answers
from tests.command_line import app
from tests.serving import Serving

SETTINGS: Final = {
    "offsets.topic.num.partitions": "1",
    "transaction.state.log.num.partitions": "1",
    "group.initial.rebalance.delay.ms": "1000",
    "group.consumer.session.timeout.ms": "60000",
}
"""Settings of both brokers. A session is longer than a busy machine needs to start Apache Kafka."""


class SharedDirectory:
    """Directory of which at most one of the brokers runs at a time."""

    def __init__(self, path: Path, settings: Mapping[str, str] | None = None) -> None:
        """`settings` of both brokers are added to `SETTINGS`."""
        self._settings = [f"{key}={value}" for key, value in (SETTINGS | dict(settings or {})).items()]
        self._serving = Serving(path / "broker", tuple(self._settings), ())
        self._controller_port = free_ports("127.0.0.1", 1)[0]
        self._path = path
        self._kafka: ApacheKafka | None = None
        self.host, self.port = self._serving.host, self._serving.port

    @property
    def address(self) -> str:
        return f"{self.host}:{self.port}"

    @property
    def data(self) -> Path:
        assert self._serving.data_directory is not None
        return self._serving.data_directory

    @property
    def properties(self) -> Path:
        """Settings with which Apache Kafka was started last."""
        return self._path / "server.properties"

    @property
    def log(self) -> Path:
        """Log lines of Tenure."""
        return self._serving.log_file

    def start_tenure(self) -> None:
        self._serving.start()

    def start_kafka(self) -> None:
        controller = f"{self.host}:{self._controller_port}"
        settings = [f"--set={setting}" for setting in self._settings]
        command = ["handover", str(self.data), "--to=kafka", f"--listen={self.address}", f"--controller={controller}"]
        printed = CliRunner().invoke(app, [*command, *settings])
        assert printed.exit_code == 0, printed.output
        self.properties.write_text(printed.stdout)
        self._kafka = ApacheKafka(quick_jvm(), "1G", self.host, self.port, self.data)
        wait_until_kafka_answers(self._kafka, self._path / "output.txt")

    def stop(self) -> None:
        """Stop the broker cleanly."""
        if self._kafka is not None:
            self._kafka.stop()
            self._kafka = None
        elif self._serving.is_running:
            assert self._serving.terminate() == 0

    def kill(self) -> None:
        """End the broker with `kill -9`."""
        if self._kafka is not None:
            self._kafka.process.kill()
            self._kafka.process.wait()
            self._kafka = None
        elif self._serving.is_running:
            self._serving.kill()


@contextmanager
def shared_directory(path: Path) -> Iterator[SharedDirectory]:
    """Yield a directory that Tenure serves."""
    shared = SharedDirectory(path)
    try:
        shared.start_tenure()
        yield shared
    finally:
        shared.kill()
