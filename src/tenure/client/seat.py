"""The edge of a membership: its clock, its sockets, its timers. All of it runs on the client's event loop.

Joins, syncs and heartbeats have a connection of their own. Commits, and the last goodbye, go by another one: a parked
join would hold them up, and a commit that comes while the group still prepares its rebalance is welcome (rule 2.13.8).
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Coroutine, Mapping
from threading import Condition
from typing import Any, Final

from tenure.client import group_errors
from tenure.client.addresses import Address
from tenure.client.assignment import Topic
from tenure.client.cluster import GENERAL, Cluster, TryAgain
from tenure.client.connection import Connection
from tenure.client.errors import (
    BrokerUnreachable,
    ClientError,
    Closed,
    CommitRefused,
    Fenced,
    RebalanceInProgress,
    RequestTimedOut,
    StaleIdentity,
    UnknownOutcome,
)
from tenure.client.group_queries import BY_NAME_MAX_VERSION, describe_group
from tenure.client.membership import ClassicMembership
from tenure.client.membership_errors import CommitVerdict
from tenure.client.membership_outputs import (
    Ask,
    CountPartitions,
    Disconnect,
    Doubts,
    Ended,
    FindCoordinator,
    MembershipSettings,
    Output,
    Response,
)
from tenure.client.values import Assigned, Event, Identity, OffsetAndMetadata, TopicPartition
from tenure.limits import GOODBYE_TIMEOUT_MS, RETRY_BACKOFF_MAX_MS, RETRY_BACKOFF_MS, STARTUP_PATIENCE_MS
from tenure.protocol.errors import ErrorCode
from tenure.protocol.message import Message
from tenure.protocol.messages import (
    HeartbeatRequest,
    HeartbeatResponse,
    JoinGroupRequest,
    JoinGroupResponse,
    LeaveGroupRequest,
    LeaveGroupResponse,
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
    OffsetCommitResponse,
    SyncGroupRequest,
    SyncGroupResponse,
)
from tenure.protocol.types import GroupId, InstanceId, MemberId, PartitionId, TopicName

MEMBERSHIP_LANE: Final = "membership"

log: Final = logging.getLogger("tenure.client")

RESPONSE_TO: Final[dict[type[Message], type[Message]]] = {
    JoinGroupRequest: JoinGroupResponse,
    SyncGroupRequest: SyncGroupResponse,
    HeartbeatRequest: HeartbeatResponse,
    LeaveGroupRequest: LeaveGroupResponse,
}
MIN_VERSION: Final[dict[type[Message], int]] = {
    JoinGroupRequest: 5,  # group.instance.id
    LeaveGroupRequest: 3,  # a list of leavers
}

COMMIT_FAILURES: Final = {
    CommitVerdict.REBALANCING: RebalanceInProgress,
    CommitVerdict.RESET_GENERATION: StaleIdentity,
    CommitVerdict.RESET_IDENTITY: StaleIdentity,
    CommitVerdict.REFUSED: CommitRefused,
}


def now_ms() -> int:
    return time.monotonic_ns() // 1_000_000


class Seat:
    """One membership, alive. Methods are for the event loop's thread, unless they say otherwise."""

    def __init__(self, cluster: Cluster, settings: MembershipSettings) -> None:
        self.settings: Final = settings
        self.news: Final = Condition()
        """Guards `events` and `failure`; notified when one of them changes. For any thread."""
        self.events: Final[deque[Event]] = deque()
        self.failure: Exception | None = None
        self.identity = Identity("", settings.group_instance_id, -1)
        """Invariant: at least as new as the newest event, so that who has heard of a seat can use it."""
        self.partitions: tuple[TopicPartition, ...] = ()
        self.heard: Callable[[], None] | None = None
        """Called on the event loop when there is an event or a failure."""
        self._tenures: Final[dict[TopicPartition, int]] = {}
        """By partition, how many assignments there were when the member came to have it: equal means uninterrupted."""
        self._assignments = 0
        self._may_commit: Final = asyncio.Event()
        self._commit_turn: Final = asyncio.Lock()
        """`commit_as_now` may wait and try again: those that came later wait for it, or they would be overwritten."""
        self._cluster: Final = cluster
        self._membership: Final = ClassicMembership(settings)
        self._coordinator: Address | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: Final[set[asyncio.Task[None]]] = set()
        self._commit_lock: Final = asyncio.Lock()
        """A member has one commit in flight: the others queue."""

    def open(self) -> None:
        self._begin(self._join())

    async def _join(self) -> None:
        """See whether there is a broker, and whether it has the topics; then join."""
        try:
            await self._cluster.describe_topics(self.settings.topics, patience_ms=STARTUP_PATIENCE_MS)
        except ClientError as error:
            self._fail(error)
        else:
            self.tell(self._membership.start)

    async def close(self, leave: bool | None) -> None:
        request = self._membership.close(leave)
        self._fail(Closed("This member was closed."))
        if request is not None and self._coordinator is not None:
            try:
                connection = await self._cluster.connection(self._coordinator, GENERAL)
                await connection.request(request, LeaveGroupResponse, timeout_ms=GOODBYE_TIMEOUT_MS, min_version=3)
            except ClientError:
                pass  # the session's end says the same, later
        if self._timer is not None:
            self._timer.cancel()
        for task in self._tasks:
            task.cancel()
        self._cluster.close()

    # --- the membership's ears and hands ------------------------------------------------------------------------------

    def polled(self) -> None:
        self.tell(self._membership.polled)

    def acknowledge_revocation(self) -> None:
        self.tell(self._membership.acknowledge_revocation)

    def rejoin_anew(self) -> None:
        self.tell(self._membership.rejoin_anew)

    def resubscribe(self, topics: tuple[str, ...]) -> None:
        self.tell(lambda now: self._membership.resubscribe(topics, now))

    def tell(self, happened: Callable[[int], None]) -> None:
        """Tell the membership, do what it then asks for, and set the clock for its next deadline."""
        happened(now_ms())
        self._do_outputs()

    def _do_outputs(self) -> None:
        self.identity = self._membership.identity
        self.partitions = self._membership.partitions
        for output in self._membership.take():
            self._do(output)
        if self._membership.may_commit:
            self._may_commit.set()
        else:
            self._may_commit.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        deadline_ms = self._membership.next_deadline_ms()
        if deadline_ms is not None:
            delay_s = max(0, deadline_ms - now_ms()) / 1000
            self._timer = asyncio.get_running_loop().call_later(delay_s, self.tell, self._membership.tick)

    def _do(self, output: Output) -> None:
        match output:
            case Ask():
                self._begin(self._send(output))
            case FindCoordinator():
                self._begin(self._find_coordinator())
            case CountPartitions():
                self._begin(self._count_partitions(output))
            case Disconnect():
                self._cluster.drop_lane(MEMBERSHIP_LANE)
            case Doubts():
                for sentence in output.sentences:
                    log.warning("Group '%s': %s", self.settings.group_id, sentence)
            case Ended():
                self._begin(self._end(output.error_code))
            case _:
                self._hear(output)

    def _hear(self, event: Event) -> None:
        if isinstance(event, Assigned):
            self._assignments += 1
            self._tenures.update(dict.fromkeys(event.added, self._assignments))
        with self.news:
            self.events.append(event)
            self.news.notify_all()
        if self.heard is not None:
            self.heard()

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Exception):
            self._fail(error)  # a bug of ours: better a member that raises than one that sits still

    async def _send(self, ask: Ask) -> None:
        kind = type(ask.request)
        lane = GENERAL if isinstance(ask.request, LeaveGroupRequest) else MEMBERSHIP_LANE
        try:
            connection = await self._connection(lane)
            response = await connection.request(
                ask.request, RESPONSE_TO[kind], timeout_ms=ask.timeout_ms, min_version=MIN_VERSION.get(kind, 0)
            )
        except (BrokerUnreachable, RequestTimedOut):
            self.tell(lambda now: self._membership.unanswered(ask, now))
        except ClientError as error:
            self._membership.close(leave=False)
            self._fail(error)
        else:
            self.tell(lambda now: self._membership.answered(ask, _typed(response), now))

    async def _connection(self, lane: str) -> Connection:
        if self._coordinator is None:
            self._coordinator = await self._cluster.coordinator(self.settings.group_id)
        return await self._cluster.connection(self._coordinator, lane)

    async def _find_coordinator(self) -> None:
        pause_s = RETRY_BACKOFF_MS / 1000
        self._coordinator = None
        while True:
            try:
                await self._connection(MEMBERSHIP_LANE)
                break
            except (BrokerUnreachable, RequestTimedOut, TryAgain):
                self._coordinator = None
                await asyncio.sleep(pause_s)
                pause_s = min(2 * pause_s, RETRY_BACKOFF_MAX_MS / 1000)
            except ClientError as error:
                self._membership.close(leave=False)
                self._fail(error)
                return
        self.tell(self._membership.found_coordinator)

    async def _count_partitions(self, question: CountPartitions) -> None:
        topics: Mapping[str, Topic] | None = None
        while topics is None:
            try:
                topics = await self._cluster.topics_with_racks(question.topics)
            except ClientError:
                await asyncio.sleep(RETRY_BACKOFF_MAX_MS / 1000)
        answer = topics
        self.tell(lambda now: self._membership.counted_partitions(question, answer, now))

    async def _end(self, error_code: ErrorCode) -> None:
        if error_code is ErrorCode.FENCED_INSTANCE_ID:
            self._fail(await self._fenced())
        else:
            self._fail(group_errors.refused(self.settings, error_code))

    async def _fenced(self) -> Fenced:
        """Who has the seat now? Asked once, and not for long: the news is that it is gone."""
        try:
            async with asyncio.timeout(GOODBYE_TIMEOUT_MS / 1000):
                group = await describe_group(self._cluster, self.settings.group_id)
        except (ClientError, TimeoutError):
            group = None
        return group_errors.fenced(self.settings, group)

    def _fail(self, error: Exception) -> None:
        with self.news:
            self.failure = self.failure or error
            self.news.notify_all()
        self._may_commit.set()  # whoever waits for a seat learns that there will be none
        if self.heard is not None:
            self.heard()

    # --- commits ------------------------------------------------------------------------------------------------------

    async def commit(self, offsets: Mapping[TopicPartition, OffsetAndMetadata], identity: Identity) -> None:
        request = _offset_commit(self.settings, offsets, identity)
        async with self._commit_lock:
            try:
                await self._cluster.persist(lambda: self._commit_once(request, identity))
            except TryAgain as error:
                raise CommitRefused(str(error), error.error_code) from error

    async def commit_as_now(self, offsets: Mapping[TopicPartition, OffsetAndMetadata]) -> None:
        """Commit as whoever the member is once it may: between a join and its assignment, the commit waits.

        What it has kept throughout is committed in the new generation. Raises `StaleIdentity` where it has not, and
        what `commit` raises.
        """
        tenures = {partition: self._tenures.get(partition) for partition in offsets}
        async with self._commit_turn:
            give_up_at_ms = now_ms() + self._cluster.patience_ms
            while not await self._commit_if_seated(offsets, tenures, give_up_at_ms):
                await asyncio.sleep(RETRY_BACKOFF_MS / 1000)

    async def _commit_if_seated(
        self,
        offsets: Mapping[TopicPartition, OffsetAndMetadata],
        tenures: Mapping[TopicPartition, int | None],
        give_up_at_ms: int,
    ) -> bool:
        await self._may_commit.wait()
        if self.failure is not None:
            raise self.failure
        self._check_tenures(tenures)
        identity = self.identity
        try:
            await self.commit(offsets, identity)
        except RebalanceInProgress:
            if self._membership.is_holding or now_ms() > give_up_at_ms:  # its user has to let go first
                raise
            return False
        except StaleIdentity:
            if identity == self.identity and self._membership.may_commit:
                raise
            return False
        except UnknownOutcome:
            if now_ms() > give_up_at_ms:
                raise
            return False
        return True

    def _check_tenures(self, tenures: Mapping[TopicPartition, int | None]) -> None:
        for partition, since in tenures.items():
            if partition not in self.partitions or self._tenures.get(partition) != since:
                raise StaleIdentity(
                    f"Nothing was committed: {partition} does not belong to this member of group "
                    f"'{self.settings.group_id}' (any more). Whoever has it now works on from what is committed.",
                    ErrorCode.ILLEGAL_GENERATION,
                )

    async def _commit_once(self, request: OffsetCommitRequest, identity: Identity) -> None:
        """One attempt. Only what was certainly not done leaves as an error that is tried again."""
        if self.failure is not None:
            raise self.failure
        connection = await self._connection(GENERAL)
        answer = connection.send(
            request,
            OffsetCommitResponse,
            timeout_ms=self._cluster.request_timeout_ms,
            max_version=BY_NAME_MAX_VERSION,
        )
        try:
            response = await answer
        except (BrokerUnreachable, RequestTimedOut) as error:
            self._coordinator = None
            raise UnknownOutcome(f"A commit of group '{self.settings.group_id}' has no answer: {error}") from error
        codes = [ErrorCode(found.error_code) for topic in response.topics for found in topic.partitions]
        refusals = [code for code in codes if code is not ErrorCode.NONE]
        if refusals:
            await self._refused(refusals[0], identity, in_part=len(refusals) < len(codes))

    async def _refused(self, error_code: ErrorCode, identity: Identity, *, in_part: bool) -> None:
        what = f"A commit of group '{self.settings.group_id}' as generation {identity.generation_id}"
        verdict = self._membership.commit_refused(error_code, identity, now_ms())
        self._do_outputs()
        if in_part:
            raise UnknownOutcome(f"{what} was refused in part: {error_code.message} ({error_code.name}).")
        if verdict is CommitVerdict.UNKNOWN:
            self._coordinator = None
            raise UnknownOutcome(f"{what} may have failed: {error_code.message} ({error_code.name}).")
        if verdict is CommitVerdict.FENCED:
            raise await self._fenced()
        failure = COMMIT_FAILURES.get(verdict, TryAgain)
        raise failure(f"{what} was refused: {error_code.message} ({error_code.name}).", error_code)


def _typed(response: Message) -> Response:
    assert isinstance(response, JoinGroupResponse | SyncGroupResponse | HeartbeatResponse | LeaveGroupResponse)
    return response


def _offset_commit(
    settings: MembershipSettings, offsets: Mapping[TopicPartition, OffsetAndMetadata], identity: Identity
) -> OffsetCommitRequest:
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
        group_id=GroupId(settings.group_id),
        generation_id_or_member_epoch=identity.generation_id,
        member_id=MemberId(identity.member_id),
        group_instance_id=None if instance_id is None else InstanceId(instance_id),
        topics=[
            OffsetCommitRequestTopic(name=TopicName(topic), partitions=partitions)
            for topic, partitions in by_topic.items()
        ],
    )
