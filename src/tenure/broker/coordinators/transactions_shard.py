"""Factory of the shards of `__transaction_state`; loaded when a broker has its first transaction."""

from tenure.broker.config import keys
from tenure.broker.coordinators.context import CoordinatorContext
from tenure.broker.coordinators.marker_waiters import MarkerWaiters
from tenure.broker.coordinators.markers import GroupShards, Markers
from tenure.broker.coordinators.served_shard import ServedShard
from tenure.coordinator.metadata.topic_names import TRANSACTION_STATE
from tenure.coordinator.transactions.shard import TransactionsShard
from tenure.coordinator.transactions.state import TransactionSettings
from tenure.runtime.host import Host
from tenure.runtime.transactions_codec import TransactionsCodec


def open_shard(
    context: CoordinatorContext, groups: GroupShards, marker_waiters: MarkerWaiters, partition: int
) -> ServedShard[TransactionsShard]:
    """Open the log of a partition, and return its shard, which is not loaded yet. Raises the errors of `storage`."""
    topic = context.topics.named(TRANSACTION_STATE)
    assert topic is not None
    settings = TransactionSettings(
        context.settings[keys.TRANSACTION_MAX_TIMEOUT_MS],
        context.settings[keys.TRANSACTIONAL_ID_EXPIRATION_MS],
        context.settings[keys.TRANSACTION_REMOVE_EXPIRED_TRANSACTION_CLEANUP_INTERVAL_MS],
    )
    served_log = context.logs.of(topic, partition)
    return ServedShard(
        f"the transactions of {TRANSACTION_STATE}-{partition}",
        Host(lambda: TransactionsShard(settings), TransactionsCodec()),
        served_log,
        context.turn,
        context.logs.on_loader,
        Markers(context, groups, marker_waiters, served_log),
    )
