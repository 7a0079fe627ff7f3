"""The ids of the protocol, each a type of its own: a member id is never passed where a group id is meant."""

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
"""16 raw bytes, most significant first."""

ZERO_TOPIC_ID: Final = TopicId(bytes(16))
"""Id that Kafka writes for "no id" (rule 1.1.2)."""


def topic_id_text(topic_id: TopicId) -> str:
    """Return an id as Kafka prints it: 22 characters of base64url."""
    return urlsafe_b64encode(topic_id)[:22].decode("ascii")


def topic_id_from_text(text: str) -> TopicId:
    """Return the id of a text: the reverse of `topic_id_text`. Raises ValueError for an invalid one."""
    try:
        raw = urlsafe_b64decode(text + "==")
    except (Base64Error, ValueError):
        raw = b""
    if len(raw) != 16 or topic_id_text(TopicId(raw)) != text:
        raise ValueError(f"{text!r} is not a topic id: 22 characters of base64url are needed, as Kafka prints them")
    return TopicId(raw)


EPOCH_BUMPS: Final = 2
"""The first version of transactions in which every end raises the producer's epoch (KIP-890)."""
EPOCH_MAX: Final = 32_767
"""Largest epoch, which is never used: clients get at most the one before."""


class Marker(NamedTuple):
    """End of a producer's transaction in a partition (rule 6.5.1).

    `producer_epoch` may be one that the end has raised; from `transaction_version` 2 on it always is.
    """

    producer_id: int
    producer_epoch: int
    is_commit: bool
    coordinator_epoch: int
    transaction_version: int = 0
