"""Three members of one group, mostly as three processes, and the events that they report."""

from __future__ import annotations

import contextlib
import json
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from signal import SIGTERM
from typing import Generic, Protocol, TextIO, TypeVar

from tests.forked_client import client_server

STEP_TIMEOUT_S = 90.0
"""Timeout of a step: a library may wait for its session (30 s) and its own back-off before it returns."""

HEARTBEAT_INTERVAL_MS = 4_000
"""Heartbeat interval of consumer groups. librdkafka (2.16) waits this long for the answer to a heartbeat, and if
a later answer had the assignment, it never gets it, also from Apache Kafka."""


class MemberState(Protocol):
    """Observations of a static member, over all of its processes."""

    instance: str
    assigned: list[int]
    read: set[tuple[int, int]]
    read_again: set[tuple[int, int]]
    """Records that it committed more than once."""
    log: Path


S = TypeVar("S", bound=MemberState)


class Member:
    """A static member that is a process of its own."""

    def __init__(self, instance: str, command: list[str], log: Path, changed: threading.Condition) -> None:
        self.instance = instance
        self.assigned: list[int] = []
        self.read: set[tuple[int, int]] = set()
        self.read_again: set[tuple[int, int]] = set()
        self.fenced = False
        self.log = log
        self._command = command
        self._changed = changed
        self.start()

    def start(self) -> None:
        self._process, self._output = client_server().start_with_output({"command": self._command}, self.log)
        self._reader = threading.Thread(target=self._listen, args=(self._output,))
        self._reader.start()

    def kill(self) -> None:
        """Kill the process (`kill -9`), which does not even close its consumer."""
        self._process.end()
        self._ended()
        with self._changed:
            self.assigned = []

    def member_with_same_instance(self, log: Path) -> Member:
        """Return another member with the same instance id, which is a process of its own."""
        return Member(self.instance, self._command, log, self._changed)

    def stop(self) -> None:
        self._process.send(SIGTERM)
        if not self._process.has_ended(15):
            self._process.end()
        self._ended()

    def _ended(self) -> None:
        self._reader.join()
        self._output.close()

    def _listen(self, output: TextIO) -> None:
        for line in output:
            event = json.loads(line)
            with self._changed:
                self.assigned = event.get("assigned", self.assigned)
                self.fenced = event.get("fenced", self.fenced)
                read = {(partition, offset) for partition, offset in event.get("read", [])}
                self.read_again |= self.read & read
                self.read |= read
                self._changed.notify_all()


class GroupOfThree(Generic[S]):
    """Members whose events are observed."""

    def __init__(self, members: Sequence[S], changed: threading.Condition) -> None:
        self.members = members
        self._changed = changed

    def wait(self, what: str, holds: Callable[[], bool]) -> None:
        deadline = time.monotonic() + STEP_TIMEOUT_S
        with self._changed:
            while not holds():
                left = deadline - time.monotonic()
                if left <= 0:
                    raise AssertionError(f"{what}: not within {STEP_TIMEOUT_S:.0f} s\n{self.report()}")
                self._changed.wait(left)

    def wait_until_read(self, expected: set[tuple[int, int]]) -> None:
        self.wait("every record is read", lambda: expected <= self.read)

    def wait_until_shared(self, partitions: int) -> None:
        """Wait until every partition has one owner, and every member has a partition."""
        everything = list(range(partitions))
        self.wait(
            "the members share all partitions",
            lambda: (
                sorted(one for member in self.members for one in member.assigned) == everything
                and all(member.assigned for member in self.members)
            ),
        )

    @property
    def read(self) -> set[tuple[int, int]]:
        return set().union(*(member.read for member in self.members))

    @property
    def read_again(self) -> set[tuple[int, int]]:
        return set().union(*(member.read_again for member in self.members))

    @property
    def assignments(self) -> dict[str, list[int]]:
        return {member.instance: member.assigned for member in self.members}

    def report(self) -> str:
        lines = [
            f"{one.instance} has {one.assigned}, read {len(one.read)}: {one.log.read_text()}" for one in self.members
        ]
        return "\n".join(lines)


@contextlib.contextmanager
def group_of_three(library: str, address: str, group: str, topic: str, logs: Path) -> Iterator[GroupOfThree[Member]]:
    changed = threading.Condition()
    with contextlib.ExitStack() as running:
        members = []
        for instance in ("instance-1", "instance-2", "instance-3"):
            command = [sys.executable, "-m", "tests.interop.member", library, address, group, instance, topic]
            member = Member(instance, command, logs / f"{instance}.txt", changed)
            running.callback(member.stop)
            members.append(member)
        yield GroupOfThree(members, changed)
