"""The commits of one member: one in flight, the others queue, and what became of each is certain or said to be unknown.

Two ways. `commit` is for who planned work under an identity: it goes out as that, once. `commit_as_now` is for who
reads and commits as it goes: it goes out as whoever the member is by then, for what the member has kept throughout.
"""

import asyncio
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Final

from tenure.client.cluster import Cluster, TryAgain
from tenure.client.errors import (
    BrokerUnreachable,
    CommitRefused,
    RebalanceInProgress,
    RequestTimedOut,
    StaleIdentity,
    UnknownOutcome,
)
from tenure.client.group_queries import BY_NAME_MAX_VERSION
from tenure.client.membership_errors import CommitVerdict
from tenure.client.membership_outputs import CONSUMER
from tenure.client.values import NO_IDENTITY, Identity, OffsetAndMetadata, TopicPartition
from tenure.limits import RETRY_BACKOFF_MS
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
    OffsetCommitResponse,
)
from tenure.protocol.types import (
    ZERO_TOPIC_ID,
    GenerationId,
    GroupId,
    InstanceId,
    MemberId,
    PartitionId,
    TopicId,
    TopicName,
)

if TYPE_CHECKING:
    from tenure.client.seat import Seat

MEMBER_EPOCH_MIN_VERSION: Final = 9
NEVER: Final = 2**31 - 1
"""The assignment epoch of what is not assigned (rule 4.7)."""
NO_TOPIC_IDS: Final[Mapping[str, TopicId]] = {}

FAILURES: Final = {
    CommitVerdict.REBALANCING: RebalanceInProgress,
    CommitVerdict.RESET_GENERATION: StaleIdentity,
    CommitVerdict.RESET_IDENTITY: StaleIdentity,
    CommitVerdict.STALE_EPOCH: StaleIdentity,
    CommitVerdict.REFUSED: CommitRefused,
}


class Commits:
    def __init__(self, seat: "Seat", cluster: Cluster) -> None:
        self._seat: Final = seat
        self._cluster: Final = cluster
        self._in_flight: Final = asyncio.Lock()
        self._turn: Final = asyncio.Lock()
        """`commit_as_now` may wait and try again: those that came later wait for it, or they would be overwritten."""
        self._open: Final = asyncio.Event()
        """Set unless the member is between a join and its assignment."""
        self._tenures: Final[dict[TopicPartition, int]] = {}
        """By partition, how many assignments there were when the member came to have it: equal means uninterrupted."""
        self._assignments = 0

    # --- what its seat tells ------------------------------------------------------------------------------------------

    def assigned(self, added: Iterable[TopicPartition]) -> None:
        self._assignments += 1
        self._tenures.update(dict.fromkeys(added, self._assignments))

    def let_through(self, may_commit: bool) -> None:
        if may_commit:
            self._open.set()
        else:
            self._open.clear()

    @property
    def is_busy(self) -> bool:
        return self._turn.locked() or self._in_flight.locked()

    async def all_answered(self) -> None:
        """All that were asked for until now."""
        async with self._turn, self._in_flight:
            pass

    # --- under the identity of plan time ------------------------------------------------------------------------------

    async def commit(self, offsets: Mapping[TopicPartition, OffsetAndMetadata], identity: Identity) -> None:
        if self._seat.settings.group_protocol == CONSUMER:
            self._check_epochs(offsets, identity)
        request = commit_request(self._seat.settings.group_id, offsets, identity, self._seat.topic_ids)
        async with self._in_flight:
            try:
                await self._cluster.persist(lambda: self._commit_once(request, identity))
            except TryAgain as error:
                raise CommitRefused(str(error), error.error_code) from error

    async def _commit_once(self, request: OffsetCommitRequest, identity: Identity) -> None:
        """One attempt. Only what was certainly not done leaves as an error that is tried again."""
        connection = await self._seat.general_connection()
        min_version, max_version = 0, BY_NAME_MAX_VERSION
        if self._seat.settings.group_protocol == CONSUMER:
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
            self._seat.coordinator_in_doubt()
            raise UnknownOutcome(f"A commit of group '{request.group_id}' has no answer: {error}") from error
        codes = [ErrorCode(found.error_code) for topic in response.topics for found in topic.partitions]
        refusals = [code for code in codes if code is not ErrorCode.NONE]
        if refusals:
            await self._refused(refusals[0], identity, in_part=len(refusals) < len(codes))

    async def _refused(self, error_code: ErrorCode, identity: Identity, *, in_part: bool) -> None:
        what = f"A commit of group '{self._seat.settings.group_id}' as generation {identity.generation_id}"
        verdict = self._seat.commit_refused(error_code, identity)
        if in_part:
            raise UnknownOutcome(f"{what} was refused in part: {error_code.message} ({error_code.name}).")
        if verdict is CommitVerdict.UNKNOWN:
            self._seat.coordinator_in_doubt()
            raise UnknownOutcome(f"{what} may have failed: {error_code.message} ({error_code.name}).")
        if verdict is CommitVerdict.FENCED:
            raise await self._seat.fenced()
        failure = FAILURES.get(verdict, TryAgain)
        raise failure(f"{what} was refused: {error_code.message} ({error_code.name}).", error_code)

    # --- as whoever the member is by then -----------------------------------------------------------------------------

    async def commit_as_now(self, offsets: Mapping[TopicPartition, OffsetAndMetadata]) -> None:
        """Between a join and its assignment the commit waits, and then goes out in the new generation.

        An unknown outcome is tried again: the same position under the same tenure is the same commit. Raises
        `StaleIdentity` where the member has not kept a partition throughout, and what `commit` raises.
        """
        tenures = {partition: self._tenures.get(partition) for partition in offsets}
        async with self._turn:
            give_up_at_s = asyncio.get_running_loop().time() + self._cluster.patience_ms / 1000
            while not await self._commit_if_seated(offsets, tenures, give_up_at_s):
                await asyncio.sleep(RETRY_BACKOFF_MS / 1000)

    async def _commit_if_seated(
        self,
        offsets: Mapping[TopicPartition, OffsetAndMetadata],
        tenures: Mapping[TopicPartition, int | None],
        give_up_at_s: float,
    ) -> bool:
        """False: try again."""
        seat = self._seat
        await self._open.wait()
        if seat.failure is not None:
            raise seat.failure
        self._check_tenures(tenures)
        identity = seat.identity
        is_late = asyncio.get_running_loop().time() > give_up_at_s
        try:
            await self.commit(offsets, identity)
        except RebalanceInProgress:
            if seat.is_holding or is_late:  # its user has to let go first
                raise
            return False
        except StaleIdentity as error:
            is_overtaken = error.error_code is ErrorCode.STALE_MEMBER_EPOCH and not is_late
            if identity == seat.identity and seat.may_commit and not is_overtaken:
                raise
            return False  # honest: what this member has kept throughout it may commit in a newer epoch as well
        except UnknownOutcome:
            if is_late:
                raise
            return False
        return True

    def _check_epochs(self, offsets: Iterable[TopicPartition], identity: Identity) -> None:
        """What the member did not have in the epoch of its plan it does not ask for: not every fence would refuse it
        (rule 4.3, row 5)."""
        since = self._seat.assignment_epochs if identity.member_id == self._seat.identity.member_id else {}
        for partition in offsets:
            if since.get(partition, NEVER) > identity.generation_id:
                raise self._not_ours(partition, ErrorCode.STALE_MEMBER_EPOCH)

    def _check_tenures(self, tenures: Mapping[TopicPartition, int | None]) -> None:
        for partition, since in tenures.items():
            if partition not in self._seat.partitions or self._tenures.get(partition) != since:
                raise self._not_ours(partition, ErrorCode.ILLEGAL_GENERATION)

    def _not_ours(self, partition: TopicPartition, error_code: ErrorCode) -> StaleIdentity:
        return StaleIdentity(
            f"Nothing was committed: {partition} does not belong to this member of group "
            f"'{self._seat.settings.group_id}' (any more). Whoever has it now works on from what is committed.",
            error_code,
        )


def commit_request(
    group_id: str,
    offsets: Mapping[TopicPartition, OffsetAndMetadata],
    identity: Identity = NO_IDENTITY,
    topic_ids: Mapping[str, TopicId] = NO_TOPIC_IDS,
) -> OffsetCommitRequest:
    """As a member, or as somebody from outside."""
    by_topic: dict[str, list[OffsetCommitRequestPartition]] = {}
    for (topic, partition), position in sorted(offsets.items()):
        by_topic.setdefault(topic, []).append(
            OffsetCommitRequestPartition(
                partition_index=PartitionId(partition),
                committed_offset=position.offset,
                committed_leader_epoch=position.leader_epoch,
                committed_metadata=position.metadata,
            )
        )
    instance_id = identity.group_instance_id if identity.member_id else None  # rule 7.2.4
    return OffsetCommitRequest(
        group_id=GroupId(group_id),
        generation_id_or_member_epoch=GenerationId(identity.generation_id),
        member_id=MemberId(identity.member_id),
        group_instance_id=None if instance_id is None else InstanceId(instance_id),
        topics=[
            OffsetCommitRequestTopic(
                name=TopicName(topic), topic_id=topic_ids.get(topic, ZERO_TOPIC_ID), partitions=partitions
            )
            for topic, partitions in by_topic.items()
        ],
    )
