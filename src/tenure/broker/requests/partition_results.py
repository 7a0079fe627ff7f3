"""Partitions of a commit, and responses with an error code per partition, for all requests about offsets."""

from collections.abc import Callable, Generator, Iterable
from itertools import chain
from typing import Any, Protocol, TypeAlias, TypeVar

from tenure.coordinator.answers import Refused
from tenure.coordinator.groups.answers import Committed
from tenure.coordinator.groups.commands import OffsetToCommit
from tenure.coordinator.groups.offsets.unknown_partitions import why_unknown
from tenure.coordinator.metadata.topics import Topic
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import OffsetCommitRequestPartition, TxnOffsetCommitRequestPartition
from tenure.protocol.types import PartitionId, TopicId, TopicName

Result: TypeAlias = tuple[TopicName | TopicId, PartitionId, ErrorCode]
"""(topic as the request names it, partition, error code)"""


class TopicOfPartitions(Protocol):
    @property
    def partitions(self) -> list[Any]: ...


T = TypeVar("T", bound=TopicOfPartitions)


class PartitionsToCommit:
    """`offsets` go to the group. Partitions that do not exist stand before them in the response (rule 2.13)."""

    __slots__ = ("_by_id", "_named", "_unknown", "offsets")

    def __init__(self, *, by_id: bool = False) -> None:
        """`by_id`: the request names topics by id."""
        self.offsets: list[OffsetToCommit] = []
        self._by_id = by_id
        self._named: list[TopicName | TopicId] = []
        """The topic of each offset, as the request names it."""
        self._unknown: list[Result] = []

    def add(
        self,
        named: TopicName | TopicId,
        topic: Topic | None,
        asked: OffsetCommitRequestPartition | TxnOffsetCommitRequestPartition,
    ) -> None:
        partition = asked.partition_index
        error_code = why_unknown(topic, partition, by_id=self._by_id)
        if topic is None or error_code is not None:
            self._unknown.append((named, partition, error_code or ErrorCode.UNKNOWN_TOPIC_OR_PARTITION))
        else:
            self._named.append(named)
            self.offsets.append(
                OffsetToCommit(
                    topic.name,
                    topic.topic_id,
                    partition,
                    asked.committed_offset,
                    asked.committed_leader_epoch,
                    asked.committed_metadata,
                )
            )

    def __len__(self) -> int:
        return len(self._unknown) + len(self.offsets)

    def results(self, answer: Committed | Refused) -> Iterable[Result]:
        """Return one result per partition, in the order of the response. An error of the group is copied to each."""
        codes = [answer.error_code] * len(self.offsets) if isinstance(answer, Refused) else answer.error_codes
        codes = codes or [ErrorCode.NONE] * len(self.offsets)
        partitions = [offset.partition for offset in self.offsets]
        return chain(self._unknown, zip(self._named, partitions, codes, strict=True))


def by_topic(
    results: Iterable[Result], new_topic: Callable[[Any], T], new_partition: Callable[[PartitionId, ErrorCode], object]
) -> Generator[None, None, list[T]]:
    """Return the topics of a response, in the order of their first result; in steps."""
    topics: dict[TopicName | TopicId, T] = {}
    for named, partition, error_code in results:
        topic = topics.get(named)
        if topic is None:
            topic = topics[named] = new_topic(named)
        topic.partitions.append(new_partition(partition, error_code))
        yield
    return list(topics.values())
