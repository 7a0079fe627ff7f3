"""A member of a classic consumer group, for code that blocks: Spark drivers and scripts.

The member lives on the client's own event loop, in a thread of its own, so heartbeats go on while the caller works.
The caller's thread only takes events, and commits.
"""

from collections.abc import Iterable, Mapping, Sequence
from types import TracebackType

from tenure.client.values import Event, Identity, OffsetAndMetadata, TopicPartition


class GroupMember:
    """One seat in a group: static with a `group_instance_id`, else dynamic. Thread-safe."""

    def __init__(
        self,
        bootstrap_servers: str | Sequence[str],
        group_id: str,
        topics: Sequence[str],
        *,
        group_instance_id: str | None = None,
        client_id: str = "tenure",
        session_timeout_ms: int = 45_000,
        rebalance_timeout_ms: int = 300_000,
        heartbeat_interval_ms: int = 3_000,
        max_poll_interval_ms: int = 300_000,
        request_timeout_ms: int = 30_000,
    ) -> None: ...

    def start(self) -> None:
        """Begin to join; returns at once. What becomes of it is told by `poll`."""

    def poll(self, timeout_s: float = 0.0) -> list[Event]:
        """What happened since the last call, in order; waits up to `timeout_s` for the first event.

        Calling it is the sign of life that `max_poll_interval_ms` watches (its own thread's heartbeats are not).
        Raises `Fenced`, `MembershipRefused` or `UnknownTopic` when the seat is gone for good: again on each call.
        """
        raise NotImplementedError

    @property
    def identity(self) -> Identity:
        """Who the member is now; generation -1 while it has no seat. A plan keeps the value that it was made under."""
        raise NotImplementedError

    @property
    def partitions(self) -> tuple[TopicPartition, ...]:
        """What is assigned now; empty while there is no seat."""
        raise NotImplementedError

    def acknowledge_revocation(self) -> None:
        """All work on the revoked partitions has ended: rejoin now. Without it the rejoin waits for a quarter of the
        rebalance timeout."""

    def commit(self, offsets: Mapping[TopicPartition, OffsetAndMetadata], identity: Identity) -> None:
        """Commit all of `offsets` or none, as `identity` (that of plan time, not of now). Blocks; one at a time.

        Raises `Fenced`, `StaleIdentity`, `RebalanceInProgress` or `CommitRefused`: it has not happened.
        Raises `UnknownOutcome`: it may have; it is never sent twice. See `rejoin_anew`.
        """

    def committed(self, partitions: Iterable[TopicPartition]) -> dict[TopicPartition, OffsetAndMetadata | None]:
        """What the group has committed; None where nothing is. Retries until the request timeout."""
        raise NotImplementedError

    def rejoin_anew(self) -> None:
        """Give the seat up and take it again under a new member id, so that a stray commit of the old one is fenced.

        Returns at once; `poll` tells `Lost`, then `Assigned`. A member that was fenced meanwhile does not seize its
        seat back: `poll` raises `Fenced`.
        """

    def close(self, leave: bool | None = None) -> None:
        """Stop. By default a dynamic member leaves its group and a static one keeps its seat (rule 7.3)."""

    def __enter__(self) -> "GroupMember":
        raise NotImplementedError

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
