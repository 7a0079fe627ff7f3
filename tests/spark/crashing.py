"""Pipeline on Spark in a process that can be killed at every step of its driver, and in its function.

    python -m tests.spark.crashing ADDRESS TOPIC SINK EVENT_LOG CRASH_POINT SIGNAL

Tasks run in other processes, so the driver cannot be killed between their writes and syncs. The crash point
`IN_THE_FUNCTION` replaces all of these. Without Spark, each file operation is a crash point: tests/pipeline/crashes.
"""

import os
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa

from tenure.pipeline.output.files import LocalFiles
from tenure.pipeline.values.lanes import Writer
from tenure.pipeline.values.membership import CommitAnswer, CommitOutcome
from tenure.spark import KeyedState, Parquet, Pipeline, Topic, json, stateful
from tenure.spark.kafka.client_membership import ClientMembership
from tenure.values import OffsetAndMetadata, TopicPartition
from tests.pipeline.crashes.application import EventLog
from tests.pipeline.crashes.crash_points import CrashPoints, describe_path, send_commit
from tests.spark.counting import count

INSTANCE = "host-a"
IN_THE_FUNCTION = "in the function"
BATCH_RECORDS = 150
SESSION_MS = 6_000
"""Shortest session timeout that brokers allow."""


def counting(topic: str, sink: Path, target: Mapping[str, int] | None = None) -> Pipeline:
    source = Topic(topic, value=json("word string, number long")).keyed_by("word")
    function = count if target is None else partial(count_and_signal, target)
    return Pipeline(f"count-{topic}", source, stateful(function, state="seen long"), Parquet(str(sink)))


def count_and_signal(target: Mapping[str, int], rows: pa.Table, words: KeyedState) -> pa.Table:
    """Count words. In a task of the second batch, send a signal to the driver and continue."""
    if len(words.scan()):
        os.kill(target["pid"], target["number"])
    return count(rows, words)


def main(address: str, topic: str, sink: str, event_log: str, crash_point: str, name: str) -> None:
    number = int(signal.Signals[name])
    crash_points = CrashPoints(EventLog(event_log).tell, crash_point, number)
    in_the_function = crash_point == IN_THE_FUNCTION
    pipeline = counting(topic, Path(sink), {"pid": os.getpid(), "number": number} if in_the_function else None)
    make_crashing(crash_points, address, pipeline.name)
    pipeline.run(
        bootstrap_servers=address,
        group_instance_id=INSTANCE,
        group_protocol="classic",
        session_timeout_ms=SESSION_MS,
        heartbeat_interval_ms=1_000,
        max_records=BATCH_RECORDS,
        tasks=1,
        observer=crash_points.observe,
    )


def make_crashing(crash_points: CrashPoints, address: str, group: str) -> None:
    """Make the driver's files and membership send the signal at the given step."""
    create, commit = LocalFiles.create, ClientMembership.commit

    @contextmanager
    def created(files: LocalFiles, path: str) -> Iterator[BinaryIO]:
        with create(files, path) as file:
            yield file
            crash_points.pass_(f"unfinished: {describe_path(path)}")
        crash_points.pass_(f"written: {describe_path(path)}")

    def committed(
        membership: ClientMembership, offsets: Mapping[TopicPartition, OffsetAndMetadata], writer: Writer
    ) -> CommitAnswer:
        if crash_points.is_chosen("commit sent"):
            send_commit(address, group, offsets, writer)
            os.kill(os.getpid(), crash_points.number or 0)
        answer = commit(membership, offsets, writer)
        if answer.outcome is CommitOutcome.ACCEPTED:
            crash_points.pass_("commit applied")
        return answer

    def passing(past: str, operation: Any) -> Any:
        def operate(files: LocalFiles, path: str, *rest: str) -> Any:
            done = operation(files, path, *rest)
            crash_points.pass_(f"{past}: {describe_path(path)}")
            return done

        return operate

    LocalFiles.create = created  # type: ignore[method-assign, assignment]
    ClientMembership.commit = committed  # type: ignore[method-assign]
    for past, name in (("synced", "sync_directory"), ("renamed", "rename"), ("removed", "remove")):
        setattr(LocalFiles, name, passing(past, getattr(LocalFiles, name)))


if __name__ == "__main__":
    main(*sys.argv[1:])
