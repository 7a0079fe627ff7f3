"""State of one transactional id: its last record, and fields that are kept only in memory, as in Kafka."""

from collections.abc import Collection, Iterable
from typing import Final

from tenure.coordinator.shard import InvariantError
from tenure.coordinator.transactions.states import State
from tenure.protocol.generated.transaction_state import TransactionLogValue, TransactionPartitions
from tenure.protocol.types import EPOCH_MAX, PartitionId, TopicName

NO_PRODUCER_ID: Final = -1
NO_EPOCH: Final = -1

TopicPartition = tuple[TopicName, PartitionId]


class Transaction:
    """State of one transactional id."""

    __slots__ = ("deadline_ms", "last_epoch", "state", "value")

    def __init__(self, value: TransactionLogValue) -> None:
        self.set_value(value)
        self.last_epoch = NO_EPOCH
        """Epoch of the producer before its present one. InitProducerId with this epoch is a repeated request."""
        self.deadline_ms: int | None = None
        """Tick at which an ongoing transaction is aborted; None if it is not ongoing."""

    def set_value(self, value: TransactionLogValue) -> None:
        """Set the last record. Its state is decoded once, because requests read it several times."""
        self.value: TransactionLogValue = value
        self.state: State = State(value.transaction_status)

    @property
    def is_exhausted(self) -> bool:
        """True if only the last epoch is left, so that the producer needs a new id."""
        return self.value.producer_epoch >= EPOCH_MAX - 1

    @property
    def partitions(self) -> frozenset[TopicPartition]:
        return partitions_of(self.value)


def partitions_of(value: TransactionLogValue) -> frozenset[TopicPartition]:
    topics = value.transaction_partitions or ()
    return frozenset([(topic.topic, partition) for topic in topics for partition in topic.partition_ids])


def by_topic(partitions: Iterable[TopicPartition]) -> list[TransactionPartitions]:
    """Return the partitions grouped by topic, sorted as in a record of `__transaction_state`."""
    topics: dict[TopicName, list[PartitionId]] = {}
    for topic, partition in sorted(partitions):
        topics.setdefault(topic, []).append(partition)
    return [TransactionPartitions(topic, ids) for topic, ids in topics.items()]


def changed(
    value: TransactionLogValue,
    state: State,
    wall_ms: int,
    *,
    producer_id: int | None = None,
    producer_epoch: int | None = None,
    next_producer_id: int = NO_PRODUCER_ID,
    timeout_ms: int | None = None,
    partitions: Collection[TopicPartition] | None = None,
    start_ms: int | None = None,
    client_version: int | None = None,
) -> TransactionLogValue:
    """Return the record of the next state. `value` is the last record; arguments that are None keep its values.

    The present producer id becomes the previous one.
    """
    if state is State.DEAD:
        raise InvariantError("a transactional id in state Dead has a tombstone instead of a record with a state")
    topics = value.transaction_partitions if partitions is None else by_topic(partitions)
    return TransactionLogValue(
        producer_id=value.producer_id if producer_id is None else producer_id,  # type: ignore[arg-type]
        previous_producer_id=value.producer_id,
        next_producer_id=next_producer_id,  # type: ignore[arg-type]
        producer_epoch=value.producer_epoch if producer_epoch is None else producer_epoch,
        transaction_timeout_ms=value.transaction_timeout_ms if timeout_ms is None else timeout_ms,
        transaction_status=state,
        transaction_partitions=None if state is State.EMPTY else topics,
        transaction_last_update_timestamp_ms=wall_ms,
        transaction_start_timestamp_ms=value.transaction_start_timestamp_ms if start_ms is None else start_ms,
        client_transaction_version=value.client_transaction_version if client_version is None else client_version,
    )
