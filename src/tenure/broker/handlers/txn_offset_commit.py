"""TxnOffsetCommit (28). v2 leader epochs, v3 flexible and the member (KIP-447), v5 transactions of version 2.

The transaction is looked up first; a client of version 2 adds the group's partition to it by that (rule 8.5.2).
"""

from collections.abc import Iterator
from functools import partial

from tenure.broker.requests.context import Context
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.coordinator.answers import Refused
from tenure.coordinator.groups.answers import Committed
from tenure.coordinator.groups.commands import CommitInTransaction, OffsetToCommit
from tenure.coordinator.transactions.commands import Adding, AddPartitions
from tenure.limits import OFFSETS_PER_COMMIT_MAX
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    TxnOffsetCommitRequest,
    TxnOffsetCommitResponse,
    TxnOffsetCommitResponsePartition,
    TxnOffsetCommitResponseTopic,
)
from tenure.protocol.types import PartitionId, TopicName

ADDS_SINCE = 5
ABORTABLE_SINCE = 4
LOADING_SINCE = 2

Results = list[tuple[tuple[TopicName, PartitionId], ErrorCode]]


def handle(context: Context, request: Request, message: TxnOffsetCommitRequest) -> Iterator[None]:
    refused: Results = []
    offsets: list[OffsetToCommit] = []
    for wanted in message.topics:
        for part in wanted.partitions:
            topic = context.topics.named(wanted.name)
            if topic is None or not 0 <= part.partition_index < topic.partitions:
                refused.append(((wanted.name, part.partition_index), ErrorCode.UNKNOWN_TOPIC_OR_PARTITION))
            else:
                offsets.append(
                    OffsetToCommit(
                        topic.name,
                        topic.topic_id,  # since when it is the member's is known by id
                        part.partition_index,
                        part.committed_offset,
                        part.committed_leader_epoch,
                        part.committed_metadata,
                    )
                )
            yield
    if not offsets or len(offsets) > OFFSETS_PER_COMMIT_MAX:
        _respond(request, offsets, refused, Refused(ErrorCode.INVALID_COMMIT_OFFSET_SIZE))
        return

    command = AddPartitions(
        message.transactional_id,
        message.producer_id,
        message.producer_epoch,
        [context.groups.offsets_partition(message.group_id)],
        Adding.IMPLICIT if request.version >= ADDS_SINCE else Adding.VERIFY,
    )
    context.transactions.add(command, partial(_verified, context, request, message, offsets, refused))


def _verified(
    context: Context,
    request: Request,
    message: TxnOffsetCommitRequest,
    offsets: list[OffsetToCommit],
    refused: Results,
    answer: object,
) -> None:
    respond = partial(_respond, request, offsets, refused)
    if isinstance(answer, Refused):
        respond(Refused(_told(answer.error_code, request.version)))
    else:
        context.groups.ask(message.group_id, _command(message, offsets), respond)


def _respond(request: Request, offsets: list[OffsetToCommit], refused: Results, answer: object) -> None:
    codes = _error_codes(answer, len(offsets), request) if offsets else []
    done = [((one.topic, one.partition), code) for one, code in zip(offsets, codes, strict=True)]
    request.go_on(_answer(request, refused + done), len(refused) + len(done))


def _told(error_code: ErrorCode, version: int) -> ErrorCode:
    """What the transaction's coordinator says, in the words of this API."""
    if error_code is ErrorCode.PRODUCER_FENCED:
        return ErrorCode.INVALID_PRODUCER_EPOCH
    if error_code is ErrorCode.TRANSACTION_ABORTABLE and version < ABORTABLE_SINCE:
        return ErrorCode.INVALID_TXN_STATE
    return error_code


def _command(message: TxnOffsetCommitRequest, offsets: list[OffsetToCommit]) -> CommitInTransaction:
    return CommitInTransaction(
        message.group_id,
        message.member_id,
        message.group_instance_id,
        message.generation_id,
        offsets,
        message.producer_id,
        message.producer_epoch,
    )


def _error_codes(answer: object, count: int, request: Request) -> list[ErrorCode]:
    if isinstance(answer, Refused):
        error_code = answer.error_code
        if error_code is ErrorCode.COORDINATOR_LOAD_IN_PROGRESS and request.version < LOADING_SINCE:
            error_code = ErrorCode.COORDINATOR_NOT_AVAILABLE
        request.count_error(error_code)
        return [error_code] * count
    assert isinstance(answer, Committed)
    return list(answer.error_codes) or [ErrorCode.NONE] * count


def _answer(request: Request, results: Results) -> Iterator[None]:
    topics: dict[TopicName, TxnOffsetCommitResponseTopic] = {}
    for (topic, partition), error_code in results:
        if topic not in topics:
            topics[topic] = TxnOffsetCommitResponseTopic(topic)
        topics[topic].partitions.append(TxnOffsetCommitResponsePartition(partition, error_code))
        yield
    yield from request.answer_in_steps(TxnOffsetCommitResponse(topics=list(topics.values())), len(results))


route = Route(TxnOffsetCommitRequest, handle)
