"""Types of the protocol's ids. Each kind of id has a type, so that type checkers notice when two are confused."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from typing import Final, NamedTuple, NewType

GroupId = NewType("GroupId", str)
MemberId = NewType("MemberId", str)
InstanceId = NewType("InstanceId", str)
TopicName = NewType("TopicName", str)

GenerationId = NewType("GenerationId", int)
BrokerId = NewType("BrokerId", int)
PartitionId = NewType("PartitionId", int)
ProducerId = NewType("ProducerId", int)

TopicId = NewType("TopicId", bytes)
"""UUID of a topic as 16 bytes, most significant byte first."""

ZERO_TOPIC_ID: Final = TopicId(bytes(16))
"""Topic id that means "no topic id" (rule 1.1.2)."""


def topic_id_text(topic_id: TopicId) -> str:
    """Return a topic id as Kafka prints it: 22 characters of base64url."""
    return urlsafe_b64encode(topic_id)[:22].decode("ascii")


def topic_id_from_text(text: str) -> TopicId:
    """Parse a topic id; the reverse of `topic_id_text`. Raises ValueError if it is invalid."""
    try:
        raw = urlsafe_b64decode(text + "==")
    except (Base64Error, ValueError):
        raw = b""
    if len(raw) != 16 or topic_id_text(TopicId(raw)) != text:
        raise ValueError(f"{text!r} is not a topic id: 22 characters of base64url are needed, as Kafka prints them")
    return TopicId(raw)


EPOCH_BUMPS: Final = 2
"""First transaction version in which every end raises the producer's epoch (KIP-890).

From this version on, a Produce request adds its partitions to the transaction, without AddPartitionsToTxn.
"""
EPOCH_MAX: Final = 32_767
"""Greatest producer epoch. The epochs of clients are less than it."""


class Marker(NamedTuple):
    """End of a producer's transaction in a partition (rule 6.5.1).

    `producer_epoch` may have been raised by the end of the transaction; from `transaction_version` 2 on, it always is.
    """

    producer_id: int
    producer_epoch: int
    is_commit: bool
    coordinator_epoch: int
    transaction_version: int = 0
