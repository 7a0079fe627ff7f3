"""DescribeProducers (API key 61, KIP-664): active producers of partitions, with sequence numbers and times."""

from collections.abc import Iterator

from tenure.broker.logs.storage_codes import LOG_ERRORS, error_code_of
from tenure.broker.requests.context import Context
from tenure.broker.requests.permissions import is_allowed
from tenure.broker.requests.request import Request
from tenure.broker.requests.route import Route
from tenure.broker.requests.steps import in_steps
from tenure.broker.requests.topic_descriptions import why_unknown
from tenure.protocol.acls import AclOperation, ResourceType
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    DescribeProducersPartitionResponse,
    DescribeProducersRequest,
    DescribeProducersResponse,
    DescribeProducersTopicResponse,
    ProducerState,
)
from tenure.protocol.types import PartitionId, ProducerId, TopicName


def handle(context: Context, request: Request, message: DescribeProducersRequest) -> Iterator[None]:
    topics = []
    for requested in message.topics:
        if is_allowed(context, request, AclOperation.READ, ResourceType.TOPIC, requested.name):
            partitions = yield from in_steps(
                _partition(context, requested.name, index) for index in requested.partition_indexes
            )
        else:
            refused = ErrorCode.TOPIC_AUTHORIZATION_FAILED
            partitions = [DescribeProducersPartitionResponse(index, refused) for index in requested.partition_indexes]
        topics.append(DescribeProducersTopicResponse(requested.name, partitions))
        yield
    yield from request.answer_in_steps(DescribeProducersResponse(topics=topics))


def _partition(context: Context, name: TopicName, index: PartitionId) -> DescribeProducersPartitionResponse:
    topic = context.topics.named(name)
    if topic is None:
        return DescribeProducersPartitionResponse(index, why_unknown(name))
    if not 0 <= index < topic.partitions:
        return DescribeProducersPartitionResponse(index, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
    try:
        log = context.logs.of(topic, index)
    except LOG_ERRORS as error:
        return DescribeProducersPartitionResponse(index, error_code_of(error), str(error))
    producers = [
        ProducerState(
            producer_id=ProducerId(producer_id),
            producer_epoch=producer.epoch,
            last_sequence=producer.batches[-1].last_sequence if producer.batches else -1,
            last_timestamp=producer.last_timestamp_ms,
            coordinator_epoch=producer.coordinator_epoch,
            current_txn_start_offset=log.partition.producers.open.get(producer_id, -1),
        )
        for producer_id, producer in log.partition.producers.by_id.items()
    ]
    return DescribeProducersPartitionResponse(index, ErrorCode.NONE, active_producers=producers)


route = Route(DescribeProducersRequest, handle)
