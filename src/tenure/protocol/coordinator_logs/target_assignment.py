"""Target assignment of a member of a consumer group, in the form of its record (rule 6.3).

If a member joins or leaves a large group, most other members gain or lose a single partition. To copy and to encode the
thousand topics of each of them would take a hundred times as long as the assignor. So a target consists of the encoded
topics of its record, and a changed target shares those that have not changed.
"""

from collections.abc import Collection, ItemsView, Iterable, Iterator, Mapping
from typing import Final

from tenure.protocol.coordinator_logs.consumer_offsets import ConsumerGroupTargetAssignmentMemberValue, shared_topic_id
from tenure.protocol.types import PartitionId, TopicId
from tenure.protocol.wire import joined, pack_compact_int32s, read_int32s, uvarint

_TAIL: Final = b"\0"
"""Bytes after the fields of a struct: no tagged fields."""
_OVERHEAD_BYTES: Final = 18
"""Size of an encoded topic without partitions: topic id, count in one byte, no tagged fields."""


class TargetAssignment(Mapping[TopicId, frozenset[PartitionId]]):
    """Partitions of a member by topic id. Immutable; contains no topic without partitions."""

    __slots__ = ("_topics",)

    def __init__(self, partitions: Mapping[TopicId, Collection[PartitionId]] | None = None) -> None:
        self._topics: dict[TopicId, bytes] = {
            topic_id: _encoded(topic_id, there) for topic_id, there in (partitions or {}).items() if there
        }

    @classmethod
    def of_record(cls, value: ConsumerGroupTargetAssignmentMemberValue) -> "TargetAssignment":
        return cls({shared_topic_id(topic.topic_id): topic.partitions for topic in value.topic_partitions})

    def changed(
        self, partitions: Mapping[TopicId, Collection[PartitionId]], order: Iterable[TopicId]
    ) -> "TargetAssignment":
        """Return the target with other partitions of some topics.

        Args:
            partitions: New partitions of these topics; empty for a topic that the member loses.
            order: Order of all topics, which the result gets if it has new topics.
        """
        topics = self._topics.copy()
        for topic_id, there in partitions.items():
            if there:
                topics[topic_id] = _encoded(topic_id, there)
            else:
                topics.pop(topic_id, None)
        if not partitions.keys() <= self._topics.keys():
            topics = {topic_id: topics[topic_id] for topic_id in order if topic_id in topics}
        found = TargetAssignment()
        found._topics = topics
        return found

    def encode(self, version: int) -> bytes:
        """Encode the value of the record in this version, which comes first."""
        return joined([version.to_bytes(2, "big"), uvarint(len(self._topics) + 1), *self._topics.values(), _TAIL])

    @property
    def partition_count(self) -> int:
        return sum(map(_count, self._topics.values()))

    def __getitem__(self, topic_id: TopicId) -> frozenset[PartitionId]:
        return _partitions(self._topics[topic_id])

    def __contains__(self, topic_id: object) -> bool:
        return topic_id in self._topics

    def __iter__(self) -> Iterator[TopicId]:
        return iter(self._topics)

    def __len__(self) -> int:
        return len(self._topics)

    def __eq__(self, other: object) -> bool:
        return self._topics == other._topics if isinstance(other, TargetAssignment) else super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"TargetAssignment({dict(self.items())!r})"

    def items(self) -> ItemsView[TopicId, frozenset[PartitionId]]:
        return {topic_id: _partitions(encoded) for topic_id, encoded in self._topics.items()}.items()


def _encoded(topic_id: TopicId, partitions: Collection[PartitionId]) -> bytes:
    return topic_id + pack_compact_int32s(sorted(partitions)) + _TAIL


def _count(encoded: bytes) -> int:
    """Return the number of partitions of an encoded topic."""
    # The count takes at most four bytes. The overhead has one of them, and the division drops the others.
    return (len(encoded) - _OVERHEAD_BYTES) // 4


def _partitions(encoded: bytes) -> frozenset[PartitionId]:
    count = _count(encoded)
    return frozenset(read_int32s(encoded, len(encoded) - 4 * count - len(_TAIL), count))
