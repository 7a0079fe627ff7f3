"""Commits of a group member, with one in flight at a time.

`commit` sends the identity under which the work was planned. It retries only after a response that shows that nothing
was committed. Without a response, it raises `UnknownOutcome`. `commit_owned` sends the member's current identity, for
the partitions that the member has owned without interruption. It also retries commits without a response.
"""

import asyncio
from collections.abc import Collection, Iterable, Mapping
from typing import Final, Protocol

from tenure.backoff import REQUEST, Backoff
from tenure.client.errors import (
    BrokerUnreachable,
    CommitRefused,
    RebalanceInProgress,
    RequestTimedOut,
    StaleIdentity,
    UnknownOutcome,
)
from tenure.client.group.memberships.error_reactions import CommitVerdict
from tenure.client.group.memberships.membership_settings import MembershipSettings
from tenure.client.net.cluster import Cluster, RetriableError
from tenure.client.net.connection import BrokerConnection
from tenure.client.queries.group_changes import commit_request
from tenure.client.queries.group_queries import BY_NAME_MAX_VERSION
from tenure.client.values import Identity, OffsetAndMetadata, TopicPartition
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    OffsetCommitRequest,
    OffsetCommitResponse,
)
from tenure.protocol.special_values import CLASSIC
from tenure.protocol.types import ZERO_TOPIC_ID, TopicId

MEMBER_EPOCH_MIN_VERSION: Final = 9
NEVER_ASSIGNED: Final = 2**31 - 1
"""Assignment epoch of partitions that are not assigned (rule 4.7)."""

FAILURES: Final = {
    CommitVerdict.REBALANCING: RebalanceInProgress,
    CommitVerdict.RESET_GENERATION: StaleIdentity,
    CommitVerdict.RESET_IDENTITY: StaleIdentity,
    CommitVerdict.STALE_EPOCH: StaleIdentity,
    CommitVerdict.REFUSED: CommitRefused,
}


class CommittingMember(Protocol):
    """Interface of the membership for commits: identity, assignment, connection, and reaction to rejected commits."""

    @property
    def settings(self) -> MembershipSettings: ...
    @property
    def identity(self) -> Identity: ...
    @property
    def partitions(self) -> Collection[TopicPartition]: ...
    @property
    def assignment_epochs(self) -> Mapping[TopicPartition, int]: ...
    @property
    def topic_ids(self) -> Mapping[str, TopicId]: ...
    @property
    def failure(self) -> Exception | None: ...
    @property
    def may_commit(self) -> bool: ...
    @property
    def is_revoking(self) -> bool: ...

    async def general_connection(self) -> BrokerConnection: ...

    def forget_coordinator(self) -> None: ...

    def commit_refused(self, error_code: ErrorCode, identity: Identity) -> CommitVerdict: ...

    async def fenced(self) -> Exception: ...


class CommitQueue:
    """Commits of one member, sent one after the other."""

    def __init__(self, membership: CommittingMember, cluster: Cluster) -> None:
        self._membership: Final = membership
        self._cluster: Final = cluster
        self._in_flight: Final = asyncio.Lock()
        self._commit_owned_lock: Final = asyncio.Lock()
        """Lock: calls of `commit_owned` run one after the other, so that no retry overwrites a later commit."""
        self._open: Final = asyncio.Event()
        """Event on which `commit_owned` waits. Cleared between a join and its assignment, otherwise set."""
        self.ownership_ids: Mapping[TopicPartition, int] = {}
        """Ownership id of each partition: the number of the assignment that added it. It changes only if the member
        loses the partition and gets it again. The mapping is replaced and never mutated, because other threads read
        it."""
        self._assignments = 0

    # --- called by the membership -------------------------------------------------------------------------------------

    def add_ownership(self, added: Iterable[TopicPartition]) -> None:
        """Give newly assigned partitions a new ownership id."""
        self._assignments += 1
        self.ownership_ids = {**self.ownership_ids, **dict.fromkeys(added, self._assignments)}

    def allow_commit_owned(self, is_allowed: bool) -> None:
        """Set whether `commit_owned` may send commits. Without permission, it waits for the next assignment."""
        if is_allowed:
            self._open.set()
        else:
            self._open.clear()

    @property
    def is_busy(self) -> bool:
        """True if a commit is queued or in flight."""
        return self._commit_owned_lock.locked() or self._in_flight.locked()

    async def wait_until_answered(self) -> None:
        """Wait until all commits that are queued now have a response."""
        async with self._commit_owned_lock, self._in_flight:
            pass

    # --- with the identity of the plan --------------------------------------------------------------------------------

    async def commit(self, offsets: Mapping[TopicPartition, OffsetAndMetadata], identity: Identity) -> None:
        """Commit all offsets as `identity`, or raise an error. See `GroupMember.commit`."""
        if self._membership.settings.group_protocol != CLASSIC:
            self._check_epochs(offsets, identity)
        request = commit_request(self._membership.settings.group_id, offsets, identity, self._membership.topic_ids)
        async with self._in_flight:
            try:
                await self._cluster.retry(lambda: self._commit_once(request, identity))
            except RetriableError as error:
                raise CommitRefused(str(error), error.error_code) from error

    async def _commit_once(self, request: OffsetCommitRequest, identity: Identity) -> None:
        """Send the commit once.

        Raises:
            RetriableError: The coordinator rejected the commit, and a retry may succeed.
            UnknownOutcome: The commit may have been applied.
            ClientError: The coordinator rejected the commit, and a retry would fail.
        """
        connection = await self._membership.general_connection()
        min_version, max_version = 0, BY_NAME_MAX_VERSION
        if self._membership.settings.group_protocol != CLASSIC:
            min_version = MEMBER_EPOCH_MIN_VERSION
            max_version += all(topic.topic_id != ZERO_TOPIC_ID for topic in request.topics)
        answer = connection.send(
            request,
            OffsetCommitResponse,
            timeout_ms=self._cluster.request_timeout_ms,
            min_version=min_version,
            max_version=max_version,
        )
        try:
            response = await answer
        except (BrokerUnreachable, RequestTimedOut) as error:
            self._membership.forget_coordinator()
            raise UnknownOutcome(
                f"Commit of group '{request.group_id}' has an unknown outcome, its offsets may be committed: {error}"
            ) from error
        codes = [ErrorCode(found.error_code) for topic in response.topics for found in topic.partitions]
        refusals = [code for code in codes if code is not ErrorCode.NONE]
        if refusals:
            await self._raise_refusal(refusals[0], identity, in_part=len(refusals) < len(codes))

    async def _raise_refusal(self, error_code: ErrorCode, identity: Identity, *, in_part: bool) -> None:
        commit = f"Commit of group '{self._membership.settings.group_id}' in generation {identity.generation_id}"
        verdict = self._membership.commit_refused(error_code, identity)
        if in_part:
            raise UnknownOutcome(
                f"{commit} was rejected for some partitions, the others may be committed: {error_code.message}"
                f" ({error_code.name})."
            )
        if verdict is CommitVerdict.UNKNOWN:
            self._membership.forget_coordinator()
            raise UnknownOutcome(
                f"{commit} has an unknown outcome, its offsets may be committed: {error_code.message}"
                f" ({error_code.name})."
            )
        if verdict is CommitVerdict.FENCED:
            raise await self._membership.fenced()
        failure = FAILURES.get(verdict, RetriableError)
        raise failure(f"{commit} was rejected: {error_code.message} ({error_code.name}).", error_code)

    # --- with the current identity ------------------------------------------------------------------------------------

    async def commit_owned(
        self,
        offsets: Mapping[TopicPartition, OffsetAndMetadata],
        ownership_ids: Mapping[TopicPartition, int],
        *,
        all_or_none: bool = False,
        waits_for_revocation: bool = True,
    ) -> frozenset[TopicPartition]:
        """Commit, with the current identity, the partitions that the member has owned without interruption.

        Between a join and its assignment this method waits for the new generation. A commit with an unknown outcome is
        retried. The same offset may then be committed twice, which does no harm while the member still owns the
        partition.

        Args:
            offsets: Next offset to read, by partition.
            ownership_ids: The member's `ownership_ids` when it read the records. A partition whose id has changed is
                not owned.
            all_or_none: Whether to raise an error if a partition is not owned, instead of leaving the partition out.
            waits_for_revocation: Whether to wait during a rebalance in which the user still has to acknowledge a
                revocation.

        Returns:
            The committed partitions.

        Raises:
            StaleIdentity: With `all_or_none`, a partition is not owned.
            RebalanceInProgress: The rebalance did not end in time, or the user has to acknowledge a revocation.
            CommitRefused: The coordinator rejected the commit. Nothing was committed.
            UnknownOutcome: The time for retries is over, and the offsets may have been committed.
        """
        loop, backoff = asyncio.get_running_loop(), Backoff(REQUEST)
        async with self._commit_owned_lock:
            give_up_at_s = loop.time() + self._cluster.patience_ms / 1000
            while True:
                await self._open.wait()
                if self._membership.failure is not None:
                    raise self._membership.failure
                owned = {at: offset for at, offset in offsets.items() if self._owns(at, ownership_ids.get(at))}
                if all_or_none and len(owned) < len(offsets):
                    raise self._not_ours(min(offsets.keys() - owned.keys()), ErrorCode.ILLEGAL_GENERATION)
                is_late = loop.time() > give_up_at_s
                if not owned or await self._try_commit(
                    owned, is_late=is_late, waits_for_revocation=waits_for_revocation
                ):
                    return frozenset(owned)
                await asyncio.sleep(backoff.next_s())

    async def _try_commit(
        self, offsets: Mapping[TopicPartition, OffsetAndMetadata], *, is_late: bool, waits_for_revocation: bool
    ) -> bool:
        """Commit once with the current identity. Return False if the commit has to be retried.

        With `is_late`, the time for retries is over, so the method raises the error instead of returning False.
        """
        membership, identity = self._membership, self._membership.identity
        try:
            await self.commit(offsets, identity)
        except RebalanceInProgress:
            if is_late or (
                membership.is_revoking and not waits_for_revocation
            ):  # the user has to acknowledge the revocation first
                raise
            return False
        except StaleIdentity as error:
            is_superseded = error.error_code is ErrorCode.STALE_MEMBER_EPOCH and not is_late
            if identity == membership.identity and membership.may_commit and not is_superseded:
                raise
            return False  # safe: an uninterrupted owner may commit in a newer epoch
        except UnknownOutcome:
            if is_late:
                raise
            return False
        return True

    def _owns(self, partition: TopicPartition, ownership_id: int | None) -> bool:
        return partition in self._membership.partitions and self.ownership_ids.get(partition) == ownership_id

    def _check_epochs(self, offsets: Iterable[TopicPartition], identity: Identity) -> None:
        """Raise `StaleIdentity` if there is a partition that the member did not own in the epoch of `identity`.

        Under some fencing policies, the coordinator does not check this (rule 4.3.5).
        """
        since = self._membership.assignment_epochs if identity.member_id == self._membership.identity.member_id else {}
        for partition in offsets:
            if since.get(partition, NEVER_ASSIGNED) > identity.generation_id:
                raise self._not_ours(partition, ErrorCode.STALE_MEMBER_EPOCH)

    def _not_ours(self, partition: TopicPartition, error_code: ErrorCode) -> StaleIdentity:
        return StaleIdentity(
            f"Commit rejected by this client: partition {partition} is not, or no longer, assigned to this member of "
            f"group '{self._membership.settings.group_id}'. Its new owner continues from the committed offset.",
            error_code,
        )
