"""Ephemeral records of a transactions shard. As in Kafka, their state is lost in a fail-over."""

from tenure.coordinator.values import value


@value
class EpochRemembered:
    """Previous epoch of a producer, after a new one was written."""

    transactional_id: str
    epoch: int


@value
class TransactionTimed:
    """Deadline of a transaction: the tick at which it is aborted unless it has ended."""

    transactional_id: str
    deadline_ms: int


@value
class TransactionTookTooLong:
    """Timeout of a transaction. This record only increments a counter for metrics."""


@value
class IdExpiryScheduled:
    """Tick of the next search for unused transactional ids."""

    deadline_ms: int
    forgotten: int = 0
    """Number of unused transactional ids that the same command has removed."""
