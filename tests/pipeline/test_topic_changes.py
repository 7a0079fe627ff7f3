"""Changes of topics while a pipeline reads them: more partitions, or a new topic with the same name."""

import pytest

from tenure.pipeline.engine.owned_lanes import OwnedLanes
from tenure.pipeline.engine.recover import OnDisagreement
from tenure.pipeline.engine.topic_changes import partition_count
from tenure.pipeline.errors import Code, PipelineStopped
from tenure.pipeline.values.lanes import Writer
from tenure.protocol.types import GenerationId, MemberId, PartitionId, TopicName
from tenure.values import TopicPartition
from tests.pipeline.coordinator import TopicLog
from tests.pipeline.harness import Harness

WRITER = Writer(MemberId("m"), GenerationId(3))
BOTH = (TopicName("clicks"), TopicName("views"))


def at(topic: int, partition: int) -> TopicPartition:
    return TopicPartition(BOTH[topic], PartitionId(partition))


def test_partitions_added__pipeline_with_state__stops_and_names_the_repartition_command() -> None:
    harness = Harness(2)
    harness.produce(20)
    process = harness.start("a").run()
    harness.log.partitions.append([])
    harness.log.starts.append(0)
    harness.produce(20)
    with pytest.raises(PipelineStopped, match=r"had 2 partitions .* has 3 now.*tenure pipeline repartition") as stopped:
        process.run()
    assert stopped.value.code is Code.PARTITIONS_CHANGED
    assert sum(harness.visible_rows().values()) == 40


def test_partitions_added__member_that_got_only_new_partitions__stops() -> None:
    harness = Harness(2)
    harness.produce(20)
    harness.start("a").run()
    harness.coordinator.advance(60_000)
    harness.log.partitions[:] = [harness.log.partitions[0], harness.log.partitions[1], []]
    harness.log.starts.append(0)
    process = harness.start("b")
    process.membership.partition_count = 3
    shares = process.engine.owned_lanes.assign

    def only_the_new_one(writer: Writer, *_: object) -> None:
        new = [TopicPartition(TopicName("words"), PartitionId(2))]
        shares(writer, new, new)

    process.engine.owned_lanes.assign = only_the_new_one  # type: ignore[method-assign, assignment]
    with pytest.raises(PipelineStopped) as stopped:
        process.run()
    assert stopped.value.code is Code.PARTITIONS_CHANGED


def test_partitions_added__pipeline_without_state__continues() -> None:
    harness = Harness(2)
    harness.produce(20)
    job = harness.job(lambda rows, _: rows, state=None)
    process = harness.start("a", job=job, stateful=False).run()
    harness.log.partitions.append([])
    harness.log.starts.append(0)
    harness.produce(5)
    process.run()
    assert process.engine.idle


@pytest.mark.parametrize("while_it_runs", [True, False])
def test_topic__deleted_and_recreated__pipeline_stops_and_starts_only_with_trust_offsets(while_it_runs: bool) -> None:
    harness = Harness(1)
    harness.produce(20)
    process = harness.start("a").run()
    harness.log.topic_id = "b" * 22
    harness.log.partitions[:] = [[]]
    harness.produce(30)
    with pytest.raises(PipelineStopped, match=r"deleted and created again.*trust-offsets") as stopped:
        (process if while_it_runs else harness.start("a")).run()
    assert stopped.value.code is Code.TOPIC_RECREATED
    with pytest.raises(PipelineStopped) as stopped:
        harness.start("a", on_disagreement=OnDisagreement.TRUST_STATE).run()
    assert stopped.value.code is Code.TOPIC_RECREATED
    harness.start("a", on_disagreement=OnDisagreement.TRUST_OFFSETS).run()
    assert harness.start("a").run().engine.idle
    (manifest,) = harness.committed_manifests().values()
    assert sum(count for count, _ in harness.state(manifest).values()) == 30


def test_owned_lanes__partition_of_only_one_of_two_topics_assigned__no_lane() -> None:
    lanes = OwnedLanes(BOTH)
    partitions = [at(0, 0), at(1, 0), at(0, 1)]
    lanes.assign(WRITER, partitions, partitions)
    assert [lane.partition for lane in lanes.lanes] == [0]
    assert lanes.missing_partitions == [at(1, 1)]
    lanes.assign(WRITER, [*partitions, at(1, 1)], [at(1, 1)])
    assert [lane.partition for lane in lanes.lanes] == [0, 1]
    assert lanes.missing_partitions == []


def test_owned_lanes__partition_of_one_of_two_topics_revoked__lane_is_given_up() -> None:
    lanes = OwnedLanes(BOTH)
    partitions = [at(topic, number) for topic in (0, 1) for number in (0, 1)]
    lanes.assign(WRITER, partitions, partitions)
    lanes.revoke([at(1, 1)])
    lanes.remove_revoked()
    assert [lane.partition for lane in lanes.lanes] == [0]


def test_partition_counts__differ_between_topics__error_names_both_topics() -> None:
    class Two(TopicLog):
        def partition_count(self, topic: str) -> int:
            return {"clicks": 4, "views": 6}[topic]

    with pytest.raises(PipelineStopped, match="clicks has 4, views has 6") as stopped:
        partition_count(Two(1), BOTH)
    assert stopped.value.code is Code.NOT_CO_PARTITIONED
