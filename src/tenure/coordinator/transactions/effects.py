"""Effects of a transactions shard (see `Step.effects`)."""

from collections.abc import Collection

from tenure.coordinator.transactions.transaction import TopicPartition
from tenure.coordinator.values import value
from tenure.protocol.types import ProducerId


@value
class WriteMarkers:
    """Write of the end of a transaction into each of its partitions.

    It begins when the decision is durable, because a crash before that could lose the decision. Its result is
    `MarkersWritten`, when all markers are durable.
    """

    transactional_id: str
    producer_id: ProducerId
    producer_epoch: int
    is_commit: bool
    transaction_version: int
    partitions: Collection[TopicPartition]
