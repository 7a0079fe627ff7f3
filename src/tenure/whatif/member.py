"""Simulated member: a real membership with the timing of a client process.

The membership decides which requests are sent, and when. The process adds the delays of connections, requests, polls
and the first fetch. A member without partitions waits in `poll` and reacts immediately. Other members react at their
next poll, as with Java and librdkafka.
"""

from collections.abc import Callable, Iterable
from random import Random
from typing import Final

from tenure.client.group.memberships.classic_membership import ClassicMembership
from tenure.client.group.memberships.consumer_membership import ConsumerMembership
from tenure.client.group.memberships.membership import Membership
from tenure.client.group.memberships.membership_outputs import (
    FatalError,
    FindCoordinator,
    Output,
    QueryTopicLayouts,
    QueryTopicNames,
    SendRequest,
)
from tenure.client.group.memberships.membership_settings import MembershipSettings
from tenure.client.values import Assigned, Lost, Revoked, TopicLayout, TopicPartition
from tenure.coordinator.metadata.topics import Topics
from tenure.protocol.errors import ErrorCode
from tenure.protocol.message import Message
from tenure.protocol.special_values import CONSUMER
from tenure.protocol.types import TopicName
from tenure.simulation.agenda import Agenda
from tenure.simulation.wire import Broker
from tenure.whatif.situation import ClientTiming
from tenure.whatif.timeline import Timeline


class SimulatedMember:
    """Simulated client process that is one member of the group, from its start to its end."""

    def __init__(
        self,
        name: str,
        client_id: str,
        settings: MembershipSettings,
        timing: ClientTiming,
        agenda: Agenda,
        broker: Broker,
        topics: Topics,
        timeline: Timeline,
        random: Random,
    ) -> None:
        self.name: Final = name
        self._client_id: Final = client_id
        self.is_gone = False
        self._timing: Final = timing
        self._agenda: Final = agenda
        self._broker: Final = broker
        self._topics: Final = topics
        self._timeline: Final = timeline
        self._random: Final = random
        self._poll_phase_ms: Final = random.randrange(max(timing.poll_interval_ms, 1))
        self._timer_ms: int | None = None
        self._working: Final[set[TopicPartition]] = set()
        self._fetching = 0
        """Number of assignments whose first records have not arrived yet."""
        self.membership: Final[Membership] = (
            ConsumerMembership(settings, lambda: random.randbytes(16).hex())
            if settings.group_protocol == CONSUMER
            else ClassicMembership(settings)
        )

    # --- life ---------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start the client process: it connects and joins the group."""
        self._after(self._timing.connect_ms, self.membership.start)

    def resume(self, partitions: tuple[TopicPartition, ...]) -> None:
        """Make a classic member claim these partitions in its first join."""
        if isinstance(self.membership, ClassicMembership):
            self.membership.resume(partitions)
            self._working.update(self.membership.partitions)
            self._timeline.record_start(self.name, self.membership.partitions)

    def close(self) -> None:
        """End the process as when a client is closed. Unless the member is static and classic, it leaves the group."""
        request = self.membership.close()
        if request is not None:
            self._agenda.after(self._timing.latency_ms, lambda: self._broker.handle(request, self._client_id, _ignore))
        self._end()

    def crash(self) -> None:
        """End the process without any request to the broker."""
        self._end()

    @property
    def is_settled(self) -> bool:
        """True if the member works on all of its partitions, and no rebalance or first fetch is in progress."""
        return (
            self._fetching == 0
            and self.membership.may_commit
            and not self.membership.is_revoking
            and self._working == set(self.membership.partitions)
        )

    def _end(self) -> None:
        self.is_gone = True
        self._stop_work(tuple(self._working))

    # --- time ---------------------------------------------------------------------------------------------------------

    def _after(self, delay_ms: int, happens: Callable[[int], object]) -> None:
        self._agenda.after(delay_ms, lambda: self._handle(happens))

    def _handle(self, happens: Callable[[int], object]) -> None:
        if self.is_gone:
            return
        now_ms = self._agenda.now_ms
        self.membership.polled(now_ms)
        happens(now_ms)
        for output in self.membership.take():
            self._do(output)
        self._set_timer()

    def _set_timer(self) -> None:
        due_ms = self.membership.next_deadline_ms()
        if due_ms is not None and (self._timer_ms is None or due_ms < self._timer_ms):
            self._timer_ms = due_ms
            late_ms = int(self._random.random() * (self._timing.timer_slack_ms + 1))
            self._agenda.at(due_ms + late_ms, lambda: self._ring(due_ms))

    def _ring(self, due_ms: int) -> None:
        if self._timer_ms == due_ms:
            self._timer_ms = None
            self._handle(self.membership.tick)

    def _poll_delay_ms(self) -> int:
        """Return the time until the next poll."""
        if not self._working or not self._timing.poll_interval_ms:
            return 0
        return (self._poll_phase_ms - self._agenda.now_ms) % self._timing.poll_interval_ms

    # --- outputs of the membership ------------------------------------------------------------------------------------

    def _do(self, output: Output) -> None:
        match output:
            case SendRequest():
                self._send(output)
            case Revoked():
                self._after(self._poll_delay_ms(), lambda now_ms: self._revoke(output.partitions, now_ms))
            case Assigned():
                if output.added:
                    self._fetching += 1
                    self._after(self._poll_delay_ms() + self._timing.first_fetch_ms, lambda _: self._begin_work(output))
            case Lost():
                self._stop_work(output.partitions)
            case FindCoordinator():
                self._after(2 * self._timing.latency_ms, self.membership.found_coordinator)
            case QueryTopicLayouts():
                self._count(output)
            case QueryTopicNames():
                self._name(output)
            case FatalError():
                if output.error_code is ErrorCode.FENCED_INSTANCE_ID:
                    self._timeline.fenced.append(self.name)
                self._end()

    def _send(self, ask: SendRequest) -> None:
        def answered(response: Message) -> None:
            self._after(self._timing.latency_ms, lambda now_ms: self.membership.answered(ask, response, now_ms))  # type: ignore[arg-type]

        self._agenda.after(self._timing.latency_ms, lambda: self._broker.handle(ask.request, self._client_id, answered))

    def _revoke(self, partitions: Iterable[TopicPartition], now_ms: int) -> None:
        self._stop_work(partitions)
        self.membership.acknowledge_revocation(now_ms)

    def _begin_work(self, assigned: Assigned) -> None:
        self._fetching -= 1
        owned = set(self.membership.partitions)
        begun = [partition for partition in assigned.added if partition in owned]
        self._working.update(begun)
        self._timeline.record_start(self.name, begun)

    def _stop_work(self, partitions: Iterable[TopicPartition]) -> None:
        stopped = [partition for partition in partitions if partition in self._working]
        self._working.difference_update(stopped)
        self._timeline.record_stop(self.name, stopped)

    def _count(self, question: QueryTopicLayouts) -> None:
        found = {name: self._topics.named(TopicName(name)) for name in question.topics}
        layouts = {name: TopicLayout(topic.partitions) for name, topic in found.items() if topic is not None}
        self._after(0, lambda now_ms: self.membership.received_topic_layouts(question, layouts, now_ms))

    def _name(self, question: QueryTopicNames) -> None:
        names = {of: topic.name for of in question.topic_ids if (topic := self._topics.with_id(of)) is not None}
        self._after(0, lambda now_ms: self.membership.received_topic_names(question, names, now_ms))


def _ignore(_: Message) -> None:
    """Ignore the answer to the last request of a leaving member."""
