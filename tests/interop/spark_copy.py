"""Pipeline on Spark that copies a topic: `python -m tests.interop.spark_copy ADDRESS TOPIC DIRECTORY` until SIGTERM."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pyarrow.dataset

from tenure.spark import Parquet, Pipeline, Topic, raw, transform

GROUP: Final = "copy"
TIMEOUT_S: Final = 180.0
PAUSE_S: Final = 0.2


class SparkCopy:
    """Application in a process of its own. It has one static member."""

    def __init__(self, address: str, topic: str, directory: Path) -> None:
        self._sink = directory / "rows"
        self._output = directory / "output.txt"
        command = [sys.executable, "-m", "tests.interop.spark_copy", address, topic, str(self._sink)]
        with self._output.open("wb") as output:
            self._process = subprocess.Popen(command, stdout=output, stderr=output)

    def copied(self) -> list[tuple[int, int]]:
        """Return partition and offset of each row that readers see."""
        if not self._sink.is_dir():
            return []
        published = pyarrow.dataset.dataset(self._sink, format="parquet")
        if not published.files:
            return []
        rows = published.to_table(["partition", "offset"]).to_pydict()
        return list(zip(rows["partition"], rows["offset"], strict=True))

    def wait_until_copied(self, expected: set[tuple[int, int]]) -> None:
        deadline_s = time.monotonic() + TIMEOUT_S
        while missing := expected - set(self.copied()):
            assert self._process.poll() is None, self._output.read_text()
            assert time.monotonic() < deadline_s, f"{len(missing)} records are not copied: {self._output.read_text()}"
            time.sleep(PAUSE_S)

    def stop(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(60)
        finally:
            self._process.kill()
            self._process.wait()


@contextmanager
def spark_copy(address: str, topic: str, directory: Path) -> Iterator[SparkCopy]:
    copy = SparkCopy(address, topic, directory)
    try:
        yield copy
    finally:
        copy.stop()


def main(address: str, topic: str, sink: str) -> None:
    copy = Pipeline(GROUP, Topic(topic, value=raw()), transform(lambda rows: rows), Parquet(sink))
    copy.run(bootstrap_servers=address, group_instance_id="host", threads=1)


if __name__ == "__main__":
    main(*sys.argv[1:])
