"""TxnOffsetCommit (API key 28).

Changes: v2 leader epochs, v3 flexible encoding and the member (KIP-447), v5 transactions of version 2, v6 topics by id
and member epochs (KIP-1319).

The transaction is looked up before the offsets are written. For a client of transaction version 2, the lookup also adds
the group's partition of `__consumer_offsets` to the transaction (rule 8.5.2).
"""

from collections.abc import Callable, Container, Iterator
from functools import partial
from typing import Any

from tenure.broker.requests.context import Context
from tenure.broker.requests.partition_results import PartitionsToCommit, Result, answer_by_topic
from tenure.broker.requests.permissions import allowed_names, is_allowed
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.broker.requests.steps import ITEMS_AT_ONCE
from tenure.coordinator.answers import Refused
from tenure.coordinator.groups.answers import ALL_COMMITTED, Committed
from tenure.coordinator.groups.commands import CommitInTransaction
from tenure.coordinator.transactions.commands import AddPartitions, adding_of_writer
from tenure.protocol.acls import AclOperation, ResourceType
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    TxnOffsetCommitRequest,
    TxnOffsetCommitRequestTopic,
    TxnOffsetCommitResponse,
    TxnOffsetCommitResponsePartition,
    TxnOffsetCommitResponseTopic,
)
from tenure.protocol.types import TopicId, TopicName

TOPIC_IDS_SINCE = 6
MEMBER_EPOCHS_SINCE = 6
ADDS_SINCE = 5
ABORTABLE_SINCE = 4
LOADING_SINCE = 2


def handle(context: Context, request: Request, message: TxnOffsetCommitRequest) -> Iterator[None]:
    by_id = request.version >= TOPIC_IDS_SINCE
    commit = PartitionsToCommit(by_id=by_id)
    allowed: Container[str] | None = None
    if context.authorization is not None:
        if (error_code := _refusal(context, request, message)) is not None:
            _refuse(request, message, error_code)
            return
        allowed = allowed_names(context, request, AclOperation.READ, ResourceType.TOPIC)
    topics, added = context.topics, 0
    for wanted in message.topics:
        named = _named(request, wanted)
        topic = topics.with_id(wanted.topic_id) if by_id else topics.named(wanted.name)
        name = wanted.name if topic is None else topic.name
        is_refused = allowed is not None and (topic is not None or not by_id) and name not in allowed
        for requested in wanted.partitions:
            if is_refused:
                commit.refuse(named, requested.partition_index, ErrorCode.TOPIC_AUTHORIZATION_FAILED)
            else:
                commit.add(named, topic, requested)
            added += 1
            if not added % ITEMS_AT_ONCE:
                yield
    if commit.offsets:
        _commit(context, request, message, commit)
    else:
        _respond(request, commit, ALL_COMMITTED)


def _commit(context: Context, request: Request, message: TxnOffsetCommitRequest, commit: PartitionsToCommit) -> None:
    add = AddPartitions(
        message.transactional_id,
        message.producer_id,
        message.producer_epoch,
        [context.groups.offsets_partition(message.group_id)],
        adding_of_writer(request.version, adds_since=ADDS_SINCE, abortable_since=ABORTABLE_SINCE),
    )
    in_group = CommitInTransaction(
        message.group_id,
        message.member_id,
        message.group_instance_id,
        message.generation_id_or_member_epoch,
        commit.offsets,
        message.producer_id,
        message.producer_epoch,
        request.version >= MEMBER_EPOCHS_SINCE,
    )
    context.transactions.commit_offsets(add, in_group, request.callback(partial(_respond, request, commit)))


def _refusal(context: Context, request: Request, message: TxnOffsetCommitRequest) -> ErrorCode | None:
    if not is_allowed(context, request, AclOperation.WRITE, ResourceType.TRANSACTIONAL_ID, message.transactional_id):
        return ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED
    if not is_allowed(context, request, AclOperation.READ, ResourceType.GROUP, message.group_id):
        return ErrorCode.GROUP_AUTHORIZATION_FAILED
    return None


def _refuse(request: Request, message: TxnOffsetCommitRequest, error_code: ErrorCode) -> None:
    request.count_error(error_code)
    results: list[Result] = [
        (_named(request, topic), partition.partition_index, error_code)
        for topic in message.topics
        for partition in topic.partitions
    ]
    answer_by_topic(request, results, _new_topic(request), TxnOffsetCommitResponsePartition, TxnOffsetCommitResponse)


def _respond(request: Request, commit: PartitionsToCommit, answer: Committed | Refused) -> None:
    if isinstance(answer, Refused):
        if answer.error_code is ErrorCode.COORDINATOR_LOAD_IN_PROGRESS and request.version < LOADING_SINCE:
            answer = Refused(ErrorCode.COORDINATOR_NOT_AVAILABLE)
        request.count_error(answer.error_code)
    results = commit.results(answer)
    answer_by_topic(request, results, _new_topic(request), TxnOffsetCommitResponsePartition, TxnOffsetCommitResponse)


def _named(request: Request, topic: TxnOffsetCommitRequestTopic) -> TopicName | TopicId:
    return topic.topic_id if request.version >= TOPIC_IDS_SINCE else topic.name


def _new_topic(request: Request) -> Callable[[Any], TxnOffsetCommitResponseTopic]:
    return _topic_with_id if request.version >= TOPIC_IDS_SINCE else TxnOffsetCommitResponseTopic


def _topic_with_id(topic_id: TopicId) -> TxnOffsetCommitResponseTopic:
    return TxnOffsetCommitResponseTopic(topic_id=topic_id)


route = Route(TxnOffsetCommitRequest, handle)
