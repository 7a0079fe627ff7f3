"""CreatePartitions, and checks of replica assignments. A topic may get more partitions, but never fewer."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from tenure.coordinator.metadata.answers import PartitionsCreated, TopicResult
from tenure.coordinator.metadata.commands import CreatePartitions, MorePartitions
from tenure.coordinator.metadata.state import Metadata
from tenure.coordinator.metadata.topic_names import COORDINATOR_TOPICS
from tenure.coordinator.metadata.topics import Topic
from tenure.coordinator.shard import AskId, CoordinatorResult, LogRecord
from tenure.limits.coordinator import TOPIC_PARTITIONS_MAX
from tenure.plural import format_count
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import ZERO_TOPIC_ID, BrokerId

Refusal = tuple[ErrorCode, str]


def create_partitions(metadata: Metadata, ask: AskId, create: CreatePartitions) -> CoordinatorResult:
    named = Counter(more.name for more in create.topics)
    records: list[LogRecord] = []
    results: list[TopicResult] = []
    growth = 0
    for more in create.topics:
        topic = metadata.topics.named(more.name)
        refusal = _refusal(metadata, topic, more, repeated=named[more.name] > 1)
        if refusal is None and topic is not None:
            growth += more.count - topic.partitions
            refusal = too_many(growth)
        if refusal is not None or topic is None:
            results.append(TopicResult(more.name, ZERO_TOPIC_ID, *(refusal or ())))
            continue
        results.append(TopicResult(topic.name, topic.topic_id, topic=replace(topic, partitions=more.count)))
        if not create.validate_only:
            records += metadata.partition_records(topic.topic_id, range(topic.partitions, more.count))
    return CoordinatorResult(records, ((ask, PartitionsCreated(results)),))


def _refusal(metadata: Metadata, topic: Topic | None, more: MorePartitions, *, repeated: bool) -> Refusal | None:
    if repeated:
        return ErrorCode.INVALID_REQUEST, f"The request names topic {more.name!r} more than once; name it once."
    if topic is None:
        return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"There is no topic {more.name!r}; create it first."
    if more.name in COORDINATOR_TOPICS:
        message = (
            f"{more.name!r} cannot get more partitions: their number determines where groups and transactions are."
        )
        return ErrorCode.INVALID_REQUEST, message
    if more.count <= topic.partitions:
        present = format_count(topic.partitions, "partition")
        message = f"Topic {more.name!r} has {present} already; request more than that, not {more.count}."
        return ErrorCode.INVALID_PARTITIONS, message
    if more.assignments is not None:
        growth = more.count - topic.partitions
        if len(more.assignments) != growth:
            message = f"{len(more.assignments)} partitions have assigned replicas, but {growth} would be added."
            return ErrorCode.INVALID_REPLICA_ASSIGNMENT, message
        refusal = wrong_replicas(metadata.settings.node_id, more.assignments)
        if refusal is not None:
            return refusal
    return too_many(more.count)


def wrong_replicas(node_id: BrokerId, assignments: Iterable[Sequence[BrokerId]]) -> Refusal | None:
    """Return an error if an assignment is not exactly the broker `node_id`; None if all assignments are valid."""
    for replicas in assignments:
        if list(replicas) != [node_id]:
            message = f"Replicas can only be on broker {node_id}, not on {list(replicas)}: there is no other broker."
            return ErrorCode.INVALID_REPLICA_ASSIGNMENT, message
    return None


def too_many(partitions: int) -> Refusal | None:
    if partitions <= TOPIC_PARTITIONS_MAX:
        return None
    message = f"{partitions} partitions are too many; a topic has at most {TOPIC_PARTITIONS_MAX}."
    return ErrorCode.POLICY_VIOLATION, message
