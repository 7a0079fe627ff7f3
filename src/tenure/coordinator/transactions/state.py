"""State of a transactions shard, with its settings."""

from tenure.coordinator.transactions.transaction import Transaction
from tenure.coordinator.values import value


@value
class TransactionSettings:
    """Settings of transactions. Each field is named after a key of Kafka, with underscores for dots."""

    transaction_max_timeout_ms: int = 900_000
    transactional_id_expiration_ms: int = 604_800_000
    transaction_remove_expired_cleanup_interval_ms: int = 3_600_000


class Transactions:
    __slots__ = ("by_id", "id_expiry_deadline_ms", "ids_expired", "settings", "timed_out")

    def __init__(self, settings: TransactionSettings) -> None:
        self.settings = settings
        self.by_id: dict[str, Transaction] = {}
        self.id_expiry_deadline_ms: int | None = None
        self.timed_out = 0
        self.ids_expired = 0
        """Number of unused transactional ids that were removed since the shard was loaded."""
