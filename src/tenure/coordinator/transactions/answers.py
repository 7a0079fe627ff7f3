"""Answers of a transactions shard, besides `Refused` and `Accepted`."""

from collections.abc import Sequence

from tenure.coordinator.values import value
from tenure.protocol.generated.transaction_state import TransactionLogValue
from tenure.protocol.types import ProducerId


@value
class Producer:
    """Producer id and epoch for the next requests."""

    producer_id: ProducerId
    producer_epoch: int


@value
class FreshIdWanted:
    """Answer to a command that needs a new producer id: the caller repeats the command with one."""


@value
class Described:
    state: TransactionLogValue


@value
class Listed:
    """(transactional id, its last record)."""

    transactions: Sequence[tuple[str, TransactionLogValue]]
