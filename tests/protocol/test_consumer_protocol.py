"""Subscriptions and assignments, byte for byte as Apache Kafka's client writes them, and future versions (rule 7.6)."""

import pytest

from tenure.protocol.codec import MalformedMessage
from tenure.protocol.consumer_protocol import (
    Assignment,
    Subscription,
    TopicPartition,
    decode_assignment,
    decode_subscription,
    encode_assignment,
    encode_subscription,
)
from tenure.protocol.types import GenerationId, PartitionId, TopicName

OWNED = TopicPartition(TopicName("a"), [PartitionId(0), PartitionId(7)])
SUBSCRIPTION = Subscription([TopicName("a"), TopicName("b")], None, [OWNED], GenerationId(6), "r")
ASSIGNMENT = Assignment([OWNED], b"\x09")

SUBSCRIPTIONS = [
    "0000 00000002 0001 61 0001 62 ffffffff",
    "0001 00000002 0001 61 0001 62 ffffffff 00000001 0001 61 00000002 00000000 00000007",
    "0002 00000002 0001 61 0001 62 ffffffff 00000001 0001 61 00000002 00000000 00000007 00000006",
    "0003 00000002 0001 61 0001 62 ffffffff 00000001 0001 61 00000002 00000000 00000007 00000006 0001 72",
]


@pytest.mark.parametrize(("version", "text"), list(enumerate(SUBSCRIPTIONS)))
def test_subscription__every_version__as_kafka_writes_it(version: int, text: str) -> None:
    assert encode_subscription(SUBSCRIPTION, version) == bytes.fromhex(text)


def test_subscription__newest_version__round_trip() -> None:
    assert decode_subscription(encode_subscription(SUBSCRIPTION)) == SUBSCRIPTION


def test_subscription__oldest_version__later_fields_have_their_defaults() -> None:
    assert decode_subscription(bytes.fromhex(SUBSCRIPTIONS[0])) == Subscription([TopicName("a"), TopicName("b")])


@pytest.mark.parametrize("version", range(4))
def test_assignment__every_version__the_same_body(version: int) -> None:
    data = encode_assignment(ASSIGNMENT, version)
    assert data == version.to_bytes(2, "big") + bytes.fromhex("00000001 0001 61 00000002 00000000 00000007 00000001 09")
    assert decode_assignment(data) == ASSIGNMENT


def test_subscription__future_version__read_as_the_newest() -> None:
    future = bytes.fromhex("0009") + encode_subscription(SUBSCRIPTION)[2:] + b"what v9 has added"
    assert decode_subscription(future) == SUBSCRIPTION


@pytest.mark.parametrize("data", [b"", b"\0", b"\xff\xff" + encode_subscription(SUBSCRIPTION)[2:]])
def test_subscription__no_version_or_a_negative_one__malformed(data: bytes) -> None:
    with pytest.raises(MalformedMessage):
        decode_subscription(data)


def test_subscription__truncated_anywhere__malformed() -> None:
    data = encode_subscription(SUBSCRIPTION)
    for end in range(len(data)):
        with pytest.raises(MalformedMessage):
            decode_subscription(data[:end])
