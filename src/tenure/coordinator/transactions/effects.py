"""Effects of a transactions shard (see `CoordinatorResult.effects`)."""

from collections.abc import Collection

from tenure.coordinator.transactions.transaction import TopicPartition
from tenure.coordinator.values import value
from tenure.protocol.types import ProducerId


@value
class WriteMarkers:
    """Writing of the markers that end a transaction, one in each of its partitions.

    The writing begins when the record of the decision is durable. Otherwise a crash could lose the decision after some
    markers were written. When all markers are durable, the result `MarkersWritten` follows.
    """

    transactional_id: str
    producer_id: ProducerId
    producer_epoch: int
    is_commit: bool
    transaction_version: int
    partitions: Collection[TopicPartition]
