"""Settings of transactions, under Kafka's names."""

from tenure.coordinator.values import value


@value
class TransactionSettings:
    transaction_max_timeout_ms: int = 900_000
    transactional_id_expiration_ms: int = 604_800_000
    transaction_remove_expired_cleanup_interval_ms: int = 3_600_000
