"""AddPartitionsToTxn (API key 24).

Changes: v2 PRODUCER_FENCED, v3 flexible encoding, v4 several transactions, and verification.

If one partition does not exist, none is added; the others get OPERATION_NOT_ATTEMPTED (rule 8.3).
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from tenure.broker.handlers.end_txn import fenced_in
from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import allowed_names, is_allowed, is_allowed_to_cluster
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Gathering, Route
from tenure.coordinator.answers import Refused
from tenure.coordinator.metadata.topic_names import INTERNAL_TOPICS
from tenure.coordinator.transactions.commands import Adding, AddPartitions
from tenure.coordinator.transactions.transaction import TopicPartition
from tenure.protocol.acls import AclOperation, ResourceType
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    AddPartitionsToTxnPartitionResult,
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnResponse,
    AddPartitionsToTxnResult,
    AddPartitionsToTxnTopic,
    AddPartitionsToTxnTopicResult,
    AddPartitionsToTxnTransaction,
)

BATCHED_SINCE: Final = 4

Results = list[AddPartitionsToTxnTopicResult]


def handle(context: Context, request: Request, message: AddPartitionsToTxnRequest) -> Iterator[None] | None:
    if request.version >= BATCHED_SINCE:
        if not is_allowed_to_cluster(context, request, AclOperation.CLUSTER_ACTION):
            request.answer(AddPartitionsToTxnResponse(error_code=ErrorCode.CLUSTER_AUTHORIZATION_FAILED))
            return None
        return _handle_several(context, request, message)
    alone = AddPartitionsToTxnTransaction(
        message.v3_and_below_transactional_id,
        message.v3_and_below_producer_id,
        message.v3_and_below_producer_epoch,
        topics=message.v3_and_below_topics,
    )
    _add(
        context,
        request,
        alone,
        Adding.EXPLICIT,
        lambda results: request.answer(AddPartitionsToTxnResponse(results_by_topic_v3_and_below=results)),
    )
    return None


def _handle_several(context: Context, request: Request, message: AddPartitionsToTxnRequest) -> Iterator[None]:
    requested = message.transactions

    def respond(answers: list[object]) -> None:
        results = [
            AddPartitionsToTxnResult(each.transactional_id, results)  # type: ignore[arg-type]
            for each, results in zip(requested, answers, strict=True)
        ]
        request.answer(AddPartitionsToTxnResponse(results_by_transaction=results))

    def ask(index: int, slot: Callable[[object], None]) -> None:
        how = Adding.VERIFY if requested[index].verify_only else Adding.IMPLICIT
        _add(context, request, requested[index], how, slot)

    return Gathering(len(requested), respond).ask_each(ask)


def _add(
    context: Context,
    request: Request,
    requested: AddPartitionsToTxnTransaction,
    how: Adding,
    then: Callable[[Results], None],
) -> None:
    partitions = [(topic.name, partition) for topic in requested.topics for partition in topic.partitions]
    error_codes = {each: ErrorCode.UNKNOWN_TOPIC_OR_PARTITION for each in partitions if not _exists(context, each)}
    if how is Adding.EXPLICIT:
        if not is_allowed(
            context, request, AclOperation.WRITE, ResourceType.TRANSACTIONAL_ID, requested.transactional_id
        ):
            then(_results(requested.topics, lambda _: ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED))
            return
        error_codes |= _unauthorized(context, request, partitions)
    if error_codes:
        then(_results(requested.topics, lambda each: error_codes.get(each, ErrorCode.OPERATION_NOT_ATTEMPTED)))
        return

    command = AddPartitions(
        requested.transactional_id, requested.producer_id, requested.producer_epoch, partitions, how
    )
    context.transactions.add(command, request.callback(partial(_added, request.version, requested.topics, then)))


def _added(
    version: int, topics: Sequence[AddPartitionsToTxnTopic], then: Callable[[Results], None], answer: object
) -> None:
    error_code = fenced_in(version, answer.error_code) if isinstance(answer, Refused) else ErrorCode.NONE
    then(_results(topics, lambda _: error_code))


def _unauthorized(
    context: Context, request: Request, partitions: Sequence[TopicPartition]
) -> dict[TopicPartition, ErrorCode]:
    """Return TOPIC_AUTHORIZATION_FAILED for each partition of a topic to which the client may not WRITE.

    As in Kafka, no client may add a partition of an internal topic.
    """
    allowed = allowed_names(context, request, AclOperation.WRITE, ResourceType.TOPIC)
    refused = [each for each in partitions if each[0] in INTERNAL_TOPICS or each[0] not in allowed]
    return dict.fromkeys(refused, ErrorCode.TOPIC_AUTHORIZATION_FAILED)


def _exists(context: Context, partition: TopicPartition) -> bool:
    topic = context.topics.named(partition[0])
    return topic is not None and 0 <= partition[1] < topic.partitions


def _results(
    topics: Sequence[AddPartitionsToTxnTopic], error_code_of: Callable[[TopicPartition], ErrorCode]
) -> Results:
    return [
        AddPartitionsToTxnTopicResult(
            topic.name,
            [
                AddPartitionsToTxnPartitionResult(partition, error_code_of((topic.name, partition)))
                for partition in topic.partitions
            ],
        )
        for topic in topics
    ]


route = Route(AddPartitionsToTxnRequest, handle)
