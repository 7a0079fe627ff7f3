"""Group of a what-if analysis: members, topics and settings, and the possible changes."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from tenure.client.group.assignment import ASSIGNORS
from tenure.client.values import TopicPartition
from tenure.protocol.special_values import CLASSIC, CONSUMER

PROTOCOLS: Final = (CLASSIC, CONSUMER)
SERVER_ASSIGNORS: Final = ("uniform", "range")
"""Assignors of Kafka's coordinator (rule 3.12)."""


class WhatIfError(ValueError):
    """A group cannot be simulated. The message is one sentence with the reason."""


@dataclass(frozen=True, slots=True)
class GroupSeat:
    """Seat of one member, whose process may restart."""

    name: str
    topics: tuple[str, ...]
    group_instance_id: str | None = None
    client_id: str = "client"
    """Kafka's `client.id`: member ids begin with it, and assignors order dynamic members by their ids."""
    owned: tuple[TopicPartition, ...] = ()
    """Partitions that the member owns at the beginning, if the assignor lets it keep them."""


@dataclass(frozen=True, slots=True)
class ClientTiming:
    """Delays of the clients, in ms. The defaults are those of librdkafka (`python -m tests.whatif.calibration`)."""

    poll_interval_ms: int = 100
    """Time between two polls of a member: the processing of one batch."""
    latency_ms: int = 1
    """Time until a request arrives at the coordinator, and time until its response arrives back."""
    timer_slack_ms: int = 4
    """Maximum delay of a heartbeat, because clients wait for whole milliseconds before they check for due requests."""
    connect_ms: int = 100
    """Time from the start of a process to its first request to the coordinator."""
    first_fetch_ms: int = 10
    """Time from an assignment to the first records: offsets are fetched, then records."""


@dataclass(frozen=True, slots=True)
class Situation:
    """Group with its members, topics and settings. Settings have the names of Kafka's keys."""

    group_id: str
    seats: tuple[GroupSeat, ...]
    partitions: Mapping[str, int]
    """Number of partitions by topic."""
    group_protocol: str = CLASSIC
    assignors: tuple[str, ...] = ("range",)
    """Kafka's `partition.assignment.strategy`, for the classic protocol."""
    server_assignor: str | None = None
    """Kafka's `group.remote.assignor`, for the consumer protocol; None for the broker's default."""
    session_timeout_ms: int = 45_000
    heartbeat_interval_ms: int | None = None
    """Heartbeat interval; None for Kafka's default: 3 s for the classic protocol, 5 s for the consumer protocol."""
    max_poll_interval_ms: int = 300_000
    """Maximum time between two polls of a member; as in Kafka's clients, also the rebalance timeout."""
    group_initial_rebalance_delay_ms: int = 3_000
    timing: ClientTiming = ClientTiming()

    @property
    def heartbeat_ms(self) -> int:
        """Heartbeat interval of the members."""
        default_ms = 3_000 if self.group_protocol == CLASSIC else 5_000
        return default_ms if self.heartbeat_interval_ms is None else self.heartbeat_interval_ms

    @property
    def static_members(self) -> int:
        """Number of static members."""
        return sum(seat.group_instance_id is not None for seat in self.seats)

    def check(self) -> None:
        """Raise WhatIfError if the group cannot be simulated."""
        if not self.seats:
            raise WhatIfError(f"Group {self.group_id} has no members. Start them, or use an audit (--audit DIRECTORY).")
        if self.group_protocol not in PROTOCOLS:
            raise WhatIfError(f"Unknown protocol {self.group_protocol!r}: use one of {', '.join(PROTOCOLS)}.")
        for name in self.assignors if self.group_protocol == CLASSIC else ():
            if name not in ASSIGNORS:
                raise WhatIfError(f"Unknown assignor {name!r}: the classic protocol has {', '.join(ASSIGNORS)}.")
        if self.group_protocol == CONSUMER and self.server_assignor not in (None, *SERVER_ASSIGNORS):
            raise WhatIfError(
                f"Unknown assignor {self.server_assignor!r}: the consumer protocol has {', '.join(SERVER_ASSIGNORS)}."
            )


@dataclass(frozen=True, slots=True)
class GroupChange:
    """Change of a group. Settings that are None are not changed."""

    static: bool | None = None
    """True: every member gets a `group.instance.id`. False: no member has one."""
    protocol: str | None = None
    assignor: str | None = None
    session_timeout_ms: int | None = None
    heartbeat_interval_ms: int | None = None
    members: int = 0
    """Number of members that join before the restarts. A negative number means that this many members leave."""

    def applied_to(self, situation: Situation) -> Situation:
        """Return the group with the changed settings. Members are not added or removed here.

        Raises:
            WhatIfError: The group's protocol does not have the assignor, or the protocol is unknown.
        """
        protocol = self.protocol or situation.group_protocol
        moved = protocol != situation.group_protocol
        changed = replace(
            situation,
            group_protocol=protocol,
            seats=tuple(map(self.seat_of, situation.seats)),
            session_timeout_ms=self.session_timeout_ms or situation.session_timeout_ms,
            heartbeat_interval_ms=self.heartbeat_interval_ms or (None if moved else situation.heartbeat_interval_ms),
        )
        if self.assignor is not None and protocol == CLASSIC:
            changed = replace(changed, assignors=(self.assignor,))
        elif self.assignor is not None:
            changed = replace(changed, server_assignor=self.assignor)
        changed.check()
        return changed

    def seat_of(self, seat: GroupSeat) -> GroupSeat:
        """Return the seat, with or without an instance id if the change makes its member static or dynamic."""
        if self.static is None:
            return seat
        return replace(seat, group_instance_id=(seat.group_instance_id or seat.name) if self.static else None)

    @property
    def description(self) -> str:
        """Description of the change, for the head of a column."""
        found = []
        if self.static is not None:
            found.append("static members" if self.static else "dynamic members")
        if self.protocol is not None:
            found.append(f"{self.protocol} protocol")
        if self.assignor is not None:
            found.append(self.assignor)
        if self.session_timeout_ms is not None:
            found.append(f"session timeout {self.session_timeout_ms / 1000:g} s")
        if self.heartbeat_interval_ms is not None:
            found.append(f"heartbeats every {self.heartbeat_interval_ms / 1000:g} s")
        if self.members:
            found.append(f"{self.members:+} members")
        return ", ".join(found)
