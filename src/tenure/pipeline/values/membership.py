"""Interfaces of the engine to the consumer group and to topics' logs. Adapters over the client implement them."""

from collections.abc import Collection, Mapping
from enum import Enum
from typing import NamedTuple, Protocol

from tenure.pipeline.values.lanes import Writer
from tenure.values import Event, OffsetAndMetadata, TopicPartition


class CommitOutcome(Enum):
    """Outcome of a commit."""

    ACCEPTED = "accepted"
    REFUSED = "refused"
    """Not applied: the identity is old, or the group is rebalancing. The member continues."""
    FENCED = "fenced"
    """Not applied: another process took over this member. The process must end, and must not be restarted
    automatically."""
    UNKNOWN = "unknown"
    """It is unknown whether the commit was or will be applied (timeout, disconnect). Never retried."""


class CommitAnswer(NamedTuple):
    outcome: CommitOutcome
    reason: str = ""
    """One sentence; for FENCED it names the process that took over, if known."""


class MemberFenced(Exception):
    """Another process took over this member, and the group fenced this process.

    The message names the other process, if it is known.

    `GroupMembership.poll` and `GroupMembership.committed` raise it.
    """


class Unreachable(Exception):
    """No broker answers at the moment. `GroupMembership.committed` and `Log` raise it, and the engine retries."""


class GroupMembership(Protocol):
    """Interface to one member of the group. Heartbeats run in the background. One thread calls all methods."""

    @property
    def name(self) -> str:
        """Instance id of the member, or its member id if it is dynamic."""

    def poll(self, timeout_s: float) -> list[Event]:
        """Wait for events of the group.

        Returns:
            The events as soon as there are any, or an empty list after `timeout_s` seconds.

        Raises:
            MemberFenced: Another process took over this member.
        """

    def acknowledge_revocation(self) -> None: ...

    def commit(self, offsets: Mapping[TopicPartition, OffsetAndMetadata], writer: Writer) -> CommitAnswer:
        """Commit offsets with the identity `writer` in one request, all or nothing.

        The request is sent again only if the broker answered that it did not apply the request.
        """

    def committed(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, OffsetAndMetadata | None]: ...

    def rejoin_as_new_member(self) -> None:
        """Rejoin under a new member id, which fences all commits in flight. `poll` then returns a new `Assigned`."""

    def close(self, *, leave: bool | None = None) -> None: ...


class Bounds(NamedTuple):
    """First offset and end offset of a partition's log.

    With read_committed, the end is the last stable offset, and otherwise the high watermark.
    """

    start_offset: int
    end_offset: int
    leader_epoch: int = -1
    topic_id: str | None = None


class Log(Protocol):
    """Interface to the logs of the input topics."""

    def bounds(self, partitions: Collection[TopicPartition]) -> dict[TopicPartition, Bounds]: ...

    def partition_count(self, topic: str) -> int:
        """Return the number of partitions of `topic`.

        The result is not older than the last result of `bounds` for a partition of this topic.
        """
