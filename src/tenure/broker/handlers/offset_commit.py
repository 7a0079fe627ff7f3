"""OffsetCommit (8). v2-4 retention time, v3 throttle time, v6 leader epoch, v7 group.instance.id, v8 flexible,
v9 GROUP_ID_NOT_FOUND and the errors of KIP-848, v10 topic ids instead of names.

Topics and partitions that do not exist are refused here, and stand before the others in the response (rule 2.13).
"""

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from tenure.broker.requests.context import Context
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.coordinator.answers import Refused
from tenure.coordinator.groups.answers import Committed
from tenure.coordinator.groups.commands import CommitOffsets, OffsetToCommit
from tenure.limits import OFFSETS_PER_COMMIT_MAX
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    OffsetCommitRequest,
    OffsetCommitRequestTopic,
    OffsetCommitResponse,
    OffsetCommitResponsePartition,
    OffsetCommitResponseTopic,
)
from tenure.protocol.types import GenerationId, PartitionId, TopicId, TopicName

if TYPE_CHECKING:
    from tenure.coordinator.metadata.topics import Topic, Topics


class _Results:
    """The response as it grows: one entry per topic, in the order of their first result."""

    __slots__ = ("_topics", "entries")

    def __init__(self) -> None:
        self.entries = 0
        self._topics: dict[TopicName | TopicId, OffsetCommitResponseTopic] = {}

    def add(self, asked: OffsetCommitRequestTopic, partition: PartitionId, error_code: ErrorCode) -> None:
        topic = self._topics.get(asked.name or asked.topic_id)
        if topic is None:
            topic = self._topics[asked.name or asked.topic_id] = OffsetCommitResponseTopic(asked.name, asked.topic_id)
        topic.partitions.append(OffsetCommitResponsePartition(partition, error_code))
        self.entries += 1

    def response(self) -> OffsetCommitResponse:
        return OffsetCommitResponse(topics=list(self._topics.values()))


def handle(context: Context, request: Request, message: OffsetCommitRequest) -> Iterator[None]:
    results = _Results()
    asked: list[OffsetCommitRequestTopic] = []
    offsets: list[OffsetToCommit] = []
    for wanted in message.topics:
        for partition in wanted.partitions:
            topic = _topic(context.topics, wanted, request.version)
            if topic is None:
                unknown = ErrorCode.UNKNOWN_TOPIC_ID if request.version >= 10 else ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
                results.add(wanted, partition.partition_index, unknown)
            elif not 0 <= partition.partition_index < topic.partitions:
                results.add(wanted, partition.partition_index, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
            else:
                asked.append(wanted)
                offsets.append(
                    OffsetToCommit(
                        topic.name,
                        topic.topic_id,
                        partition.partition_index,
                        partition.committed_offset,
                        partition.committed_leader_epoch,
                        partition.committed_metadata,
                    )
                )
            yield
    respond = partial(_respond, request, results, asked, offsets)
    if not offsets or len(offsets) > OFFSETS_PER_COMMIT_MAX:
        respond(Refused(ErrorCode.INVALID_COMMIT_OFFSET_SIZE))
    else:
        context.groups.ask(message.group_id, _command(message, request.version, offsets), respond)


def _respond(
    request: Request,
    results: _Results,
    asked: list[OffsetCommitRequestTopic],
    offsets: list[OffsetToCommit],
    answer: object,
) -> None:
    codes = _error_codes(answer, len(offsets), request) if offsets else []
    request.go_on(_answer(request, results, asked, offsets, codes), len(codes))


def _answer(
    request: Request,
    results: _Results,
    asked: list[OffsetCommitRequestTopic],
    offsets: list[OffsetToCommit],
    codes: list[ErrorCode],
) -> Iterator[None]:
    for wanted, offset, error_code in zip(asked, offsets, codes, strict=True):
        results.add(wanted, offset.partition, error_code)
        yield
    yield from request.answer_in_steps(results.response(), results.entries)


def _topic(topics: "Topics", wanted: OffsetCommitRequestTopic, version: int) -> "Topic | None":
    return topics.with_id(wanted.topic_id) if version >= 10 else topics.named(wanted.name)


def _command(message: OffsetCommitRequest, version: int, offsets: list[OffsetToCommit]) -> CommitOffsets:
    return CommitOffsets(
        message.group_id,
        message.member_id,
        message.group_instance_id,
        GenerationId(message.generation_id_or_member_epoch),
        offsets,
        message.retention_time_ms,
        version >= 9,
    )


def _error_codes(answer: object, count: int, request: Request) -> "list[ErrorCode]":
    if isinstance(answer, Refused):
        request.count_error(answer.error_code)
        missing = answer.error_code is ErrorCode.GROUP_ID_NOT_FOUND
        return [ErrorCode.ILLEGAL_GENERATION if missing and request.version < 9 else answer.error_code] * count
    assert isinstance(answer, Committed)
    return list(answer.error_codes) or [ErrorCode.NONE] * count


route = Route(OffsetCommitRequest, handle)
