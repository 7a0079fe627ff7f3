"""The metadata shard: topics and blocks of producer ids."""

from random import Random
from typing import Any

import pytest

from tenure.coordinator.answers import Refused
from tenure.coordinator.metadata.answers import FeaturesUpdated, ProducerIdBlock
from tenure.coordinator.metadata.commands import (
    AllocateProducerIds,
    AlterClientQuotas,
    CreatePartitions,
    CreateTopics,
    DeleteTopics,
    DescribeTopics,
    Entity,
    FeatureUpdate,
    FinalizeFeatures,
    MorePartitions,
    NewTopic,
    QuotaChange,
    QuotaChanges,
    RaiseLeaderEpochs,
    TopicToDelete,
    UpdateFeatures,
)
from tenure.coordinator.metadata.features import SAFE_DOWNGRADE, UPGRADE
from tenure.coordinator.metadata.shard import MetadataShard
from tenure.coordinator.metadata.state import MetadataSettings
from tenure.coordinator.shard import AskId, LogRecord, Now
from tenure.protocol.errors import ErrorCode
from tenure.protocol.generated.cluster_metadata import (
    AbortTransactionRecord,
    BeginTransactionRecord,
    EndTransactionRecord,
    FeatureLevelRecord,
)
from tenure.protocol.types import ZERO_TOPIC_ID

NOW = Now(0, 0)


def new_shard() -> MetadataShard:
    return MetadataShard(MetadataSettings(node_id=1, num_partitions=3), Random(1).randbytes)


def ask(shard: MetadataShard, command: object, log: list[object] | None = None) -> Any:
    result = shard.handle(AskId(1), command, NOW)
    for record in result.records:
        shard.apply(record)
        if log is not None:
            log.append(record)
    ((_, answer),) = result.replies
    return answer


def create(shard: MetadataShard, *topics: NewTopic, validate_only: bool = False) -> list[Any]:
    return list(ask(shard, CreateTopics(topics, validate_only)).results)


def codes(results: Any) -> list[str]:
    return [result.error_code.name for result in results]


def test_create_topics__defaults__partition_count_of_the_broker_and_a_new_topic_id() -> None:
    shard = new_shard()
    one, other = create(shard, NewTopic("one"), NewTopic("other", partitions=2, configs={"retention.ms": "1"}))
    assert (one.topic.partitions, other.topic.partitions) == (3, 2)
    assert one.topic_id not in (ZERO_TOPIC_ID, other.topic_id)
    assert shard.topics.named("one") == one.topic
    assert shard.topics.with_id(other.topic_id) == other.topic
    assert other.topic.configs == {"retention.ms": "1"}


def test_create_topics__validate_only__result_without_a_change() -> None:
    shard = new_shard()
    (result,) = create(shard, NewTopic("one", 5), validate_only=True)
    assert result.topic.partitions == 5
    assert len(shard.topics) == 0


@pytest.mark.parametrize("name", ["", ".", "..", "a b", "ä", "x" * 250, "a/b"])
def test_create_topics__illegal_name__error_of_one_sentence(name: str) -> None:
    (result,) = create(new_shard(), NewTopic(name))
    assert result.error_code is ErrorCode.INVALID_TOPIC_EXCEPTION
    assert result.error_message.endswith(".")


def test_create_topics__longest_legal_name__created() -> None:
    assert codes(create(new_shard(), NewTopic("x" * 249))) == ["NONE"]


def test_create_topics__names_that_differ_only_in_dot_and_underscore__only_the_first_created() -> None:
    shard = new_shard()
    assert codes(create(shard, NewTopic("a.b"), NewTopic("a_b"))) == ["NONE", "INVALID_TOPIC_EXCEPTION"]
    assert codes(create(shard, NewTopic("a_b"))) == ["INVALID_TOPIC_EXCEPTION"]


def test_create_topics__topic_exists__topic_already_exists() -> None:
    shard = new_shard()
    create(shard, NewTopic("a"))
    assert codes(create(shard, NewTopic("a"))) == ["TOPIC_ALREADY_EXISTS"]


def test_create_topics__topic_named_twice_in_one_request_with_others__only_this_topic_refused() -> None:
    shard = new_shard()
    assert codes(create(shard, NewTopic("a"), NewTopic("b"), NewTopic("a"))) == [
        "INVALID_REQUEST",
        "NONE",
        "INVALID_REQUEST",
    ]


@pytest.mark.parametrize(
    ("topic", "code"),
    [
        (NewTopic("a", 0), "INVALID_PARTITIONS"),
        (NewTopic("a", -2), "INVALID_PARTITIONS"),
        (NewTopic("a", 10_001), "POLICY_VIOLATION"),
        (NewTopic("a", 1, 0), "INVALID_REPLICATION_FACTOR"),
        (NewTopic("a", 1, 3), "INVALID_REPLICATION_FACTOR"),
        (NewTopic("a", 1, -1, {0: [1]}), "INVALID_REQUEST"),
        (NewTopic("a", assignments={0: [1], 2: [1]}), "INVALID_REPLICA_ASSIGNMENT"),
        (NewTopic("a", assignments={0: [2]}), "INVALID_REPLICA_ASSIGNMENT"),
        (NewTopic("a", configs={"retention.ms": None}), "INVALID_CONFIG"),
        (NewTopic("__cluster_metadata"), "INVALID_REQUEST"),
        (NewTopic("a", assignments={1: [1], 0: [1]}), "NONE"),
        (NewTopic("__consumer_offsets", 50, 1), "NONE"),
    ],
)
def test_create_topics__partition_count_replicas_assignment_or_config__refused_if_invalid(
    topic: NewTopic, code: str
) -> None:
    (result,) = create(new_shard(), topic)
    assert result.error_code.name == code
    assert (result.error_message is None) == (code == "NONE")


def test_delete_topics__by_name_and_by_id__removed() -> None:
    shard = new_shard()
    one, other = create(shard, NewTopic("one"), NewTopic("other"))
    results = ask(
        shard, DeleteTopics([TopicToDelete("one", ZERO_TOPIC_ID), TopicToDelete(None, other.topic_id)])
    ).results
    assert [result.topic for result in results] == [one.topic, other.topic]
    assert len(shard.topics) == 0


def test_delete_topics__unknown_or_internal_topic__refused() -> None:
    shard = new_shard()
    (one,) = create(shard, NewTopic("one"))
    create(shard, NewTopic("__consumer_offsets"))
    wanted = [
        TopicToDelete("none", ZERO_TOPIC_ID),
        TopicToDelete(None, bytes(15) + b"x"),
        TopicToDelete("one", one.topic_id),
        TopicToDelete("__consumer_offsets", ZERO_TOPIC_ID),
    ]
    results = [ask(shard, DeleteTopics([topic])).results[0] for topic in wanted]
    assert codes(results) == ["UNKNOWN_TOPIC_OR_PARTITION", "UNKNOWN_TOPIC_ID", "INVALID_REQUEST", "INVALID_REQUEST"]


def test_delete_topics__same_topic_by_name_and_by_id_in_a_request__both_refused() -> None:
    shard = new_shard()
    (one,) = create(shard, NewTopic("one"))
    both = [TopicToDelete("one", ZERO_TOPIC_ID), TopicToDelete(None, one.topic_id)]
    assert codes(ask(shard, DeleteTopics(both)).results) == ["INVALID_REQUEST", "INVALID_REQUEST"]
    assert shard.topics.named("one") is not None


def test_create_topics__name_of_a_deleted_topic__new_topic_id() -> None:
    shard = new_shard()
    (first,) = create(shard, NewTopic("one"))
    ask(shard, DeleteTopics([TopicToDelete("one", ZERO_TOPIC_ID)]))
    (second,) = create(shard, NewTopic("one"))
    assert first.topic_id != second.topic_id
    assert shard.topics.with_id(first.topic_id) is None


@pytest.mark.parametrize(
    ("more", "code"),
    [
        (MorePartitions("one", 5), "NONE"),
        (MorePartitions("one", 4, [[1]]), "NONE"),
        (MorePartitions("one", 3), "INVALID_PARTITIONS"),
        (MorePartitions("one", 2), "INVALID_PARTITIONS"),
        (MorePartitions("one", 5, [[1]]), "INVALID_REPLICA_ASSIGNMENT"),
        (MorePartitions("one", 4, [[9]]), "INVALID_REPLICA_ASSIGNMENT"),
        (MorePartitions("one", 10_001), "POLICY_VIOLATION"),
        (MorePartitions("none", 5), "UNKNOWN_TOPIC_OR_PARTITION"),
        (MorePartitions("__consumer_offsets", 60), "INVALID_REQUEST"),
    ],
)
def test_create_partitions__valid_or_invalid_count__accepted_or_refused(more: MorePartitions, code: str) -> None:
    shard = new_shard()
    create(shard, NewTopic("one"), NewTopic("__consumer_offsets"))
    (result,) = ask(shard, CreatePartitions([more])).results
    assert result.error_code.name == code
    topic = shard.topics.named("one")
    assert topic is not None
    assert topic.partitions == (more.count if code == "NONE" else 3)


def test_create_partitions__validate_only__partition_count_unchanged() -> None:
    shard = new_shard()
    create(shard, NewTopic("one"))
    (result,) = ask(shard, CreatePartitions([MorePartitions("one", 5)], validate_only=True)).results
    assert result.topic.partitions == 5
    topic = shard.topics.named("one")
    assert topic is not None
    assert topic.partitions == 3


def test_producer_id_blocks__several_allocated__never_overlap() -> None:
    shard = new_shard()
    blocks = [ask(shard, AllocateProducerIds()) for _ in range(3)]
    assert blocks == [ProducerIdBlock(0, 1000), ProducerIdBlock(1000, 1000), ProducerIdBlock(2000, 1000)]


def test_client_quotas__set_and_removed__same_after_a_replay_of_the_log() -> None:
    shard, again = new_shard(), new_shard()
    log: list[object] = []
    user, client = (("user", "u"),), (("client-id", None), ("user", "u"))
    ask(shard, quotas(user, producer_byte_rate=1024.0, consumer_byte_rate=2048.0), log)
    ask(shard, quotas(client, request_percentage=50.5), log)
    ask(shard, quotas(user, producer_byte_rate=None), log)
    ask(shard, quotas(client, request_percentage=None), log)
    for record in log:
        again.apply(record)
    assert again.quotas == shard.quotas == {user: {"consumer_byte_rate": 2048.0}}


def quotas(entity: Entity, **rates: float | None) -> AlterClientQuotas:
    return AlterClientQuotas([QuotaChanges(entity, [QuotaChange(key, rate) for key, rate in rates.items()])])


def test_describe_topics__known_and_unknown_topics__in_the_order_of_the_request() -> None:
    shard = new_shard()
    create(shard, NewTopic("b"), NewTopic("a"))
    assert codes(ask(shard, DescribeTopics(["b", "x"])).results) == ["NONE", "UNKNOWN_TOPIC_OR_PARTITION"]
    assert [result.name for result in ask(shard, DescribeTopics()).results] == ["a", "b"]


def test_replay_of_the_metadata_log__all_kinds_of_changes__same_state() -> None:
    shard, log = new_shard(), []
    ask(shard, CreateTopics([NewTopic("one", configs={"k": "v"}), NewTopic("two"), NewTopic("three")]), log)
    ask(shard, CreatePartitions([MorePartitions("two", 7)]), log)
    ask(shard, DeleteTopics([TopicToDelete("three", ZERO_TOPIC_ID)]), log)
    ask(shard, AllocateProducerIds(), log)
    ask(shard, FinalizeFeatures({"group.version": 1}), log)
    one = shard.topics.named("one")
    assert one is not None
    ask(shard, RaiseLeaderEpochs({(one.topic_id, 2): 3}), log)
    replayed = new_shard()
    for record in log:
        replayed.apply(record)
    assert replayed.digest() == shard.digest()


def test_create_topics__too_many_partitions_in_one_request__only_topics_that_fit_are_created() -> None:
    """Refuse topics with too many partitions: a small request must not fill log and memory with millions of records."""
    shard = new_shard()
    topics = [NewTopic(name, partitions=4_000) for name in ("one", "two", "three", "four")]
    assert codes(create(shard, *topics)) == ["NONE", "NONE", "POLICY_VIOLATION", "POLICY_VIOLATION"]
    assert codes(create(shard, topics[2])) == ["NONE"]
    more = CreatePartitions([MorePartitions(topic.name, 8_000) for topic in topics[:3]])
    assert codes(ask(shard, more).results) == ["NONE", "NONE", "POLICY_VIOLATION"]


def test_finalize_features__one_of_two_has_a_level_already__only_the_other_is_recorded() -> None:
    shard, log = new_shard(), []
    shard.apply(LogRecord(None, FeatureLevelRecord("group.version", 1)))
    ask(shard, FinalizeFeatures({"group.version": 2, "transaction.version": 2}), log)
    assert log == [LogRecord(None, FeatureLevelRecord("transaction.version", 2))]
    assert shard.features == {"group.version": 1, "transaction.version": 2}


def test_update_features__one_of_two_levels_is_new__only_that_one_recorded() -> None:
    shard, log = new_shard(), []
    ask(shard, FinalizeFeatures({"group.version": 1, "streams.version": 1}))
    update = [FeatureUpdate("group.version", 0, SAFE_DOWNGRADE), FeatureUpdate("streams.version", 1, UPGRADE)]
    ask(shard, UpdateFeatures(update, validate_only=True), log)
    assert log == []
    assert ask(shard, UpdateFeatures(update), log) == FeaturesUpdated({"group.version": 1})
    assert log == [LogRecord(None, FeatureLevelRecord("group.version", 0))]
    assert shard.features == {"group.version": 0, "streams.version": 1}


def test_update_features__second_of_two_changes_is_impossible__none_recorded() -> None:
    shard, log = new_shard(), []
    update = [FeatureUpdate("group.version", 1, UPGRADE), FeatureUpdate("streams.version", 2, UPGRADE)]
    answer = ask(shard, UpdateFeatures(update), log)
    assert isinstance(answer, Refused)
    assert answer.error_code == ErrorCode.INVALID_UPDATE_VERSION
    assert answer.message == "feature streams.version cannot get level 2: this broker supports levels 0 to 1"
    assert (log, shard.features) == ([], {})


def test_finalize_features__feature_was_disabled__stays_disabled() -> None:
    shard, log = new_shard(), []
    shard.apply(LogRecord(None, FeatureLevelRecord("group.version", 0)))
    ask(shard, FinalizeFeatures({"group.version": 1}), log)
    assert (log, shard.features) == ([], {"group.version": 0})


def test_raise_leader_epochs__log_of_a_partition_has_a_higher_epoch__one_election_record_per_epoch() -> None:
    shard, log = new_shard(), []
    (created,) = create(shard, NewTopic("one"))
    epochs = {(created.topic_id, 0): 2, (created.topic_id, 1): 0, (bytes(range(16)), 0): 5}
    ask(shard, RaiseLeaderEpochs(epochs), log)
    assert len(log) == 2
    assert shard.leader_epochs == {(created.topic_id, 0): 2}
    ask(shard, RaiseLeaderEpochs(epochs), log)
    assert len(log) == 2, "they are recorded already"


def test_leader_epochs__topic_is_deleted__its_epochs_removed() -> None:
    shard = new_shard()
    (created,) = create(shard, NewTopic("one"))
    ask(shard, RaiseLeaderEpochs({(created.topic_id, 0): 2}))
    ask(shard, DeleteTopics([TopicToDelete("one", ZERO_TOPIC_ID)]))
    assert shard.leader_epochs == {}


def test_metadata_transaction_of_kafka__end_record_read__its_changes_take_effect() -> None:
    shard = new_shard()
    for record in (BeginTransactionRecord(), FeatureLevelRecord("group.version", 1)):
        shard.apply(LogRecord(None, record))
    assert shard.features == {}
    shard.apply(LogRecord(None, EndTransactionRecord()))
    assert shard.features == {"group.version": 1}


def test_metadata_transaction_of_kafka__aborted__none_of_its_changes_take_effect() -> None:
    shard = new_shard()
    for record in (BeginTransactionRecord(), FeatureLevelRecord("group.version", 1), AbortTransactionRecord()):
        shard.apply(LogRecord(None, record))
    shard.apply(LogRecord(None, FeatureLevelRecord("transaction.version", 2)))
    assert shard.features == {"transaction.version": 2}
