"""Conversion between the consumer embedded protocol of classic members and the values of a consumer group."""

from collections.abc import Iterable, Mapping

from tenure.coordinator.groups.consumer.member import Assigned, Target
from tenure.coordinator.metadata.topics import Topics
from tenure.protocol.consumer_protocol import NEWEST, Assignment, TopicPartition, encode_assignment
from tenure.protocol.coordinator_logs.consumer_offsets import ClassicMemberMetadata, ClassicProtocol
from tenure.protocol.types import PartitionId, TopicId


def classic_metadata(session_timeout_ms: int, protocols: Iterable[tuple[str, bytes]]) -> ClassicMemberMetadata:
    return ClassicMemberMetadata(session_timeout_ms, [ClassicProtocol(name, metadata) for name, metadata in protocols])


def partitions_of(named: Iterable[TopicPartition], topics: Topics) -> Target:
    """Return the partitions by topic id, without those that do not exist."""
    found: dict[TopicId, frozenset[PartitionId]] = {}
    for one in named:
        topic = topics.named(one.topic)
        there = frozenset(p for p in one.partitions if topic is not None and 0 <= p < topic.partitions)
        if topic is not None and there:
            found[topic.topic_id] = found.get(topic.topic_id, frozenset()) | there
    return found


def encoded_assignment(partitions: Assigned | Target, metadata: bytes, topics: Topics) -> bytes:
    """Encode an assignment in the version of the member's `metadata`, sorted by topic name, without deleted topics."""
    named: Mapping[str, TopicPartition] = {
        topic.name: TopicPartition(topic.name, sorted(found))
        for topic_id, found in partitions.items()
        if (topic := topics.with_id(topic_id)) is not None
    }
    version = min(int.from_bytes(metadata[:2], "big"), NEWEST)
    return encode_assignment(Assignment([named[name] for name in sorted(named)]), version)
