"""Client process: a real membership, its clock, its connections, and a worker for its partitions.

A suspended process handles all pending events when it continues, which makes it a zombie.
"""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final, Protocol

from tenure.client.group.memberships.classic_membership import ClassicMembership
from tenure.client.group.memberships.consumer_membership import ConsumerMembership
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
    SendRequest,
    TransientError,
)
from tenure.client.group.memberships.membership_settings import MembershipSettings
from tenure.client.streams.streams_membership import StreamsMembership
from tenure.client.tasks import StatusChanged, StreamsEvent, TasksAssigned, TasksLost, TasksRevoked
from tenure.client.values import (
    Assigned,
    Event,
    Identity,
    Lost,
    Revoked,
    TopicLayout,
    TopicPartition,
)
from tenure.coordinator.metadata.topics import Topics
from tenure.protocol.errors import ErrorCode
from tenure.protocol.message import Message
from tenure.protocol.messages import (
    LeaveGroupRequest,
)
from tenure.protocol.special_values import CONSUMER, STREAMS
from tenure.protocol.types import TopicId, TopicName
from tests.simulation.network import Connection, Network, Then
from tests.simulation.streams_process import as_partitions, described, new_streams_membership
from tests.simulation.work import Work

MEMBERSHIP: Final = 0
GENERAL: Final = 1
"""Connection for all requests that a parked join must not delay, such as commits."""

REQUEST_TIMEOUT_MS: Final = 30_000
LOOKS_AGAIN_MS: Final = 500
"""Interval of attempts to find a missing coordinator."""


class Worker(Protocol):
    """Component that works on the assigned partitions."""

    topic_ids: dict[TopicPartition, TopicId]
    """Topic ids of the assigned partitions: a topic that was deleted and created again has the same name."""

    def schedule_work(self) -> None:
        """Schedule the first work of the process."""

    def handle_event(self, event: Event) -> None: ...


@dataclass
class Habits:
    """Behaviour of one process. A clock rate of 1,000 is exact."""

    clock_rate: int = 1_000
    clock_ahead_ms: int = 0
    work_every_ms: int = 5_000
    work_takes_ms: int = 3_000
    release_delay_ms: int = 1_000


class Process:
    def __init__(
        self,
        name: str,
        settings: MembershipSettings,
        habits: Habits,
        network: Network,
        topics: Topics,
        on_change: Callable[["Process"], None],
    ) -> None:
        self.name: Final = name
        self.settings: Final = settings
        self.habits: Final = habits
        self.is_gone = False
        self.ended: ErrorCode | None = None
        self.is_stuck = False
        """True if the application does not poll."""
        self.is_cut_off = False
        """True while the network loses all messages from and to the process."""
        self._is_paused = False
        self._inbox: list[Callable[[int], object]] = []
        """Events that it will handle when it continues."""
        self._network: Final = network
        self._topics: Final = topics
        self._random: Final[Random] = network.random
        self._on_change: Final = on_change
        self._born_ms: Final = network.agenda.now_ms
        self._timer_ms: int | None = None
        self._connections: list[Connection | None] = [None, None]
        self.membership: Membership = self._new_membership()
        self._work: Final[Worker] = self._new_work()

    def _new_work(self) -> Worker:
        return Work(self, self._network)

    def _new_membership(self) -> Membership:
        if self.settings.group_protocol == CONSUMER:
            return ConsumerMembership(self.settings, self._draw_member_id)
        if self.settings.group_protocol == STREAMS:
            return new_streams_membership(self.settings, self.name, self._draw_member_id)
        return ClassicMembership(self.settings)

    def _draw_member_id(self) -> str:
        return self._random.randbytes(16).hex()

    @property
    def identity(self) -> Identity:
        return self.membership.identity

    def topic_id_of(self, partition: TopicPartition) -> TopicId | None:
        """Return the id of the topic at the time of the assignment, if the protocol provides it."""
        return self._work.topic_ids.get(partition)

    # --- clock --------------------------------------------------------------------------------------------------------

    def _now_ms(self) -> int:
        age_ms = self._network.agenda.now_ms - self._born_ms
        return age_ms * self.habits.clock_rate // 1_000 + self.habits.clock_ahead_ms

    def _set_timer(self) -> None:
        deadline_ms = self.membership.next_deadline_ms()
        if deadline_ms is None:
            return
        age_ms = -((self.habits.clock_ahead_ms - deadline_ms) * 1_000 // self.habits.clock_rate)
        at_ms = max(self._born_ms + age_ms, self._network.agenda.now_ms)
        if self._timer_ms is not None and self._timer_ms <= at_ms:
            return
        self._timer_ms = at_ms

        def ring() -> None:
            if self._timer_ms == at_ms:
                self._timer_ms = None
                self.tell(self.membership.tick)

        self._network.agenda.at(at_ms, ring)

    # --- control ------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        self.tell(self.membership.start)
        self._work.schedule_work()

    def kill(self) -> None:
        """Kill the process, as with `kill -9`: it sends no further request."""
        self.is_gone = True
        self.membership.close(leave=False)
        for connection in self._connections:
            if connection is not None:
                connection.abandon()
        self._on_change(self)

    def close(self, *, leave: bool | None = None) -> None:
        """Close the membership, with a request if the protocol has one."""
        request = self.membership.close(leave)
        if request is not None:
            self.send(request, lambda _: None)
        self.is_gone = True
        self._on_change(self)

    def pause(self) -> None:
        self._is_paused = True

    def resume(self) -> None:
        self._is_paused = False
        inbox, self._inbox = self._inbox, []
        for happened in inbox:
            self.tell(happened)

    def cut_off(self, *, is_cut_off: bool) -> None:
        self.is_cut_off = is_cut_off
        for connection in self._connections:
            if connection is not None and is_cut_off:
                connection.is_silent = True

    def break_connections(self) -> None:
        for connection in self._connections:
            if connection is not None and connection.is_open:
                connection.break_()

    def resubscribe(self, topics: tuple[str, ...], pattern: str | None) -> None:
        self.tell(lambda now_ms: self.membership.resubscribe(topics, now_ms, pattern))

    def poll(self) -> None:
        self.tell(lambda _: None)

    def rejoin_as_new_member(self) -> None:
        self.tell(self.membership.rejoin_as_new_member)

    def waits(self, then: Callable[[], None]) -> bool:
        """Return whether the process is suspended and will call `then` later, or has ended and never will."""
        if self._is_paused and not self.is_gone:
            self._inbox.append(lambda _: then())
        return self._is_paused or self.is_gone

    # --- inputs and outputs of the membership -------------------------------------------------------------------------

    def tell(self, happened: Callable[[int], object]) -> None:
        if self.is_gone:
            return
        if self._is_paused:
            self._inbox.append(happened)
            return
        membership, now_ms = self.membership, self._now_ms()
        before = membership.member_id, membership.generation_id, membership.partitions
        if not self.is_stuck:
            membership.polled(now_ms)
        happened(now_ms)
        for output in membership.take():
            self._do(output)
        if (membership.member_id, membership.generation_id, membership.partitions) != before:
            self._on_change(self)
        self._set_timer()

    def _do(self, output: Output) -> None:
        match output:
            case SendRequest():
                self._send(output)
            case FindCoordinator():
                self._look_for_coordinator(self._network.delay_ms())
            case QueryTopicLayouts():
                self._later(lambda now_ms: self._count(output, now_ms))
            case QueryTopicNames():
                self._later(lambda now_ms: self._name(output, now_ms))
            case QueryTopics():
                self._later(lambda now_ms: self._describe(output, now_ms))
            case Disconnect():
                self._disconnect()
            case FatalError():
                self._end(output)
            case IgnoredClaims() | TransientError():
                self._network.trace.did[type(output).__name__] += 1
            case Assigned() | Revoked() | Lost():
                self._handle_event(output)
            case TasksAssigned() | TasksRevoked() | TasksLost() | StatusChanged():
                self._handle_task_event(output)
            case _:
                raise AssertionError(f"no broker of this cluster requests {output}")

    def _handle_event(self, event: Event) -> None:
        self._network.trace.note(self.name, "hears", event)
        self._work.handle_event(event)

    def _handle_task_event(self, event: StreamsEvent) -> None:
        """Handle an event about tasks as one about partitions. Acknowledge a revocation without active tasks."""
        membership = self.membership
        assert isinstance(membership, StreamsMembership)
        found = as_partitions(membership, event)
        if found is not None:
            self._handle_event(found)
        elif isinstance(event, TasksRevoked):
            self.tell(membership.acknowledge_revocation)

    def _later(self, happened: Callable[[int], object]) -> None:
        self._network.agenda.after(self._network.delay_ms(), lambda: self.tell(happened))

    def _send(self, ask: SendRequest) -> None:
        lane = GENERAL if isinstance(ask.request, LeaveGroupRequest) else MEMBERSHIP

        def then(response: Message | None) -> None:
            if response is None:
                self.tell(lambda now_ms: self.membership.unanswered(ask, now_ms))
            else:
                self.tell(lambda now_ms: self.membership.answered(ask, response, now_ms))  # type: ignore[arg-type]

        self._network.trace.note(self.name, "asks", ask.request)
        self._connection(lane).send(ask.request, ask.timeout_ms, then)

    def send(self, request: Message, then: Then) -> None:
        """Send on the connection that parked joins do not block."""
        self._connection(GENERAL).send(request, REQUEST_TIMEOUT_MS, then)

    def _connection(self, lane: int) -> Connection:
        connection = self._connections[lane]
        if connection is None or not connection.is_open:
            connection = self._connections[lane] = Connection(self._network, self.name, is_silent=self.is_cut_off)
        return connection

    def _disconnect(self) -> None:
        connection, self._connections[MEMBERSHIP] = self._connections[MEMBERSHIP], None
        if connection is not None and connection.is_open:
            connection.break_()

    def _look_for_coordinator(self, in_ms: int) -> None:
        def look() -> None:
            if self._network.coordinator.is_up and not self.is_cut_off:
                self.tell(self.membership.found_coordinator)
            elif not self.is_gone:
                self._look_for_coordinator(LOOKS_AGAIN_MS)

        self._network.agenda.after(in_ms, look)

    def _count(self, question: QueryTopicLayouts, now_ms: int) -> None:
        found = {name: self._topics.named(TopicName(name)) for name in question.topics}
        topics = {name: TopicLayout(topic.partitions) for name, topic in found.items() if topic is not None}
        self.membership.received_topic_layouts(question, topics, now_ms)

    def _name(self, question: QueryTopicNames, now_ms: int) -> None:
        found = [topic for of in question.topic_ids if (topic := self._topics.with_id(of)) is not None]
        self.membership.received_topic_names(question, {topic.topic_id: topic.name for topic in found}, now_ms)

    def _describe(self, question: QueryTopics, now_ms: int) -> None:
        self.membership.received_topic_descriptions(question, described(self._topics, question.topics), now_ms)

    def _end(self, ended: FatalError) -> None:
        self._network.trace.did[f"member ended: {ended.error_code.name}"] += 1
        self._network.trace.note(self.name, "has ended:", ended.error_code.name, ended.reason)
        self.ended = ended.error_code
        self.is_gone = True
        self._on_change(self)
