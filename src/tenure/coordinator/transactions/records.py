"""Ephemeral records of a transactions shard. As in Kafka, the state that they change is lost in a fail-over."""

from tenure.coordinator.values import value


@value
class EpochRemembered:
    """Previous epoch of a producer whose epoch has changed."""

    transactional_id: str
    epoch: int


@value
class TransactionTimed:
    """Deadline of a transaction, as a tick. The transaction is aborted if it has not ended by then."""

    transactional_id: str
    deadline_ms: int


@value
class TransactionTookTooLong:
    """Abort of a transaction at its deadline. The record only increments a counter for metrics."""


@value
class IdExpiryScheduled:
    """Deadline of the next search for unused transactional ids, as a tick."""

    deadline_ms: int
    ids_expired: int = 0
    """Number of unused transactional ids that the same command has removed."""
