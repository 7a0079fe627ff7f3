"""Runner of a membership: its connections, timers and event queue. Everything runs on the client's event loop.

JoinGroup, SyncGroup and heartbeats share one connection. A parked join blocks this connection. Therefore commits
(`commit_queue.py`) and the final LeaveGroup use another one. The coordinator accepts commits while joins are parked,
that is, while the group prepares a rebalance (rule 2.13.8).
"""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from threading import Condition
from typing import Any, Final, Generic, TypeVar
from uuid import uuid4

from tenure.backoff import REQUEST, Backoff
from tenure.client.errors import (
    BrokerUnreachable,
    ClientError,
    Closed,
    Fenced,
    RequestTimedOut,
    UnsupportedByBroker,
)
from tenure.client.group import error_messages
from tenure.client.group.commit_queue import CommitQueue
from tenure.client.group.memberships.classic_membership import ClassicMembership
from tenure.client.group.memberships.consumer_membership import ConsumerMembership
from tenure.client.group.memberships.error_reactions import CommitVerdict
from tenure.client.group.memberships.membership import Membership
from tenure.client.group.memberships.membership_outputs import (
    Disconnect,
    FatalError,
    FindCoordinator,
    IgnoredClaims,
    Output,
    QueryTopicLayouts,
    QueryTopicNames,
    QueryTopics,
    Request,
    Response,
    SendRequest,
    SendTopologyDescription,
    TransientError,
)
from tenure.client.group.memberships.membership_settings import MembershipSettings
from tenure.client.net.addresses import BrokerAddress
from tenure.client.net.cluster import GENERAL, Cluster, RetriableError
from tenure.client.net.connection import BrokerConnection
from tenure.client.queries.group_queries import describe_consumer_group, describe_group, describe_streams_group
from tenure.client.tasks import StreamsEvent, TasksAssigned
from tenure.client.values import Assigned, Event, Identity, TopicPartition
from tenure.limits.client import OPTIONAL_REQUEST_TIMEOUT_MS, STARTUP_PATIENCE_MS
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
    StreamsGroupDescribeRequest,
    StreamsGroupDescribeResponse,
    StreamsGroupHeartbeatRequest,
    StreamsGroupHeartbeatResponse,
    StreamsGroupTopologyDescriptionUpdateRequest,
    StreamsGroupTopologyDescriptionUpdateResponse,
    SyncGroupRequest,
    SyncGroupResponse,
)
from tenure.protocol.special_values import CLASSIC, CONSUMER
from tenure.protocol.types import TopicId, topic_id_text

MEMBERSHIP_CONNECTION: Final = "membership"

log: Final = logging.getLogger("tenure.client")

RESPONSE_TO: Final[dict[type[Message], type[Message]]] = {
    JoinGroupRequest: JoinGroupResponse,
    SyncGroupRequest: SyncGroupResponse,
    HeartbeatRequest: HeartbeatResponse,
    LeaveGroupRequest: LeaveGroupResponse,
    ConsumerGroupHeartbeatRequest: ConsumerGroupHeartbeatResponse,
    ConsumerGroupDescribeRequest: ConsumerGroupDescribeResponse,
    StreamsGroupHeartbeatRequest: StreamsGroupHeartbeatResponse,
    StreamsGroupDescribeRequest: StreamsGroupDescribeResponse,
}
MIN_VERSION: Final[dict[type[Message], int]] = {
    JoinGroupRequest: 5,  # group.instance.id
    LeaveGroupRequest: 3,  # a list of members
    ConsumerGroupHeartbeatRequest: 1,  # the client chooses its member id; regular expressions
}

T = TypeVar("T")
MemberEvent = TypeVar("MemberEvent", Event, StreamsEvent)
"""Type of the events that the runner's membership emits."""


def now_ms() -> int:
    """Return the time of the monotonic clock in ms."""
    return time.monotonic_ns() // 1_000_000


def membership_of(settings: MembershipSettings) -> Membership:
    """Create the state machine for the group protocol of the settings."""
    if settings.group_protocol == CONSUMER:
        return ConsumerMembership(settings, draw_member_id)
    return ClassicMembership(settings)


def draw_member_id() -> str:
    """Return a new member id in the format of Kafka's clients: a base64url UUID."""
    return topic_id_text(TopicId(uuid4().bytes))


class MembershipRunner(Generic[MemberEvent]):
    """One running membership. Call its methods on the event loop, unless their docstring permits other threads."""

    def __init__(self, cluster: Cluster, settings: MembershipSettings, membership: Membership | None = None) -> None:
        self.settings: Final = settings
        self.changed: Final = Condition()
        """Condition that guards `events`, `failure` and `transient_error` for all threads. It is notified when one of
        them changes."""
        self.events: Final[deque[MemberEvent]] = deque()
        self.failure: Exception | None = None
        """Error that ended the membership."""
        self.transient_error: Exception | None = None
        """Error of the coordinator that the user has not seen yet; the membership continues."""
        self.identity = Identity("", settings.group_instance_id, -1)
        """Current identity. Invariant: not older than the newest event, so the receiver of an event can commit with
        it."""
        self.partitions: tuple[TopicPartition, ...] = ()
        self.assignment_epochs: Mapping[TopicPartition, int] = {}
        self.on_change: Callable[[], None] | None = None
        """Function that is called on the event loop when an event or error is added."""
        self.commits: Final = CommitQueue(self, cluster)
        self._cluster: Final = cluster
        self._membership: Final = membership_of(settings) if membership is None else membership
        self._coordinator: BrokerAddress | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: Final[set[asyncio.Task[None]]] = set()

    def open(self) -> None:
        self._begin(self._join())

    async def _join(self) -> None:
        """Check that a broker is reachable and that the topics exist, then start to join."""
        try:
            await self._cluster.describe_topics(self.settings.topics, patience_ms=STARTUP_PATIENCE_MS)
        except ClientError as error:
            self._fail(error)
        else:
            self.apply(self._membership.start)

    async def close(self, leave: bool | None) -> None:
        request = self._membership.close(leave)
        self._fail(Closed("The group member is closed; create a new one."))
        if request is not None and self._coordinator is not None:
            try:
                connection = await self._cluster.connection(self._coordinator, _connection_name(request))
                kind = type(request)
                await connection.request(
                    request,
                    RESPONSE_TO[kind],
                    timeout_ms=OPTIONAL_REQUEST_TIMEOUT_MS,
                    min_version=MIN_VERSION.get(kind, 0),
                )
            except ClientError:
                pass  # the coordinator removes the member when its session times out
        if self._timer is not None:
            self._timer.cancel()
        for task in self._tasks:
            task.cancel()
        self._cluster.close()

    # --- inputs and outputs of the membership -------------------------------------------------------------------------

    def polled(self) -> None:
        self.apply(self._membership.polled)

    def acknowledge_revocation(self) -> None:
        """Acknowledge the revocation. First wait until all pending commits have a response.

        The pending commits may be for revoked partitions.
        """
        if self.commits.is_busy and self.is_revoking:
            self._begin(self._acknowledge_later())
        else:
            self.apply(self._membership.acknowledge_revocation)

    async def _acknowledge_later(self) -> None:
        deadline_ms = self._membership.revocation_deadline_ms
        await self.commits.wait_until_answered()
        if self._membership.revocation_deadline_ms == deadline_ms:  # the same revocation is still pending
            self.apply(self._membership.acknowledge_revocation)

    def rejoin_as_new_member(self) -> None:
        self.apply(self._membership.rejoin_as_new_member)

    def resubscribe(self, topics: tuple[str, ...], pattern: str | None = None) -> None:
        self.apply(lambda now: self._membership.resubscribe(topics, now, pattern))

    def apply(self, report_input: Callable[[int], None]) -> None:
        """Call `report_input` with the current time, perform the membership's outputs, and set its timer.

        `report_input` calls an input method of the state machine, such as `Membership.answered`.
        """
        report_input(now_ms())
        self._do_outputs()

    def _do_outputs(self) -> None:
        self.identity = self._membership.identity
        if self._membership.partitions is not self.partitions:
            self.partitions = self._membership.partitions
            self.assignment_epochs = self._membership.assignment_epochs
        for output in self._membership.take():
            self._do(output)
        self.commits.allow_commit_owned(self._membership.may_commit or self._membership.waits_for_poll)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        deadline_ms = self._membership.next_deadline_ms()
        if deadline_ms is not None:
            delay_s = max(0, deadline_ms - now_ms()) / 1000
            self._timer = asyncio.get_running_loop().call_later(delay_s, self.apply, self._membership.tick)

    def _do(self, output: Output) -> None:
        match output:
            case SendRequest():
                self._begin(self._send(output))
            case FindCoordinator():
                self._begin(self._find_coordinator())
            case QueryTopicLayouts():
                self._begin(self._query_topic_layouts(output))
            case QueryTopicNames():
                self._begin(self._query_topic_names(output))
            case QueryTopics():
                self._begin(self._query_topic_descriptions(output))
            case SendTopologyDescription():
                self._begin(self._send_topology_description(output.request))
            case TransientError():
                self._report(error_messages.rejected_request(self.settings, output))
            case Disconnect():
                self._cluster.close_connections(MEMBERSHIP_CONNECTION)
            case IgnoredClaims():
                for ignored_claim in output.sentences:
                    log.warning("group %s: the assignor ignores a claim: %s", self.settings.group_id, ignored_claim)
            case FatalError():
                self._begin(self._end(output))
            case _:
                self._add_event(output)

    def _add_event(self, event: Any) -> None:
        if isinstance(event, Assigned):
            self.commits.add_ownership(event.added)
        elif isinstance(event, TasksAssigned):
            self.commits.add_ownership(event.added_partitions)
        with self.changed:
            self.events.append(event)
            self.changed.notify_all()
        if self.on_change is not None:
            self.on_change()

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._handle_task_end)

    def _handle_task_end(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Exception):
            self._fail(error)  # a defect: raise it to the user instead of hanging

    async def _send(self, output: SendRequest) -> None:
        kind = type(output.request)
        connection: BrokerConnection | None = None
        try:
            connection = await self._connection(_connection_name(output.request))
            response = await connection.request(
                output.request, RESPONSE_TO[kind], timeout_ms=output.timeout_ms, min_version=MIN_VERSION.get(kind, 0)
            )
        except (BrokerUnreachable, RequestTimedOut, RetriableError):  # the last one if there is no coordinator yet
            self.apply(lambda now: self._membership.unanswered(output, now))
        except UnsupportedByBroker as error:
            self._membership.close(leave=False)
            self._fail(error_messages.unsupported(self.settings, connection, error))
        except ClientError as error:
            self._membership.close(leave=False)
            self._fail(error)
        else:
            self.apply(lambda now: self._membership.answered(output, _as_response(response), now))

    async def _connection(self, name: str) -> BrokerConnection:
        if self._coordinator is None:
            self._coordinator = await self._cluster.coordinator(self.settings.group_id)
        return await self._cluster.connection(self._coordinator, name)

    async def _find_coordinator(self) -> None:
        backoff = Backoff(REQUEST)
        self._coordinator = None
        while True:
            try:
                await self._connection(MEMBERSHIP_CONNECTION)
                break
            except (BrokerUnreachable, RequestTimedOut, RetriableError):
                self._coordinator = None
                await asyncio.sleep(backoff.next_s())
            except ClientError as error:
                self._membership.close(leave=False)
                self._fail(error)
                return
        self.apply(self._membership.found_coordinator)

    async def _query_topic_layouts(self, question: QueryTopicLayouts) -> None:
        topics = await _until_answered(lambda: self._cluster.topics_with_racks(question.topics))
        if question.prepare is not None:
            await asyncio.to_thread(question.prepare, topics)  # importing numpy takes longer than a heartbeat may wait
        self.apply(lambda now: self._membership.received_topic_layouts(question, topics, now))

    async def _query_topic_names(self, question: QueryTopicNames) -> None:
        names = await _until_answered(lambda: self._cluster.topic_names(question.topic_ids))
        self.apply(lambda now: self._membership.received_topic_names(question, names, now))

    async def _query_topic_descriptions(self, question: QueryTopics) -> None:
        topics = await _until_answered(lambda: self._cluster.describe_topics(question.topics))
        self.apply(lambda now: self._membership.received_topic_descriptions(question, topics, now))

    async def _send_topology_description(self, request: StreamsGroupTopologyDescriptionUpdateRequest) -> None:
        group_id = self.settings.group_id
        try:
            connection = await self._connection(GENERAL)
            response = await connection.request(
                request,
                StreamsGroupTopologyDescriptionUpdateResponse,
                timeout_ms=self.settings.request_timeout_ms,
            )
        except ClientError as error:
            log.debug("group %s: the topology description could not be sent to the broker: %s", group_id, error)
            return
        if response.error_code:
            reason = response.error_message or ErrorCode(response.error_code).name
            log.warning("group %s: the broker did not store the topology description: %s", group_id, reason)

    async def _end(self, ended: FatalError) -> None:
        if ended.error_code is ErrorCode.FENCED_INSTANCE_ID:
            self._fail(await self.fenced())
        else:
            self._fail(error_messages.refused(self.settings, ended))

    def _report(self, error: Exception) -> None:
        with self.changed:
            self.transient_error = error
            self.changed.notify_all()
        if self.on_change is not None:
            self.on_change()

    @property
    def has_to_raise(self) -> bool:
        return self.failure is not None or self.transient_error is not None

    def to_raise(self) -> Exception | None:
        """Return a transient error once, a fatal error on every call; None if there is no error.

        Hold the lock `changed` if other threads may call this method at the same time.
        """
        transient_error, self.transient_error = self.transient_error, None
        return transient_error or self.failure

    def _fail(self, error: Exception) -> None:
        with self.changed:
            self.failure = self.failure or error
            self.changed.notify_all()
        self.commits.allow_commit_owned(True)  # commits that wait for an assignment fail now
        if self.on_change is not None:
            self.on_change()

    # --- used by commits ----------------------------------------------------------------------------------------------

    @property
    def may_commit(self) -> bool:
        """True if the coordinator can accept a commit as `identity` now."""
        return self._membership.may_commit

    @property
    def topic_ids(self) -> Mapping[str, TopicId]:
        """Ids of all topics that a consumer-protocol member owns or has owned. Commits identify topics by these ids."""
        return self._membership.topic_ids

    @property
    def is_revoking(self) -> bool:
        """True if a revocation waits for the user's acknowledgement."""
        return self._membership.is_revoking

    async def general_connection(self) -> BrokerConnection:
        """Return a connection to the coordinator on which no join waits for its answer.

        Raises the error that ended the membership.
        """
        if self.failure is not None:
            raise self.failure
        return await self._connection(GENERAL)

    def forget_coordinator(self) -> None:
        """Look up the coordinator again before the next request."""
        self._coordinator = None

    def commit_refused(self, error_code: ErrorCode, identity: Identity) -> CommitVerdict:
        """Apply the error code of a rejected commit to the membership; return its meaning for the commit."""
        verdict = self._membership.commit_refused(error_code, identity, now_ms())
        self._do_outputs()
        return verdict

    async def fenced(self) -> Fenced:
        """Return the `Fenced` error.

        The message names the new owner of the instance id, if the coordinator reports the owner in time.
        """
        try:
            async with asyncio.timeout(OPTIONAL_REQUEST_TIMEOUT_MS / 1000):
                holder = await self._holder()
        except (ClientError, TimeoutError):
            holder = None
        return error_messages.fenced(self.settings, holder)

    async def _holder(self) -> str | None:
        group_id, instance_id = self.settings.group_id, self.settings.group_instance_id
        if self.settings.group_protocol == CLASSIC:
            return error_messages.holder_in_classic_group(await describe_group(self._cluster, group_id), instance_id)
        describe = describe_consumer_group if self.settings.group_protocol == CONSUMER else describe_streams_group
        return error_messages.holder_by_instance_id(await describe(self._cluster, group_id), instance_id)


async def _until_answered(query: Callable[[], Awaitable[T]]) -> T:
    """Repeat a query until the cluster answers it, and return the answer."""
    backoff = Backoff(REQUEST)
    while True:
        try:
            return await query()
        except ClientError:
            await asyncio.sleep(backoff.next_s())


def _connection_name(request: Request) -> str:
    """Return the name of the connection on which a request is sent (see `Cluster.connection`).

    LeaveGroup uses another connection than JoinGroup, so that it does not wait behind a parked JoinGroup. A leave
    heartbeat uses the connection of the earlier heartbeats, so that it cannot overtake them.
    """
    return GENERAL if isinstance(request, LeaveGroupRequest) else MEMBERSHIP_CONNECTION


def _as_response(response: Message) -> Response:
    assert isinstance(response, Response)
    return response
