"""Subscriptions and assignments, byte for byte as Apache Kafka's client writes them, and future versions (rule 7.6)."""

from random import Random

import numpy as np
import pytest

from tenure.protocol.codec import MalformedMessage
from tenure.protocol.columnar.assignments import encode_assignments
from tenure.protocol.consumer_protocol import (
    Assignment,
    Subscription,
    TopicPartition,
    TopicsDecoder,
    decode_assignment,
    decode_subscription,
    encode_assignment,
    encode_subscription,
)
from tenure.protocol.types import GenerationId, PartitionId, TopicName

OWNED = TopicPartition(TopicName("a"), [PartitionId(0), PartitionId(7)])
SUBSCRIPTION = Subscription([TopicName("a"), TopicName("b")], None, [OWNED], GenerationId(6), "r")
ASSIGNMENT = Assignment([OWNED], b"\x09")
VERSION_AND_USER_DATA_BYTES = 6

SUBSCRIPTIONS = [
    "0000 00000002 0001 61 0001 62 ffffffff",
    "0001 00000002 0001 61 0001 62 ffffffff 00000001 0001 61 00000002 00000000 00000007",
    "0002 00000002 0001 61 0001 62 ffffffff 00000001 0001 61 00000002 00000000 00000007 00000006",
    "0003 00000002 0001 61 0001 62 ffffffff 00000001 0001 61 00000002 00000000 00000007 00000006 0001 72",
]


@pytest.mark.parametrize(("version", "text"), list(enumerate(SUBSCRIPTIONS)))
def test_encode_subscription__every_version__same_bytes_as_kafka(version: int, text: str) -> None:
    assert encode_subscription(SUBSCRIPTION, version) == bytes.fromhex(text)


def test_subscription__newest_version_encoded_and_decoded__unchanged() -> None:
    assert decode_subscription(encode_subscription(SUBSCRIPTION)) == SUBSCRIPTION


def test_decode_subscription__version_0__later_fields_have_their_defaults() -> None:
    assert decode_subscription(bytes.fromhex(SUBSCRIPTIONS[0])) == Subscription([TopicName("a"), TopicName("b")])


@pytest.mark.parametrize("version", range(4))
def test_encode_assignment__every_version__same_bytes_after_the_version(version: int) -> None:
    data = encode_assignment(ASSIGNMENT, version)
    assert data == version.to_bytes(2, "big") + bytes.fromhex("00000001 0001 61 00000002 00000000 00000007 00000001 09")
    assert decode_assignment(data) == ASSIGNMENT


def test_decode_subscription__future_version__read_like_the_newest_known_one() -> None:
    future = bytes.fromhex("0009") + encode_subscription(SUBSCRIPTION)[2:] + b"what v9 has added"
    assert decode_subscription(future) == SUBSCRIPTION


@pytest.mark.parametrize("data", [b"", b"\0", b"\xff\xff" + encode_subscription(SUBSCRIPTION)[2:]])
def test_decode_subscription__version_missing_or_negative__malformed(data: bytes) -> None:
    with pytest.raises(MalformedMessage):
        decode_subscription(data)


def test_decode_subscription__truncated_anywhere__malformed() -> None:
    data = encode_subscription(SUBSCRIPTION)
    for end in range(len(data)):
        with pytest.raises(MalformedMessage):
            decode_subscription(data[:end])


def random_topics(random: Random) -> list[TopicName]:
    """Return a list that is often equal to an earlier one, or has the same first topics."""
    return [TopicName(f"\u00e9-orders-{n:04}") for n in range(random.choice((0, 1, 2, 20, 21)))]


@pytest.mark.parametrize("seed", range(3))
def test_topics_decoder__subscriptions_of_many_members__same_topics_as_decoded_one_by_one(seed: int) -> None:
    random = Random(seed)
    lists = [random_topics(random) for _ in range(200)]
    subscriptions = []
    for topics in lists:
        owned = [TopicPartition(topic, [PartitionId(random.randrange(9))]) for topic in topics if random.random() < 0.5]
        encoded = Subscription(topics, random.choice((None, b"", b"held")), owned, GenerationId(random.randrange(3)))
        subscriptions.append(encode_subscription(encoded, random.randrange(4)))
    decoder = TopicsDecoder()
    for topics, number in zip(lists, decoder.decode(subscriptions), strict=True):
        size = len(encode_subscription(Subscription(topics), 0)) - VERSION_AND_USER_DATA_BYTES
        assert decoder.distinct[number] == (topics, size)


def test_topics_decoder__members_with_the_same_topics__decoded_once() -> None:
    decoder, topics = TopicsDecoder(), [TopicName(f"orders-{n}") for n in range(20)]
    lists = topics, topics[:3], topics
    encoded = [encode_subscription(Subscription(names, generation_id=GenerationId(n))) for n, names in enumerate(lists)]
    assert decoder.decode(encoded) == [0, 1, 0]
    assert [of.names for of in decoder.distinct] == [topics, topics[:3]]


def test_topics_decoder__truncated_subscription_to_topics_that_were_decoded_before__malformed() -> None:
    topics = [TopicName(f"orders-{n}") for n in range(20)]
    data = encode_subscription(Subscription(topics), 0)
    for end in range(len(data) - VERSION_AND_USER_DATA_BYTES + 2):
        with pytest.raises(MalformedMessage):
            TopicsDecoder().decode([data, data[:end]])


def test_topics_decoder__negative_version__malformed() -> None:
    data = encode_subscription(Subscription([TopicName("t")]))
    with pytest.raises(MalformedMessage):
        TopicsDecoder().decode([data, b"\xff" + data[1:]])


def test_encode_assignments__random_owners__same_bytes_as_encoded_one_by_one() -> None:
    random = Random(1)
    for _ in range(50):
        names = sorted({f"{chr(0xE9) * random.randrange(3)}orders-{random.randrange(30)}" for _ in range(12)})
        counts = [random.randrange(9) for _ in names]
        members = random.randrange(1, 9)
        owners = [random.randrange(-1, members) for _ in range(sum(counts))]
        places = [(name, number) for name, count in zip(names, counts, strict=True) for number in range(count)]
        expected = []
        for member in range(members):
            of_topic: dict[str, list[PartitionId]] = {}
            for owner, (name, number) in zip(owners, places, strict=True):
                if owner == member:
                    of_topic.setdefault(name, []).append(PartitionId(number))
            entries = [TopicPartition(TopicName(name), numbers) for name, numbers in of_topic.items()]
            expected.append(encode_assignment(Assignment(entries)))
        assert encode_assignments(np.array(owners, np.int32), members, names, np.array(counts, np.int64)) == expected


def test_encode_assignments__no_topics__empty_assignments() -> None:
    nothing = np.array([], np.int64)
    assert encode_assignments(nothing.astype(np.int32), 2, [], nothing) == [encode_assignment(Assignment())] * 2
    assert encode_assignments(nothing.astype(np.int32), 0, [], nothing) == []
