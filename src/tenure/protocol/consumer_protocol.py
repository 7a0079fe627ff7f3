"""Subscriptions and assignments, which members of protocol type "consumer" send to each other (rule 7.6).

Each of them is an int16 version and a body in classic encoding. New versions only append fields. So a version that is
unknown here is decoded like the newest known one, and further bytes are ignored.
"""

from collections.abc import Sequence
from itertools import repeat
from struct import Struct as Packer
from typing import Final, NamedTuple, TypeVar

from tenure.protocol.codec import decode_prefix, encode
from tenure.protocol.generated.consumer_protocol import ConsumerProtocolAssignment as Assignment
from tenure.protocol.generated.consumer_protocol import ConsumerProtocolSubscription as Subscription
from tenure.protocol.generated.consumer_protocol import TopicPartition
from tenure.protocol.message import MalformedMessage, Message
from tenure.protocol.types import TopicName

__all__ = [
    "NEWEST",
    "Assignment",
    "EncodedTopics",
    "Subscription",
    "TopicPartition",
    "TopicsDecoder",
    "decode_assignment",
    "decode_subscription",
    "decode_topics",
    "encode_assignment",
    "encode_subscription",
]

NEWEST: Final = 3
"""Newest version of subscriptions and assignments. They are written in this version by default."""

_int16: Final = Packer(">h")
_NEGATIVE: Final = 0x80
"""Smallest first byte of a negative version; all greater first bytes also mean a negative version."""
_TOPICS_AT: Final = 2
"""Position of the topics in a subscription, in all versions."""
_BEGINNING_BYTES: Final = 64
"""Number of first bytes by which a list of topics is looked up.

Of several lists with the same first bytes, only the last one is found without decoding.
"""
B = TypeVar("B", bound=Message)


def encode_subscription(subscription: Subscription, version: int = NEWEST) -> bytes:
    return _int16.pack(version) + encode(subscription, version)


def encode_assignment(assignment: Assignment, version: int = NEWEST) -> bytes:
    return _int16.pack(version) + encode(assignment, version)


def decode_subscription(data: bytes) -> Subscription:
    return _decode(Subscription, data)


def decode_topics(data: bytes) -> list[TopicName]:
    """Return the topics of a subscription. As in Kafka's coordinator, later fields need not be valid."""
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


class EncodedTopics(NamedTuple):
    """Topics of a subscription, and the number of bytes in which they are encoded."""

    names: list[TopicName]
    size: int


class TopicsDecoder:
    """Decoder of the topics of one group's subscriptions. Equal lists are decoded only once."""

    def __init__(self) -> None:
        self.distinct: Final[list[EncodedTopics]] = []
        self._numbers: Final[dict[bytes, int]] = {}
        """Index in `distinct`, by encoded list."""
        self._known: Final[dict[bytes, tuple[bytes, int]]] = {}
        """(encoded list of topics, its index) by the first bytes of the encoded list."""

    def decode(self, subscriptions: Sequence[bytes]) -> list[int]:
        """Return the index of each subscription's topics in `distinct`. Raises MalformedMessage."""
        if not subscriptions:
            return []
        first = self._look_up(subscriptions[0])
        usual = subscriptions[0][: _TOPICS_AT + self.distinct[first].size]  # most members begin like the first one
        if all(map(bytes.startswith, subscriptions, repeat(usual))):
            return [first] * len(subscriptions)
        return [first if data.startswith(usual) else self._look_up(data) for data in subscriptions]

    def _look_up(self, data: bytes) -> int:
        beginning = data[_TOPICS_AT : _TOPICS_AT + _BEGINNING_BYTES]
        known = self._known.get(beginning)
        if known is None or not data.startswith(known[0], _TOPICS_AT) or data[0] >= _NEGATIVE:
            names = decode_topics(data)
            size = 4 + sum([2 + len(topic.encode()) for topic in names])
            encoded = data[_TOPICS_AT : _TOPICS_AT + size]
            known = self._known[beginning] = encoded, self._numbers.setdefault(encoded, len(self.distinct))
            if known[1] == len(self.distinct):
                self.distinct.append(EncodedTopics(names, size))
        return known[1]
