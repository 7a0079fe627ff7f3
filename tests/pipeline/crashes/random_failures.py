"""Four applications that join, leave, crash and hang at random while they process the flights of 2013.

From time to time all are suspended, and the output is checked. At the end each flight is counted once and visible once,
and the state of each aircraft is what a direct computation gives.

        python -m tests.pipeline.crashes.random_failures --minutes 5 --seed 7
"""

import argparse
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

from examples.flights_data import flights
from tenure.admin import Admin
from tenure.client.producer.partitioner import partition_for_key
from tenure.client.producer.producer import Producer
from tests.fork_server import ForkServer
from tests.pipeline.crashes.__main__ import BROKERS, PROTOCOLS, running
from tests.pipeline.crashes.application import topic_of
from tests.pipeline.crashes.case import PATIENCE_S, CrashCase, Worker
from tests.pipeline.crashes.forked_application import application_server
from tests.simulation.pipelines.counting import Record

INSTANCES: Final = ("a", "b", "c", "d")
PARTITIONS: Final = 4
BATCH_RECORDS: Final = 400
FLIGHTS_AT_ONCE: Final = 120
PAUSE_S: Final = 0.25
SUSPENDED_S_MAX: Final = 3.0
"""Longest suspension: twice a session."""

ACTS: Final = {"kill": 6, "leave": 3, "suspend": 4, "join": 12, "freeze": 2, "nothing": 8}


class RandomFailures:
    def __init__(self, case: CrashCase, producer: Producer, random: Random) -> None:
        self.case = case
        self.producer = producer
        self.random = random
        self.did: Counter[str] = Counter()
        self.workers_by_instance: dict[str, Worker] = {}
        self.stopped: dict[str, float] = {}
        """Time at which each suspended application continues, by instance id."""
        self.flights: Iterator[Record] = flown()

    def run_for(self, seconds: float) -> None:
        """Continue for `seconds`, and until two have joined."""
        end_s = time.monotonic() + seconds
        while time.monotonic() < end_s or self.did["join"] < 2:
            self.produce()
            act = self.random.choices(list(ACTS), list(ACTS.values()))[0]
            self.act(act)
            self.resume_due(time.monotonic())
            time.sleep(PAUSE_S)

    def produce(self) -> None:
        for _ in range(FLIGHTS_AT_ONCE):
            record = next(self.flights, None)
            if record is not None:
                self.case.send(self.producer, partition_for_key(record.key.encode(), PARTITIONS), record)
        self.producer.flush()

    def act(self, act: str) -> None:
        instance = self.random.choice(INSTANCES)
        worker = self.workers_by_instance.get(instance)
        lives = worker is not None and worker.child.is_alive
        if act == "join" and not lives:
            self.workers_by_instance[instance] = self.case.start(instance)
        elif act == "freeze":
            self.check_frozen()
        elif act in ("kill", "leave", "suspend") and lives and instance not in self.stopped:
            assert worker is not None
            number = {"kill": signal.SIGKILL, "leave": signal.SIGTERM, "suspend": signal.SIGSTOP}[act]
            worker.child.send(number)
            if act == "suspend":
                self.stopped[instance] = time.monotonic() + self.random.uniform(0, SUSPENDED_S_MAX)
                if self.random.random() < 0.3:  # A second process with the same instance id: one of the two is fenced.
                    self.case.start(instance)
                    self.did["second process"] += 1
        else:
            return
        self.did[act] += 1

    def resume_due(self, now_s: float) -> None:
        for instance in [instance for instance, until_s in self.stopped.items() if until_s <= now_s]:
            del self.stopped[instance]
            self.workers_by_instance[instance].child.send(signal.SIGCONT)

    def check_frozen(self) -> None:
        """Suspend all applications, and check the committed and the visible data."""
        living = [worker for worker in self.case.workers if worker.child.is_alive]
        for worker in living:
            worker.child.send(signal.SIGSTOP)
        self.case.await_("a frozen moment", lambda: all(not w.child.is_alive or w.child.is_stopped for w in living))
        self.case.check()
        for worker in living:
            worker.child.send(signal.SIGCONT)
        self.stopped.clear()

    def settle(self) -> None:
        """Resume suspended applications, and start one more, so that at least one is alive."""
        self.resume_due(float("inf"))
        self.case.start("e")
        self.case.await_end(PATIENCE_S * 3)
        self.case.kill_all()
        self.case.check()
        self.produce()
        self.case.start("e")
        self.case.await_end(PATIENCE_S * 3)
        self.case.kill_all()
        self.case.check_end()


def flown() -> Iterator[Record]:
    """Yield aircraft and arrival delay of each flight."""
    table = flights()
    delays = table["arr_delay"].fillna(0).astype(int)
    for tailnum, delay in zip(table["tailnum"], delays, strict=True):
        yield Record(tailnum if isinstance(tailnum, str) else "none", int(delay))


def play(
    address: str, group_protocol: str, directory: Path, fork_server: ForkServer, seconds: float, seed: int
) -> RandomFailures:
    flights()  # Reading them takes a while.
    name = f"random-failures-{group_protocol}"
    with Admin(address) as admin:
        admin.create_topics([name, topic_of(name)], partitions=PARTITIONS)
    case = CrashCase(
        address,
        group_protocol,
        name,
        directory,
        fork_server,
        partitions=PARTITIONS,
        batch_records=BATCH_RECORDS,
        has_threads=True,
    )
    with Producer(address) as producer:
        failures = RandomFailures(case, producer, Random(seed))
        print(f"seed {seed}, {group_protocol} protocol, {seconds:.0f} s")
        failures.run_for(seconds)
        failures.settle()
    return failures


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.pipeline.crashes.random_failures", description=__doc__)
    parser.add_argument("--broker", choices=BROKERS, action="append")
    parser.add_argument("--group-protocol", choices=PROTOCOLS, action="append")
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    given = parser.parse_args()
    for broker in given.broker or BROKERS:
        with (
            tempfile.TemporaryDirectory() as name,
            running(broker, Path(name)) as address,
            application_server() as server,
        ):
            for group_protocol in given.group_protocol or PROTOCOLS:
                directory = Path(name, "random-failures")
                failures = play(address, group_protocol, directory, server, 60 * given.minutes, given.seed)
                count = sum(map(len, failures.case.partitions))
                print(
                    f"{broker}: {count:,} flights, each counted once and visible once; {dict(failures.did)}", flush=True
                )
    return 0


if __name__ == "__main__":
    sys.exit(main())
