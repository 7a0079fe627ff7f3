"""Heartbeats of one client beside large requests of another: no request occupies the event loop alone."""

from typing import Final

import pytest

from tenure.coordinator.metadata.configs import TOPIC_RESOURCE
from tenure.limits.broker import OFFSETS_PER_ASK_MAX
from tenure.protocol.batches import encode_batch
from tenure.protocol.generated.describe_producers import DescribeProducersTopic
from tenure.protocol.generated.elect_leaders import TopicPartitions
from tenure.protocol.message import Message
from tenure.protocol.messages import (
    CreatePartitionsRequest,
    CreatePartitionsTopic,
    DeleteRecordsPartition,
    DeleteRecordsRequest,
    DeleteRecordsTopic,
    DescribeConfigsRequest,
    DescribeConfigsResource,
    DescribeGroupsRequest,
    DescribeProducersRequest,
    DescribeTopicPartitionsRequest,
    ElectLeadersRequest,
    FetchPartition,
    FetchRequest,
    FetchTopic,
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsTopic,
    MetadataRequest,
    MetadataRequestTopic,
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopic,
    OffsetFetchRequestTopics,
    OffsetForLeaderEpochRequest,
    OffsetForLeaderPartition,
    OffsetForLeaderTopic,
    PartitionProduceData,
    ProduceRequest,
    TopicProduceData,
    TopicRequest,
)
from tenure.protocol.records import Record
from tenure.protocol.types import GroupId, PartitionId, TopicName
from tests.broker.handlers.test_records import Topic
from tests.broker.server.counting_server import CountingServer, with_server
from tests.broker.wire import Wire
from tests.wire import Wire as WireTo

NAME: Final = TopicName("in-pieces")
GROUP: Final = GroupId("in-pieces")
ZEROS: Final = [PartitionId(0)] * 60_000
UNKNOWN_GROUPS: Final = [f"nobody-{number}" for number in range(60_000)]
BATCH: Final = encode_batch([Record(0, 0, None, b"v")])
STEPS_MIN: Final = 100
"""Smallest number of steps for a request with a thousand slow items or tens of thousands of quick ones."""

LARGE_REQUESTS: Final[list[tuple[Message, int]]] = [
    (MetadataRequest([MetadataRequestTopic(name=TopicName(name)) for name in UNKNOWN_GROUPS], False), 12),
    (DescribeTopicPartitionsRequest([TopicRequest(TopicName(name)) for name in UNKNOWN_GROUPS]), 0),
    (DescribeConfigsRequest([DescribeConfigsResource(TOPIC_RESOURCE, NAME, None)] * 1_000, True, True), 4),
    (DescribeGroupsRequest([GroupId(name) for name in UNKNOWN_GROUPS[:20_000]]), 5),
    (DescribeProducersRequest([DescribeProducersTopic(NAME, ZEROS)]), 0),
    (CreatePartitionsRequest([CreatePartitionsTopic(TopicName(name), 2, None) for name in UNKNOWN_GROUPS]), 3),
    (ElectLeadersRequest(0, [TopicPartitions(NAME, ZEROS)]), 2),
    (DeleteRecordsRequest([DeleteRecordsTopic(NAME, [DeleteRecordsPartition(zero, -1) for zero in ZEROS])]), 2),
    (
        ListOffsetsRequest(
            topics=[ListOffsetsTopic(NAME, [ListOffsetsPartition(zero, timestamp=-1) for zero in ZEROS])]
        ),
        9,
    ),
    (
        OffsetForLeaderEpochRequest(
            topics=[OffsetForLeaderTopic(NAME, [OffsetForLeaderPartition(zero) for zero in ZEROS])]
        ),
        4,
    ),
    (
        OffsetCommitRequest(
            GROUP,
            topics=[
                OffsetCommitRequestTopic(NAME, partitions=[OffsetCommitRequestPartition(PartitionId(9)) for _ in ZEROS])
            ],
        ),
        9,
    ),
    (OffsetFetchRequest(GROUP, [OffsetFetchRequestTopic(NAME, ZEROS)]), 7),
    (
        OffsetFetchRequest(
            groups=[OffsetFetchRequestGroup(GROUP, topics=[OffsetFetchRequestTopics(NAME, partition_indexes=ZEROS)])]
        ),
        9,
    ),
    (
        FetchRequest(
            topics=[FetchTopic(NAME, partitions=[FetchPartition(PartitionId(9 + index)) for index in range(30_000)])]
        ),
        12,
    ),
    (
        ProduceRequest(
            None,
            -1,
            1_000,
            [TopicProduceData(NAME, partition_data=[PartitionProduceData(PartitionId(0), BATCH)] * 10_000)],
        ),
        12,
    ),
]


@pytest.mark.long
@pytest.mark.parametrize(("request_", "version"), LARGE_REQUESTS, ids=lambda each: type(each).__name__)
def test_large_request__of_any_api__handled_in_steps(request_: Message, version: int) -> None:
    """Divide a request into steps of few items, between which others are served."""

    def client(server: CountingServer, port: int) -> None:
        with WireTo("127.0.0.1", port) as wire:
            Topic(wire, NAME)
            before = server.steps
            wire.ask(request_, version)
            assert server.steps - before >= STEPS_MIN

    with_server(client, CountingServer)


def test_offset_fetch__more_partitions_than_a_shard_answers_at_once__answers_in_request_order(wire: Wire) -> None:
    Topic(wire, NAME)
    group = GroupId("fetched-in-portions")
    one = [OffsetCommitRequestPartition(PartitionId(1), 7)]
    wire.ask(OffsetCommitRequest(group, topics=[OffsetCommitRequestTopic(NAME, partitions=one)]), 9)
    first, second = [0] * OFFSETS_PER_ASK_MAX + [1], [1, 0]
    asked = [
        OffsetFetchRequestTopic(NAME, [PartitionId(index) for index in indexes]) for indexes in (first, [], second)
    ]
    answer = wire.ask(OffsetFetchRequest(group, asked), 7)
    found = [[(each.partition_index, each.committed_offset) for each in topic.partitions] for topic in answer.topics]
    offsets = {0: -1, 1: 7}
    assert found == [[(index, offsets[index]) for index in indexes] for indexes in (first, [], second)]
