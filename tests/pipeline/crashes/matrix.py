"""Every crash point with every aftermath. Many cases run at once, because they mostly wait for sessions to end."""

import traceback
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Final

from tenure.admin import Admin
from tenure.client.producer.producer import Producer
from tests.fork_server import ForkServer
from tests.pipeline.crashes.application import PARTITIONS, topic_of
from tests.pipeline.crashes.case import Aftermath, CrashCase, crash_points_of, play
from tests.pipeline.crashes.memberships import HEARTBEAT_MS, SESSION_MS

AT_ONCE: Final = 8

SETTINGS: Final = {
    "offsets.topic.num.partitions": "1",
    "group.initial.rebalance.delay.ms": "0",
    "group.min.session.timeout.ms": "1",
    "group.consumer.session.timeout.ms": str(SESSION_MS),
    "group.consumer.heartbeat.interval.ms": str(HEARTBEAT_MS),
    "group.consumer.assignment.interval.ms": "0",
    "group.streams.session.timeout.ms": str(SESSION_MS),
    "group.streams.heartbeat.interval.ms": str(HEARTBEAT_MS),
    "group.streams.assignment.interval.ms": "0",
    "group.streams.initial.rebalance.delay.ms": "0",
    "group.streams.num.standby.replicas": "1",
}

KAFKA_SETTINGS: Final = {
    "group.consumer.min.session.timeout.ms": "500",
    "group.consumer.min.heartbeat.interval.ms": "100",
    "group.streams.min.session.timeout.ms": "500",
    "group.streams.min.heartbeat.interval.ms": "100",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    played: int
    fenced: int
    """Number of zombies that ended because another process had taken over their instance id."""
    failures: list[str]


class Matrix:
    """Cases on one broker with one protocol."""

    def __init__(
        self,
        address: str,
        group_protocol: str,
        directory: Path,
        fork_server: ForkServer,
        *,
        name: str = "crash",
        has_steps: bool = False,
    ) -> None:
        """Create a matrix.

        `name` distinguishes it from others at the same broker; with `has_steps` the pipeline is a chain of steps.
        """
        self.has_steps = has_steps
        self.name = name
        self.address = address
        self.group_protocol = group_protocol
        self.directory = directory
        self.fork_server = fork_server
        self.cases = 0

    def cases_for(self, count: int) -> list[CrashCase]:
        names = [f"{self.name}-{self.group_protocol}-{self.cases + number}" for number in range(count)]
        self.cases += count
        with Admin(self.address) as admin:
            admin.create_topics([*names, *map(topic_of, names)], partitions=PARTITIONS)
        return [
            CrashCase(
                self.address, self.group_protocol, name, self.directory, self.fork_server, has_steps=self.has_steps
            )
            for name in names
        ]

    def crash_points(self) -> list[str]:
        with Producer(self.address) as producer:
            while not (crash_points := crash_points_of(*self.cases_for(1), producer)):
                pass
        return crash_points

    def play(self, crash_points: Sequence[str], *aftermaths: Aftermath) -> Verdict:
        """Crash an application at each point, with the aftermaths in turn."""
        with Producer(self.address) as producer, ThreadPoolExecutor(AT_ONCE) as pool:
            cases = [
                pool.submit(self.play_one, case, crash_point, aftermath, producer)
                for crash_point, case, aftermath in zip(
                    crash_points, self.cases_for(len(crash_points)), cycle(aftermaths), strict=False
                )
            ]
            played = [case.result() for case in cases]
        failures = [failure for failure, _ in played if failure]
        return Verdict(len(played), sum(fenced for _, fenced in played), failures)

    def play_one(self, case: CrashCase, crash_point: str, aftermath: Aftermath, producer: Producer) -> tuple[str, bool]:
        """Run a case; return its failure, if any, and whether a member was fenced."""
        failure = ""
        try:
            play(case, crash_point, aftermath, producer)
        except Exception:
            what = f"crash at '{crash_point}', {aftermath.name}, {self.group_protocol} protocol"
            failure = f"{what}:\n{traceback.format_exc()}\n{case.accounts}"
        finally:
            case.kill_all()
        return failure, any(worker.ended == "FENCED" for worker in case.workers)
