"""Metadata that members of type "consumer" exchange through the coordinator: subscriptions and assignments (rule 7.6).

Each is an int16 version and a body that is never flexible. New versions only append fields, so a newer version is
decoded with the newest known layout, and the rest is ignored.
"""

from struct import Struct as Packer
from typing import Final, TypeVar

from tenure.protocol.codec import decode_prefix, encode
from tenure.protocol.generated.consumer_protocol import ConsumerProtocolAssignment as Assignment
from tenure.protocol.generated.consumer_protocol import ConsumerProtocolSubscription as Subscription
from tenure.protocol.generated.consumer_protocol import TopicPartition
from tenure.protocol.message import MalformedMessage, Message
from tenure.protocol.types import TopicName

__all__ = [
    "NEWEST",
    "Assignment",
    "Subscription",
    "TopicPartition",
    "decode_assignment",
    "decode_subscription",
    "decode_topics",
    "encode_assignment",
    "encode_subscription",
]

NEWEST: Final = 3
"""The newest version of both, and the default of writers."""

_int16: Final = Packer(">h")
B = TypeVar("B", bound=Message)


def encode_subscription(subscription: Subscription, version: int = NEWEST) -> bytes:
    return _int16.pack(version) + encode(subscription, version)


def encode_assignment(assignment: Assignment, version: int = NEWEST) -> bytes:
    return _int16.pack(version) + encode(assignment, version)


def decode_subscription(data: bytes) -> Subscription:
    return _decode(Subscription, data)


def decode_topics(data: bytes) -> list[TopicName]:
    """Return the topics of a subscription. As in Kafka's coordinator, the fields after version 0 may be damaged."""
    return _decode(Subscription, data, 0).topics


def decode_assignment(data: bytes) -> Assignment:
    return _decode(Assignment, data)


def _decode(kind: type[B], data: bytes, newest: int = NEWEST) -> B:
    if len(data) < 2:
        raise MalformedMessage(f"{kind.__name__} has {len(data)} bytes, too few for its version")
    version: int = _int16.unpack_from(data)[0]
    if version < 0:
        raise MalformedMessage(f"{kind.__name__} has the negative version {version}")
    return decode_prefix(kind, min(version, newest), data, 2)[0]
