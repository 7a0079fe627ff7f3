"""Target assignment of a member of a consumer group, in the form of its record (rule 6.3).

If a member joins or leaves a large group, most other members gain or lose a single partition. To copy and to encode the
thousand topics of each of them would take a hundred times as long as the assignor. So a target consists of the bytes of
its record, and a changed target copies the bytes between the changed topics.
"""

from array import array
from collections.abc import Collection, ItemsView, Iterable, Iterator, Mapping
from itertools import accumulate
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

    __slots__ = ("_count", "_encoded", "_numbers", "_sizes")

    def __init__(self, partitions: Mapping[TopicId, Collection[PartitionId]] | None = None) -> None:
        self._fill({topic_id: _encode(topic_id, there) for topic_id, there in (partitions or {}).items() if there})

    def _fill(self, topics: Mapping[TopicId, bytes]) -> None:
        self._numbers: Mapping[TopicId, int] = {topic_id: number for number, topic_id in enumerate(topics)}
        """Number of each topic, ascending. Changed targets share it, so it may contain topics without partitions."""
        self._sizes = array("I", map(len, topics.values()))
        """Number of bytes of each encoded topic; 0 if it has no partitions."""
        self._encoded = b"".join(topics.values())
        self._count = sum(map(bool, topics.values()))
        """Number of topics that have partitions."""

    @classmethod
    def of_record(cls, value: ConsumerGroupTargetAssignmentMemberValue) -> "TargetAssignment":
        return cls({shared_topic_id(topic.topic_id): topic.partitions for topic in value.topic_partitions})

    def changed(
        self,
        lost: Mapping[TopicId, Collection[PartitionId]],
        gained: Mapping[TopicId, Collection[PartitionId]],
        order: Iterable[TopicId],
    ) -> "TargetAssignment":
        """Return the target without the partitions `lost`, and with the partitions `gained`.

        `order` contains all topic ids. If a gained topic is new to the target, the result has its topics in this order.
        """
        changed = lost.keys() | gained.keys()
        before = self if changed <= self._numbers.keys() else self._with_topics(changed, order)
        found, parts = TargetAssignment(), list[bytes]()
        found._numbers, found._sizes, found._count = before._numbers, before._sizes[:], before._count
        end, following = 0, 0
        for topic_id in sorted(changed, key=before._numbers.__getitem__):
            number = before._numbers[topic_id]
            start = end + sum(before._sizes[following:number])
            parts.append(before._encoded[end:start])
            end, following = start + before._sizes[number], number + 1
            had = before._encoded[start:end]
            has = _changed_topic(topic_id, had, lost.get(topic_id, ()), gained.get(topic_id, ()))
            parts.append(has)
            found._sizes[number] = len(has)
            found._count += bool(has) - bool(had)
        found._encoded = b"".join([*parts, before._encoded[end:]])
        return found

    def _with_topics(self, added: Collection[TopicId], order: Iterable[TopicId]) -> "TargetAssignment":
        """Return this target with numbers for the topics `added`, so that they can get partitions."""
        found, topics = TargetAssignment(), self._topics()
        wanted = topics.keys() | added
        found._fill({topic_id: topics.get(topic_id, b"") for topic_id in order if topic_id in wanted})
        return found

    def encode(self, version: int) -> bytes:
        """Return the value of the record, beginning with this version as int16."""
        return joined([version.to_bytes(2, "big"), uvarint(self._count + 1), self._encoded, _TAIL])

    @property
    def partition_count(self) -> int:
        return sum(map(_count, self._topics().values()))

    def _topics(self) -> dict[TopicId, bytes]:
        """Return the encoded topics that have partitions."""
        ends = accumulate(self._sizes)
        return {
            topic_id: self._encoded[end - size : end]
            for topic_id, size, end in zip(self._numbers, self._sizes, ends, strict=True)
            if size
        }

    def __getitem__(self, topic_id: TopicId) -> frozenset[PartitionId]:
        number = self._numbers[topic_id]
        if not self._sizes[number]:
            raise KeyError(topic_id)
        start = sum(self._sizes[:number])
        return _partitions(self._encoded[start : start + self._sizes[number]])

    def __iter__(self) -> Iterator[TopicId]:
        return (topic_id for topic_id, size in zip(self._numbers, self._sizes, strict=True) if size)

    def __len__(self) -> int:
        return self._count

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TargetAssignment):
            return super().__eq__(other)
        return self._encoded == other._encoded or self._topics() == other._topics()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"TargetAssignment({dict(self.items())!r})"

    def items(self) -> ItemsView[TopicId, frozenset[PartitionId]]:
        return {topic_id: _partitions(encoded) for topic_id, encoded in self._topics().items()}.items()


def _encode(topic_id: TopicId, partitions: Collection[PartitionId]) -> bytes:
    return topic_id + pack_compact_int32s(sorted(partitions)) + _TAIL


def _changed_topic(
    topic_id: TopicId, encoded: bytes, lost: Collection[PartitionId], gained: Collection[PartitionId]
) -> bytes:
    """Return an encoded topic without the partitions `lost`, and with `gained`; empty if no partition is left."""
    partitions = (_partitions(encoded) if encoded else frozenset[PartitionId]()).difference(lost).union(gained)
    return _encode(topic_id, partitions) if partitions else b""


def _count(encoded: bytes) -> int:
    """Return the number of partitions of an encoded topic."""
    # The count takes at most four bytes. The overhead has one of them, and the division drops the others.
    return (len(encoded) - _OVERHEAD_BYTES) // 4


def _partitions(encoded: bytes) -> frozenset[PartitionId]:
    count = _count(encoded)
    return frozenset(read_int32s(encoded, len(encoded) - 4 * count - len(_TAIL), count))
