"""What the engine asks of a group membership and of a topic's log. An adapter over the client offers both."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, Protocol

from tenure.pipeline.lanes import TopicPartition, Writer


@dataclass(frozen=True, slots=True)
class Assigned:
    """The member holds exactly these partitions, as `writer`."""

    writer: Writer
    partitions: tuple[TopicPartition, ...]
    added: tuple[TopicPartition, ...] | None = None
    """Those among them that it has not held without interruption until now. None: all of them, as the generations of
    the classic protocol have it."""


@dataclass(frozen=True, slots=True)
class Revoked:
    """The group rebalances: these are given up once `Seat.acknowledge_revocation` was called; commits pass until
    then. Under the classic protocol they are all that the member has."""

    partitions: tuple[TopicPartition, ...]


@dataclass(frozen=True, slots=True)
class Lost:
    """These are gone already (session expired, member removed): nothing of them can be committed."""

    partitions: tuple[TopicPartition, ...]


SeatEvent = Assigned | Revoked | Lost


class Committed(NamedTuple):
    """A committed offset, or one to commit, with its metadata (the pointer to a manifest)."""

    offset: int
    metadata: str
    leader_epoch: int = -1


class Outcome(Enum):
    """What became of a commit."""

    ACCEPTED = "accepted"
    REFUSED = "refused"
    """Certainly not applied: the identity is old, or the group is between two generations. The member goes on."""
    FENCED = "fenced"
    """Certainly not applied: another process took this member's seat. This one must end and must not come back by
    itself."""
    UNKNOWN = "unknown"
    """Perhaps applied, perhaps still to be (timeout, disconnect): never retried."""


class CommitAnswer(NamedTuple):
    outcome: Outcome
    reason: str = ""
    """One sentence: for FENCED it names who holds the seat now, where that is known."""


class SeatFenced(Exception):
    """Another process took this member's seat. Raised by `Seat.poll` and `Seat.committed`; the message names it."""


class Unreachable(Exception):
    """No broker answers just now. Raised by `Seat.committed` and by `Log`; the engine waits and asks again."""


class Seat(Protocol):
    """One member of the group. Its heartbeats run by themselves; every method is called from the engine's thread
    only."""

    @property
    def name(self) -> str:
        """What people call this member: its instance id, or its member id when it is dynamic."""

    def poll(self, timeout_s: float) -> list[SeatEvent]:
        """Returns as soon as there is an event, or an empty list after `timeout_s`. Raises `SeatFenced`."""

    def acknowledge_revocation(self) -> None: ...

    def commit(self, offsets: Mapping[TopicPartition, Committed], writer: Writer) -> CommitAnswer:
        """One OffsetCommit under the identity `writer`, all or nothing, tried once (retried only where the broker said
        that it did nothing)."""

    def committed(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, Committed | None]: ...

    def rejoin_anew(self) -> None:
        """Take the seat under a new member id, which fences every commit that may still be under way. The next
        `poll` returns `Assigned` with the new writer."""

    def close(self, *, leave: bool | None = None) -> None: ...


class Bounds(NamedTuple):
    """Where a partition's log begins and ends, as an ordinary reader may see it."""

    start_offset: int
    end_offset: int
    leader_epoch: int = -1
    topic_id: str | None = None


class Log(Protocol):
    """The input topics, as far as planning needs them."""

    def bounds(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, Bounds]: ...

    def partition_count(self, topic: str) -> int:
        """As it was after the last `bounds` of this topic were found out, or later."""
