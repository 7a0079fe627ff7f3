"""Spark's `transformWithState` with the number of records of each key as state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pyspark.sql import Row
from pyspark.sql.streaming import StatefulProcessor, StatefulProcessorHandle


class Counter(StatefulProcessor):
    def init(self, handle: StatefulProcessorHandle) -> None:
        self.seen = handle.getValueState("seen", "records long")

    def handleInputRows(self, key: Any, rows: Iterator[Row], timerValues: Any) -> Iterator[Row]:  # noqa: N802, N803, ARG002
        known = self.seen.get()
        records = sum(1 for _ in rows) + (known[0] if known else 0)
        self.seen.update((records,))
        yield Row(key=key[0], records=records)

    def close(self) -> None:
        pass
