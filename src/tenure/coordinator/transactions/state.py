"""What a transactions shard holds."""

from tenure.coordinator.transactions.settings import TransactionSettings
from tenure.coordinator.transactions.transaction import Transaction


class Transactions:
    __slots__ = ("by_id", "settings", "sweep_deadline_ms")

    def __init__(self, settings: TransactionSettings) -> None:
        self.settings = settings
        self.by_id: dict[str, Transaction] = {}
        self.sweep_deadline_ms: int | None = None
