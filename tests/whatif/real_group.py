"""A group of librdkafka clients on Apache Kafka whose members start, close and are killed, and the cost of that.

Rebalances and moves are read from `__consumer_offsets` as an audit reads them. Each member writes when it processes the
first record of a partition, and when it revokes a partition: in between it processes the partition, however slowly. A
partition that no member processes pauses.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from confluent_kafka import Producer

from tenure.admin import Admin
from tenure.audit.groups.events import Events, GroupReplay
from tenure.audit.groups.group_model import GroupModel, RecordPosition
from tenure.audit.groups.history import apply_record
from tenure.audit.tables import ASSIGNMENTS, REBALANCES
from tenure.client.errors import RequestRefused
from tenure.protocol.coordinator_logs.consumer_offsets import OffsetCommitKey
from tenure.whatif import GroupSeat, Situation
from tests.consumer_offsets import group_of, read, records_of

RECORDS_PER_S: Final = 800
"""Rate of the writer: a pause ends with the next record of the partition."""
PATIENCE_S: Final = 120.0
MEMBERS_PER_PROCESS: Final = 5


@dataclass
class Measured:
    """Cost of restarts of a real group."""

    rebalances: int
    moved: int
    pause_ms: dict[int, int] = field(repr=False)
    """Sum of the pauses of each partition."""


class Writer:
    """Writer of one record to each partition, again and again, while the block runs."""

    def __init__(self, address: str, topic: str, partitions: int) -> None:
        self._producer: Final = Producer({"bootstrap.servers": address, "linger.ms": 0, "acks": 1})
        self._topic: Final = topic
        self._partitions: Final = partitions
        self._is_over: Final = threading.Event()
        self._thread: Final = threading.Thread(target=self._write)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()
        self._producer.flush(10)

    def _write(self) -> None:
        while not self._is_over.wait(self._partitions / RECORDS_PER_S):
            for partition in range(self._partitions):
                self._producer.produce(self._topic, b"", partition=partition)
            self._producer.poll(0)


class RealGroup:
    """Members of one group, each in a process of its own, or several in one if they are never stopped."""

    def __init__(self, address: str, topic: str, situation: Situation, directory: Path) -> None:
        self._address: Final = address
        self._topic: Final = topic
        self._situation: Final = situation
        self._directory: Final = directory
        self._processes: Final[dict[str, subprocess.Popen[str]]] = {}
        self._all: Final[list[subprocess.Popen[str]]] = []
        self._killed_ms: Final[dict[int, int]] = {}
        """Times at which processes were killed, by their number."""
        self._first_offset = 0
        self._began_ms = 0

    # --- members ------------------------------------------------------------------------------------------------------

    def prepare(self, seats: Sequence[GroupSeat], within_ms: int = 1) -> subprocess.Popen[str]:
        """Start a process that waits for the order to start these members, each at a random time within `within_ms`."""
        output = self._directory / f"processed-{len(self._all)}"
        delays = ({"start.delay.ms": random.randrange(within_ms)} for _ in seats)
        configs = json.dumps([self._config(seat) | delay for seat, delay in zip(seats, delays, strict=True)])
        command = [sys.executable, "-m", "tests.whatif.librdkafka_members", configs, self._topic, str(output)]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._all.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        return process

    def start(self, seats: Sequence[GroupSeat], process: subprocess.Popen[str]) -> None:
        """Let a prepared process start its members."""
        assert process.stdin is not None
        process.stdin.write("start\n")
        process.stdin.flush()
        self._processes.update({seat.name: process for seat in seats})

    def stop(self, seat: GroupSeat, *, crash: bool) -> None:
        """Stop the process of a member: kill it, or send it a request to close."""
        process = self._processes.pop(seat.name)
        if crash:
            process.kill()
            self._killed_ms[self._all.index(process)] = _now_ms()
        else:
            process.terminate()

    def close(self) -> None:
        """Kill all processes."""
        for process in self._all:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    pipe.close()

    def _config(self, seat: GroupSeat) -> dict[str, Any]:
        situation = self._situation
        config: dict[str, Any] = {
            "bootstrap.servers": self._address,
            "group.id": situation.group_id,
            "client.id": seat.client_id,
            "group.protocol": situation.group_protocol,
            "auto.offset.reset": "earliest",
            "auto.commit.interval.ms": 500,
        }
        if seat.group_instance_id is not None:
            config["group.instance.id"] = seat.group_instance_id
        if situation.group_protocol == "classic":
            config |= {
                "partition.assignment.strategy": ",".join(situation.assignors),
                "session.timeout.ms": situation.session_timeout_ms,
                "heartbeat.interval.ms": situation.heartbeat_ms,
            }
        return config

    # --- observation --------------------------------------------------------------------------------------------------

    def settle(self, members: int) -> None:
        """Wait until the group is stable with `members` members, and all partitions are processed."""
        with Admin(self._address) as admin:
            deadline = time.monotonic() + PATIENCE_S
            while not self._is_settled(admin, members):
                assert time.monotonic() < deadline, admin.describe_groups([self._situation.group_id])
                time.sleep(0.2)

    def _is_settled(self, admin: Admin, members: int) -> bool:
        try:
            (group,) = admin.describe_groups([self._situation.group_id])
        except RequestRefused:  # No member has joined yet.
            return False
        owned = sum(len(member.partitions) for member in group.members)
        if group.state != "Stable" or len(group.members) != members or owned != self._partitions:
            return False
        return all(sum(change for _, change in changes) > 0 for changes in self._changes().values())

    @property
    def _partitions(self) -> int:
        return self._situation.partitions[self._topic]

    def begin(self) -> None:
        """Begin the measurement."""
        self._began_ms = _now_ms()
        self._first_offset = 1 + max(record.offset for record in self._records())

    def measured(self) -> Measured:
        """Return what has happened since `begin`."""
        history = GroupReplay(self._situation.group_id, GroupModel(), Events())
        for record in self._records():
            key, value = read(record)
            if group_of(key) == self._situation.group_id and not isinstance(key, OffsetCommitKey):
                apply_record(history, key, value, RecordPosition(0, record.offset, 0))
        rows = history.events.rows
        rebalances = [row for row in rows.get(REBALANCES.name, ()) if row["log_offset"] >= self._first_offset]
        moves = [row for row in rows.get(ASSIGNMENTS.name, ()) if row["log_offset"] >= self._first_offset]
        return Measured(
            len(rebalances) + sum(row["missed_epochs"] or 0 for row in rebalances),
            sum(row["moved"] for row in moves),
            {at: _paused_ms(changes, self._began_ms) for at, changes in self._changes().items()},
        )

    def _records(self) -> list[Any]:
        host, _, port = self._address.rpartition(":")
        return list(records_of(host, int(port)))

    def _changes(self) -> dict[int, list[tuple[int, int]]]:
        """Return the times at which members began (1) and ceased (-1) to process each partition, in order."""
        found: dict[int, list[tuple[int, int]]] = {at: [] for at in range(self._partitions)}
        for number in range(len(self._all)):
            for at_ms, partition, change in self._written_by(number):
                found[partition].append((at_ms, change))
        return {partition: sorted(changes) for partition, changes in found.items()}

    def _written_by(self, number: int) -> list[tuple[int, int, int]]:
        """Return (time in ms, partition, 1 or -1) of each line of a process; a killed one revokes all partitions."""
        file = self._directory / f"processed-{number}"
        lines = file.read_bytes().splitlines() if file.exists() else []
        changes = [(int(at_ms), int(of), int(change)) for at_ms, of, change in map(bytes.split, lines)]
        killed_ms = self._killed_ms.get(number)
        if killed_ms is None:
            return changes
        open_ended = Counter[int]()
        for _, partition, change in changes:
            open_ended[partition] += change
        return changes + [(killed_ms, partition, -count) for partition, count in open_ended.items() if count]


def _now_ms() -> int:
    return time.time_ns() // 1_000_000


def _paused_ms(changes: list[tuple[int, int]], since_ms: int) -> int:
    """Return the time after `since_ms` in which no member processed the partition."""
    workers = total_ms = 0
    for (at_ms, change), (next_ms, _) in pairwise(changes):
        workers += change
        if workers == 0 and next_ms > since_ms:
            total_ms += next_ms - at_ms
    return total_ms
