"""Group with members of five client libraries: Java's in one JVM, all others as processes that can be killed."""

from __future__ import annotations

import contextlib
import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias

from tenure.admin import Admin
from tenure.admin.group_description import GroupDescription
from tenure.protocol.coordinator_logs.consumer_offsets import GroupMetadataValue
from tests.consumer_offsets import history
from tests.interop.group_of_three import STEP_TIMEOUT_S, GroupOfThree, Member
from tests.interop.java_clients import JavaClients, JavaMember
from tests.interop.mixed_member import HEARTBEAT_INTERVAL_MS, STATIC_SESSION_TIMEOUT_MS, MemberConfig

AnyMember: TypeAlias = Member | JavaMember

JAVA_ASSIGNORS = {
    "range": "RangeAssignor",
    "roundrobin": "RoundRobinAssignor",
    "sticky": "StickyAssignor",
    "cooperative-sticky": "CooperativeStickyAssignor",
}
STATIC = "static-"
"""Prefix of the names of static members; the rest of a name is the member's library."""


class MixedGroup:
    def __init__(
        self, address: str, java: JavaClients, name: str, topic: str, assignor: str, partitions: int, logs: Path
    ) -> None:
        self.name = name
        self.present: dict[str, AnyMember] = {}
        self._address = address
        self._topic = topic
        self._assignor = assignor
        self._partitions = list(range(partitions))
        self._logs = logs
        self._java = java
        self._all: dict[str, AnyMember] = {}

    # --- joining and leaving ------------------------------------------------------------------------------------------

    def join(self, *names: str) -> None:
        for name in names:
            if name in self._all:
                self._all[name].start()
            else:
                self._all[name] = self._new_member(name)
            self.present[name] = self._all[name]

    def _new_member(self, name: str) -> AnyMember:
        library = name.removeprefix(STATIC)
        if library == "java":
            by_the_member: dict[str, str | None] = {
                "session_timeout_ms": str(STATIC_SESSION_TIMEOUT_MS),
                "heartbeat_interval_ms": str(HEARTBEAT_INTERVAL_MS),
            }
            by_the_broker: dict[str, str | None] = {
                **dict.fromkeys((*by_the_member, "partition_assignment_strategy")),
                "group_protocol": "consumer",
            }
            assignor = JAVA_ASSIGNORS.get(self._assignor, "")
            return JavaMember(
                self._java, f"{self.name}-{name}", self.name, self._topic, name, assignor,
                bootstrap_servers=self._address,
                client_id=name,
                group_instance_id=name if name.startswith(STATIC) else None,
                **(by_the_member if assignor else by_the_broker),
            )  # fmt: skip
        seat = MemberConfig(
            name, library, self._address, self.name, self._topic, self._assignor, name.startswith(STATIC)
        )
        command = [sys.executable, "-m", "tests.interop.mixed_member", json.dumps(seat)]
        return Member(name, command, self._logs / f"{name}.txt", self._java.changed)

    def restart(self, name: str) -> None:
        self.stop(name)
        self.join(name)

    def stop(self, name: str) -> None:
        """A dynamic member leaves its group; a static one stays a member."""
        member = self.present.pop(name)
        member.stop()
        member.assigned = []

    def crash(self, name: str) -> None:
        member = self.present.pop(name)
        assert isinstance(member, Member), "a JVM with others in it is not killed"
        member.kill()

    def end(self) -> None:
        """Kill all members, because each leave would make all others join again."""
        for member in self.present.values():
            member.kill() if isinstance(member, Member) else member.stop()

    # --- state of the members -----------------------------------------------------------------------------------------

    def wait_until_shared(self) -> None:
        """Wait until members and coordinator agree that every partition has one owner, and every member a partition."""
        self.wait("each partition has one owner", lambda: self._is_shared(self.assignments))
        with Admin(self._address) as admin:
            give_up_at = time.monotonic() + STEP_TIMEOUT_S
            while described_assignments(
                admin.describe_groups([self.name])[0]
            ) != self.assignments or not self._is_shared(self.assignments):
                assert time.monotonic() < give_up_at, (
                    admin.describe_groups([self.name]),
                    self._group_of_all().report(),
                )
                time.sleep(0.1)

    def _is_shared(self, assignments: dict[str, list[int]]) -> bool:
        return sorted(one for owned in assignments.values() for one in owned) == self._partitions and all(
            assignments.values()
        )

    def wait_until_read(self, written: set[tuple[int, int]]) -> None:
        self._group_of_all().wait_until_read(written)

    def wait(self, what: str, holds: Callable[[], bool]) -> None:
        self._group_of_all().wait(what, holds)

    def _group_of_all(self) -> GroupOfThree[AnyMember]:
        return GroupOfThree(list(self._all.values()), self._java.changed)

    @property
    def assignments(self) -> dict[str, list[int]]:
        return {name: member.assigned for name, member in self.present.items()}

    @property
    def leader(self) -> str:
        """Return the leader in the newest record of the group."""
        host, _, port = self._address.rpartition(":")
        *_, value = [
            answer for _, answer in history(host, int(port), self.name) if isinstance(answer, GroupMetadataValue)
        ]
        return next(str(member.client_id) for member in value.members if member.member_id == value.leader)


def described_assignments(group: GroupDescription) -> dict[str, list[int]]:
    """Return the partitions by client id; nothing while the group rebalances."""
    if group.state != "Stable":
        return {}
    return {member.client_id: sorted(of.partition for of in member.partitions) for member in group.members}


@contextlib.contextmanager
def mixed_group(
    address: str, java: JavaClients, name: str, topic: str, assignor: str, partitions: int, logs: Path
) -> Iterator[MixedGroup]:
    group = MixedGroup(address, java, name, topic, assignor, partitions, logs)
    try:
        yield group
    finally:
        group.end()
