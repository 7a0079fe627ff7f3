"""A member of a group, for code that blocks: Spark drivers and scripts.

The member lives on the client's own event loop, in a thread of its own, so heartbeats go on while the caller works.
The caller's thread only takes events, and commits.
"""

import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from types import TracebackType
from typing import Final, Self

from tenure.client.bootstrap import ClusterConfig, bootstrap
from tenure.client.cluster import Cluster
from tenure.client.errors import Closed
from tenure.client.event_loop import client_loop, run
from tenure.client.group_queries import committed_offsets
from tenure.client.membership_outputs import (
    CLASSIC,
    CONSUMER,
    FAIL,
    SEIZE,
    WAIT,
    MembershipSettings,
    this_process,
)
from tenure.client.seat import Seat
from tenure.client.values import Event, Identity, OffsetAndMetadata, SubscriptionPattern, TopicPartition
from tenure.limits import PATIENCE_MS

INSTANCE_ID: Final = re.compile(r"[a-zA-Z0-9._-]{1,249}")


class GroupMember:
    """One seat in a group: static with a `group_instance_id`, else dynamic. Thread-safe.

    `config` is an address, or has Kafka's keys for TLS and SASL beside it. With `group_protocol` consumer (KIP-848) the
    coordinator assigns, by its assignor `server_assignor`, and says itself how long sessions last and how often to
    heartbeat; without, one of the members does, by one of `assignors`. `on_unreleased` is what a static member does
    that finds its seat taken when it starts: it seizes it, once; waits until it is free; or fails.
    """

    def __init__(
        self,
        config: ClusterConfig,
        group_id: str,
        topics: Sequence[str] | SubscriptionPattern,
        *,
        group_instance_id: str | None = None,
        client_id: str = "tenure",
        session_timeout_ms: int = 45_000,
        rebalance_timeout_ms: int = 300_000,
        heartbeat_interval_ms: int = 3_000,
        max_poll_interval_ms: int = 300_000,
        request_timeout_ms: int = 30_000,
        group_protocol: str = CLASSIC,
        assignors: Sequence[str] = ("range",),
        rack_id: str | None = None,
        server_assignor: str | None = None,
        on_unreleased: str = SEIZE,
    ) -> None:
        names, pattern = ((), topics.pattern) if isinstance(topics, SubscriptionPattern) else (topics, None)
        self._settings: Final = MembershipSettings(
            group_id,
            tuple(sorted(set(names))),
            group_instance_id,
            session_timeout_ms,
            rebalance_timeout_ms,
            heartbeat_interval_ms,
            max_poll_interval_ms,
            request_timeout_ms,
            tuple(assignors),
            rack_id,
            holder=this_process(),
            group_protocol=group_protocol,
            topic_pattern=pattern,
            server_assignor=server_assignor,
            on_unreleased=on_unreleased,
        )
        check(self._settings)
        self._bootstrap: Final = bootstrap(config)
        self._client_id: Final = client_id
        self._cluster: Cluster | None = None
        self._seat: Seat | None = None

    def start(self) -> None:
        """Begin to join; returns at once. What becomes of it is told by `poll`."""
        run(self._open())

    async def _open(self) -> None:
        self._cluster = Cluster(
            self._bootstrap.servers,
            client_id=self._client_id,
            request_timeout_ms=self._settings.request_timeout_ms,
            patience_ms=PATIENCE_MS,
            security=self._bootstrap.security,
        )
        self._seat = Seat(self._cluster, self._settings)
        self._seat.open()

    def poll(self, timeout_s: float = 0.0) -> list[Event]:
        """What happened since the last call, in order; waits up to `timeout_s` for the first event.

        Calling it is the sign of life that `max_poll_interval_ms` watches (heartbeats are none: they never stop).
        Raises `Fenced`, `MembershipRefused`, `UnknownTopic` or `BrokerUnreachable` when the seat is gone for good, or
        could never be had: after the last event, and again on each call.
        """
        seat = self._started()
        self._tell(seat.polled)
        until = time.monotonic() + timeout_s
        with seat.news:
            while not seat.events and not seat.has_to_raise:
                left_s = until - time.monotonic()
                if left_s <= 0:
                    return []
                seat.news.wait(left_s)
            events = list(seat.events)
            seat.events.clear()
            failure = None if events else seat.to_raise()
            if failure is not None:
                raise failure
            return events

    @property
    def identity(self) -> Identity:
        """Who the member is now: `generation_id` is its member epoch in a consumer group, and -1 while it has no seat.
        A plan keeps the value that it was made under."""
        return self._started().identity

    @property
    def partitions(self) -> tuple[TopicPartition, ...]:
        """What is assigned now; empty while there is no seat."""
        return self._started().partitions

    @property
    def assignment_epochs(self) -> Mapping[TopicPartition, int]:
        """Since which member epoch (or generation) the member has each of `partitions`, as far as it knows: never older
        than what the coordinator's fence keeps."""
        return self._started().assignment_epochs

    def acknowledge_revocation(self) -> None:
        """All work on the revoked partitions has ended: rejoin now. Without it the rejoin waits for a quarter of the
        rebalance timeout."""
        self._tell(self._started().acknowledge_revocation)

    def commit(self, offsets: Mapping[TopicPartition, OffsetAndMetadata], identity: Identity) -> None:
        """Commit all of `offsets` or none, as `identity` (that of plan time, not of now). Blocks; one at a time.

        Raises `Fenced`, `StaleIdentity`, `RebalanceInProgress`, `CommitRefused` or `BrokerUnreachable`: it has not
        happened. Raises `UnknownOutcome`: it may have; it is never sent twice. See `rejoin_anew`.
        """
        run(self._started().commits.commit(offsets, identity))

    def committed(self, partitions: Iterable[TopicPartition]) -> dict[TopicPartition, OffsetAndMetadata | None]:
        """What the group has committed; None where nothing is."""
        self._started()
        assert self._cluster is not None
        wanted = list(partitions)
        found = run(committed_offsets(self._cluster, self._settings.group_id, wanted))
        return {partition: found.get(partition) for partition in wanted}

    def rejoin_anew(self) -> None:
        """Give the seat up and take it again under a new member id, so that a stray commit of the old one is fenced.

        Returns at once; `poll` tells `Lost`, then `Assigned`. A member that was fenced meanwhile does not seize its
        seat back: `poll` raises `Fenced`.
        """
        self._tell(self._started().rejoin_anew)

    def resubscribe(self, topics: Sequence[str]) -> None:
        """Be a member for these topics from now on."""
        self._tell(partial(self._started().resubscribe, tuple(sorted(set(topics)))))

    def close(self, leave: bool | None = None) -> None:
        """Stop. By default a dynamic member leaves its group and a static one keeps its seat (rule 7.3)."""
        if self._seat is not None:
            run(self._seat.close(leave))

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _started(self) -> Seat:
        if self._seat is None:
            raise Closed("This member was not started.")
        return self._seat

    @staticmethod
    def _tell(what: Callable[[], None]) -> None:
        client_loop().call_soon_threadsafe(what)


def check(settings: MembershipSettings) -> None:
    """Raises ValueError, in one sentence, for what no member can be."""
    instance_id, has_pattern = settings.group_instance_id, settings.topic_pattern is not None
    if instance_id is not None and (not INSTANCE_ID.fullmatch(instance_id) or instance_id in (".", "..")):
        raise ValueError(f"{instance_id!r} is no group.instance.id: use 1 to 249 of a-z, A-Z, 0-9, '.', '_' and '-'")
    if not settings.group_id or not (settings.topics or has_pattern):
        raise ValueError("a member needs a group id and at least one topic")
    if settings.group_protocol not in (CLASSIC, CONSUMER) or settings.on_unreleased not in (SEIZE, WAIT, FAIL):
        raise ValueError("group_protocol is classic or consumer, and on_unreleased is seize, wait or fail")
    if has_pattern and settings.group_protocol != CONSUMER:
        raise ValueError("a SubscriptionPattern is matched by the broker, which needs group_protocol consumer")
