"""Blocking member of a group: the code that all group protocols share.

Heartbeats run on the client's event loop, which has its own thread. They continue while the caller works. The caller
only has to receive events and to commit offsets.
"""

import re
import time
from collections.abc import Callable, Iterable, Mapping
from types import TracebackType
from typing import Final, Generic, Self

from tenure.client.errors import Closed
from tenure.client.group.membership_runner import MemberEvent, MembershipRunner, membership_of
from tenure.client.group.memberships.membership import Membership
from tenure.client.group.memberships.membership_settings import MembershipSettings
from tenure.client.net.bootstrap import ClusterConfig, bootstrap
from tenure.client.net.cluster import Cluster
from tenure.client.net.event_loop import client_loop, run
from tenure.client.queries.group_queries import committed_offsets
from tenure.client.values import Identity, OffsetAndMetadata, TopicPartition
from tenure.limits.client import PATIENCE_MS

INSTANCE_ID: Final = re.compile(r"[a-zA-Z0-9._-]{1,249}")


class BlockingMember(Generic[MemberEvent]):
    """Base class of `GroupMember` and `StreamsMember`. Thread-safe."""

    def __init__(self, config: ClusterConfig, client_id: str, settings: MembershipSettings) -> None:
        self._settings: Final = settings
        self._bootstrap: Final = bootstrap(config)
        self._client_id: Final = client_id
        self._cluster: Cluster | None = None
        self._runner: MembershipRunner[MemberEvent] | None = None

    def _new_membership(self) -> Membership:
        """Create the state machine of this member's protocol."""
        return membership_of(self._settings)

    def start(self) -> None:
        """Start to join, without waiting. `poll` reports the result."""
        run(self._open())

    async def _open(self) -> None:
        self._cluster = Cluster(
            self._bootstrap.servers,
            client_id=self._client_id,
            request_timeout_ms=self._settings.request_timeout_ms,
            patience_ms=PATIENCE_MS,
            security=self._bootstrap.security,
        )
        self._runner = MembershipRunner(self._cluster, self._settings, self._new_membership())
        self._runner.open()

    def poll(self, timeout_s: float = 0.0) -> list[MemberEvent]:
        """Return the events since the last call, in order; wait up to `timeout_s` for the first one.

        The member leaves the group if this method is not called for `max_poll_interval_ms`. Heartbeats alone do not
        prevent that.

        Raises:
            Fenced: Another member took over the instance id.
            MembershipRefused: The group rejects the member.
            UnknownTopic: A topic does not exist.
            BrokerUnreachable: No broker can be reached at the start.

        An error that ends the membership is raised after the last event, and again on each call.
        """
        membership = self._started_runner()
        self._apply(membership.polled)
        until = time.monotonic() + timeout_s
        with membership.changed:
            while not membership.events and not membership.has_to_raise:
                left_s = until - time.monotonic()
                if left_s <= 0:
                    return []
                membership.changed.wait(left_s)
            events = list(membership.events)
            membership.events.clear()
            failure = None if events else membership.to_raise()
            if failure is not None:
                raise failure
            return events

    @property
    def identity(self) -> Identity:
        """Current identity. `generation_id` is the member epoch in a consumer group, and -1 without an assignment.

        Store the identity when work is planned, and pass it to `commit`.
        """
        return self._started_runner().identity

    @property
    def partitions(self) -> tuple[TopicPartition, ...]:
        """Assigned partitions; empty without a membership."""
        return self._started_runner().partitions

    @property
    def assignment_epochs(self) -> Mapping[TopicPartition, int]:
        """Member epoch or generation in which the member received each of its partitions.

        The coordinator stores such an epoch for each partition, and rejects commits with an older one. The epochs here
        are never older than the stored ones.
        """
        return self._started_runner().assignment_epochs

    def acknowledge_revocation(self) -> None:
        """Report that all work on the revoked partitions has ended, so that the member can rejoin.

        Without this call the rejoin waits for a quarter of the rebalance timeout.
        """
        self._apply(self._started_runner().acknowledge_revocation)

    def commit(self, offsets: Mapping[TopicPartition, OffsetAndMetadata], identity: Identity) -> None:
        """Commit all of `offsets` or none, and block until the response. One commit is in flight at a time.

        Args:
            offsets: Next offset to read, by partition.
            identity: The member's identity when the work was planned.

        Raises:
            Fenced, StaleIdentity, RebalanceInProgress, CommitRefused, BrokerUnreachable: Nothing was committed.
            UnknownOutcome: The offsets may have been committed. The commit is not retried: call `rejoin_as_new_member`.
        """
        run(self._started_runner().commits.commit(offsets, identity))

    @property
    def ownership_ids(self) -> Mapping[TopicPartition, int]:
        """Ownership id of each partition: a number that changes if the member loses the partition and gets it again.

        The mapping contains all partitions that were ever assigned. Store the mapping when work is planned, and pass it
        to `commit_owned`.
        """
        return self._started_runner().commits.ownership_ids

    def commit_owned(
        self, offsets: Mapping[TopicPartition, OffsetAndMetadata], ownership_ids: Mapping[TopicPartition, int]
    ) -> frozenset[TopicPartition]:
        """Commit the offsets of those partitions that the member still owns, and block until the response.

        Unlike `commit`, this method sends the current identity, waits for the end of a rebalance, and retries a commit
        with an unknown outcome. This is safe, because no other member works on a partition while this member owns it
        without interruption.

        Args:
            offsets: Next offset to read, by partition.
            ownership_ids: The member's `ownership_ids` when the work was planned.

        Returns:
            The committed partitions. The member has lost the others.

        Raises:
            Fenced, RebalanceInProgress, CommitRefused, BrokerUnreachable: Nothing was committed.
            UnknownOutcome: The time for retries is over, and the offsets may have been committed.
        """
        return run(self._started_runner().commits.commit_owned(offsets, ownership_ids))

    def committed(self, partitions: Iterable[TopicPartition]) -> dict[TopicPartition, OffsetAndMetadata | None]:
        """Return the group's committed offset of each partition; None where there is none."""
        self._started_runner()
        assert self._cluster is not None
        wanted = list(partitions)
        found = run(committed_offsets(self._cluster, self._settings.group_id, wanted))
        return {partition: found.get(partition) for partition in wanted}

    def rejoin_as_new_member(self) -> None:
        """Rejoin under a new member id, which fences pending commits of the old one. Does not wait.

        `poll` then returns `Lost` and `Assigned`. If another member has taken over the instance id, `poll` raises
        `Fenced` instead.
        """
        self._apply(self._started_runner().rejoin_as_new_member)

    def close(self, leave: bool | None = None) -> None:
        """End the membership. By default a dynamic member leaves the group, a static one does not (rule 7.3)."""
        if self._runner is not None:
            run(self._runner.close(leave))

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _started_runner(self) -> MembershipRunner[MemberEvent]:
        if self._runner is None:
            raise Closed("The group member is not started; call start() first.")
        return self._runner

    @staticmethod
    def _apply(call: Callable[[], None]) -> None:
        client_loop().call_soon_threadsafe(call)


def check_instance_id(group_instance_id: str | None) -> None:
    """Raise ValueError if the instance id is invalid."""
    if group_instance_id is None:
        return
    if not INSTANCE_ID.fullmatch(group_instance_id) or group_instance_id in (".", ".."):
        raise ValueError(
            f"Invalid group.instance.id {group_instance_id!r}: use 1 to 249 of the characters a-z, A-Z, 0-9, '.', "
            "'_', '-'."
        )
