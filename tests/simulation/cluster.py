"""Simulated cluster: a coordinator, a network, topics, and seats with their processes.

`check` compares the states of the coordinator and its clients: a partition is not owned by two clients that the
coordinator would both accept (NoDoubleProcessing).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Final

from tenure.client.group.memberships.membership_settings import MembershipSettings
from tenure.client.values import TopicPartition
from tenure.coordinator.groups.classic.states import State
from tenure.coordinator.groups.commands import TopicsDeleted
from tenure.coordinator.groups.consumer.group import GroupState
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.groups.shard import GroupsShard
from tenure.coordinator.metadata.topics import Topic, Topics
from tenure.protocol.types import GroupId, MemberId, TopicId, TopicName
from tenure.simulation.agenda import Agenda
from tenure.simulation.wire import Broker
from tests.simulation.broken import Broken
from tests.simulation.coordinator import Coordinator
from tests.simulation.network import Network
from tests.simulation.process import Habits, Process
from tests.simulation.subscriptions import wants
from tests.simulation.trace import Trace


@dataclass(eq=False)
class Seat:
    """Seat with its processes. Normally one process has it; after an operator's mistake two processes do."""

    name: str
    settings: MembershipSettings
    habits: Habits
    processes: list[Process] = field(default_factory=list)
    """Running processes."""
    started: int = 0

    @property
    def is_static(self) -> bool:
        return self.settings.group_instance_id is not None


class Cluster:
    def __init__(self, random: Random, settings: GroupSettings, shard_class: type[GroupsShard]) -> None:
        self.random: Final = random
        self.agenda: Final = Agenda()
        self.trace: Final = Trace(self.agenda)
        self.topics: Final = Topics()
        self.coordinator: Final = self._new_coordinator(settings, shard_class)
        self.network: Final = Network(self.agenda, random, self.coordinator, self._new_broker(), self.trace)
        self.seats: Final[list[Seat]] = []
        self._suspects: Final = self.coordinator.checker.suspects
        """Groups in which the owner of a partition may have changed, for a client or the coordinator."""

    def _new_coordinator(self, settings: GroupSettings, shard_class: type[GroupsShard]) -> Coordinator:
        return Coordinator(self.agenda, self.random, self.topics, settings, shard_class, self.trace)

    def _new_broker(self) -> Broker:
        return Broker(self.coordinator, self.topics)

    # --- topics -------------------------------------------------------------------------------------------------------

    def put_topic(self, name: str, partitions: int) -> None:
        known = self.topics.named(TopicName(name))
        topic_id = TopicId(self.random.randbytes(16)) if known is None else known.topic_id
        self.topics.put(Topic(TopicName(name), topic_id, partitions))

    def delete_topic(self, name: str) -> None:
        """Delete a topic and inform the shard, as the broker does.

        A crash in between leaves offsets without a topic.
        """
        topic = self.topics.named(TopicName(name))
        if topic is not None:
            self.topics.remove(topic.topic_id)
            self.coordinator.ask(TopicsDeleted([TopicName(name)]), lambda _: None)

    # --- processes ----------------------------------------------------------------------------------------------------

    def start(self, seat: Seat) -> Process:
        seat.started += 1
        name = f"{seat.name}.{seat.started}"
        process = self._new_process(name, seat)
        seat.processes.append(process)
        self.trace.note(name, "starts")
        process.start()
        return process

    def _new_process(self, name: str, seat: Seat) -> Process:
        return Process(name, seat.settings, seat.habits, self.network, self.topics, self._changed)

    def processes(self) -> Iterator[Process]:
        for seat in self.seats:
            yield from seat.processes

    def remove_ended_processes(self) -> None:
        """Remove ended processes."""
        for seat in self.seats:
            seat.processes = [process for process in seat.processes if not process.is_gone]

    def _changed(self, process: Process) -> None:
        self._suspects.add(GroupId(process.settings.group_id))

    # --- checks of owners ---------------------------------------------------------------------------------------------

    def check(self) -> None:
        """Check after every step."""
        if self._suspects and self.coordinator.is_serving:
            for group_id in sorted(self._suspects):
                self._check_owners(group_id)
            self._suspects.clear()

    def _check_owners(self, group_id: GroupId) -> None:
        owners: dict[tuple[TopicPartition, TopicId | None], str] = {}
        for process in self._processes_of(group_id):
            if process.membership.partitions and self._is_accepted(process):
                for partition in process.membership.partitions:
                    other = owners.setdefault((partition, process.topic_id_of(partition)), process.name)
                    if other != process.name:
                        raise Broken("NoDoubleProcessing", f"{other} and {process.name} both own {partition}")

    def _is_accepted(self, process: Process) -> bool:
        """Return whether the coordinator would accept the process as a member of the group."""
        group_id, identity = GroupId(process.settings.group_id), process.identity
        member_id = MemberId(identity.member_id)
        classic = self.coordinator.shard.classic_group(group_id)
        if classic is not None:
            return member_id in classic.members and identity.generation_id == classic.generation_id
        streams = self.coordinator.shard.streams_group(group_id)
        if streams is not None:
            of_streams = streams.members.get(member_id)
            return of_streams is not None and 0 < identity.generation_id <= of_streams.member_epoch
        group = self.coordinator.shard.consumer_group(group_id)
        member = None if group is None else group.members.get(member_id)
        joined = self.coordinator.checker.tenures.joined(group_id, member_id)
        if member is None or member.is_away or joined is None:
            return False
        return joined <= identity.generation_id <= member.member_epoch

    # --- stability at the end -----------------------------------------------------------------------------------------

    def why_not_stable(self, *, is_all_owned: bool) -> str | None:
        """Return why a group is not stable; None if all are.

        The members must be the existing processes and, if `is_all_owned`, own every partition of the subscribed topics.
        """
        if not self.coordinator.is_serving:
            return "the coordinator does not serve"
        for group_id in sorted({GroupId(seat.settings.group_id) for seat in self.seats}):
            why = self._why_not_stable(group_id) or (self._why_not_owned(group_id) if is_all_owned else None)
            if why is not None:
                return f"group {group_id}: {why}"
        return None

    def _why_not_stable(self, group_id: GroupId) -> str | None:
        classic = self.coordinator.shard.classic_group(group_id)
        consumer = self.coordinator.shard.consumer_group(group_id)
        identities = [process.identity for process in self._processes_of(group_id)]
        seated = {MemberId(identity.member_id): identity.generation_id for identity in identities}
        if consumer is not None:
            if consumer.state is not GroupState.STABLE or consumer.topics_version != self.topics.version:
                return f"{consumer.state.value}, epoch {consumer.group_epoch}, topics {consumer.topics_version}"
            members = {member_id: member.member_epoch for member_id, member in consumer.members.items()}
        elif classic is None or classic.state is not State.STABLE:
            return "there is none" if classic is None else classic.state.value
        else:
            members = dict.fromkeys(classic.members, classic.generation_id)
        return None if members == seated else f"its members and their epochs are {members}, the processes say {seated}"

    def _why_not_owned(self, group_id: GroupId) -> str | None:
        processes = self._processes_of(group_id)
        owned = sorted(partition for process in processes for partition in process.membership.partitions)
        members = [(process.membership.topics, getattr(process.membership, "pattern", None)) for process in processes]
        there = [topic for topic in self.topics if any(wants(*member, topic.name) for member in members)]
        if owned != sorted(TopicPartition(topic.name, p) for topic in there for p in range(topic.partitions)):
            return f"{owned} are owned of {there}"
        return None

    def _processes_of(self, group_id: GroupId) -> list[Process]:
        return [process for process in self.processes() if process.settings.group_id == group_id]
