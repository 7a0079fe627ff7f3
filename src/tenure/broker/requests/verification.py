"""Check of a transaction's first batch in each partition: the transaction must contain the partition (KIP-890).

A client of transaction version 2 adds a partition to its transaction by writing to it. An older client must have added
the partition before. Without the check, a late batch could open a transaction that is never ended, and readers with
read_committed would wait forever.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Final

from tenure.broker.config import keys
from tenure.broker.logs.storage_codes import LOG_ERRORS
from tenure.broker.requests.context import Context
from tenure.coordinator.answers import Refused
from tenure.coordinator.transactions.commands import Adding, AddPartitions, adding_of_writer
from tenure.coordinator.transactions.transaction import TopicPartition
from tenure.protocol.acls import AclOperation, ResourceType
from tenure.protocol.batches import HEADER, Batch
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import ProducerId

if TYPE_CHECKING:
    from tenure.broker.requests.request import Request
    from tenure.coordinator.metadata.topics import Topic
    from tenure.protocol.messages import PartitionProduceData, ProduceRequest

ADDS_SINCE: Final = 12
ABORTABLE_SINCE: Final = 11
BY_ID_SINCE: Final = 13
UNREACHABLE: Final = frozenset(
    {ErrorCode.NOT_COORDINATOR, ErrorCode.COORDINATOR_NOT_AVAILABLE, ErrorCode.COORDINATOR_LOAD_IN_PROGRESS}
)

Then = Callable[[tuple[ErrorCode, str] | None], None]


def verify(context: Context, request: "Request", message: "ProduceRequest", then: Then) -> Iterator[None]:
    """Check that the transaction of a request's producer has all partitions of the request.

    Call `then(None)` if the records may be written, else `then(error)`; the error applies to all partitions.
    """
    requested: list[TopicPartition] = []
    producers: set[tuple[ProducerId, int]] = set()
    for wanted in message.topic_data:
        for part in wanted.partition_data:
            topic = (
                context.topics.with_id(wanted.topic_id)
                if request.version >= BY_ID_SINCE
                else context.topics.named(wanted.name)
            )
            batch = _unverified(context, topic, part)
            if batch is not None and topic is not None and _may_write(context, request, topic.name):
                requested.append((topic.name, part.index))
                producers.add((ProducerId(batch.producer_id), batch.producer_epoch))
            yield
    how = adding_of_writer(request.version, adds_since=ADDS_SINCE, abortable_since=ABORTABLE_SINCE)
    is_wanted = how is Adding.IMPLICIT or context.settings[keys.TRANSACTION_PARTITION_VERIFICATION_ENABLE]
    if not requested or not is_wanted or message.transactional_id is None:
        then(None)
        return
    if len(producers) > 1:
        why = "the request has records of several producers: send the records of each producer in its own request"
        then((ErrorCode.INVALID_PRODUCER_ID_MAPPING, why))
        return

    command = AddPartitions(message.transactional_id, *producers.pop(), requested, how)
    context.transactions.add(command, request.callback(partial(_heard, request.version, then)))


def _may_write(context: Context, request: "Request", topic: str) -> bool:
    authorization = context.authorization
    return authorization is None or authorization.would_allow(request, AclOperation.WRITE, ResourceType.TOPIC, topic)


def _heard(version: int, then: Then, answer: object) -> None:
    then(_error_in_version(answer.error_code, version) if isinstance(answer, Refused) else None)


def _unverified(context: Context, topic: "Topic | None", part: "PartitionProduceData") -> Batch | None:
    """Return the batch in `part` if its transaction must be verified, else None.

    A transaction must be verified if the batch is transactional, and its producer has no open transaction in the
    partition. Invalid batches are not verified, because they are refused later.
    """
    if topic is None or not 0 <= part.index < topic.partitions or not part.records or len(part.records) < HEADER.size:
        return None
    batch = Batch(part.records, 0)
    if not batch.is_transactional:
        return None
    try:
        producers = context.logs.of(topic, part.index).partition.producers
    except LOG_ERRORS:
        return None
    known = producers.by_id.get(batch.producer_id)
    is_open = batch.producer_id in producers.open and known is not None and known.epoch == batch.producer_epoch
    return None if is_open else batch


def _error_in_version(error_code: ErrorCode, version: int) -> tuple[ErrorCode, str]:
    """Convert an error of the transaction coordinator to an error and message of Produce in the given version."""
    if error_code is ErrorCode.PRODUCER_FENCED:
        return ErrorCode.INVALID_PRODUCER_EPOCH, "another producer with this transactional.id is active"
    if error_code in UNREACHABLE or (error_code is ErrorCode.CONCURRENT_TRANSACTIONS and version < ADDS_SINCE):
        return ErrorCode.NOT_ENOUGH_REPLICAS, "the transaction could not be looked up: send the records again"
    return error_code, "the partition is not part of an open transaction of this producer"
