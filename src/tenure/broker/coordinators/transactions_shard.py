"""Starts a shard of `__transaction_state`: loaded when a broker has its first transaction."""

from typing import TYPE_CHECKING

from tenure.broker.config import keys
from tenure.broker.coordinators.markers import Markers
from tenure.broker.coordinators.served_shard import ServedShard
from tenure.broker.topic_names import TRANSACTION_STATE
from tenure.coordinator.transactions.settings import TransactionSettings
from tenure.coordinator.transactions.shard import TransactionsShard
from tenure.runtime.host import Host
from tenure.runtime.transactions_codec import TransactionsCodec

if TYPE_CHECKING:
    from tenure.broker.broker import Broker
    from tenure.broker.coordinators.transactions import TransactionsServed


def started(broker: "Broker", partition: int) -> "TransactionsServed":
    """Its log is open, and not loaded yet. Raises what storage raises."""
    topic = broker.topics.named(TRANSACTION_STATE)
    assert topic is not None
    settings = TransactionSettings(
        broker.settings[keys.TRANSACTION_MAX_TIMEOUT_MS],
        broker.settings[keys.TRANSACTIONAL_ID_EXPIRATION_MS],
        broker.settings[keys.TRANSACTION_REMOVE_EXPIRED_TRANSACTION_CLEANUP_INTERVAL_MS],
    )
    served_log = broker.logs.of(topic, partition)
    return ServedShard(
        f"the transactions of {TRANSACTION_STATE}-{partition}",
        Host(lambda: TransactionsShard(settings), TransactionsCodec()),
        served_log,
        broker.turn,
        broker.logs.on_loader,
        Markers(broker, served_log),
    )
