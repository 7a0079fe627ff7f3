"""Subscriptions and assignments, which members of protocol type "consumer" send to each other (rule 7.6).

Each of them is an int16 version and a body in classic encoding. New versions only append fields. So a version that is
unknown here is decoded like the newest known one, and further bytes are ignored.
"""

from collections.abc import Mapping, Sequence
from struct import Struct as Packer
from typing import Final, TypeVar

from tenure.protocol.codec import decode_prefix, encode
from tenure.protocol.generated.consumer_protocol import ConsumerProtocolAssignment as Assignment
from tenure.protocol.generated.consumer_protocol import ConsumerProtocolSubscription as Subscription
from tenure.protocol.generated.consumer_protocol import TopicPartition
from tenure.protocol.message import MalformedMessage, Message
from tenure.protocol.types import TopicName
from tenure.protocol.wire import pack_int32s

__all__ = [
    "NEWEST",
    "Assignment",
    "AssignmentEncoder",
    "Subscription",
    "SubscriptionDecoder",
    "TopicPartition",
    "decode_assignment",
    "decode_subscription",
    "decode_topics",
    "encode_assignment",
    "encode_subscription",
]

NEWEST: Final = 3
"""Newest version of subscriptions and assignments, in which they are written by default."""

_int16: Final = Packer(">h")
_assignment_head: Final = Packer(">hi")
"""Version, and number of topics."""
_NO_USER_DATA: Final = b"\xff\xff\xff\xff"
_NO_TOPICS: Final = b"\0\0\0\0"
_TOPICS_AT: Final = 2
"""Position of the topics in a subscription, in all versions."""
_BEGINNING_BYTES: Final = 64
"""Number of bytes by which a list of topics is looked up; of lists that begin alike, only the last one is cached."""
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


class SubscriptionDecoder:
    """Decoder of the subscriptions of one group, whose members usually subscribe to the same topics.

    Equal subscriptions, and equal lists of topics, are decoded only once, and the results are shared.
    """

    def __init__(self) -> None:
        self._decoded: dict[bytes, Subscription] = {}
        self._known: dict[bytes, tuple[bytes, list[TopicName]]] = {}
        """(encoded list of topics, decoded list) by the first bytes of the encoded list."""

    def decode(self, data: bytes) -> Subscription:
        """Decode a subscription. Raises MalformedMessage."""
        found = self._decoded.get(data)
        if found is None:
            found = self._decoded[data] = self._decode(data)
        return found

    def _decode(self, data: bytes) -> Subscription:
        if len(data) <= _TOPICS_AT + _BEGINNING_BYTES:
            return decode_subscription(data)
        beginning = data[_TOPICS_AT : _TOPICS_AT + _BEGINNING_BYTES]
        known = self._known.get(beginning)
        if known is None or not data.startswith(known[0], _TOPICS_AT):
            found = decode_subscription(data)
            size = 4 + sum([2 + len(topic.encode()) for topic in found.topics])
            self._known[beginning] = data[_TOPICS_AT : _TOPICS_AT + size], found.topics
            return found
        encoded, topics = known
        rest = decode_subscription(data[:_TOPICS_AT] + _NO_TOPICS + data[_TOPICS_AT + len(encoded) :])
        return Subscription(topics, rest.user_data, rest.owned_partitions, rest.generation_id, rest.rack_id)


class _EncodedNames(dict[str, bytes]):
    """Cache of encoded topic names."""

    def __missing__(self, name: str) -> bytes:
        text = name.encode()
        encoded = self[name] = _int16.pack(len(text)) + text
        return encoded


class AssignmentEncoder:
    """Encoder of the assignments of one group. It encodes each topic name only once."""

    def __init__(self) -> None:
        self._names: Final = _EncodedNames()

    def encode(self, partitions_of_topic: Mapping[str, Sequence[int]]) -> bytes:
        """Encode an assignment of partition numbers by topic, as `encode_assignment` does."""
        names = self._names
        parts = [_assignment_head.pack(NEWEST, len(partitions_of_topic))]
        for topic, partitions in sorted(partitions_of_topic.items()):
            parts += (names[topic], pack_int32s(partitions))
        parts.append(_NO_USER_DATA)
        return b"".join(parts)
