"""The edge of a membership: its clock, its sockets, its timers. All of it runs on the client's event loop.

Joins, syncs and heartbeats have a connection of their own. Commits (`commits.py`) and the last goodbye go by another
one: a parked join would hold them up, and a commit that comes while the group still prepares its rebalance is welcome
(rule 2.13.8).
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Callable, Coroutine, Mapping
from threading import Condition
from typing import Any, Final
from uuid import uuid4

from tenure.client import group_errors
from tenure.client.addresses import Address
from tenure.client.assignment import Topic
from tenure.client.classic_membership import ClassicMembership
from tenure.client.cluster import GENERAL, Cluster, TryAgain
from tenure.client.commits import Commits
from tenure.client.connection import Connection
from tenure.client.consumer_membership import ConsumerMembership
from tenure.client.errors import (
    BrokerUnreachable,
    ClientError,
    Closed,
    Fenced,
    RequestTimedOut,
    UnsupportedByBroker,
)
from tenure.client.group_queries import describe_consumer_group, describe_group
from tenure.client.membership import Membership
from tenure.client.membership_errors import CommitVerdict
from tenure.client.membership_outputs import (
    CLASSIC,
    CONSUMER,
    Ask,
    Complaint,
    CountPartitions,
    Disconnect,
    Doubts,
    Ended,
    FindCoordinator,
    MembershipSettings,
    NameTopics,
    Output,
    Request,
    Response,
)
from tenure.client.values import Assigned, Event, Identity, TopicPartition
from tenure.limits import GOODBYE_TIMEOUT_MS, RETRY_BACKOFF_MAX_MS, RETRY_BACKOFF_MS, STARTUP_PATIENCE_MS
from tenure.protocol.errors import ErrorCode
from tenure.protocol.message import Message
from tenure.protocol.messages import (
    ConsumerGroupDescribeRequest,
    ConsumerGroupDescribeResponse,
    ConsumerGroupHeartbeatRequest,
    ConsumerGroupHeartbeatResponse,
    HeartbeatRequest,
    HeartbeatResponse,
    JoinGroupRequest,
    JoinGroupResponse,
    LeaveGroupRequest,
    LeaveGroupResponse,
    SyncGroupRequest,
    SyncGroupResponse,
)
from tenure.protocol.types import TopicId, topic_id_text

MEMBERSHIP_LANE: Final = "membership"

log: Final = logging.getLogger("tenure.client")

RESPONSE_TO: Final[dict[type[Message], type[Message]]] = {
    JoinGroupRequest: JoinGroupResponse,
    SyncGroupRequest: SyncGroupResponse,
    HeartbeatRequest: HeartbeatResponse,
    LeaveGroupRequest: LeaveGroupResponse,
    ConsumerGroupHeartbeatRequest: ConsumerGroupHeartbeatResponse,
    ConsumerGroupDescribeRequest: ConsumerGroupDescribeResponse,
}
MIN_VERSION: Final[dict[type[Message], int]] = {
    JoinGroupRequest: 5,  # group.instance.id
    LeaveGroupRequest: 3,  # a list of leavers
    ConsumerGroupHeartbeatRequest: 1,  # member ids of our own, patterns
}


def now_ms() -> int:
    return time.monotonic_ns() // 1_000_000


def membership_of(settings: MembershipSettings) -> Membership:
    if settings.group_protocol == CONSUMER:
        return ConsumerMembership(settings, draw_member_id)
    return ClassicMembership(settings)


def draw_member_id() -> str:
    """As Kafka's clients draw theirs."""
    return topic_id_text(TopicId(uuid4().bytes))


class Seat:
    """One membership, alive. Methods are for the event loop's thread, unless they say otherwise."""

    def __init__(self, cluster: Cluster, settings: MembershipSettings) -> None:
        self.settings: Final = settings
        self.news: Final = Condition()
        """Guards `events`, `failure` and `complaint`; notified when one of them changes. For any thread."""
        self.events: Final[deque[Event]] = deque()
        self.failure: Exception | None = None
        """What ended the seat."""
        self.complaint: Exception | None = None
        """What the coordinator objects to, until the user was told of it: the seat stays."""
        self.identity = Identity("", settings.group_instance_id, -1)
        """Invariant: at least as new as the newest event, so that who has heard of a seat can use it."""
        self.partitions: tuple[TopicPartition, ...] = ()
        self.assignment_epochs: Mapping[TopicPartition, int] = {}
        self.heard: Callable[[], None] | None = None
        """Called on the event loop when there is an event or a failure."""
        self.commits: Final = Commits(self, cluster)
        self._cluster: Final = cluster
        self._membership: Final = membership_of(settings)
        self._coordinator: Address | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: Final[set[asyncio.Task[None]]] = set()

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
                connection = await self._cluster.connection(self._coordinator, _lane(request))
                kind = type(request)
                await connection.request(
                    request, RESPONSE_TO[kind], timeout_ms=GOODBYE_TIMEOUT_MS, min_version=MIN_VERSION.get(kind, 0)
                )
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
        """Once the commits that were asked for before are answered: they may be of what is given up."""
        if self.commits.is_busy and self.is_holding:
            self._begin(self._acknowledge_later())
        else:
            self.tell(self._membership.acknowledge_revocation)

    async def _acknowledge_later(self) -> None:
        hold = self._membership.hold_until_ms
        await self.commits.all_answered()
        if self._membership.hold_until_ms == hold:  # and it is not another one by now
            self.tell(self._membership.acknowledge_revocation)

    def rejoin_anew(self) -> None:
        self.tell(self._membership.rejoin_anew)

    def resubscribe(self, topics: tuple[str, ...], pattern: str | None = None) -> None:
        self.tell(lambda now: self._membership.resubscribe(topics, now, pattern))

    def tell(self, happened: Callable[[int], None]) -> None:
        """Tell the membership, do what it then asks for, and set the clock for its next deadline."""
        happened(now_ms())
        self._do_outputs()

    def _do_outputs(self) -> None:
        self.identity = self._membership.identity
        if self._membership.partitions is not self.partitions:
            self.partitions = self._membership.partitions
            self.assignment_epochs = self._membership.assignment_epochs
        for output in self._membership.take():
            self._do(output)
        self.commits.let_through(self._membership.may_commit)
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
            case NameTopics():
                self._begin(self._name_topics(output))
            case Complaint():
                self._complain(group_errors.objected(self.settings, output))
            case Disconnect():
                self._cluster.drop_lane(MEMBERSHIP_LANE)
            case Doubts():
                for sentence in output.sentences:
                    log.warning("Group '%s': %s", self.settings.group_id, sentence)
            case Ended():
                self._begin(self._end(output))
            case _:
                self._hear(output)

    def _hear(self, event: Event) -> None:
        if isinstance(event, Assigned):
            self.commits.assigned(event.added)
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
        connection: Connection | None = None
        try:
            connection = await self._connection(_lane(ask.request))
            response = await connection.request(
                ask.request, RESPONSE_TO[kind], timeout_ms=ask.timeout_ms, min_version=MIN_VERSION.get(kind, 0)
            )
        except (BrokerUnreachable, RequestTimedOut):
            self.tell(lambda now: self._membership.unanswered(ask, now))
        except UnsupportedByBroker as error:
            self._membership.close(leave=False)
            self._fail(group_errors.unsupported(self.settings, connection, error))
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
        if question.prepare is not None:
            await asyncio.to_thread(question.prepare, answer)  # numpy's import alone would keep heartbeats waiting
        self.tell(lambda now: self._membership.counted_partitions(question, answer, now))

    async def _name_topics(self, question: NameTopics) -> None:
        names: Mapping[TopicId, str] | None = None
        while names is None:
            try:
                names = await self._cluster.topic_names(question.topic_ids)
            except ClientError:
                await asyncio.sleep(RETRY_BACKOFF_MAX_MS / 1000)
        answer = names
        self.tell(lambda now: self._membership.named_topics(question, answer, now))

    async def _end(self, ended: Ended) -> None:
        if ended.error_code is ErrorCode.FENCED_INSTANCE_ID:
            self._fail(await self.fenced())
        else:
            self._fail(group_errors.refused(self.settings, ended))

    def _complain(self, error: Exception) -> None:
        with self.news:
            self.complaint = error
            self.news.notify_all()
        if self.heard is not None:
            self.heard()

    @property
    def has_to_raise(self) -> bool:
        return self.failure is not None or self.complaint is not None

    def to_raise(self) -> Exception | None:
        """A complaint once, what ended the seat for ever. With `news` held, if other threads may take it as well."""
        complaint, self.complaint = self.complaint, None
        return complaint or self.failure

    def _fail(self, error: Exception) -> None:
        with self.news:
            self.failure = self.failure or error
            self.news.notify_all()
        self.commits.let_through(True)  # whoever waits for a seat learns that there will be none
        if self.heard is not None:
            self.heard()

    # --- for commits --------------------------------------------------------------------------------------------------

    @property
    def may_commit(self) -> bool:
        return self._membership.may_commit

    @property
    def topic_ids(self) -> Mapping[str, TopicId]:
        """Of what a member of the consumer protocol has or had; commits name topics by it."""
        return self._membership.topic_ids

    @property
    def is_holding(self) -> bool:
        """Whether the user still has to let go of something that was revoked."""
        return self._membership.is_holding

    async def general_connection(self) -> Connection:
        """To the coordinator, for what a parked join must not hold up. Raises what a failed seat failed with."""
        if self.failure is not None:
            raise self.failure
        return await self._connection(GENERAL)

    def coordinator_in_doubt(self) -> None:
        """The next request asks again where it is."""
        self._coordinator = None

    def commit_refused(self, error_code: ErrorCode, identity: Identity) -> CommitVerdict:
        verdict = self._membership.commit_refused(error_code, identity, now_ms())
        self._do_outputs()
        return verdict

    async def fenced(self) -> Fenced:
        """Who has the seat now? Asked once, and not for long: the news is that it is gone."""
        try:
            async with asyncio.timeout(GOODBYE_TIMEOUT_MS / 1000):
                holder = await self._holder()
        except (ClientError, TimeoutError):
            holder = None
        return group_errors.fenced(self.settings, holder)

    async def _holder(self) -> str | None:
        group_id, instance_id = self.settings.group_id, self.settings.group_instance_id
        if self.settings.group_protocol == CLASSIC:
            return group_errors.holder_in_classic_group(await describe_group(self._cluster, group_id), instance_id)
        group = await describe_consumer_group(self._cluster, group_id)
        return group_errors.holder_in_consumer_group(group, instance_id)


def _lane(request: Request) -> str:
    """A LeaveGroup must not wait behind a parked join; a heartbeat that says goodbye must not overtake another."""
    return GENERAL if isinstance(request, LeaveGroupRequest) else MEMBERSHIP_LANE


def _typed(response: Message) -> Response:
    assert isinstance(response, Response)
    return response
