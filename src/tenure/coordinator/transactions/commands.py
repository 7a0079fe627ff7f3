"""Commands of a transactions shard. `answers.py` has the answers."""

from collections.abc import Sequence
from enum import Enum

from tenure.coordinator.transactions.transaction import TopicPartition
from tenure.coordinator.values import value
from tenure.protocol.types import ProducerId


@value
class InitProducer:
    """Start of a producer. Answered with `Producer`.

    The answer `FreshIdWanted` means that the caller must repeat the command with a `fresh_id`. `producer_id` and
    `producer_epoch` are those that the producer has had until now; -1 for none.
    """

    transactional_id: str
    timeout_ms: int
    producer_id: ProducerId
    producer_epoch: int
    fresh_id: ProducerId | None = None


class Adding(Enum):
    """Ways in which a command adds partitions to a transaction, or checks that they are in it."""

    EXPLICIT = "explicit"
    """The client has sent AddPartitionsToTxn or AddOffsetsToTxn."""
    IMPLICIT = "implicit"
    """A client of transaction version 2 writes to the partition, which adds it to the transaction (KIP-890)."""
    VERIFY = "verify"
    """An older client writes to the partition, which must be in the transaction already."""
    VERIFY_FOR_OLD_CLIENT = "verify for old client"
    """Same as VERIFY, for a client that does not know TRANSACTION_ABORTABLE: it gets INVALID_TXN_STATE."""


def adding_of_writer(version: int, *, adds_since: int, abortable_since: int) -> Adding:
    """Return the way for a request that writes to the partition, by the version of the request (rule 8.5.2).

    Since version `adds_since`, the request adds the partition; since `abortable_since`, clients know
    TRANSACTION_ABORTABLE.
    """
    if version >= adds_since:
        return Adding.IMPLICIT
    return Adding.VERIFY if version >= abortable_since else Adding.VERIFY_FOR_OLD_CLIENT


@value
class AddPartitions:
    """Addition of partitions to a transaction, or a check that they are in it. Answered with `Accepted`."""

    transactional_id: str
    producer_id: ProducerId
    producer_epoch: int
    partitions: Sequence[TopicPartition]
    how: Adding

    @property
    def is_check(self) -> bool:
        """True if the command adds nothing."""
        return self.how is Adding.VERIFY or self.how is Adding.VERIFY_FOR_OLD_CLIENT


@value
class EndTransaction:
    """Request to commit or abort a transaction. Answered with `Producer` or `FreshIdWanted`.

    `client_version` is the transaction version that the client uses. From version 2 on (KIP-890), the answer contains
    the next epoch of the producer.
    """

    transactional_id: str
    producer_id: ProducerId
    producer_epoch: int
    is_commit: bool
    client_version: int
    fresh_id: ProducerId | None = None


@value
class MarkersWritten:
    """Result of the effect `WriteMarkers`: every partition has its marker. The coordinator sends no answer."""

    transactional_id: str
    producer_id: ProducerId
    producer_epoch: int


@value
class DescribeTransaction:
    """Request for the description of a transactional id. Answered with `Described`."""

    transactional_id: str


@value
class ListTransactions:
    """Request for a list of this shard's transactional ids. Answered with `Listed`."""
