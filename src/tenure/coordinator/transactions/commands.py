"""Commands of a transactions shard; answers are in `answers.py`."""

from collections.abc import Sequence
from enum import Enum

from tenure.coordinator.transactions.transaction import TopicPartition
from tenure.coordinator.values import value
from tenure.protocol.types import ProducerId


@value
class InitProducer:
    """Command answered with `Producer`; or with `FreshIdWanted`, then it has to be repeated with a `fresh_id`.

    `producer_id` and `producer_epoch` are those that the producer has until now, -1 for none.
    """

    transactional_id: str
    timeout_ms: int
    producer_id: ProducerId
    producer_epoch: int
    fresh_id: ProducerId | None = None


class Adding(Enum):
    """Reason for a lookup of partitions."""

    EXPLICIT = "explicit"
    """AddPartitionsToTxn or AddOffsetsToTxn of a client."""
    IMPLICIT = "implicit"
    """Write of a client of version 2, which adds the partition to its transaction (KIP-890)."""
    VERIFY = "verify"
    """A client of an older version must have added it."""


@value
class AddPartitions:
    """Command answered with `Accepted`."""

    transactional_id: str
    producer_id: ProducerId
    producer_epoch: int
    partitions: Sequence[TopicPartition]
    how: Adding


@value
class EndTransaction:
    """Command answered with `Producer` or `FreshIdWanted`. From `client_version` 2 the answer has a raised epoch."""

    transactional_id: str
    producer_id: ProducerId
    producer_epoch: int
    is_commit: bool
    client_version: int
    fresh_id: ProducerId | None = None


@value
class MarkersWritten:
    """Completion of a transaction: every partition has its marker. It has no answer."""

    transactional_id: str
    producer_id: ProducerId
    producer_epoch: int


@value
class DescribeTransaction:
    """Command answered with `Described`."""

    transactional_id: str


@value
class ListTransactions:
    """Command answered with `Listed`."""
