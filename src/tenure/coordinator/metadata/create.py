"""CreateTopics: each topic of a request is handled separately, in the order of the request."""

from collections import Counter
from collections.abc import Iterable

from tenure.coordinator.metadata.answers import TopicResult, TopicsCreated
from tenure.coordinator.metadata.commands import CreateTopics, NewTopic
from tenure.coordinator.metadata.configs import TOPIC_RESOURCE
from tenure.coordinator.metadata.partitions import too_many, wrong_replicas
from tenure.coordinator.metadata.state import Metadata
from tenure.coordinator.metadata.topic_names import CLUSTER_METADATA, collision_key, why_illegal
from tenure.coordinator.metadata.topics import Topic
from tenure.coordinator.shard import AskId, CoordinatorResult, LogRecord
from tenure.protocol.errors import ErrorCode
from tenure.protocol.generated.cluster_metadata import ConfigRecord, TopicRecord
from tenure.protocol.types import ZERO_TOPIC_ID, TopicName

Refusal = tuple[ErrorCode, str]


def create_topics(metadata: Metadata, ask: AskId, create: CreateTopics) -> CoordinatorResult:
    named = Counter(topic.name for topic in create.topics)
    keys: dict[str, TopicName] = {}
    records: list[LogRecord] = []
    results: list[TopicResult] = []
    partitions = create.partitions_before
    for new in create.topics:
        topic = _topic(metadata, new)
        refusal = _refusal(metadata, new, keys, repeated=named[new.name] > 1)
        if refusal is None:
            partitions += topic.partitions
            refusal = too_many(partitions)
        if refusal is not None:
            results.append(TopicResult(new.name, ZERO_TOPIC_ID, *refusal))
            continue
        keys[collision_key(topic.name)] = topic.name
        results.append(TopicResult(topic.name, topic.topic_id, topic=topic))
        if not create.validate_only:
            records += _records(metadata, topic)
    return CoordinatorResult(records, ((ask, TopicsCreated(results)),))


def _refusal(metadata: Metadata, new: NewTopic, keys: dict[str, TopicName], *, repeated: bool) -> Refusal | None:
    """Return the error of a topic; None if it can be created.

    `repeated` is true if the request names the topic more than once. `keys` has the names of the topics that this
    command creates, by their `collision_key`.
    """
    if repeated:
        return ErrorCode.INVALID_REQUEST, f"The request names topic {new.name!r} more than once; name it once."
    illegal = why_illegal(new.name)
    if illegal is not None:
        return ErrorCode.INVALID_TOPIC_EXCEPTION, illegal
    if new.name == CLUSTER_METADATA:
        return ErrorCode.INVALID_REQUEST, f"{new.name!r} is an internal topic; choose another name."
    if metadata.topics.named(new.name) is not None:
        return ErrorCode.TOPIC_ALREADY_EXISTS, f"Topic {new.name!r} already exists."
    other = metadata.topics.colliding(new.name) or keys.get(collision_key(new.name))
    if other is not None:
        message = f"Topic {new.name!r} collides with {other!r}: '.' and '_' count as the same; choose another name."
        return ErrorCode.INVALID_TOPIC_EXCEPTION, message
    if new.config_error is not None:
        return ErrorCode.INVALID_CONFIG, new.config_error
    nulls = [key for key, value in new.configs.items() if value is None]
    if nulls:
        return ErrorCode.INVALID_CONFIG, f"Topic config {nulls[0]!r} has no value; give one, or leave it out."
    return _refused_layout(metadata, new)


def _refused_layout(metadata: Metadata, new: NewTopic) -> Refusal | None:
    if new.assignments:
        return _refused_assignments(metadata, new)
    if new.partitions == 0 or new.partitions < -1:
        return (
            ErrorCode.INVALID_PARTITIONS,
            f"Topic {new.name!r} needs at least 1 partition, not {new.partitions}; -1 takes the broker's default.",
        )
    replicas = metadata.settings.default_replication_factor if new.replication_factor == -1 else new.replication_factor
    if replicas != 1:
        return (
            ErrorCode.INVALID_REPLICATION_FACTOR,
            f"A replication factor of {replicas} is not possible with 1 broker; use 1, or -1 for the default.",
        )
    return None


def _refused_assignments(metadata: Metadata, new: NewTopic) -> Refusal | None:
    if new.partitions != -1 or new.replication_factor != -1:
        message = "With assigned replicas, partitions and replication factor must both be -1."
        return ErrorCode.INVALID_REQUEST, message
    if sorted(new.assignments) != list(range(len(new.assignments))):
        message = f"The assigned partitions of topic {new.name!r} must be numbered from 0 without a gap."
        return ErrorCode.INVALID_REPLICA_ASSIGNMENT, message
    return wrong_replicas(metadata.settings.node_id, new.assignments.values())


def _topic(metadata: Metadata, new: NewTopic) -> Topic:
    partitions = len(new.assignments) or (metadata.settings.num_partitions if new.partitions == -1 else new.partitions)
    configs = {key: value for key, value in new.configs.items() if value is not None}
    return Topic(new.name, metadata.new_topic_id(), partitions, 1, configs)


def _records(metadata: Metadata, topic: Topic) -> Iterable[LogRecord]:
    yield LogRecord(None, TopicRecord(topic.name, topic.topic_id))
    for name, value in topic.configs.items():
        yield LogRecord(None, ConfigRecord(TOPIC_RESOURCE, topic.name, name, value))
    yield from metadata.partition_records(topic.topic_id, range(topic.partitions))
