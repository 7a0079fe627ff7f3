"""Crashes through Spark: an application is killed or suspended at a given step, and another one finishes its work.

`python -m tests.spark.crashes` runs every step of a driver's second batch, on both brokers, and prints a table. It is
part of `make soak-pipelines`.
"""

import argparse
import json
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tenure.client.group.group_member import GroupMember
from tenure.client.values import Assigned
from tenure.pipeline.output.files import LocalFiles
from tenure.pipeline.values.lanes import Lane
from tenure.protocol.types import PartitionId, TopicName
from tenure.spark.sinks.outputs import layout_of
from tenure.values import TopicPartition
from tests.fork_server import Child
from tests.pipeline.crashes.__main__ import BROKERS, running
from tests.pipeline.crashes.application import committed_in
from tests.simulation.pipelines.invariants import pointer_resolves
from tests.spark.counting import PARTITIONS, create_topic, expected, produce, visible, words
from tests.spark.crashing import BATCH_RECORDS, IN_THE_FUNCTION, INSTANCE, counting
from tests.spark.forked_application import spark_server

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PATIENCE_S: Final = 300.0
RECORDS: Final = 400
MORE_RECORDS: Final = 100
FENCED: Final = 3


@dataclass(frozen=True, slots=True)
class Aftermath:
    name: str
    number: str
    """Name of the signal that the victim gets."""
    successor: str
    """Instance id of the application that finishes the work."""


AFTERMATHS: Final = {
    "restarted": Aftermath("restarted", "SIGKILL", INSTANCE),
    "is replaced": Aftermath("is replaced", "SIGKILL", "host-b"),
    "resumed and fenced": Aftermath("resumed and fenced", "SIGSTOP", INSTANCE),
}


class SparkCase:
    def __init__(self, address: str, topic: str, directory: Path, spark: "SparkSession") -> None:
        self.address = address
        self.topic = topic
        self.sink = directory / topic
        self.event_log = directory / f"{topic}.event_log"
        self.spark = spark
        self.sink.mkdir(parents=True)
        create_topic(address, topic)

    def play(self, crash_point: str, aftermath: Aftermath) -> None:
        produce(self.address, self.topic, words(0, RECORDS))
        with self.victim(crash_point, aftermath.number) as victim:
            self.await_signal(victim, aftermath.number)
            self.check_pointers()
            produce(self.address, self.topic, words(RECORDS, RECORDS + MORE_RECORDS))
            self.run(aftermath.successor)
            if aftermath.number == "SIGSTOP":
                with self.kept_member(aftermath.successor):
                    victim.send(signal.SIGCONT)
                    assert victim.wait(PATIENCE_S) == FENCED
        self.check_pointers()
        self.check_end(RECORDS + MORE_RECORDS)

    def await_signal(self, victim: Child, number: str) -> None:
        """Wait until the signal has killed or suspended the process."""
        deadline_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline_s:
            if not victim.is_alive:
                assert number == "SIGKILL", f"it ended with status {victim.status}: {self.output}"
                assert victim.status == -signal.SIGKILL, (
                    f"it ended by itself with status {victim.status}: {self.output}"
                )
                return
            if number == "SIGSTOP" and victim.is_stopped:
                return
            time.sleep(0.05)
        raise AssertionError(f"no {number} within {PATIENCE_S:.0f} s: {self.output}")

    @property
    def output(self) -> str:
        told = self.event_log.read_text() if self.event_log.exists() else ""
        return f"{self.event_log.with_suffix('.output').read_text()[-3000:]}\n{told[-1000:]}"

    @contextmanager
    def victim(self, crash_point: str, number: str) -> Iterator[Child]:
        arguments = [self.address, self.topic, str(self.sink), str(self.event_log), crash_point, number]
        with self.event_log.with_suffix(".output").open("wb") as output:
            call = {"module": "tests.spark.crashing", "arguments": arguments}
            victim = spark_server().start(call, [output.fileno(), output.fileno()])
        try:
            yield victim
        finally:
            victim.end()

    def run(self, instance_id: str) -> None:
        """Run an application until it has caught up. Its session does not time out, even while it is suspended.

        So a suspended application that continues is fenced by the member that replaced it.
        """
        counting(self.topic, self.sink).run(
            bootstrap_servers=self.address,
            group_instance_id=instance_id,
            group_protocol="classic",
            heartbeat_interval_ms=1_000,
            max_records=BATCH_RECORDS,
            until="caught-up",
            spark=self.spark,
        )

    @contextmanager
    def kept_member(self, instance_id: str) -> Iterator[None]:
        """Keep the static member of an ended application in the group; otherwise the zombie would get it back."""
        group, instance = counting(self.topic, self.sink).name, f"{instance_id}-thread-1"
        with GroupMember(
            self.address, group, [self.topic], group_instance_id=instance, session_timeout_ms=60_000
        ) as member:
            while not any(isinstance(event, Assigned) for event in member.poll(1.0)):
                pass
            yield

    # --- checks -------------------------------------------------------------------------------------------------------

    def check_pointers(self) -> list[int]:
        """Check the invariant PointerResolves and the committed offsets."""
        layout = layout_of(counting(self.topic, self.sink))
        partitions = [TopicPartition(TopicName(self.topic), PartitionId(number)) for number in range(PARTITIONS)]
        committed = committed_in(self.address, layout.group, partitions)
        for partition in partitions:
            pointer_resolves(LocalFiles(), layout, Lane((partition.topic,), partition.partition), committed)
        return [0 if at is None else at.offset for at in committed.values()]

    def check_end(self, count: int) -> None:
        """Check the invariant VisibleOnce, and compare the state with a direct computation."""
        rows = expected(words(0, count))
        assert visible(self.sink) == rows
        last = {word: seen for word, _, seen in sorted(rows, key=lambda row: row[2])}
        assert {row["word"]: row["seen"] for row in counting(self.topic, self.sink).state().to_pylist()} == last


def crash_points_of(case: SparkCase) -> list[str]:
    """Return the steps of the second batch of a driver without failures, which stops itself afterwards."""
    produce(case.address, case.topic, words(0, RECORDS))
    with case.victim("swept (2)", "SIGKILL") as victim:
        case.await_signal(victim, "SIGKILL")
    told = [json.loads(line)["crash_point"] for line in case.event_log.read_text().splitlines()]
    return [IN_THE_FUNCTION, *told[told.index("planned (2)") :]]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.spark.crashes", description=__doc__)
    parser.add_argument("--broker", choices=BROKERS, action="append")
    given = parser.parse_args()
    from tenure.spark.spark_session import local_session

    spark, failures = local_session("crashes", cores=2), 0
    for broker in given.broker or BROKERS:
        with tempfile.TemporaryDirectory() as name, running(broker, Path(name)) as address:
            cases = iter(range(1_000))
            crash_points = crash_points_of(SparkCase(address, f"words-{next(cases)}", Path(name), spark))
            for crash_point in crash_points:
                for aftermath in AFTERMATHS.values():
                    held = "held"
                    try:
                        SparkCase(address, f"words-{next(cases)}", Path(name), spark).play(crash_point, aftermath)
                    except Exception as error:
                        held, failures = f"BROKEN: {error}", failures + 1
                    print(f"{broker:<8} {crash_point:<50} {aftermath.name:<14} {held}", flush=True)
    spark.stop()
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
