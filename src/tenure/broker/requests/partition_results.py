"""Results of requests about offsets, one for each partition, and the partitions of a commit."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

from tenure.broker.requests.group_request import GroupRequest
from tenure.broker.requests.steps import portions
from tenure.coordinator.answers import Refused
from tenure.coordinator.groups.answers import Committed
from tenure.coordinator.groups.commands import OffsetToCommit
from tenure.coordinator.metadata.topics import Topic
from tenure.limits.broker import ANSWERED_AT_ONCE_MAX
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import OffsetCommitRequestPartition, TxnOffsetCommitRequestPartition
from tenure.protocol.types import PartitionId, TopicId, TopicName

if TYPE_CHECKING:
    from tenure.protocol.message import Message

Result: TypeAlias = tuple[TopicName | TopicId, PartitionId, ErrorCode]
"""(topic name or id as in the request, partition, error code)"""


class TopicOfPartitions(Protocol):
    @property
    def partitions(self) -> list[Any]: ...


T = TypeVar("T", bound=TopicOfPartitions)


class PartitionsToCommit:
    """Partitions of a commit: those in `offsets` are sent to the group, and all others are refused by the handler.

    In the response, the partitions that the handler has refused come first (rule 2.13).
    """

    __slots__ = ("_by_id", "_known", "_unknown", "offsets")

    def __init__(self, *, by_id: bool = False) -> None:
        """Create an empty collection. With `by_id`, the request names topics by id."""
        self.offsets: list[OffsetToCommit] = []
        self._by_id = by_id
        self._known: list[Result] = []
        """Results of the partitions in `offsets`, if the group accepts the commit."""
        self._unknown: list[Result] = []

    def add(
        self,
        named: TopicName | TopicId,
        topic: Topic | None,
        requested: OffsetCommitRequestPartition | TxnOffsetCommitRequestPartition,
    ) -> None:
        partition = requested.partition_index
        if topic is None or not 0 <= partition < topic.partitions:
            is_unknown_id = topic is None and self._by_id
            self.refuse(
                named,
                partition,
                ErrorCode.UNKNOWN_TOPIC_ID if is_unknown_id else ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
            )
            return
        self._known.append((named, partition, ErrorCode.NONE))
        offset, leader_epoch, metadata = (
            requested.committed_offset,
            requested.committed_leader_epoch,
            requested.committed_metadata,
        )
        self.offsets.append(OffsetToCommit(topic.name, topic.topic_id, partition, offset, leader_epoch, metadata))

    def refuse(self, named: TopicName | TopicId, partition: PartitionId, error_code: ErrorCode) -> None:
        """Add a partition that is not committed, with its error."""
        self._unknown.append((named, partition, error_code))

    def results(self, answer: Committed | Refused) -> list[Result]:
        """Return one result per partition, in the order of the response. `answer` is the answer of the group.

        If the group has refused the whole commit, each partition that was sent to the group has the error of the group.
        """
        known = self._known
        if isinstance(answer, Refused):
            known = [(named, partition, answer.error_code) for named, partition, _ in known]
        elif answer.error_codes:
            known = [(one[0], one[1], code) for one, code in zip(known, answer.error_codes, strict=True)]
        return self._unknown + known


def answer_by_topic(
    request: GroupRequest,
    results: Sequence[Result],
    new_topic: Callable[[Any], T],
    new_partition: Callable[[PartitionId, ErrorCode], object],
    new_response: "Callable[..., Message]",
) -> None:
    """Group the results by topic, and send the response; a large response is created in steps.

    Topics are in the order of their first results. `new_topic(name or id)`, `new_partition(partition, error_code)` and
    `new_response(topics=...)` create the parts of the response.
    """
    topics: dict[TopicName | TopicId, T] = {}
    if len(results) <= ANSWERED_AT_ONCE_MAX:
        _add(topics, results, new_topic, new_partition)
        request.answer(new_response(topics=list(topics.values())))
    else:
        request.go_on(_answer_in_steps(request, topics, results, new_topic, new_partition, new_response))


def _answer_in_steps(
    request: GroupRequest,
    topics: dict[TopicName | TopicId, T],
    results: Sequence[Result],
    new_topic: Callable[[Any], T],
    new_partition: Callable[[PartitionId, ErrorCode], object],
    new_response: "Callable[..., Message]",
) -> Iterator[None]:
    for some in portions(results, ANSWERED_AT_ONCE_MAX):
        _add(topics, some, new_topic, new_partition)
        yield
    yield from request.answer_in_steps(new_response(topics=list(topics.values())), len(results))


def _add(
    topics: dict[TopicName | TopicId, T],
    results: Iterable[Result],
    new_topic: Callable[[Any], T],
    new_partition: Callable[[PartitionId, ErrorCode], object],
) -> None:
    for named, partition, error_code in results:
        topic = topics.get(named)
        if topic is None:
            topic = topics[named] = new_topic(named)
        topic.partitions.append(new_partition(partition, error_code))
