"""Workers that enter transfers on a real broker, while they are killed, suspended or cut off, as a seed decides.

An auditor reads all the time. At the end each transfer is entered once, and no transaction was ever visible in part.
"""

import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final

from tenure.admin import Admin
from tenure.client import Consumer, Producer, TopicPartition
from tests.bank.auditor import Auditor, all_transfers, until, until_none
from tests.bank.line import Line
from tests.bank.worker import ENDED, SESSION_MS, TRANSACTION_TIMEOUT_MS, WorkerSettings
from tests.fork_server import Child
from tests.forked_client import client_server
from tests.simulation.bank.entries import Transfer

SEATS: Final = ("a", "b", "c")
TRANSFERS_PARTITIONS: Final = 4
ENTRIES_PARTITIONS: Final = 3
ACCOUNTS: Final = 12
AMOUNT_MAX: Final = 1_000
ORDERED_AT_ONCE: Final = 12
PAUSE_MS_MAX: Final = 300
PAUSE_S: Final = 0.3
FAULT_S_MAX: Final = 1.5 * max(SESSION_MS, TRANSACTION_TIMEOUT_MS) / 1_000
"""Longest suspension or cut, after which the worker has lost its membership and its transaction."""
SECOND_PROCESS_SHARE: Final = 0.5
"""Probability that a second worker is started in the seat of one that is suspended or cut off."""
SETTLE_S_MAX: Final = 300.0
ACTS: Final = {"kill": 3, "suspend": 3, "disconnect": 3, "break broker": 1, "nothing": 16}

SETTINGS: Final = {
    "group.initial.rebalance.delay.ms": "0",
    "group.min.session.timeout.ms": "1",
    "group.consumer.session.timeout.ms": str(SESSION_MS),
    "group.consumer.heartbeat.interval.ms": "300",
}
KAFKA_SETTINGS: Final = {
    "group.consumer.min.session.timeout.ms": "500",
    "group.consumer.min.heartbeat.interval.ms": "100",
    "transaction.abort.timed.out.transaction.cleanup.interval.ms": "500",
    "offsets.topic.num.partitions": "1",
    "transaction.state.log.num.partitions": "2",
}
"""Settings of Apache Kafka only: it allows short sessions, checks timeouts sooner and has fewer partitions."""


class Process:
    """Worker's process, with the proxy between it and the broker."""

    def __init__(self, process: Child, line: Line) -> None:
        self.process: Final = process
        self.line: Final = line
        self.fault_until_s: float | None = None
        """Time at which its suspension or cut ends; None if it runs undisturbed."""

    def begin_fault(self, act: str, until_s: float) -> None:
        self.fault_until_s = until_s
        if act == "suspend":
            self.process.send(signal.SIGSTOP)
        else:
            self.line.cut()

    def end_fault(self) -> None:
        self.fault_until_s = None
        self.process.send(signal.SIGCONT)
        self.line.mend()

    def end(self) -> None:
        self.process.end()
        self.line.close()


class Seat:
    """Seat of one worker in the group, with the processes that presently have it."""

    def __init__(self, name: str) -> None:
        self.name: Final = name
        self.processes: list[Process] = []
        """Running processes; several if one was suspended or cut off and a second one was started."""


class Bank:
    """Bank with its workers, its customers and its auditor. `break_broker` kills the broker and starts it again."""

    def __init__(
        self,
        address: str,
        directory: Path,
        random: Random,
        *,
        group_protocol: str,
        is_static: bool,
        break_broker: Callable[[], None] | None = None,
        librdkafka_seat: str | None = None,
    ) -> None:
        self.address: Final = address
        self.name: Final = f"bank-{group_protocol}-{'static' if is_static else 'plain'}"
        self.transfers: Final = f"{self.name}-transfers"
        self.entries: Final = f"{self.name}-entries"
        self.did: Counter[str] = Counter()
        self._group_protocol: Final = group_protocol
        self._is_static: Final = is_static
        self._random: Final = random
        self._break_broker: Final = break_broker
        self._librdkafka_seat: Final = librdkafka_seat
        """Seat whose workers use librdkafka, if any."""
        self._outcome_files: Final = directory / f"{self.name}-told"
        self._outcome_files.mkdir(parents=True)
        self._seats: Final = [Seat(name) for name in SEATS]
        self._started = 0
        with Admin(address) as admin:
            admin.create_topics([self.transfers], partitions=TRANSFERS_PARTITIONS)
            admin.create_topics([self.entries], partitions=ENTRIES_PARTITIONS)
            wanted = {self.transfers, self.entries}
            until(lambda: wanted <= {found.topic for found in admin.list_topics()}, "the topics are there")
        self._customers: Final = Producer(address)
        self.auditor: Final = Auditor(address, self.entries, ENTRIES_PARTITIONS)

    def run(self, seconds: float) -> None:
        """Run the bank for some time with faults, then until all is entered.

        Raises `Broken` if an invariant does not hold.
        """
        try:
            self._run_with_faults(seconds)
            self._settle()
        finally:
            for seat in self._seats:
                for process in seat.processes:
                    process.end()
            self.auditor.close()
            self._customers.close()
        self.did += self.auditor.did

    def _run_with_faults(self, seconds: float) -> None:
        end_s = time.monotonic() + seconds
        acts_s = 0.0
        while (now_s := time.monotonic()) < end_s:
            if now_s >= acts_s:
                acts_s = now_s + PAUSE_S
                self._order()
                self._supervise()
                self._act(self._random.choices(list(ACTS), list(ACTS.values()))[0])
                self._end_faults(now_s)
            self.auditor.read_committed_entries()

    def _settle(self) -> None:
        """Resume all workers, and restart those that end, until all transfers are entered."""
        self._end_faults(float("inf"))
        self._customers.flush()
        group = Consumer({"bootstrap.servers": self.address, "group.id": self.name})
        places = [TopicPartition(self.transfers, partition) for partition in range(TRANSFERS_PARTITIONS)]
        ends = group.end_offsets(places)

        def why_not_done() -> str | None:
            self._supervise()
            while self.auditor.read_committed_entries():
                pass
            committed = {place: at and at.offset for place, at in group.committed(places).items()}
            if committed != ends:
                return f"{committed} is committed of {ends}"
            return None if self.auditor.is_at_the_end() else "a transaction is open, or an entry is not read"

        until_none(why_not_done, SETTLE_S_MAX)
        group.close()
        self.auditor.check_end(all_transfers(self.address, self.transfers, TRANSFERS_PARTITIONS), self._outcome_files)

    # --- orders and faults --------------------------------------------------------------------------------------------

    def _order(self) -> None:
        for _ in range(self._random.randrange(ORDERED_AT_ONCE)):
            source, target = self._random.sample(range(ACCOUNTS), 2)
            transfer = Transfer(source, target, 1 + self._random.randrange(AMOUNT_MAX))
            self._customers.send(self.transfers, None, transfer.encode(), self._random.randrange(TRANSFERS_PARTITIONS))
            self.did["transfer ordered"] += 1

    def _act(self, act: str) -> None:
        seat = self._random.choice(self._seats)
        well = [process for process in seat.processes if process.fault_until_s is None]
        if act == "break broker" and self._break_broker is not None:
            self._break_broker()
        elif act == "kill" and well:
            well[0].process.end()
        elif act in ("suspend", "disconnect") and well:
            well[0].begin_fault(act, time.monotonic() + self._random.uniform(0, FAULT_S_MAX))
            if self._random.random() < SECOND_PROCESS_SHARE:
                self._start(seat)
        else:
            return
        self.did[act] += 1

    def _end_faults(self, now_s: float) -> None:
        for seat in self._seats:
            for process in seat.processes:
                if process.fault_until_s is not None and process.fault_until_s <= now_s:
                    process.end_fault()

    def _supervise(self) -> None:
        """Start a new process for each one that has ended."""
        for seat in self._seats:
            for process in [process for process in seat.processes if not process.process.is_alive]:
                status = process.process.status
                assert status in (ENDED, -signal.SIGKILL), f"a worker failed ({status}): see its stderr"
                self.did["worker ended by itself"] += status == ENDED
                process.end()
                seat.processes.remove(process)
            if not seat.processes:
                self._start(seat)

    def _start(self, seat: Seat) -> None:
        self._started += 1
        name = f"{seat.name}{self._started}"
        line = Line(self.address)
        settings = WorkerSettings(
            address=self.address,
            name=name,
            group_id=self.name,
            group_protocol=self._group_protocol,
            group_instance_id=seat.name if self._is_static else None,
            transactional_id=f"{self.name}-{seat.name if self._is_static else name}",
            transfers=self.transfers,
            entries=self.entries,
            entries_partitions=ENTRIES_PARTITIONS,
            pause_ms_max=PAUSE_MS_MAX,
            line=line.port,
            outcome_file=str(self._outcome_files / name),
            seed=self._random.randrange(1 << 30),
        )
        module = f"tests.bank.{'librdkafka_worker' if seat.name == self._librdkafka_seat else 'worker'}"
        process = client_server().start({"command": [sys.executable, "-m", module, settings.encode()]})
        seat.processes.append(Process(process, line))
