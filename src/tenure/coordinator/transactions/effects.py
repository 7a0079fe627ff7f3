"""What a transactions shard needs done (see `Step.effects`)."""

from collections.abc import Collection

from tenure.coordinator.transactions.transaction import TopicPartition
from tenure.coordinator.values import value
from tenure.protocol.types import ProducerId


@value
class WriteMarkers:
    """The end of a transaction is to be written into each of its partitions, as soon as the decision is durable: before
    that, a crash could decide otherwise. Comes back as `MarkersWritten`, when all of them are durable.
    """

    transactional_id: str
    producer_id: ProducerId
    producer_epoch: int
    is_commit: bool
    transaction_version: int
    partitions: Collection[TopicPartition]
