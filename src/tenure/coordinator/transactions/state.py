"""State of a transactions shard."""

from tenure.coordinator.transactions.settings import TransactionSettings
from tenure.coordinator.transactions.transaction import Transaction


class Transactions:
    __slots__ = ("by_id", "forgotten", "settings", "sweep_deadline_ms", "timed_out")

    def __init__(self, settings: TransactionSettings) -> None:
        self.settings = settings
        self.by_id: dict[str, Transaction] = {}
        self.sweep_deadline_ms: int | None = None
        self.timed_out = 0
        self.forgotten = 0
        """Numbers of timed-out transactions and of removed unused ids, since the shard was loaded."""
