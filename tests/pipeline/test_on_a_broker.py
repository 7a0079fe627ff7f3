"""Engines of one group on a real broker, consumer and streams protocol: lanes that stay are not interrupted."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from tenure.client.consumer.fetch_arrow import fetch_arrow
from tenure.client.group.group_member import GroupMember
from tenure.client.producer.producer import Producer
from tenure.client.streams.streams_member import StreamsMember
from tenure.client.tasks import InternalTopic, Subtopology, Topology
from tenure.limits.pipeline import STANDBY_COPY_S
from tenure.pipeline.engine.background_threads import BackgroundThreads
from tenure.pipeline.engine.engine import Engine
from tenure.pipeline.engine.settings import EngineSettings
from tenure.pipeline.output.files import LocalFiles
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.state.kept_lanes import kept_lanes
from tenure.pipeline.state.standby_copies import StandbyCopies
from tenure.pipeline.state.state_cache import StateCache
from tenure.pipeline.task.job import Job
from tenure.pipeline.task.task import run_bundle
from tenure.pipeline.values.plan import Bundle
from tenure.pipeline.values.progress import Progress, ProgressStep
from tenure.pipeline.values.stager import Result
from tenure.protocol.types import GroupId, TopicName
from tenure.spark.application.memberships import StartableMembership
from tenure.spark.application.periodic_work import PeriodicWork
from tenure.spark.application.standby_lanes import StandbyLanes
from tenure.spark.kafka.client_membership import ClientMembership
from tenure.spark.kafka.streams_memberships import SharedStreamsMember, SubtopologyMembership
from tenure.spark.kafka.topic_log import TopicLog
from tenure.spark.workers.task import new_id
from tenure.testing import Broker
from tests.simulation.pipelines.counting import STATE, Numbers, counted

PARTITIONS = 4
RECORDS = 10
"""Records of each partition."""
TIMEOUT_S = 60.0
BALANCED_AT_ONCE = {
    "group.consumer.min.heartbeat.interval.ms": "50",
    "group.consumer.heartbeat.interval.ms": "50",
    "group.streams.min.heartbeat.interval.ms": "50",
    "group.streams.heartbeat.interval.ms": "50",
    "group.streams.initial.rebalance.delay.ms": "0",
    "group.streams.assignment.interval.ms": "0",
    "group.streams.num.standby.replicas": "1",
}
GROUP = "counts"
TOPIC = "numbers"
OTHER = "others"


@pytest.fixture
def broker() -> Iterator[Broker]:
    with Broker(BALANCED_AT_ONCE) as at:
        for topic in (TOPIC, OTHER):
            at.create_topic(topic, partitions=PARTITIONS)
            with Producer(at.address) as producer:
                for number in range(PARTITIONS * RECORDS):
                    producer.send(topic, b"k", str(number).encode(), partition=number % PARTITIONS)
        yield at


class Gate:
    """Stager whose bundles end when the test releases their lanes."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.open_to: set[int] = set()

    def start(self, bundle: Bundle) -> "Held":
        return Held(self, bundle)


class Held:
    def __init__(self, gate: Gate, bundle: Bundle) -> None:
        self.gate = gate
        self.bundle = bundle

    def wait(self, timeout_s: float) -> list[Result] | None:
        if any(plan.lane.partition not in self.gate.open_to for plan in self.bundle.lanes):
            time.sleep(timeout_s)
            return None
        return run_bundle(self.gate.job, self.bundle, LocalFiles(), new_id)

    def cancel(self) -> None: ...


def membership_of(broker: Broker, instance_id: str, topics: Sequence[str], group_protocol: str) -> StartableMembership:
    if group_protocol == "streams":
        copartitioned = (tuple(topics),) if len(topics) > 1 else ()
        changelogs = (InternalTopic("counts-0-state-changelog"),)
        topology = Topology((Subtopology("0", tuple(topics), changelogs=changelogs, copartitioned=copartitioned),))
        member = StreamsMember(broker.address, GROUP, topology, group_instance_id=instance_id, process_id=instance_id)
        return SharedStreamsMember(member, GROUP, TIMEOUT_S).membership("0", instance_id)
    server_assignor = "range" if len(topics) > 1 else None
    return ClientMembership(
        GroupMember(
            broker.address,
            GROUP,
            topics,
            group_instance_id=instance_id,
            group_protocol="consumer",
            server_assignor=server_assignor,
        ),
        instance_id,
    )


class Application:
    """Member in a thread, with one task for each lane that it may get."""

    def __init__(
        self, broker: Broker, instance_id: str, root: Path, *topics: str, group_protocol: str = "consumer"
    ) -> None:
        self.steps: list[Progress] = []
        self.membership = membership_of(broker, instance_id, topics, group_protocol)
        layout = Layout.of(GroupId(GROUP), str(root))
        fetch = partial(fetch_arrow, broker.address)
        self.cache = StateCache(str(root / f"host-{instance_id}"))
        with_state = Job(layout, Numbers(), counted, fetch, state=STATE, cache=self.cache)
        self.gate = Gate(with_state if topics == (TOPIC,) else Job(layout, Numbers(), lambda rows, _: rows, fetch))
        self.engine = Engine(
            EngineSettings(
                tuple(map(TopicName, topics)), stateful=True, tasks=PARTITIONS, max_records=PARTITIONS * RECORDS
            ),
            layout,
            self.membership,
            TopicLog(broker.address),
            self.gate,
            LocalFiles(),
            new_id=new_id,
            clock_s=time.monotonic,
            observer=self.steps.append,
            background_tasks=BackgroundThreads(instance_id),
        )
        self.standby: PeriodicWork | None = None
        if isinstance(self.membership, SubtopologyMembership):
            lane_state = partial(with_state.lane_state, LocalFiles())
            copies = StandbyCopies(LocalFiles(), layout, lane_state, self.membership.committed)
            lanes_topics = tuple(map(TopicName, topics))
            lanes = StandbyLanes(self.membership, lanes_topics, copies, self.steps.append)
            self.standby = PeriodicWork("standby", STANDBY_COPY_S, lanes.refresh, "copy the state of standby lanes")
        self.failures: list[BaseException] = []
        self.thread = threading.Thread(target=self.run)

    def run(self) -> None:
        try:
            self.engine.run()
        except BaseException as error:
            self.failures.append(error)

    def lanes(self, step: ProgressStep) -> list[int]:
        return [lane.lane.partition for told in list(self.steps) if told.step is step for lane in told.lanes]

    def copies(self) -> set[str]:
        """Return the digests of the copies of state files on the host of this application."""
        return {path.stem for path in Path(self.cache.directory).rglob("*.arrow")}

    def until(self, what: Callable[[], bool]) -> None:
        end_s = time.monotonic() + TIMEOUT_S
        while not what():
            assert not self.failures, self.failures
            assert time.monotonic() < end_s, [told.step.value for told in self.steps]
            time.sleep(0.02)


@contextmanager
def application(
    broker: Broker, instance_id: str, root: Path, *topics: str, group_protocol: str = "consumer"
) -> Iterator[Application]:
    one = Application(broker, instance_id, root, *topics, group_protocol=group_protocol)
    one.membership.start()
    one.thread.start()
    if one.standby is not None:
        one.standby.start()
    try:
        yield one
    finally:
        if one.standby is not None:
            one.standby.close()
        one.gate.open_to |= set(range(PARTITIONS))
        one.engine.stop()
        one.thread.join(TIMEOUT_S)
        one.membership.close(leave=True)
    assert one.failures == []


@pytest.mark.parametrize("group_protocol", ["consumer", "streams"])
def test_second_member_joins__first_member_has_running_bundles__all_committed_and_none_repeated(
    broker: Broker, tmp_path: Path, group_protocol: str
) -> None:
    with application(broker, "a", tmp_path, TOPIC, group_protocol=group_protocol) as first:
        first.until(lambda: len(first.lanes(ProgressStep.PLANNED)) == PARTITIONS)
        planned = first.engine.writer
        assert planned is not None
        with application(broker, "b", tmp_path, TOPIC, group_protocol=group_protocol) as second:
            first.until(lambda: first.engine.owned_lanes.leaving != frozenset())
            moves = {lane.partition for lane in first.engine.owned_lanes.leaving}
            first.gate.open_to |= moves  # Revoked lanes end their bundles first, and then move to the other member.
            second.until(lambda: second.engine.idle)
            first.until(lambda: (now := first.engine.writer) is not None and now.generation_id > planned.generation_id)
            assert set(first.lanes(ProgressStep.COMMITTED)) == set(first.lanes(ProgressStep.REVOKED)) == moves
            first.gate.open_to |= set(range(PARTITIONS))
            first.until(lambda: first.engine.idle)
        committed = [told for told in first.steps if told.step is ProgressStep.COMMITTED]
        assert {told.generation_id for told in committed} == {planned.generation_id}
        assert first.lanes(ProgressStep.DROPPED) == []
        assert sorted(first.lanes(ProgressStep.PLANNED)) == list(range(PARTITIONS))
    assert sum(broker.committed(GROUP).values()) == PARTITIONS * RECORDS


@pytest.mark.parametrize("group_protocol", ["consumer", "streams"])
def test_two_topics__two_members__each_lane_has_both_partitions_and_all_records_are_read(
    broker: Broker, tmp_path: Path, group_protocol: str
) -> None:
    with application(broker, "a", tmp_path, TOPIC, OTHER, group_protocol=group_protocol) as first:
        first.gate.open_to |= set(range(PARTITIONS))
        first.until(lambda: first.engine.idle)
        with application(broker, "b", tmp_path, TOPIC, OTHER, group_protocol=group_protocol) as second:
            second.gate.open_to |= set(range(PARTITIONS))
            with Producer(broker.address) as producer:
                for number in range(PARTITIONS):
                    producer.send(OTHER, b"k", b"7", partition=number)
            second.until(lambda: len(second.engine.owned_lanes.lanes) == PARTITIONS // 2 and second.engine.idle)
            first.until(lambda: sum(broker.committed(GROUP).values()) == PARTITIONS * (2 * RECORDS + 1))
            assert first.engine.owned_lanes.missing_partitions == second.engine.owned_lanes.missing_partitions == []
            lanes = [lane for one in (first, second) for lane in one.engine.owned_lanes.lanes]
            assert sorted(lane.partition for lane in lanes) == list(range(PARTITIONS))


def test_standby_lanes__owner_leaves__other_host_has_the_state_and_gets_the_lanes(
    broker: Broker, tmp_path: Path
) -> None:
    with application(broker, "b", tmp_path, TOPIC, group_protocol="streams") as second:
        with application(broker, "a", tmp_path, TOPIC, group_protocol="streams") as first:
            for one in (first, second):
                one.gate.open_to |= set(range(PARTITIONS))
            for one in (first, second):
                one.until(partial(has_half_and_is_idle, one))
            for one in (first, second):
                one.until(partial(has_standby_copies, one, tmp_path))
                one.until(partial(has_reported_copies, one))
        second.until(lambda: len(second.engine.owned_lanes.lanes) == PARTITIONS)
        with Producer(broker.address) as producer:
            for number in range(PARTITIONS):
                producer.send(TOPIC, b"k", b"7", partition=number)
        second.until(lambda: sum(broker.committed(GROUP).values()) == PARTITIONS * (RECORDS + 1))


def has_half_and_is_idle(one: Application) -> bool:
    return len(one.engine.owned_lanes.lanes) == PARTITIONS // 2 and one.engine.idle


def has_standby_copies(one: Application, root: Path) -> bool:
    """Return whether the host has copies of the state of all lanes of the other one."""
    lanes = kept_lanes(LocalFiles(), Layout.of(GroupId(GROUP), str(root))).all()
    others = [lane for lane in lanes if lane.lane not in one.engine.owned_lanes.lanes]
    return one.copies() >= {file.digest for lane in others for file in lane.manifest.state.files}


def has_reported_copies(one: Application) -> bool:
    """Return whether the observer knows the copies of all lanes of the other host."""
    own = {lane.partition for lane in one.engine.owned_lanes.lanes}
    return set(one.lanes(ProgressStep.COPIED)) >= set(range(PARTITIONS)) - own
