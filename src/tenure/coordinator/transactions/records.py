"""Events in a transactions shard besides its durable records. A fail-over forgets them, in Kafka too."""

from tenure.coordinator.values import value


@value
class EpochRemembered:
    """Previous epoch, after a new one was written."""

    transactional_id: str
    epoch: int


@value
class TransactionTimed:
    """Tick at which the transaction is aborted unless it has ended."""

    transactional_id: str
    deadline_ms: int


@value
class TransactionTookTooLong:
    """Timeout of a transaction, which is aborted. Counted for the metrics."""


@value
class SweepScheduled:
    """Time of the next search for unused ids."""

    deadline_ms: int
    forgotten: int = 0
    """Ids that were removed."""
