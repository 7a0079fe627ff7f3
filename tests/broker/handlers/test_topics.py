"""Topics: creation, lookup, description, deletion."""

import pytest

from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    CreatableTopic,
    CreatableTopicConfig,
    CreatePartitionsRequest,
    CreatePartitionsTopic,
    CreateTopicsRequest,
    DeleteTopicsRequest,
    DeleteTopicState,
    DescribeClusterRequest,
    DescribeConfigsRequest,
    DescribeConfigsResource,
    MetadataRequest,
    MetadataRequestTopic,
    MetadataResponseTopic,
)
from tenure.protocol.types import TopicId, TopicName
from tests.broker.wire import Wire
from tests.serving import Serving

TOPIC, BROKER = 2, 4


def create(wire: Wire, name: str, partitions: int = -1, **configs: str) -> int:
    wanted = [CreatableTopicConfig(key.replace("_", "."), value) for key, value in configs.items()]
    topic = CreatableTopic(TopicName(name), partitions, -1, [], wanted)
    (result,) = wire.ask(CreateTopicsRequest([topic])).topics
    return int(result.error_code)


def described(wire: Wire, name: str, *, create: bool = False, version: int | None = None) -> MetadataResponseTopic:
    request = MetadataRequest([MetadataRequestTopic(name=TopicName(name))], allow_auto_topic_creation=create)
    topic: MetadataResponseTopic = wire.ask(request, version).topics[0]
    return topic


def test_create_topics__partition_count_not_given__defaults_of_the_broker(wire: Wire) -> None:
    (result,) = wire.ask(CreateTopicsRequest([CreatableTopic(TopicName("made"), -1, -1)])).topics
    assert (result.error_code, result.num_partitions, result.replication_factor) == (0, 2, 1)
    assert {c.name: c.value for c in result.configs}["retention.ms"] == "604800000"
    topic = described(wire, "made")
    assert topic.topic_id == result.topic_id != bytes(16)
    assert [(p.partition_index, p.leader_id, p.leader_epoch, p.isr_nodes) for p in topic.partitions] == [
        (0, 1, 0, [1]),
        (1, 1, 0, [1]),
    ]


def test_create_topics__topic_exists__topic_already_exists(wire: Wire) -> None:
    assert create(wire, "twice") == ErrorCode.NONE
    assert create(wire, "twice") == ErrorCode.TOPIC_ALREADY_EXISTS


@pytest.mark.parametrize("name", ["", ".", "..", "with space", "with/slash", "x" * 250, "ünïcode"])
def test_create_topics__invalid_name__refused(wire: Wire, name: str) -> None:
    assert create(wire, name) == ErrorCode.INVALID_TOPIC_EXCEPTION
    assert described(wire, name, create=True).error_code == ErrorCode.INVALID_TOPIC_EXCEPTION


def test_create_topics__topic_named_twice_in_one_request__refused(wire: Wire) -> None:
    topic = CreatableTopic(TopicName("one-request-twice"), 1, 1)
    (result,) = wire.ask(CreateTopicsRequest([topic, topic])).topics
    assert result.error_code == ErrorCode.INVALID_REQUEST


def test_create_topics__more_replicas_than_brokers__refused(wire: Wire) -> None:
    (result,) = wire.ask(CreateTopicsRequest([CreatableTopic(TopicName("replicated"), 1, 3)])).topics
    assert result.error_code == ErrorCode.INVALID_REPLICATION_FACTOR


@pytest.mark.parametrize(("key", "value"), [("nobody_knows", "1"), ("retention_ms", "soon"), ("segment_bytes", "1")])
def test_create_topics__invalid_setting__refused_with_a_message(wire: Wire, key: str, value: str) -> None:
    assert create(wire, "misconfigured", **{key: value}) == ErrorCode.INVALID_CONFIG
    assert described(wire, "misconfigured").error_code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION


def test_create_topics__config_of_kafka_without_effect_in_tenure__accepted(wire: Wire) -> None:
    assert create(wire, "kept", min_insync_replicas="1", compression_type="producer") == ErrorCode.NONE


def test_create_topics__validate_only__nothing_is_created(wire: Wire) -> None:
    topic = CreatableTopic(TopicName("only-asked"), 3, 1)
    (result,) = wire.ask(CreateTopicsRequest([topic], validate_only=True)).topics
    assert result.error_code == ErrorCode.NONE
    assert described(wire, "only-asked").error_code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION


@pytest.mark.parametrize("version", range(14))
def test_metadata__unknown_topic__created_only_if_the_client_allows_it(wire: Wire, version: int) -> None:
    name = f"auto-{version}"
    if version >= 4:
        assert described(wire, name, version=version).error_code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    topic = described(wire, name, create=True, version=version)
    assert (topic.error_code, len(topic.partitions)) == (0, 2)


@pytest.mark.parametrize("version", range(14))
def test_metadata__all_topics__includes_internal_ones(wire: Wire, version: int) -> None:
    response = wire.ask(MetadataRequest([] if version == 0 else None), version)
    offsets = next(topic for topic in response.topics if topic.name == "__consumer_offsets")
    assert len(offsets.partitions) == 50  # rule 6.1
    assert offsets.is_internal is (version >= 1)


def test_metadata__known_and_unknown_topic_id__name_or_unknown_topic_id(wire: Wire) -> None:
    create(wire, "by-id")
    topic_id = described(wire, "by-id").topic_id
    asked = [MetadataRequestTopic(topic_id), MetadataRequestTopic(TopicId(b"\x07" * 16))]
    known, unknown = wire.ask(MetadataRequest(asked)).topics
    assert (known.error_code, known.name) == (0, "by-id")
    assert (unknown.error_code, unknown.name) == (ErrorCode.UNKNOWN_TOPIC_ID, None)


def test_create_partitions__larger_count__new_partitions_visible_at_once(wire: Wire) -> None:
    create(wire, "growing", 1)
    (result,) = wire.ask(CreatePartitionsRequest([CreatePartitionsTopic(TopicName("growing"), 3, None)])).results
    assert result.error_code == ErrorCode.NONE
    assert len(described(wire, "growing").partitions) == 3


@pytest.mark.parametrize(
    ("name", "count", "error_code"),
    [
        ("shrinking", 1, ErrorCode.INVALID_PARTITIONS),
        ("nowhere", 2, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
        ("__consumer_offsets", 60, ErrorCode.INVALID_REQUEST),
    ],
)
def test_create_partitions__smaller_count_or_internal_or_unknown_topic__refused(
    wire: Wire, name: str, count: int, error_code: ErrorCode
) -> None:
    create(wire, "shrinking", 2)
    (result,) = wire.ask(CreatePartitionsRequest([CreatePartitionsTopic(TopicName(name), count, None)])).results
    assert result.error_code == error_code
    assert result.error_message


def test_delete_topics__by_name_and_by_id__files_removed(broker: Serving, wire: Wire) -> None:
    create(wire, "doomed-1")
    create(wire, "doomed-2")
    topic_id = described(wire, "doomed-2").topic_id
    asked = [DeleteTopicState(TopicName("doomed-1")), DeleteTopicState(None, topic_id)]
    assert [r.error_code for r in wire.ask(DeleteTopicsRequest(asked)).responses] == [0, 0]
    assert described(wire, "doomed-1").error_code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    assert broker.data_directory is not None
    assert not list(broker.data_directory.glob("doomed-*"))


def test_delete_topics__internal_or_unknown_topic__refused(wire: Wire) -> None:
    asked = [DeleteTopicState(TopicName("__consumer_offsets")), DeleteTopicState(TopicName("never-was"))]
    codes = [result.error_code for result in wire.ask(DeleteTopicsRequest(asked)).responses]
    assert codes == [ErrorCode.INVALID_REQUEST, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION]


def test_describe_configs__topics_and_brokers__values_with_sources_and_errors_for_unknown_ones(wire: Wire) -> None:
    create(wire, "configured", retention_ms="1000")
    asked = [
        DescribeConfigsResource(TOPIC, "configured", None),
        DescribeConfigsResource(BROKER, "1", ["num.partitions", "group.max.size"]),
        DescribeConfigsResource(TOPIC, "never-was", None),
        DescribeConfigsResource(BROKER, "7", None),
    ]
    topic, broker, missing, other = wire.ask(DescribeConfigsRequest(asked)).results
    entry = next(config for config in topic.configs if config.name == "retention.ms")
    assert (entry.value, entry.config_source) == ("1000", 1)
    assert {c.name: (c.value, c.config_source) for c in broker.configs} == {
        "num.partitions": ("2", 4),
        "group.max.size": ("2147483647", 5),
    }
    assert missing.error_code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    assert other.error_code == ErrorCode.INVALID_REQUEST


def test_describe_cluster__single_broker__only_this_broker_listed(broker: Serving, wire: Wire) -> None:
    response = wire.ask(DescribeClusterRequest())
    assert response.controller_id == 1
    assert [(b.broker_id, b.host, b.port) for b in response.brokers] == [(1, broker.host, broker.port)]
    assert response.cluster_id == wire.ask(MetadataRequest([])).cluster_id
    assert wire.ask(DescribeClusterRequest(endpoint_type=2)).error_code == ErrorCode.MISMATCHED_ENDPOINT_TYPE


def test_metadata__partitions_without_records__no_files_created(broker: Serving, wire: Wire) -> None:
    create(wire, "untouched", 7)
    assert [p.leader_epoch for p in described(wire, "untouched").partitions] == [0] * 7
    assert broker.data_directory is not None
    assert not list(broker.data_directory.glob("untouched-*"))
