"""Requests about topics and records get the same answers, error codes and stored records as from Apache Kafka."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest

from tenure.protocol.batches import encode_batch
from tenure.protocol.errors import ErrorCode
from tenure.protocol.message import Message
from tenure.protocol.messages import (
    CreatableReplicaAssignment,
    CreatableTopic,
    CreatableTopicConfig,
    CreatePartitionsRequest,
    CreatePartitionsTopic,
    CreateTopicsRequest,
    Cursor,
    DeleteRecordsPartition,
    DeleteRecordsRequest,
    DeleteRecordsTopic,
    DeleteTopicsRequest,
    DeleteTopicState,
    DescribableLogDirTopic,
    DescribeClusterRequest,
    DescribeLogDirsRequest,
    DescribeProducersRequest,
    DescribeProducersTopic,
    DescribeTopicPartitionsRequest,
    ElectLeadersRequest,
    FetchPartition,
    FetchRequest,
    FetchTopic,
    InitProducerIdRequest,
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsTopic,
    MetadataRequest,
    MetadataRequestTopic,
    OffsetForLeaderEpochRequest,
    OffsetForLeaderPartition,
    OffsetForLeaderTopic,
    PartitionProduceData,
    ProduceRequest,
    TopicPartitions,
    TopicProduceData,
    TopicRequest,
)
from tenure.protocol.records import Record
from tests.oracle.classic_requests import TOPIC
from tests.oracle.side import PATIENCE_S, Session, Side

pytestmark = pytest.mark.oracle

UNKNOWN_TOPIC_ID = bytes(15) + b"\x07"
Questions = Iterator[tuple[Message, int]]

TIMESTAMP_MS = int(time.time() * 1000) - 3_600_000
"""One hour ago, because retention would delete records that are older than a week."""
RECORDS = [Record(n, TIMESTAMP_MS + n, f"k{n}".encode(), f"v{n}".encode(), []) for n in range(3)]
BATCH = encode_batch(RECORDS)


def create(*topics: CreatableTopic, validate_only: bool = False) -> CreateTopicsRequest:
    return CreateTopicsRequest(topics=list(topics), timeout_ms=10_000, validate_only=validate_only)


def new(name: str, partitions: int = 1, replicas: int = 1, **configs: str | None) -> CreatableTopic:
    return CreatableTopic(
        name=name,
        num_partitions=partitions,
        replication_factor=replicas,
        configs=[CreatableTopicConfig(key.replace("_", "."), value) for key, value in configs.items()],
    )


def creating() -> Questions:
    yield create(new("made", 3)), 7
    yield create(new("made", 3)), 7
    yield create(new("made-in-old-words", 2)), 4
    yield create(new("defaults", -1, -1)), 7
    yield create(new("only-looked-at"), validate_only=True), 7
    yield create(new("only-looked-at"), validate_only=True), 7
    for name in ("", ".", "..", "a b", "slash/ed", "x" * 249, "x" * 250, "ümlaut"):
        yield create(new(name)), 7
    yield create(new("no-partitions", 0)), 7
    yield create(new("minus-partitions", -2)), 7
    yield create(new("no-replicas", 1, 0)), 7
    yield create(new("three-replicas", 1, 3)), 7
    yield create(new("twice"), new("twice"), new("beside-twice")), 7
    yield create(new("dotted.name")), 7
    yield create(new("dotted_name")), 7
    yield create(new("odd-config", no_such_config="1")), 7
    yield create(new("bad-config", retention_ms="soon")), 7
    for name in ("made", "bad name"):  # errors of the name are checked before those of the configs
        yield create(new(name, retention_ms="soon")), 7
    yield create(new("good-config", retention_ms="86400000", cleanup_policy="compact")), 7
    yield create(CreatableTopic("placed", -1, -1, [CreatableReplicaAssignment(0, [1])], [])), 7
    yield create(CreatableTopic("placed-twice", 1, 1, [CreatableReplicaAssignment(0, [1])], [])), 7
    yield create(), 7


def deleting_and_growing() -> Questions:
    yield create(new("doomed", 2), new("growing", 2)), 7
    yield DeleteTopicsRequest(topics=[DeleteTopicState(name="doomed")], timeout_ms=10_000), 6
    yield DeleteTopicsRequest(topics=[DeleteTopicState(name="doomed")], timeout_ms=10_000), 6
    yield DeleteTopicsRequest(topics=[DeleteTopicState(topic_id=UNKNOWN_TOPIC_ID)], timeout_ms=10_000), 6
    yield DeleteTopicsRequest(topic_names=["doomed", "never-there"], timeout_ms=10_000), 5
    yield DeleteTopicsRequest(topic_names=["growing", "growing", "never-there", "never-there"], timeout_ms=10_000), 5
    twice = [DeleteTopicState(topic_id=UNKNOWN_TOPIC_ID), DeleteTopicState(topic_id=UNKNOWN_TOPIC_ID)]
    yield DeleteTopicsRequest(topics=[*twice, DeleteTopicState(name="never-there")], timeout_ms=10_000), 6
    yield DeleteTopicsRequest(topics=[DeleteTopicState()], timeout_ms=10_000), 6
    yield create(new("doomed", 1)), 7
    for count in (3, 3, 1, 0, -1):
        grown = CreatePartitionsTopic(name="growing", count=count, assignments=None)
        yield CreatePartitionsRequest(topics=[grown], timeout_ms=10_000), 3
    missing = CreatePartitionsTopic(name="never-there", count=3, assignments=None)
    yield CreatePartitionsRequest(topics=[missing], timeout_ms=10_000), 3
    yield described("growing"), 12


def described(*names: str) -> MetadataRequest:
    return MetadataRequest(topics=[MetadataRequestTopic(name=name) for name in names], allow_auto_topic_creation=False)


def describing() -> Questions:
    yield create(new("described", 2)), 7
    for version in range(4, 14):
        yield described("described", "never-there"), version
    yield described("bad name"), 12
    yield MetadataRequest(topics=[MetadataRequestTopic(topic_id=UNKNOWN_TOPIC_ID, name=None)]), 12
    yield MetadataRequest(topics=[]), 12
    for version in (10, 11):
        for topic in (
            MetadataRequestTopic(topic_id=UNKNOWN_TOPIC_ID, name="described"),
            MetadataRequestTopic(name=None),
        ):
            yield MetadataRequest(topics=[MetadataRequestTopic(name="described"), topic]), version
    names = ("described", "never-there", "bad name", "__consumer_offsets", "__share_group_state")
    named = [MetadataRequestTopic(name=name) for name in names]
    by_id = [MetadataRequestTopic(topic_id=UNKNOWN_TOPIC_ID, name=None)]
    for version, topics in ((8, named), (10, named), (12, named), (12, by_id)):
        asked = {"allow_auto_topic_creation": False, "include_topic_authorized_operations": True}
        if version <= 10:
            asked["include_cluster_authorized_operations"] = True
        yield MetadataRequest(topics=topics, **asked), version
    for version in range(3):
        for is_asked_for in (False, True):
            yield DescribeClusterRequest(include_cluster_authorized_operations=is_asked_for), version


def describing_page_by_page() -> Questions:
    """Describe topics whose names come last: a request without names returns all others after the cursor, too."""
    yield create(new("zz-page-a", 3), new("zz-page-b", 2), new("zz-page-c", 1)), 7
    every = ("zz-page-c", "zz-page-a", "zz-page-b", "zz-page-b")
    for limit in (2000, 6, 5, 4, 3, 2, 1, 0, -1):
        yield page(*every, limit=limit), 0
    for cursor in (
        ("zz-page-a", 2),
        ("zz-page-a", 3),
        ("zz-page-a", 7),
        ("zz-page-b", 0),
        ("zz-page-b", 1),
        ("zz-page-c", 0),
        ("zz-page-c", 1),
    ):
        yield page(*every, limit=2, cursor=cursor), 0
    yield page("zz-page-a", "never-there", "bad name", "zz-page-b", limit=4), 0
    yield page("never-there", limit=1, cursor=("never-there", 5)), 0
    yield page("zz-page-a", cursor=("zz-page-b", 0)), 0
    yield page("zz-page-a", "zz-page-c", cursor=("zz-page-b", 0)), 0
    yield page("zz-page-a", "zz-page-a", cursor=("zz-page-a", -1)), 0
    yield page("zz-page-a", cursor=("", 0)), 0
    yield page(cursor=("zz-page-b", -1)), 0
    yield page(cursor=("zz-page-c", -1)), 0
    for limit in (1, 2):
        yield page(cursor=("zz-page-b", 0), limit=limit), 0


def page(*names: str, limit: int = 2000, cursor: tuple[str, int] | None = None) -> DescribeTopicPartitionsRequest:
    return DescribeTopicPartitionsRequest([TopicRequest(name) for name in names], limit, cursor and Cursor(*cursor))


PLACES = (("written", 0), ("written", 9), ("never-there", 0))
"""Topic and partition that exists, and others that do not."""


def writing() -> Questions:
    yield create(new("written", 2)), 7
    for version in range(3, 13):
        yield produced("written", 0, BATCH), version
    yield produced("written", 0, BATCH, acks=1), 12
    for topic, partition in (*PLACES, ("__consumer_offsets", 0)):
        yield produced(topic, partition, BATCH, acks=99), 12
    for records in (b"", BATCH + BATCH, BATCH[:-1] + b"\xff", BATCH[:30]):
        yield produced("written", 0, records, acks=99), 12
        yield produced("__consumer_offsets", 0, records), 12
    yield produced("written", 9, BATCH), 12
    yield produced("never-there", 0, BATCH), 12
    yield produced("written", 1, BATCH[:-1] + b"\xff"), 12
    yield produced("written", 1, BATCH[:30]), 12
    yield produced("written", 1, b""), 12
    yield produced("written", 1, BATCH + BATCH), 12
    for sequence, epoch in ((0, 0), (0, 0), (3, 0), (9, 0), (0, 1), (3, 0), (5, 1), (3, 1)):
        batch = encode_batch(RECORDS, producer_id=4_000, producer_epoch=epoch, base_sequence=sequence)
        yield produced("written", 1, batch), 12
    yield produced("written", 1, encode_batch(RECORDS, producer_id=4_001, producer_epoch=0, base_sequence=5)), 12
    for version in range(4, 13):
        yield fetched("written", 0, 3), version
    for partition, offset in ((0, 0), (0, 1), (0, 10_000), (0, -1), (1, 4), (9, 0)):
        yield fetched("written", partition, offset), 12
    yield fetched("never-there", 0, 0), 12
    yield fetched("written", 0, 0, current_leader_epoch=5), 12
    for timestamp in (-1, -2, -3, TIMESTAMP_MS, TIMESTAMP_MS + 2, TIMESTAMP_MS + 60_000):
        for version in (1, 7, 9):
            if timestamp != -3 or version >= 7:
                yield offsets_of("written", 0, timestamp), version
    for timestamp, version in (
        (-4, 8),
        (-4, 11),
        (-5, 9),
        (-5, 11),
        (-6, 11),
        (-7, 11),
        (-7, 1),
        (-3, 6),
        (-4, 7),
        (-5, 8),
    ):
        for topic, partition in PLACES:
            yield offsets_of(topic, partition, timestamp), version
    yield offsets_of("written", 9, -1), 7
    yield offsets_of("never-there", 0, -1), 7
    for epoch in (0, 1, 7, -1):
        yield epoch_end("written", 0, epoch), 4
    for epoch in (0, 1, -1, -2):
        yield offsets_of("written", 0, -1, current_leader_epoch=epoch), 7
        yield epoch_end("written", 0, 0, current_leader_epoch=epoch), 4
    yield epoch_end("never-there", 0, 0), 4


def reading() -> Questions:
    yield create(new("read", 2)), 7
    large = encode_batch([Record(0, TIMESTAMP_MS, None, bytes(1_000), [])])
    for partition in (0, 1, 0, 1, 0, 1):
        yield produced("read", partition, large), 12
    for limit in (0, 1, *(count * len(large) for count in (1, 2, 4, 5))):
        yield read((0, 0), (1, 0), max_bytes=limit), 12
        yield read((0, 0), (1, 0), partition_max_bytes=limit), 12
    yield read((0, 3), (1, 0), partition_max_bytes=100), 12
    yield read((0, 3), min_bytes=1, max_wait_ms=100), 12
    yield read((0, 2), min_bytes=100_000, max_wait_ms=100), 12
    yield read((0, 2), min_bytes=-5, max_wait_ms=-5), 12
    yield read(), 12
    for epoch in (-2, 0, 1, 5):
        yield read((0, 2), current_leader_epoch=epoch), 12
        yield read((0, 2), last_fetched_epoch=epoch), 12
        yield read((0, 3), current_leader_epoch=0, last_fetched_epoch=epoch), 12


def read(
    *places: tuple[int, int], max_bytes: int = 1 << 20, min_bytes: int = 1, max_wait_ms: int = 0, **wanted: int
) -> FetchRequest:
    """Read partitions of one topic from the given offsets."""
    parts = [
        FetchPartition(**({"partition": partition, "fetch_offset": offset, "partition_max_bytes": 1 << 20} | wanted))
        for partition, offset in places
    ]
    topics = [FetchTopic(topic="read", partitions=parts)] if parts else []
    return FetchRequest(max_bytes=max_bytes, min_bytes=min_bytes, max_wait_ms=max_wait_ms, topics=topics)


def deleting_records() -> Questions:
    """Delete records and look at the result, but not at the newest timestamp (-3).

    Apache Kafka still returns the timestamp of a deleted record while its segment exists.
    """
    yield create(new("shortened", 2), new("kept", cleanup_policy="compact")), 7
    for _ in range(4):
        yield produced("shortened", 0, BATCH), 12
    yield produced("kept", 0, BATCH), 12
    for offset in (0, 4, 4, 2, -2, 13):
        yield deletion("shortened", 0, offset), 2
        yield fetched("shortened", 0, 3), 12
        yield offsets_of("shortened", 0, -2), 7
        yield offsets_of("shortened", 0, TIMESTAMP_MS), 7
    for version in range(3):
        yield deletion("shortened", 0, 6 + version), version
    yield fetched("shortened", 0, 8), 12
    yield deletion("shortened", 0, -1), 2
    yield offsets_of("shortened", 0, TIMESTAMP_MS), 7
    yield produced("shortened", 0, BATCH), 12
    yield fetched("shortened", 0, 12), 12
    for topic, partition in (("shortened", 1), ("shortened", 9), ("kept", 0), ("never-there", 0)):
        yield deletion(topic, partition, -1), 2


def deletion(topic: str, partition: int, offset: int) -> DeleteRecordsRequest:
    return DeleteRecordsRequest(
        topics=[DeleteRecordsTopic(topic, [DeleteRecordsPartition(partition, offset)])], timeout_ms=10_000
    )


LED = ("led", "never-there", TOPIC, "__consumer_offsets", "__transaction_state")
"""Topics to compare after elections of all topics, because topics of other tests appear and disappear meanwhile."""


def electing() -> Questions:
    yield create(new("led", 2)), 7
    for version in range(3):
        yield ElectLeadersRequest(topic_partitions=[TopicPartitions("led", [0, 1, 2])]), version
        yield ElectLeadersRequest(topic_partitions=[TopicPartitions("never-there", [0])]), version
        yield ElectLeadersRequest(topic_partitions=[]), version
        yield ElectLeadersRequest(topic_partitions=None), version
    for kind in (1, 2, -1):
        yield ElectLeadersRequest(election_type=kind, topic_partitions=[TopicPartitions("led", [0])]), 2


def describing_producers() -> Questions:
    yield create(new("several-hands", 2)), 7
    asked = [DescribeProducersTopic("several-hands", [0, 1, 2]), DescribeProducersTopic("never-there", [0])]
    yield DescribeProducersRequest(topics=asked), 0
    for producer_id, epoch, sequence in ((7_000, 0, 0), (7_001, 3, 0), (7_000, 0, 3), (7_000, 1, 0)):
        batch = encode_batch(RECORDS, producer_id=producer_id, producer_epoch=epoch, base_sequence=sequence)
        yield produced("several-hands", 0, batch), 12
        yield DescribeProducersRequest(topics=asked), 0
    yield produced("several-hands", 1, BATCH), 12
    yield DescribeProducersRequest(topics=asked), 0
    yield DescribeProducersRequest(topics=[]), 0
    for wanted in ("several-hands", "never-there"):
        yield DescribeProducersRequest(topics=[DescribeProducersTopic(wanted, [])]), 0


def describing_log_dirs() -> Questions:
    yield create(new("sized", 2)), 7
    yield produced("sized", 0, BATCH), 12
    for version in range(1, 6):
        yield log_dirs(("sized", [0, 1])), version
        yield log_dirs(("sized", [0, 7]), ("never-there", [0])), version
    yield log_dirs(("never-there", [0])), 4
    yield log_dirs(), 4


def log_dirs(*topics: tuple[str, list[int]]) -> DescribeLogDirsRequest:
    return DescribeLogDirsRequest(topics=[DescribableLogDirTopic(name, partitions) for name, partitions in topics])


def produced(topic: str, partition: int, records: bytes, acks: int = -1) -> ProduceRequest:
    data = [TopicProduceData(name=topic, partition_data=[PartitionProduceData(partition, records)])]
    return ProduceRequest(acks=acks, timeout_ms=10_000, topic_data=data)


def fetched(topic: str, partition: int, offset: int, current_leader_epoch: int = -1) -> FetchRequest:
    wanted = FetchPartition(
        partition=partition,
        fetch_offset=offset,
        current_leader_epoch=current_leader_epoch,
        partition_max_bytes=1 << 20,
    )
    return FetchRequest(max_bytes=1 << 20, topics=[FetchTopic(topic=topic, partitions=[wanted])])


def offsets_of(topic: str, partition: int, timestamp: int, current_leader_epoch: int = -1) -> ListOffsetsRequest:
    wanted = ListOffsetsPartition(partition, current_leader_epoch, timestamp)
    return ListOffsetsRequest(replica_id=-1, topics=[ListOffsetsTopic(name=topic, partitions=[wanted])])


def epoch_end(topic: str, partition: int, epoch: int, current_leader_epoch: int = -1) -> OffsetForLeaderEpochRequest:
    wanted = OffsetForLeaderPartition(partition, current_leader_epoch, epoch)
    return OffsetForLeaderEpochRequest(replica_id=-1, topics=[OffsetForLeaderTopic(topic=topic, partitions=[wanted])])


@pytest.mark.parametrize(
    "ask",
    [
        creating,
        deleting_and_growing,
        describing,
        describing_page_by_page,
        writing,
        reading,
        deleting_records,
        electing,
        describing_producers,
        describing_log_dirs,
    ],
)
def test_requests_about_topics_and_records__sent_to_both_brokers__same_answers(
    ask: Callable[[], Questions], kafka: Side, tenure: Side
) -> None:
    differences = []
    questions = 0
    expected, ours = kafka.session(), tenure.session()
    for request, version in ask():
        questions += 1
        answers = [ask_and_settle(session, request, version) for session in (expected, ours)]
        if answers[0] != answers[1]:
            differences.append(f"{request} v{version}\n  Apache Kafka: {answers[0]}\n  Tenure:       {answers[1]}")
    assert questions >= 10
    assert not differences, "\n".join(differences)


def ask_and_settle(session: Session, request: Message, version: int) -> str:
    """Return the answer as text, after created topics exist.

    Apache Kafka's controller answers before its broker knows a topic, whose partitions then have no leader for a
    moment.
    """
    answer = session.ask("A", request, version)
    if isinstance(request, CreateTopicsRequest) and not request.validate_only:
        settle(session, {one.name: one.num_partitions for one in answer.topics if one.error_code == 0})
    if isinstance(request, CreatePartitionsRequest) and answer.results[0].error_code == 0:
        (grown,) = request.topics
        settle(session, {grown.name: grown.count})
    if isinstance(request, ElectLeadersRequest):
        answer.replica_election_results = [one for one in answer.replica_election_results if one.topic in LED]
    return session.render(answer)


def settle(session: Session, topics: dict[str, int]) -> None:
    """Wait until all partitions exist and have a leader. `topics` has the number of partitions by topic."""
    asked = [DescribeProducersTopic(name, list(range(partitions))) for name, partitions in topics.items()]
    deadline = time.monotonic() + PATIENCE_S
    while any(
        partition.error_code
        for topic in session.ask("A", DescribeProducersRequest(asked), 0).topics
        for partition in topic.partitions
    ):
        assert time.monotonic() < deadline, f"{topics} do not exist, or have no leader"
        time.sleep(0.02)


def test_init_producer_id__without_a_transactional_id__different_producer_ids(kafka: Side, tenure: Side) -> None:
    for side in (kafka, tenure):
        session = side.session()
        seen = set()
        for version in range(6):
            request = InitProducerIdRequest(transactional_id=None, transaction_timeout_ms=60_000)
            answer = session.ask("A", request, version)
            while answer.error_code == ErrorCode.COORDINATOR_LOAD_IN_PROGRESS:
                time.sleep(0.05)
                answer = session.ask("A", request, version)
            assert (answer.error_code, answer.producer_epoch) == (0, 0)
            seen.add(answer.producer_id)
        assert len(seen) == 6
