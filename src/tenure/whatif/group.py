"""Consumer group in virtual time: a coordinator, and at most one process in each seat."""

from collections.abc import Iterable
from random import Random
from typing import Final

from tenure.client.group.memberships.membership_settings import WAIT, MembershipSettings
from tenure.client.values import TopicPartition
from tenure.coordinator.groups.classic.states import State
from tenure.coordinator.groups.configs import GroupConfigs
from tenure.coordinator.groups.consumer.group import GroupState
from tenure.coordinator.groups.consumer.member import Target
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.metadata.topics import Topic, Topics
from tenure.limits.whatif import SETTLE_MAX_MS, SETTLE_STEP_MS
from tenure.protocol.types import GroupId, MemberId, PartitionId, TopicId, TopicName
from tenure.simulation.agenda import Agenda
from tenure.simulation.wire import Broker
from tenure.whatif.coordinator import SimulatedCoordinator
from tenure.whatif.member import SimulatedMember
from tenure.whatif.situation import GroupSeat, Situation
from tenure.whatif.timeline import Timeline

START_MS: Final = 1_000
"""Length of the period at the beginning in which all processes start, in random order."""


class SimulatedGroup:
    """Group whose members the caller starts, closes and crashes."""

    def __init__(self, situation: Situation, seed: int) -> None:
        self.situation: Final = situation
        self.agenda: Final = Agenda()
        self._skipped_ms = 0
        """Virtual time in ms that was skipped, because members would only have sent heartbeats."""
        self.timeline: Final = Timeline(situation.group_id, lambda: self.clock_ms)
        self._random: Final = Random(seed)
        self._topics: Final = _topics(situation)
        self._coordinator: Final = SimulatedCoordinator(
            self.agenda, self._random, self._topics, _settings(situation), self.timeline.fold
        )
        self._broker: Final = Broker(self._coordinator, self._topics)
        self._members: Final[dict[str, SimulatedMember]] = {}
        """Running processes, by seat."""
        self._starts = 0

    def start(self, seat: GroupSeat, owned: tuple[TopicPartition, ...] = ()) -> None:
        """Start a process in a seat. A classic member claims the partitions `owned` in its first join."""
        self._starts += 1
        member = SimulatedMember(
            f"{seat.name}#{self._starts}",
            seat.client_id,
            self._membership(seat),
            self.situation.timing,
            self.agenda,
            self._broker,
            self._topics,
            self.timeline,
            self._random,
        )
        self._members[seat.name] = member
        if owned:
            member.resume(owned)
        member.start()

    def stop(self, seat: GroupSeat, *, crash: bool = False) -> None:
        """End the process of a seat, if there is one. With `crash`, the process sends no request to leave the group."""
        member = self._members.pop(seat.name, None)
        if member is not None:
            if crash:
                member.crash()
            else:
                member.close()

    def is_running(self, seat: GroupSeat) -> bool:
        """Return whether the seat has a running process."""
        return seat.name in self._members and not self._members[seat.name].is_gone

    def start_all(self) -> None:
        """Start a process in each seat, and wait until the group is stable.

        Classic members claim the partitions that they own in the situation. In a consumer group, the coordinator
        assigns these partitions to them.
        """
        owned = owners_of(self.situation)
        for seat in self.situation.seats:
            self.agenda.after(
                self._random.randrange(START_MS),
                lambda seat=seat: self.start(seat, owned[seat.name]),  # type: ignore[misc]
            )
        self.run_for(START_MS)
        self.run_until_stable()
        if any(owned.values()) and self._coordinator.shard.consumer_group(GroupId(self.situation.group_id)):
            self._coordinator.assign(
                GroupId(self.situation.group_id),
                {member.membership.member_id: self._target(owned[name]) for name, member in self._members.items()},
            )
            self.run_until_stable()

    def _target(self, partitions: Iterable[TopicPartition]) -> Target:
        target: dict[TopicId, frozenset[PartitionId]] = {}
        for name, at in partitions:
            topic_id = self._topics.named(TopicName(name)).topic_id  # type: ignore[union-attr]
            target[topic_id] = target.get(topic_id, frozenset()) | {PartitionId(at)}
        return target

    def pass_part_of_heartbeat(self) -> None:
        """Let a random part of a heartbeat interval pass.

        When a simulated group becomes stable, all members have just sent heartbeats, and the next ones are due after a
        whole interval. Real restarts begin at any time: on average, a heartbeat is due after half of an interval.
        """
        self.run_for(self._random.randrange(self.situation.heartbeat_ms))

    def run_for(self, time_ms: int) -> None:
        """Run the simulation for `time_ms` of virtual time."""
        until_ms = self.agenda.now_ms + time_ms
        while self.agenda.run_next(until_ms):
            pass

    @property
    def clock_ms(self) -> int:
        """Virtual time of the group in ms: simulated plus skipped time."""
        return self.agenda.now_ms + self._skipped_ms

    def run_until(self, clock_ms: int) -> None:
        """Run the simulation until a time, and skip periods in which members would only send heartbeats.

        Skipped periods are multiples of the heartbeat interval. So the next heartbeat of each member is due as long
        after a skipped period as before.
        """
        interval_ms = self.situation.heartbeat_ms
        while self.clock_ms < clock_ms:
            self.run_for(min(clock_ms - self.clock_ms, SETTLE_STEP_MS))
            quiet_ms = clock_ms - self.clock_ms
            if quiet_ms < interval_ms or not self.is_settled:
                continue
            absent, group_id = self._absent, GroupId(self.situation.group_id)
            quiet_ms = min(quiet_ms, self._coordinator.sessions_end_in_ms(group_id, absent, quiet_ms))
            skipped_ms = quiet_ms // interval_ms * interval_ms
            if skipped_ms > 0:
                self._coordinator.shorten_sessions(group_id, absent, skipped_ms)
                self._skipped_ms += skipped_ms

    def run_until_stable(self) -> bool:
        """Run the simulation until the group is stable and all sessions of ended processes have timed out.

        Returns:
            False if the group is not stable after SETTLE_MAX_MS and a session timeout.
        """
        until_ms = self.agenda.now_ms + SETTLE_MAX_MS + self.situation.session_timeout_ms
        self.run_for(self.situation.timing.connect_ms + SETTLE_STEP_MS)  # The last requests are handled.
        while not self.is_settled or self._absent:
            if self.agenda.now_ms >= until_ms:
                return False
            self.run_for(SETTLE_STEP_MS)
        return True

    @property
    def is_settled(self) -> bool:
        """True if the group is stable or empty, and all processes work on their partitions."""
        group_id, shard = GroupId(self.situation.group_id), self._coordinator.shard
        classic, consumer = shard.classic_group(group_id), shard.consumer_group(group_id)
        is_stable = consumer is None or consumer.state in (GroupState.STABLE, GroupState.EMPTY)
        is_stable = is_stable and (classic is None or classic.state in (State.STABLE, State.EMPTY))
        running = self._running
        return (
            is_stable
            and all(member.is_settled for member in running)
            and self._known >= {member.membership.member_id for member in running}
        )

    @property
    def _running(self) -> list[SimulatedMember]:
        return [member for member in self._members.values() if not member.is_gone]

    @property
    def _known(self) -> set[MemberId]:
        """Ids of the members in the coordinator's group."""
        group_id, shard = GroupId(self.situation.group_id), self._coordinator.shard
        group = shard.consumer_group(group_id) or shard.classic_group(group_id)
        return set() if group is None else set(group.members)

    @property
    def _absent(self) -> set[MemberId]:
        """Members without a process, whose sessions will time out."""
        return self._known - {member.membership.member_id for member in self._running}

    def _membership(self, seat: GroupSeat) -> MembershipSettings:
        situation = self.situation
        return MembershipSettings(
            situation.group_id,
            seat.topics,
            seat.group_instance_id,
            session_timeout_ms=situation.session_timeout_ms,
            rebalance_timeout_ms=situation.max_poll_interval_ms,
            heartbeat_interval_ms=situation.heartbeat_ms,
            max_poll_interval_ms=situation.max_poll_interval_ms,
            assignors=situation.assignors,
            group_protocol=situation.group_protocol,
            server_assignor=situation.server_assignor,
            on_unreleased=WAIT,  # Other clients stop with an error, and a supervisor starts them again.
        )


def owners_of(situation: Situation) -> dict[str, tuple[TopicPartition, ...]]:
    """Return the partitions that each seat owns at the beginning.

    If a partition has no owner or several owners, return no partitions for any seat.
    """
    every = sorted(TopicPartition(topic, at) for topic, count in situation.partitions.items() for at in range(count))
    if sorted(partition for seat in situation.seats for partition in seat.owned) != every:
        return {seat.name: () for seat in situation.seats}
    return {seat.name: seat.owned for seat in situation.seats}


def _topics(situation: Situation) -> Topics:
    topics = Topics()
    for number, (name, partitions) in enumerate(sorted(situation.partitions.items()), 1):
        topics.put(Topic(TopicName(name), TopicId(number.to_bytes(16, "big")), partitions))
    return topics


def _settings(situation: Situation) -> GroupSettings:
    return GroupSettings(
        group_min_session_timeout_ms=1,
        group_initial_rebalance_delay_ms=situation.group_initial_rebalance_delay_ms,
        group_consumer_min_heartbeat_interval_ms=situation.heartbeat_ms,  # Apache Kafka never shortens it (rule 3.7)
        configs=GroupConfigs(
            consumer_session_timeout_ms=situation.session_timeout_ms,
            consumer_heartbeat_interval_ms=situation.heartbeat_ms,
        ),
    )
