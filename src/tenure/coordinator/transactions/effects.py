"""Effects of a transactions shard (see `Step.effects`)."""

from collections.abc import Collection

from tenure.coordinator.transactions.transaction import TopicPartition
from tenure.coordinator.values import value
from tenure.protocol.types import ProducerId


@value
class WriteMarkers:
    """Writing of the markers that end a transaction, one in each of its partitions.

    It begins when the decision is durable; otherwise a crash could lose the decision, but not the markers. When all
    markers are durable, its result is `MarkersWritten`.
    """

    transactional_id: str
    producer_id: ProducerId
    producer_epoch: int
    is_commit: bool
    transaction_version: int
    partitions: Collection[TopicPartition]
