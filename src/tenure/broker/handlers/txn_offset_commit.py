"""TxnOffsetCommit (28). v2 leader epochs, v3 flexible and the member (KIP-447), v5 transactions of version 2.

The transaction is looked up first. For a client of version 2 the lookup adds the group's partition to it (rule 8.5.2).
"""

from collections.abc import Container, Iterator
from functools import partial

from tenure.broker.requests.context import Context
from tenure.broker.requests.partition_results import PartitionsToCommit, Result, answer_by_topic
from tenure.broker.requests.permissions import allowed_names, is_allowed
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.coordinator.answers import Refused
from tenure.coordinator.groups.answers import ALL_COMMITTED, Committed
from tenure.coordinator.groups.commands import CommitInTransaction
from tenure.coordinator.transactions.commands import Adding, AddPartitions
from tenure.protocol.acls import AclOperation, ResourceType
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    TxnOffsetCommitRequest,
    TxnOffsetCommitResponse,
    TxnOffsetCommitResponsePartition,
    TxnOffsetCommitResponseTopic,
)

ADDS_SINCE = 5
ABORTABLE_SINCE = 4
LOADING_SINCE = 2


def handle(context: Context, request: Request, message: TxnOffsetCommitRequest) -> Iterator[None]:
    commit = PartitionsToCommit()
    allowed: Container[str] | None = None
    if context.authorization is not None:
        if (error_code := _refusal(context, request, message)) is not None:
            _refuse(request, message, error_code)
            return
        allowed = allowed_names(context, request, AclOperation.READ, ResourceType.TOPIC)
    for wanted in message.topics:
        for asked in wanted.partitions:
            if allowed is None or wanted.name in allowed:
                commit.add(wanted.name, context.topics.named(wanted.name), asked)
            else:
                commit.refuse(wanted.name, asked.partition_index, ErrorCode.TOPIC_AUTHORIZATION_FAILED)
            yield
    if not commit.offsets:
        _respond(request, commit, ALL_COMMITTED)
        return
    if not message.group_id:  # before the transaction is looked up (rule 8.5)
        _respond(request, commit, Refused(ErrorCode.INVALID_GROUP_ID))
        return
    command = AddPartitions(
        message.transactional_id,
        message.producer_id,
        message.producer_epoch,
        [context.groups.offsets_partition(message.group_id)],
        Adding.IMPLICIT if request.version >= ADDS_SINCE else Adding.VERIFY,
    )
    context.transactions.add(command, partial(_verified, context, request, message, commit))


def _refusal(context: Context, request: Request, message: TxnOffsetCommitRequest) -> ErrorCode | None:
    if not is_allowed(context, request, AclOperation.WRITE, ResourceType.TRANSACTIONAL_ID, message.transactional_id):
        return ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED
    if not is_allowed(context, request, AclOperation.READ, ResourceType.GROUP, message.group_id):
        return ErrorCode.GROUP_AUTHORIZATION_FAILED
    return None


def _refuse(request: Request, message: TxnOffsetCommitRequest, error_code: ErrorCode) -> None:
    request.count_error(error_code)
    results: list[Result] = [
        (topic.name, partition.partition_index, error_code)
        for topic in message.topics
        for partition in topic.partitions
    ]
    new_topic = TxnOffsetCommitResponseTopic
    answer_by_topic(request, results, new_topic, TxnOffsetCommitResponsePartition, TxnOffsetCommitResponse)


def _verified(
    context: Context, request: Request, message: TxnOffsetCommitRequest, commit: PartitionsToCommit, answer: object
) -> None:
    respond = partial(_respond, request, commit)
    if isinstance(answer, Refused):
        respond(Refused(_api_error(answer.error_code, request.version)))
        return
    command = CommitInTransaction(
        message.group_id,
        message.member_id,
        message.group_instance_id,
        message.generation_id,
        commit.offsets,
        message.producer_id,
        message.producer_epoch,
    )
    context.groups.ask(message.group_id, command, respond)


def _respond(request: Request, commit: PartitionsToCommit, answer: Committed | Refused) -> None:
    if isinstance(answer, Refused):
        if answer.error_code is ErrorCode.COORDINATOR_LOAD_IN_PROGRESS and request.version < LOADING_SINCE:
            answer = Refused(ErrorCode.COORDINATOR_NOT_AVAILABLE)
        request.count_error(answer.error_code)
    results, new_topic = commit.results(answer), TxnOffsetCommitResponseTopic
    answer_by_topic(request, results, new_topic, TxnOffsetCommitResponsePartition, TxnOffsetCommitResponse)


def _api_error(error_code: ErrorCode, version: int) -> ErrorCode:
    """Translate an error of the transaction's coordinator to the codes of this API."""
    if error_code is ErrorCode.PRODUCER_FENCED:
        return ErrorCode.INVALID_PRODUCER_EPOCH
    if error_code is ErrorCode.TRANSACTION_ABORTABLE and version < ABORTABLE_SINCE:
        return ErrorCode.INVALID_TXN_STATE
    return error_code


route = Route(TxnOffsetCommitRequest, handle)
