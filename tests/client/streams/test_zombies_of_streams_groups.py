"""Commits of members that are suspended, removed, continued and killed, each in its own process (rule 4.4).

The broker's log shows which member had a task when a commit was accepted. A member reports a commit as wrongly rejected
if its next heartbeat shows that it had the task without interruption.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest

from tenure.protocol.coordinator_logs.consumer_offsets import (
    OffsetCommitKey,
    OffsetCommitValue,
    StreamsGroupCurrentMemberAssignmentKey,
    StreamsGroupCurrentMemberAssignmentValue,
)
from tenure.protocol.messages import CreatableTopic, CreateTopicsRequest, StreamsGroupDescribeRequest
from tests.apache_kafka import ROOT
from tests.client.streams.committing_member import GROUP, TOPIC
from tests.oracle.logs import Entry, GroupLog
from tests.serving import Serving, serving
from tests.wire import Wire

PROCESSES: Final = 3
PARTITIONS: Final = 8
REFUSED_MIN: Final = 1_000
"""Smallest number of refused commits of zombies, for plain and for transactional commits each."""
DISTURBANCES_MIN: Final = 9
PATIENCE_S: Final = 120.0
SETTINGS: Final = (
    "offsets.topic.num.partitions=1",
    "transaction.state.log.num.partitions=1",
    "group.streams.initial.rebalance.delay.ms=0",
    "group.streams.assignment.interval.ms=0",
    "group.streams.min.session.timeout.ms=500",
    "group.streams.session.timeout.ms=1000",
    "group.streams.min.heartbeat.interval.ms=100",
    "group.streams.heartbeat.interval.ms=300",
)


class MemberProcess:
    def __init__(self, broker: Serving, directory: Path, seed: int) -> None:
        self._output: Final = directory / f"member-{seed}.jsonl"
        command = [sys.executable, "-m", "tests.client.streams.committing_member", broker.host, str(broker.port)]
        with self._output.open("wb") as output:
            self._process = subprocess.Popen([*command, str(seed)], stdin=subprocess.PIPE, stdout=output, cwd=ROOT)
        self.member_id: Final = f"member-{self._process.pid}"

    @property
    def report(self) -> dict[str, Any]:
        """Newest complete line of the process's output."""
        lines = self._output.read_bytes().rpartition(b"\n")[0].splitlines()
        return json.loads(lines[-1]) if lines else {"counts": {}, "unfair": []}

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def signal(self, number: int) -> None:
        os.kill(self._process.pid, number)

    def end(self) -> int:
        assert self._process.stdin is not None
        self._process.stdin.close()
        return self._process.wait(PATIENCE_S)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()
        if self._process.stdin is not None:
            self._process.stdin.close()


@pytest.mark.long
@pytest.mark.timeout(300)
def test_random_commits__members_suspended_and_killed__only_commits_of_zombies_refused(tmp_path: Path) -> None:
    draw = random.Random(1)
    with serving(tmp_path, *SETTINGS) as broker, member_processes(broker, tmp_path) as (members, start):
        for _ in range(PROCESSES):
            start()
        deadline = time.monotonic() + PATIENCE_S
        disturbed = 0
        while disturbed < DISTURBANCES_MIN or not has_enough(members):
            assert time.monotonic() < deadline, f"too few commits: {counts_of(members)}"
            one = draw.choice(members[-PROCESSES:])
            assert one.is_running
            wait_until(lambda one=one: one.member_id in members_of(broker))
            one.signal(signal.SIGSTOP)
            wait_until(lambda one=one: one.member_id not in members_of(broker))
            one.signal(signal.SIGCONT)
            disturbed += 1
            if disturbed % 3 == 0:
                one.kill()
                members.remove(one)
                members.insert(0, one)
                start()
        for one in members[-PROCESSES:]:
            assert one.end() == 0
        log = GroupLog(broker.host, broker.port).of(GROUP)
        assert [text for one in members for text in one.report["unfair"]] == []
        assert wrongly_accepted(log) == []


def has_enough(members: Iterable[MemberProcess]) -> bool:
    found = counts_of(members)
    return all(
        found[f"{kind} refused"] >= REFUSED_MIN <= found[f"{kind} accepted"] for kind in ("plain", "transactional")
    )


def counts_of(members: Iterable[MemberProcess]) -> Counter[str]:
    found: Counter[str] = Counter()
    for one in members:
        found.update(one.report["counts"])
    return found


def wrongly_accepted(log: Iterable[Entry]) -> list[str]:
    """Return the accepted commits of tasks that the member did not have at that time, according to the log."""
    owned: dict[str, dict[int, int]] = {}
    found = []
    for key, _, value, _ in log:
        if isinstance(key, StreamsGroupCurrentMemberAssignmentKey):
            owned[key.member_id] = active(value) if isinstance(value, StreamsGroupCurrentMemberAssignmentValue) else {}
        elif isinstance(key, OffsetCommitKey) and isinstance(value, OffsetCommitValue):
            member_id, epoch = value.metadata.split()
            since = owned.get(member_id, {}).get(key.partition)
            if since is None or since > int(epoch):
                found.append(f"{value.metadata}, {key.partition}: had it since {since}")
    return found


def active(value: StreamsGroupCurrentMemberAssignmentValue) -> dict[int, int]:
    """Return the assignment epochs of the active tasks, with those that are being revoked."""
    return {
        partition: epoch
        for task in (*value.active_tasks, *value.active_tasks_pending_revocation)
        for partition, epoch in zip(task.partitions, task.assignment_epochs or (), strict=True)
    }


def members_of(broker: Serving) -> set[str]:
    with Wire(broker.host, broker.port) as wire:
        return {member.member_id for member in wire.ask(StreamsGroupDescribeRequest([GROUP])).groups[0].members}


@contextmanager
def member_processes(broker: Serving, directory: Path) -> Iterator[tuple[list[MemberProcess], Callable[[], None]]]:
    """Yield a list of processes, and a function that starts another one. All are killed at the end."""
    with Wire(broker.host, broker.port) as wire:
        topic = CreatableTopic(name=TOPIC, num_partitions=PARTITIONS, replication_factor=1)
        wire.ask(CreateTopicsRequest(topics=[topic], timeout_ms=10_000))
    members: list[MemberProcess] = []
    try:
        yield members, lambda: members.append(MemberProcess(broker, directory, len(members)))
    finally:
        for one in members:
            one.kill()


def wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)
