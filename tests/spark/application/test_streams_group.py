"""Pipeline as one streams group: its topology, and the engines that share a member."""

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from tenure.admin import Admin
from tenure.client.errors import TransactionAbortable
from tenure.client.producer.transaction_lender import TransactionLender
from tenure.client.queries.blocking import beginning_offsets
from tenure.client.streams.streams_member import StreamsMember
from tenure.client.tasks import InternalTopic, Subtopology, Topology
from tenure.client.values import GroupMetadata
from tenure.pipeline.errors import Code, PipelineConfigError, PipelineStopped
from tenure.pipeline.values.lanes import Writer
from tenure.pipeline.values.membership import CommitOutcome
from tenure.spark import Parquet, Pipeline, Topic, json, map_batches, map_with_state
from tenure.spark.application.memberships import StreamsMemberships
from tenure.spark.application.repartition_purge import RepartitionPurge
from tenure.spark.application.topology import REPARTITION_CONFIGS, topology_of
from tenure.spark.declarations.topics import Through
from tenure.spark.kafka.streams_memberships import SharedStreamsMember, SubtopologyMembership
from tenure.testing import Broker
from tenure.values import Assigned, Event, Lost, OffsetAndMetadata, Revoked, TopicPartition

PATIENCE_S = 60.0
GROUP = "flights"
SOURCE, BETWEEN = "flights-in", "flights-by-dest"
TOPOLOGY = Topology(
    (
        Subtopology("0", sources=(SOURCE,), repartition_sinks=(BETWEEN,)),
        Subtopology("1", repartition_sources=(InternalTopic(BETWEEN),)),
    )
)
FLIGHTS = Topic(SOURCE, value=json("tail string, dest string")).keyed_by("tail")


@pytest.fixture
def broker() -> Iterator[Broker]:
    settings = {
        "group.streams.min.heartbeat.interval.ms": "50",
        "group.streams.heartbeat.interval.ms": "50",
        "group.streams.initial.rebalance.delay.ms": "0",
        "group.streams.assignment.interval.ms": "0",
    }
    with Broker(settings) as at:
        at.create_topic(SOURCE, partitions=2)
        yield at


def by_dest(name: str, directory: Path, source: Through | Sequence[Topic | Through] | None = None) -> Pipeline:
    through = FLIGHTS.through(BETWEEN, key="dest")
    count = map_with_state(lambda flight, _: {"dest": flight["dest"]}, state="n long", output="dest string")
    return Pipeline(name, through if source is None else source, count, Parquet(str(directory)))


def test_topology__through_and_state__two_subtopologies_with_a_repartition_and_a_changelog_topic(
    tmp_path: Path,
) -> None:
    changelog = InternalTopic("p-1-state-changelog", configs={"cleanup.policy": "compact"})
    between = InternalTopic(BETWEEN, configs=REPARTITION_CONFIGS)
    assert topology_of(by_dest("p", tmp_path)) == Topology(
        (
            Subtopology("0", sources=(SOURCE,), repartition_sinks=(BETWEEN,)),
            Subtopology("1", repartition_sources=(between,), changelogs=(changelog,)),
        )
    )


def test_topology__one_step_without_state__one_subtopology_without_internal_topics(tmp_path: Path) -> None:
    pipeline = Pipeline("p", FLIGHTS, map_batches(lambda rows: rows), Parquet(str(tmp_path)))
    assert topology_of(pipeline) == Topology((Subtopology("0", sources=(SOURCE,)),))


def test_streams_group__topic_read_by_two_steps__error_names_the_topic(tmp_path: Path) -> None:
    pipeline = by_dest("p", tmp_path, [FLIGHTS.through(BETWEEN, key="dest"), FLIGHTS.keyed_by("dest")])
    with pytest.raises(PipelineConfigError, match=f"Duplicate topic '{SOURCE}'"):
        StreamsMemberships(pipeline)


class Engines:
    """Two engines of one member, one for each subtopology, with all of their events."""

    def __init__(
        self, broker: Broker, name: str, max_poll_interval_ms: int = 300_000, topology: Topology = TOPOLOGY
    ) -> None:
        self.member = StreamsMember(
            broker.address, GROUP, topology, process_id=name, max_poll_interval_ms=max_poll_interval_ms
        )
        self.shared = SharedStreamsMember(self.member, GROUP, max_poll_interval_ms / 1000)
        self.engines = [self.shared.membership(number, None) for number in ("0", "1")]
        self.events: dict[str, list[Event]] = {"0": [], "1": []}
        for engine in self.engines:
            engine.start()

    def poll(self, *engines: SubtopologyMembership) -> None:
        for engine in engines or self.engines:
            self.events[engine.subtopology_id] += engine.poll(0.02)

    def assigned(self, number: str) -> tuple[TopicPartition, ...]:
        found = [event for event in self.events[number] if isinstance(event, Assigned)]
        return found[-1].partitions if found else ()

    def close(self) -> None:
        for engine in self.engines:
            engine.close(leave=True)


def until(holds: Callable[[], bool], act: Callable[[], None]) -> None:
    end_s = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < end_s
        act()


def all_four(one: Engines) -> bool:
    return len(one.assigned("0")) == len(one.assigned("1")) == 2


def test_streams_member__two_engines__each_has_the_partitions_of_its_subtopology(broker: Broker) -> None:
    one = Engines(broker, "a")
    until(lambda: all_four(one), one.poll)
    assert one.assigned("0") == (TopicPartition(SOURCE, 0), TopicPartition(SOURCE, 1))
    assert one.assigned("1") == (TopicPartition(BETWEEN, 0), TopicPartition(BETWEEN, 1))
    one.engines[0].close(leave=True)
    one.poll(one.engines[1])  # The member stays, because the other engine polls.
    writer = Writer.of(one.member.identity)
    answer = one.engines[1].commit({TopicPartition(BETWEEN, 0): OffsetAndMetadata(0)}, writer)
    assert answer.outcome is CommitOutcome.ACCEPTED
    one.engines[1].close(leave=True)
    with Admin(broker.address) as admin:
        assert admin.describe_groups([GROUP])[0].members == ()


def test_revocation__member_with_two_engines__ends_when_both_have_acknowledged(
    broker: Broker,
) -> None:
    one = Engines(broker, "a")
    until(lambda: all_four(one), one.poll)
    planned = Writer.of(one.member.identity)
    other = Engines(broker, "b")

    def act() -> None:
        one.poll()
        other.poll()

    def has_revoked(number: str) -> bool:
        return any(isinstance(event, Revoked) for event in one.events[number])

    until(lambda: has_revoked("0") and has_revoked("1"), act)
    one.engines[0].acknowledge_revocation()
    for _ in range(10):
        act()
    assert other.assigned("0") == other.assigned("1") == ()
    one.engines[1].acknowledge_revocation()
    until(lambda: len(other.assigned("0")) == len(other.assigned("1")) == 1, act)
    (moved,) = other.assigned("1")
    answer = one.engines[1].commit({moved: OffsetAndMetadata(7)}, planned)
    assert answer.outcome is CommitOutcome.REFUSED
    lender = TransactionLender(broker.address, "flights-late")  # The client does not check this commit.
    lender.begin()
    with pytest.raises(TransactionAbortable):
        lender.send_offsets({moved: OffsetAndMetadata(7)}, GroupMetadata(GROUP, planned.identity))
    lender.abort()
    assert other.engines[1].committed([moved]) == {moved: None}
    other.close()
    one.close()


def test_streams_member__one_of_two_engines_does_not_poll_in_time__member_leaves(broker: Broker) -> None:
    one = Engines(broker, "a", max_poll_interval_ms=500)
    until(lambda: all_four(one), one.poll)
    with Admin(broker.address) as admin:

        def has_left() -> bool:
            return not admin.describe_groups([GROUP])[0].members

        until(has_left, lambda: one.poll(one.engines[0]))
    until(lambda: any(isinstance(event, Lost) for event in one.events["1"]), one.poll)
    one.events = {"0": [], "1": []}
    until(lambda: all_four(one), one.poll)  # The member joins again once both engines poll.
    one.close()


def test_shutdown_of_the_application__requested_by_a_member__all_engines_stop_with_the_reason(broker: Broker) -> None:
    one = Engines(broker, "a")
    until(lambda: all_four(one), one.poll)
    one.member.shut_down_application()
    for engine in one.engines:
        with pytest.raises(PipelineStopped, match="asked all of its members to stop") as stopped:
            until(lambda: False, lambda: one.poll(engine))  # noqa: B023
        assert stopped.value.code is Code.REFUSED_BY_BROKER
    one.close()


def test_changelog_topic__wrong_number_of_partitions__engines_stop_with_the_remedy(broker: Broker) -> None:
    broker.create_topic("changelog", partitions=1)
    first, second = TOPOLOGY.subtopologies
    one = Engines(broker, "a", topology=Topology((first, second._replace(changelogs=(InternalTopic("changelog"),)))))
    with pytest.raises(PipelineStopped, match=r"wrong number of partitions .*changelog.*delete") as stopped:
        until(lambda: False, one.poll)
    assert stopped.value.code is Code.NOT_CO_PARTITIONED
    one.close()


def test_repartition_purge__records_of_a_repartitioned_topic_committed__deleted_up_to_the_commit(
    broker: Broker,
) -> None:
    one = Engines(broker, "a")
    until(lambda: all_four(one), one.poll)
    for number in range(2):
        broker.produce(BETWEEN, ["a", "b", "c"], partition=number)
        broker.produce(SOURCE, ["a", "b", "c"], partition=number)
    first, second = TopicPartition(BETWEEN, 0), TopicPartition(BETWEEN, 1)
    source = TopicPartition(SOURCE, 0)
    purge = RepartitionPurge(one.engines[1], broker.address, {BETWEEN})
    purge.purge()
    assert beginning_offsets(broker.address, [first, second]) == {first: 0, second: 0}
    writer = Writer.of(one.member.identity)
    one.engines[0].commit({source: OffsetAndMetadata(3)}, writer)
    one.engines[1].commit({first: OffsetAndMetadata(2)}, writer)
    purge.purge()
    assert beginning_offsets(broker.address, [first, second, source]) == {first: 2, second: 0, source: 0}
    one.close()
