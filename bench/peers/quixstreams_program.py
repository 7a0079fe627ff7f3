"""Program for Quix Streams in `make bench ARGS=peers`, in its own environment, without imports from this project."""

from __future__ import annotations

import json
import sys
from typing import Any

from quixstreams import Application, State
from quixstreams.dataframe import StreamingDataFrame

WINDOW_MS = 10_000
IDLE_S = 15.0
"""Time without a record after which a run ends; rows of windows do not count as records."""


def count(_: Any, state: State) -> bytes:
    seen = state.get("seen", 0) + 1
    state.set("seen", seen)
    return b"%d" % seen


def rows(workload: str, events: StreamingDataFrame, known: dict[bytes, bytes]) -> StreamingDataFrame:
    if workload == "join":
        return events.apply(lambda _, key, _timestamp, _headers: known[key], metadata=True)
    if workload == "windows":
        counted = events.tumbling_window(duration_ms=WINDOW_MS).count().final()
        return counted.apply(lambda window: b"%d %d" % (window["start"], window["value"]))
    return events.apply(count, stateful=True)


def table_of(application: Application, topic: str) -> dict[bytes, bytes]:
    """Return the latest value of each key of a topic."""
    found = {}
    with application.get_consumer(auto_commit_enable=False) as consumer:
        consumer.subscribe([topic])
        while message := consumer.poll(10.0):
            found[message.key()] = message.value()
    return found


def main(workload: str, address: str, topic: str, table: str, output: str, records: int, directory: str) -> None:
    def application(group: str) -> Application:
        return Application(
            broker_address=address,
            consumer_group=group,
            auto_offset_reset="earliest",
            state_dir=f"{directory}/state",
            loglevel="WARNING",
        )

    known = table_of(application(f"{output}-table"), table) if workload == "join" else {}
    app = application(output)
    source = app.topic(topic, key_deserializer="bytes", value_deserializer="bytes")
    target = app.topic(output, key_serializer="bytes", value_serializer="bytes")
    rows(workload, app.dataframe(source), known).to_topic(target)
    app.run(count=records, timeout=IDLE_S, collect=False)


if __name__ == "__main__":
    main(**json.loads(sys.argv[1]))
