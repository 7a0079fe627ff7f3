"""Answers of a transactions shard, besides `Refused` and `Accepted`."""

from collections.abc import Sequence

from tenure.coordinator.values import value
from tenure.protocol.generated.transaction_state import TransactionLogValue
from tenure.protocol.types import ProducerId


@value
class Producer:
    """Answer with the producer id and epoch that the client has to use from now on."""

    producer_id: ProducerId
    producer_epoch: int


@value
class FreshIdWanted:
    """Answer to a command that needs a new producer id. The caller has to repeat the command with a `fresh_id`."""


@value
class Described:
    state: TransactionLogValue


@value
class Listed:
    """Answer to ListTransactions: the last record of each transactional id in the shard."""

    transactions: Sequence[tuple[str, TransactionLogValue]]
