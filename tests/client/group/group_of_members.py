"""Several memberships and the real coordinator in one thread and in virtual time, without sockets.

Requests go through the broker's own handlers to the host of a group. The network delays and loses messages; members
crash, hang and restart. The same seed gives the same run.
"""

import heapq
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from tenure.broker.handlers import (
    consumer_group_describe,
    consumer_group_heartbeat,
    heartbeat,
    join_group,
    leave_group,
    streams_group_describe,
    streams_group_heartbeat,
    sync_group,
)
from tenure.client.group.memberships.classic_membership import ClassicMembership
from tenure.client.group.memberships.consumer_membership import ConsumerMembership
from tenure.client.group.memberships.membership import Membership
from tenure.client.group.memberships.membership_outputs import (
    Disconnect,
    FatalError,
    FindCoordinator,
    IgnoredClaims,
    QueryTopicLayouts,
    QueryTopicNames,
    QueryTopics,
    Request,
    SendRequest,
    TransientError,
)
from tenure.client.group.memberships.membership_settings import MembershipSettings
from tenure.client.streams.streams_membership import StreamsMembership
from tenure.client.streams.streams_requests import StreamsSettings
from tenure.client.tasks import InternalTopic, StreamsEvent, Subtopology, TasksRevoked, Topology
from tenure.client.values import (
    Assigned,
    Event,
    PartitionDescription,
    Revoked,
    TopicDescription,
    TopicLayout,
    TopicPartition,
)
from tenure.coordinator.groups import commands
from tenure.coordinator.groups.answers import StreamsHeartbeatAnswered
from tenure.coordinator.metadata.topics import Topic as ExistingTopic
from tenure.coordinator.shard import AskId
from tenure.protocol.errors import ErrorCode
from tenure.protocol.frames import response_class
from tenure.protocol.messages import (
    ConsumerGroupDescribeRequest,
    ConsumerGroupDescribeResponse,
    ConsumerGroupHeartbeatRequest,
    HeartbeatRequest,
    JoinGroupRequest,
    LeaveGroupRequest,
    StreamsGroupDescribeRequest,
    StreamsGroupDescribeResponse,
    StreamsGroupHeartbeatRequest,
    SyncGroupRequest,
)
from tenure.protocol.special_values import CLASSIC, CONSUMER, STREAMS
from tenure.protocol.types import TopicId, TopicName
from tests.coordinator.virtual_host import VirtualHost as Coordinator

GROUP: Any = "g"
TOPIC = "flights"
TOPIC_ID = TopicId(b"flights".ljust(16, b"\0"))
CHANGELOG = "g-delays-changelog"
TOPOLOGY = Topology((Subtopology("0", (TOPIC,), changelogs=(InternalTopic(CHANGELOG),)),))
"""Topology of members of a streams group: one subtopology, with state."""


class Describe:
    """Handler of ConsumerGroupDescribe for one shard; that of the broker asks several shards."""

    def __init__(self, coordinator: Coordinator) -> None:
        self._coordinator = coordinator

    def command(self, request: ConsumerGroupDescribeRequest, _: "Header") -> commands.DescribeConsumerGroup:
        return commands.DescribeConsumerGroup(request.group_ids[0])

    def response(self, answer: object, _: "Header") -> ConsumerGroupDescribeResponse:
        groups: list[Any] = []
        consumer_group_describe._translated(GROUP, self._coordinator.topics, 0, groups.append)(answer)
        return ConsumerGroupDescribeResponse(groups=groups)


class DescribeStreams:
    """Handler of StreamsGroupDescribe for one shard."""

    def command(self, request: StreamsGroupDescribeRequest, _: "Header") -> commands.DescribeStreamsGroup:
        return commands.DescribeStreamsGroup(request.group_ids[0])

    def response(self, answer: Any, _: "Header") -> StreamsGroupDescribeResponse:
        return StreamsGroupDescribeResponse(groups=[streams_group_describe._described(answer, 0, 0)])


class StreamsHeartbeats:
    """Handler of StreamsGroupHeartbeat, which creates the missing internal topics."""

    def __init__(self, coordinator: Coordinator) -> None:
        self._coordinator = coordinator
        self.created: list[str] = []
        self.missing_again: list[str] = []
        """Topics that an answer called missing although they exist."""

    def command(self, request: StreamsGroupHeartbeatRequest, header: "Header") -> object:
        return streams_group_heartbeat.command(request, header)  # type: ignore[arg-type]

    def response(self, answer: Any, _: "Header") -> object:
        if not isinstance(answer, StreamsHeartbeatAnswered):
            return streams_group_heartbeat._refusal(answer)
        for topic in answer.missing_topics:
            if self._coordinator.topics.named(topic.name) is not None:
                self.missing_again.append(topic.name)
            else:
                self.created.append(topic.name)
                topic_id = TopicId(topic.name.encode()[-16:].ljust(16, b"\0"))
                self._coordinator.topics.put(ExistingTopic(topic.name, topic_id, topic.partitions))
        return streams_group_heartbeat._response(answer)


HANDLERS: dict[type, Any] = {
    JoinGroupRequest: join_group,
    SyncGroupRequest: sync_group,
    HeartbeatRequest: heartbeat,
    LeaveGroupRequest: leave_group,
    ConsumerGroupHeartbeatRequest: consumer_group_heartbeat,
}
VERSIONS = {
    JoinGroupRequest: 9,
    SyncGroupRequest: 5,
    HeartbeatRequest: 4,
    LeaveGroupRequest: 5,
    ConsumerGroupHeartbeatRequest: 1,
    ConsumerGroupDescribeRequest: 1,
    StreamsGroupHeartbeatRequest: 1,
    StreamsGroupDescribeRequest: 1,
}


class Header(NamedTuple):
    """Fields of the request header that handlers read."""

    version: int
    client_id: str = "test"
    client_host: str = "/127.0.0.1"


class Member:
    """Membership and its events. It polls and acknowledges revocations, unless it hangs."""

    def __init__(self, name: str, membership: Membership) -> None:
        self.name = name
        self.membership = membership
        self.events: list[Event | StreamsEvent] = []
        self.ended: ErrorCode | None = None
        self.connection = 0
        """Number of the present connection; messages of earlier ones are void."""
        self.crashed = False
        self.frozen_until_ms = 0
        self.tick_due_ms: int | None = None
        self.acknowledges = True
        self.polls = True

    @property
    def gone(self) -> bool:
        return self.crashed or self.ended is not None


class GroupOfMembers:
    def __init__(
        self,
        seed: int,
        partitions: int = 8,
        assignors: tuple[str, ...] = ("range",),
        protocol: str = CLASSIC,
        coordinator: Coordinator | None = None,
    ) -> None:
        self.seed = seed
        self.random = Random(seed)
        self.coordinator = coordinator or Coordinator()
        self.coordinator.load()
        self.coordinator.topics.put(ExistingTopic(TopicName(TOPIC), TOPIC_ID, partitions))
        self.partitions = partitions
        self.assignors = assignors
        """Assignors of members that join from now on."""
        self.protocol = protocol
        self.streams_membership = StreamsMembership
        """Class of members that join a streams group from now on."""
        self.streams_heartbeats = StreamsHeartbeats(self.coordinator)
        self._handlers = {
            **HANDLERS,
            ConsumerGroupDescribeRequest: Describe(self.coordinator),
            StreamsGroupHeartbeatRequest: self.streams_heartbeats,
            StreamsGroupDescribeRequest: DescribeStreams(),
        }
        self.members: list[Member] = []
        self.loses = 0.0
        """Probability that a request or its answer is lost."""
        self._agenda: list[tuple[int, int, Callable[[], None]]] = []
        self._order = 0
        self._waiting: dict[AskId, tuple[Member, SendRequest, int]] = {}

    # --- actions of a test --------------------------------------------------------------------------------------------

    def join(self, name: str, instance_id: str | None = None, **keys: Any) -> Member:
        keys = {"holder": name, "assignors": self.assignors, **keys}
        settings = MembershipSettings(GROUP, (TOPIC,), instance_id, **keys)
        ids = iter(range(1, 1_000))
        draw = lambda: f"{name}-{next(ids)}"  # noqa: E731
        memberships: dict[str, Callable[[], Membership]] = {
            CLASSIC: lambda: ClassicMembership(settings),
            CONSUMER: lambda: ConsumerMembership(settings, draw),
            STREAMS: lambda: self.streams_membership(settings, StreamsSettings(TOPOLOGY, f"process-{name}"), draw),
        }
        member = Member(name, memberships[self.protocol]())
        self.members.append(member)
        member.membership.start(self.now_ms)
        self._do_outputs(member)
        return member

    def crash(self, member: Member) -> None:
        """Kill the process (`kill -9`): its connections close without further requests."""
        member.crashed = True
        member.connection += 1

    def leave(self, member: Member) -> None:
        request = member.membership.close()
        member.crashed = True
        if request is not None:
            self._deliver(member, SendRequest(request, 0, self.now_ms, 0), member.connection)

    def cut(self, member: Member) -> None:
        """Break the connection: all pending requests fail at once."""
        member.connection += 1
        cut = [ask for other, ask, _ in self._waiting.values() if other is member]
        self._waiting = {key: waiting for key, waiting in self._waiting.items() if waiting[0] is not member}
        for ask in cut:
            self._unanswered(member, ask)

    def fail_over(self) -> None:
        """Restart the broker: the coordinator's memory and all connections are lost."""
        self.coordinator.fail_over()
        for member in self.members:
            self.cut(member)

    def run(self, duration_ms: int) -> None:
        until_ms = self.now_ms + duration_ms
        while True:
            next_ms = min(self._agenda[0][0], until_ms) if self._agenda else until_ms
            if self.coordinator.next_moment(next_ms):
                self.coordinator.turn()
                self._deliver_replies()
            elif self._agenda and self._agenda[0][0] <= self.now_ms:
                _, _, action = heapq.heappop(self._agenda)
                action()
            else:
                return

    @property
    def now_ms(self) -> int:
        return self.coordinator.tick_ms

    @property
    def generation_id(self) -> int:
        return max(member.membership.generation_id for member in self.members)

    def owners(self) -> dict[int, list[str]]:
        """Return the believed owners of each partition, among the members that the coordinator knows.

        See `NoDoubleProcessing`.
        """
        owners: dict[int, list[str]] = {partition: [] for partition in range(self.partitions)}
        group: Any = self.coordinator.shard._groups.by_id.get(GROUP)
        for member in self.members:
            identity = member.membership.identity
            if group is None or member.gone or identity.member_id not in group.members:
                continue
            for _, partition in member.membership.partitions:
                owners[partition].append(member.name)
        return owners

    # --- the network --------------------------------------------------------------------------------------------------

    def _at(self, delay_ms: int, action: Callable[[], None]) -> None:
        self._order += 1
        heapq.heappush(self._agenda, (self.now_ms + delay_ms, self._order, action))

    def _delay_ms(self) -> int:
        return self.random.randrange(1, 20)

    def _do_outputs(self, member: Member) -> None:
        for output in member.membership.take():
            match output:
                case SendRequest():
                    self._send(member, output)
                case FindCoordinator():
                    self._at(self._delay_ms(), lambda: self._tell(member, member.membership.found_coordinator))
                case QueryTopicLayouts():
                    self._at(
                        self._delay_ms(), lambda question=output: self._tell(member, self._counted(member, question))
                    )
                case QueryTopicNames():
                    self._at(
                        self._delay_ms(), lambda question=output: self._tell(member, self._named(member, question))
                    )
                case QueryTopics():
                    self._at(
                        self._delay_ms(), lambda question=output: self._tell(member, self._described(member, question))
                    )
                case Disconnect():
                    self.cut(member)
                case IgnoredClaims() | TransientError():
                    pass  # claims of a member that missed a rebalance are rightly ignored
                case FatalError():
                    member.ended = output.error_code
                case _:
                    self._handle_event(member, output)
        self._set_timer(member)

    def _handle_event(self, member: Member, event: Event | StreamsEvent) -> None:
        member.events.append(event)
        if isinstance(event, Revoked | TasksRevoked) and member.acknowledges:
            delay_ms = self.random.randrange(1, 2_000)
            self._at(delay_ms, lambda: self._tell(member, member.membership.acknowledge_revocation))

    def _counted(self, member: Member, question: QueryTopicLayouts) -> Callable[[int], None]:
        topics = {TOPIC: TopicLayout(self.partitions)}
        return lambda now_ms: member.membership.received_topic_layouts(question, topics, now_ms)

    def _named(self, member: Member, question: QueryTopicNames) -> Callable[[int], None]:
        return lambda now_ms: member.membership.received_topic_names(question, {TOPIC_ID: TOPIC}, now_ms)

    def _described(self, member: Member, question: QueryTopics) -> Callable[[int], None]:
        partitions = tuple(PartitionDescription(at, 1, 0, (1,), (1,)) for at in range(self.partitions))
        topics = [TopicDescription(topic, TOPIC_ID, partitions, False) for topic in question.topics]
        return lambda now_ms: member.membership.received_topic_descriptions(question, topics, now_ms)

    def _set_timer(self, member: Member) -> None:
        due_ms = member.membership.next_deadline_ms()
        if due_ms is None or member.tick_due_ms == due_ms:
            return
        member.tick_due_ms = due_ms

        def tick() -> None:
            if member.tick_due_ms == due_ms:
                member.tick_due_ms = None
                self._tell(member, member.membership.tick)

        self._at(max(0, due_ms - self.now_ms), tick)

    def _tell(self, member: Member, happened: Callable[[int], None]) -> None:
        if member.gone:
            return
        if self.now_ms < member.frozen_until_ms:  # SIGSTOP: the member gets its events later
            self._at(member.frozen_until_ms - self.now_ms, lambda: self._tell(member, happened))
            return
        if member.polls:
            member.membership.polled(self.now_ms)
        happened(self.now_ms)
        self._do_outputs(member)

    def _send(self, member: Member, ask: SendRequest) -> None:
        connection = member.connection
        if self.random.random() < self.loses:
            self._at(ask.timeout_ms, lambda: self._unanswered(member, ask))
        else:
            self._at(self._delay_ms(), lambda: self._deliver(member, ask, connection))

    def _unanswered(self, member: Member, ask: SendRequest) -> None:
        self._tell(member, lambda now_ms: member.membership.unanswered(ask, now_ms))

    def _deliver(self, member: Member, ask: SendRequest, connection: int) -> None:
        if member.connection != connection and not member.crashed:
            self._unanswered(member, ask)
            return
        request: Request = ask.request
        command = self._handlers[type(request)].command(request, Header(VERSIONS[type(request)]))
        self._waiting[self.coordinator.ask(command)] = (member, ask, connection)
        self._deliver_replies()

    def _deliver_replies(self) -> None:
        for asked, answer in self.coordinator.take()[1]:
            waiting = self._waiting.pop(asked, None)
            if waiting is None:
                continue
            member, ask, connection = waiting
            handler = self._handlers[type(ask.request)]
            response = handler.response(answer, Header(VERSIONS[type(ask.request)]))
            assert isinstance(response, response_class(ask.request.KEY))
            if self.random.random() < self.loses:
                self._at(ask.timeout_ms, lambda m=member, a=ask: self._unanswered(m, a))
            else:
                self._at(self._delay_ms(), lambda m=member, a=ask, r=response, c=connection: self._answer(m, a, r, c))

    def _answer(self, member: Member, ask: SendRequest, response: object, connection: int) -> None:
        if member.connection != connection:
            self._unanswered(member, ask)
        else:
            self._tell(member, lambda now_ms: member.membership.answered(ask, response, now_ms))  # type: ignore[arg-type]


def assigned(member: Member) -> list[tuple[TopicPartition, ...]]:
    return [event.partitions for event in member.events if isinstance(event, Assigned)]
