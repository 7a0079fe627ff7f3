"""Blocking group member without fetching, for Spark drivers and scripts.

Heartbeats run on the client's event loop, in a thread of its own, and continue while the caller works. The caller only
receives events and commits.
"""

import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from types import TracebackType
from typing import Final, Self

from tenure.client.errors import Closed
from tenure.client.group.membership_runner import MembershipRunner
from tenure.client.group.membership_settings import (
    CLASSIC,
    CONSUMER,
    FAIL,
    SEIZE,
    WAIT,
    MembershipSettings,
    this_process,
)
from tenure.client.net.bootstrap import ClusterConfig, bootstrap
from tenure.client.net.cluster import Cluster
from tenure.client.net.event_loop import client_loop, run
from tenure.client.queries.group_queries import committed_offsets
from tenure.client.values import Event, Identity, OffsetAndMetadata, SubscriptionPattern, TopicPartition
from tenure.limits.client import PATIENCE_MS

INSTANCE_ID: Final = re.compile(r"[a-zA-Z0-9._-]{1,249}")


class GroupMember:
    """One membership in a group: static with a `group_instance_id`, else dynamic. Thread-safe.

    Args:
        config: Broker address, or a mapping with `bootstrap.servers` and Kafka's keys for TLS and SASL.
        group_id: Group.
        topics: Topics, or a pattern that the coordinator resolves (`group_protocol="consumer"`).
        group_instance_id: Kafka's `group.instance.id` of a static member.
        client_id: Kafka's `client.id`.
        session_timeout_ms: Kafka's `session.timeout.ms`. Classic protocol only.
        rebalance_timeout_ms: Time that the group waits for this member in a rebalance.
        heartbeat_interval_ms: Kafka's `heartbeat.interval.ms`. Classic protocol only.
        max_poll_interval_ms: Kafka's `max.poll.interval.ms`.
        request_timeout_ms: Kafka's `request.timeout.ms`.
        group_protocol: "classic", where a member assigns, or "consumer" (KIP-848), where the coordinator assigns and
            sets session timeout and heartbeat interval.
        assignors: Kafka's `partition.assignment.strategy`, most preferred first. Classic protocol only.
        rack_id: Kafka's `client.rack`.
        server_assignor: Kafka's `group.remote.assignor`. Consumer protocol only.
        on_unreleased: What a starting static member does if its instance id is in use: "seize" takes it over once,
            "wait" waits until it is free, "fail" raises. Consumer protocol only.

    Raises:
        ValueError: A setting is invalid.
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
        self._membership: MembershipRunner | None = None

    def start(self) -> None:
        """Start to join, and return at once. `poll` reports the result."""
        run(self._open())

    async def _open(self) -> None:
        self._cluster = Cluster(
            self._bootstrap.servers,
            client_id=self._client_id,
            request_timeout_ms=self._settings.request_timeout_ms,
            patience_ms=PATIENCE_MS,
            security=self._bootstrap.security,
        )
        self._membership = MembershipRunner(self._cluster, self._settings)
        self._membership.open()

    def poll(self, timeout_s: float = 0.0) -> list[Event]:
        """Return the events since the last call, in order; wait up to `timeout_s` for the first one.

        The member leaves the group if this method is not called for `max_poll_interval_ms`; heartbeats alone do not
        keep it.

        Raises:
            Fenced: Another member took over the instance id.
            MembershipRefused: The group rejects the member.
            UnknownTopic: A topic does not exist.
            BrokerUnreachable: No broker can be reached at the start.

        An error that ends the membership is raised after the last event, and again on each call.
        """
        membership = self._started()
        self._tell(membership.polled)
        until = time.monotonic() + timeout_s
        with membership.news:
            while not membership.events and not membership.has_to_raise:
                left_s = until - time.monotonic()
                if left_s <= 0:
                    return []
                membership.news.wait(left_s)
            events = list(membership.events)
            membership.events.clear()
            failure = None if events else membership.to_raise()
            if failure is not None:
                raise failure
            return events

    @property
    def identity(self) -> Identity:
        """Current identity. `generation_id` is the member epoch in a consumer group, and -1 without an assignment.

        Store it with a plan of work, and pass it to `commit`.
        """
        return self._started().identity

    @property
    def partitions(self) -> tuple[TopicPartition, ...]:
        """Assigned partitions; empty without a membership."""
        return self._started().partitions

    @property
    def assignment_epochs(self) -> Mapping[TopicPartition, int]:
        """Member epoch or generation in which the member received each of `partitions`.

        It is never older than the epoch that the coordinator's fence uses.
        """
        return self._started().assignment_epochs

    def acknowledge_revocation(self) -> None:
        """Report that all work on the revoked partitions has ended, so that the member can rejoin.

        Without this call the rejoin waits for a quarter of the rebalance timeout.
        """
        self._tell(self._started().acknowledge_revocation)

    def commit(self, offsets: Mapping[TopicPartition, OffsetAndMetadata], identity: Identity) -> None:
        """Commit all of `offsets` or none, and block until the answer. One commit is in flight at a time.

        Args:
            offsets: Next offset to read, by partition.
            identity: The member's identity when the work was planned.

        Raises:
            Fenced, StaleIdentity, RebalanceInProgress, CommitRefused, BrokerUnreachable: Nothing was committed.
            UnknownOutcome: It may have been committed; it is not sent again. Call `rejoin_as_new_member`.
        """
        run(self._started().commits.commit(offsets, identity))

    @property
    def ownership_ids(self) -> Mapping[TopicPartition, int]:
        """Id of each partition's ownership: it changes when the member loses a partition and receives it again.

        Contains all partitions that were ever assigned. Store it with a plan of work, and pass it to `commit_owned`.
        """
        return self._started().commits.ownership_ids

    def commit_owned(
        self, offsets: Mapping[TopicPartition, OffsetAndMetadata], ownership_ids: Mapping[TopicPartition, int]
    ) -> frozenset[TopicPartition]:
        """Commit the offsets of those partitions that the member still owns; block until the answer.

        Unlike `commit`, it sends the current identity, waits for the end of a rebalance, and retries an unknown
        outcome. Use it if no other member can have worked on a partition that was owned without interruption.

        Args:
            offsets: Next offset to read, by partition.
            ownership_ids: The member's `ownership_ids` when the work was planned.

        Returns:
            The committed partitions. The others were lost meanwhile.

        Raises:
            Fenced, RebalanceInProgress, CommitRefused, BrokerUnreachable: Nothing was committed.
            UnknownOutcome: No answer within the time for retries: it may have been committed.
        """
        return run(self._started().commits.commit_owned(offsets, ownership_ids))

    def committed(self, partitions: Iterable[TopicPartition]) -> dict[TopicPartition, OffsetAndMetadata | None]:
        """Return the group's committed offset of each partition; None where there is none."""
        self._started()
        assert self._cluster is not None
        wanted = list(partitions)
        found = run(committed_offsets(self._cluster, self._settings.group_id, wanted))
        return {partition: found.get(partition) for partition in wanted}

    def rejoin_as_new_member(self) -> None:
        """Rejoin under a new member id, which fences pending commits of the old one. Returns at once.

        `poll` then returns `Lost` and `Assigned`. If another member has taken over the instance id meanwhile, `poll`
        raises `Fenced`.
        """
        self._tell(self._started().rejoin_as_new_member)

    def resubscribe(self, topics: Sequence[str]) -> None:
        """Replace the subscription."""
        self._tell(partial(self._started().resubscribe, tuple(sorted(set(topics)))))

    def close(self, leave: bool | None = None) -> None:
        """End the membership. By default a dynamic member leaves the group, a static one does not (rule 7.3)."""
        if self._membership is not None:
            run(self._membership.close(leave))

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _started(self) -> MembershipRunner:
        if self._membership is None:
            raise Closed("The group member is not started; call start() first.")
        return self._membership

    @staticmethod
    def _tell(what: Callable[[], None]) -> None:
        client_loop().call_soon_threadsafe(what)


def check(settings: MembershipSettings) -> None:
    """Raise ValueError if the settings are invalid."""
    instance_id, has_pattern = settings.group_instance_id, settings.topic_pattern is not None
    if instance_id is not None and (not INSTANCE_ID.fullmatch(instance_id) or instance_id in (".", "..")):
        raise ValueError(
            f"Invalid group.instance.id {instance_id!r}: use 1 to 249 of the characters a-z, A-Z, 0-9, '.', '_', '-'."
        )
    if not settings.group_id or not (settings.topics or has_pattern):
        raise ValueError("Missing group id or topics: a group member needs a group id and at least one topic.")
    if settings.group_protocol not in (CLASSIC, CONSUMER) or settings.on_unreleased not in (SEIZE, WAIT, FAIL):
        raise ValueError(
            "Invalid group_protocol or on_unreleased: group_protocol is 'classic' or 'consumer', "
            "on_unreleased is 'seize', 'wait' or 'fail'."
        )
    if has_pattern and settings.group_protocol != CONSUMER:
        raise ValueError("SubscriptionPattern needs group_protocol 'consumer': the coordinator resolves the pattern.")
