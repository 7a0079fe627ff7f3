"""What happens in a transactions shard beside its durable records. A fail-over forgets it, in Kafka too."""

from tenure.coordinator.values import value


@value
class EpochRemembered:
    """The epoch before the one that was just written."""

    transactional_id: str
    epoch: int


@value
class TransactionTimed:
    """The transaction is aborted at this tick unless it has ended."""

    transactional_id: str
    deadline_ms: int


@value
class TransactionTookTooLong:
    """It is aborted; whoever watches the broker counts them."""


@value
class SweepScheduled:
    """When ids that nobody uses any more are looked for next."""

    deadline_ms: int
    forgotten: int = 0
    """Ids that were found now."""
