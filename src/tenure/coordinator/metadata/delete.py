"""DeleteTopics, by name or by id. A topic that is created again with the same name has another id."""

from collections import Counter

from tenure.coordinator.metadata.answers import TopicResult, TopicsRemoved
from tenure.coordinator.metadata.commands import DeleteTopics, TopicToDelete
from tenure.coordinator.metadata.state import Metadata
from tenure.coordinator.metadata.topic_names import COORDINATOR_TOPICS
from tenure.coordinator.metadata.topics import Topic
from tenure.coordinator.shard import AskId, CoordinatorResult, LogRecord
from tenure.protocol.errors import ErrorCode
from tenure.protocol.generated.cluster_metadata import RemoveTopicRecord
from tenure.protocol.types import ZERO_TOPIC_ID


def delete_topics(metadata: Metadata, ask: AskId, delete: DeleteTopics) -> CoordinatorResult:
    found = [_find(metadata, wanted) for wanted in delete.topics]
    times = Counter(topic.topic_id for topic in found if topic is not None)
    results = [
        _result(wanted, topic, repeated=topic is not None and times[topic.topic_id] > 1)
        for wanted, topic in zip(delete.topics, found, strict=True)
    ]
    records = [LogRecord(None, RemoveTopicRecord(result.topic_id)) for result in results if result.topic is not None]
    return CoordinatorResult(records, ((ask, TopicsRemoved(results)),))


def _find(metadata: Metadata, wanted: TopicToDelete) -> Topic | None:
    if wanted.name is None:
        return metadata.topics.with_id(wanted.topic_id)
    return metadata.topics.named(wanted.name)


def _result(wanted: TopicToDelete, topic: Topic | None, *, repeated: bool) -> TopicResult:
    def refused(code: ErrorCode, message: str) -> TopicResult:
        return TopicResult(wanted.name, wanted.topic_id, code, message)

    if (wanted.name is None) == (wanted.topic_id == ZERO_TOPIC_ID):
        return refused(ErrorCode.INVALID_REQUEST, "A topic is deleted by its name or by its id; give one of them.")
    if topic is None and wanted.name is None:
        return refused(ErrorCode.UNKNOWN_TOPIC_ID, "There is no topic with this id.")
    if topic is None:
        return refused(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"There is no topic {wanted.name!r}.")
    if repeated:
        return refused(
            ErrorCode.INVALID_REQUEST, f"The request names topic {topic.name!r} more than once; name it once."
        )
    if topic.name in COORDINATOR_TOPICS:
        return refused(ErrorCode.INVALID_REQUEST, f"{topic.name!r} is an internal topic and cannot be deleted.")
    return TopicResult(topic.name, topic.topic_id, topic=topic)
