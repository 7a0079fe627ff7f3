"""A group of librdkafka clients on Apache Kafka, whose members start, close and are killed, and what that cost.

Rebalances and moves are read from `__consumer_offsets` as an audit reads them. The pause of a partition is seen from
its records: each is written at a known time, and processed at a known time by one of the members.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from confluent_kafka import Producer

from tenure.admin import Admin
from tenure.audit.groups.events import Events, GroupReplay
from tenure.audit.groups.group_model import GroupModel, Place
from tenure.audit.groups.history import apply_record
from tenure.audit.tables import ASSIGNMENTS, REBALANCES
from tenure.client.errors import RequestRefused
from tenure.protocol.coordinator_logs.consumer_offsets import OffsetCommitKey
from tenure.whatif import GroupSeat, Situation
from tests.consumer_offsets import group_of, read, records_of

WRITE_INTERVAL_S: Final = 0.1
SHORTEST_PAUSE_MS: Final = 100
"""Shorter gaps are the noise of a busy machine."""
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
    """Writes one record to each partition, again and again, while the block runs."""

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
        while not self._is_over.wait(WRITE_INTERVAL_S):
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
        self._first_offset = 0
        self._began_ms = 0

    # --- members ------------------------------------------------------------------------------------------------------

    def prepare(self, seats: Sequence[GroupSeat]) -> subprocess.Popen[str]:
        """Start a process that waits for the order to start these members."""
        output = self._directory / f"processed-{len(self._all)}"
        configs = json.dumps([self._config(seat) for seat in seats])
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
        """Kill the process of a member, or ask it to close."""
        process = self._processes.pop(seat.name)
        if crash:
            process.kill()
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
        now_ms = time.time_ns() // 1_000_000
        return all(now_ms - times[-1][0] < 1_000 for times in self._processed(now_ms - 5_000).values())

    @property
    def _partitions(self) -> int:
        return self._situation.partitions[self._topic]

    def begin(self) -> None:
        """Count from now on."""
        self._began_ms = time.time_ns() // 1_000_000
        self._first_offset = 1 + max(record.offset for record in self._records())

    def measured(self) -> Measured:
        """Return what has happened since `begin`."""
        history = GroupReplay(self._situation.group_id, GroupModel(), Events())
        for record in self._records():
            key, value = read(record)
            if group_of(key) == self._situation.group_id and not isinstance(key, OffsetCommitKey):
                apply_record(history, key, value, Place(0, record.offset, 0))
        rows = history.events.rows
        rebalances = [row for row in rows.get(REBALANCES.name, ()) if row["log_offset"] >= self._first_offset]
        moves = [row for row in rows.get(ASSIGNMENTS.name, ()) if row["log_offset"] >= self._first_offset]
        return Measured(
            len(rebalances) + sum(row["missed_epochs"] or 0 for row in rebalances),
            sum(row["moved"] for row in moves),
            {at: _paused_ms(times, self._began_ms) for at, times in self._processed(self._began_ms - 5_000).items()},
        )

    def _records(self) -> list[Any]:
        host, _, port = self._address.rpartition(":")
        return list(records_of(host, int(port)))

    def _processed(self, since_ms: int) -> dict[int, list[tuple[int, int]]]:
        """Return the times of all records since then, by partition: processed and written, in order."""
        found: dict[int, list[tuple[int, int]]] = {at: [(0, 0)] for at in range(self._partitions)}
        for file in self._directory.glob("processed-*"):
            for line in file.read_bytes().splitlines():
                partition, processed_ms, written_ms = map(int, line.split())
                if processed_ms >= since_ms:
                    found[partition].append((processed_ms, written_ms))
        return {partition: sorted(times) for partition, times in found.items()}


def _paused_ms(times: list[tuple[int, int]], since_ms: int) -> int:
    """Return the sum of the pauses of a partition: a record waited, and no record was processed."""
    total_ms = 0
    for (before_ms, _), (processed_ms, written_ms) in pairwise(times):
        pause_ms = processed_ms - max(before_ms, written_ms)
        if processed_ms >= since_ms and pause_ms >= SHORTEST_PAUSE_MS:
            total_ms += pause_ms
    return total_ms
