"""Decoding the claims of all members at once gives the same as decoding them one by one (rules 7.7, 7.8)."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tenure.client.group.assignment import AssignmentError, claims_of, subscribed_members
from tenure.client.group.subscriptions import subscription
from tenure.client.values import TopicPartition
from tenure.protocol.consumer_protocol import Subscription, decode_subscription, encode_subscription
from tenure.protocol.consumer_protocol import TopicPartition as OfTopic
from tenure.protocol.message import MalformedMessage
from tenure.protocol.messages import JoinGroupResponseMember
from tenure.protocol.types import GenerationId, MemberId, PartitionId, TopicName
from tests.assignors import cases

OWNED = [TopicPartition("t", 3), TopicPartition("t", 1), TopicPartition("a", 0)]
OWNED_BY_TOPIC = [
    OfTopic(TopicName("a"), [PartitionId(0)]),
    OfTopic(TopicName("t"), [PartitionId(1), PartitionId(3)]),
]
STICKY_V0 = bytes.fromhex("00000002 0001 61 00000001 00000000 0001 74 00000002 00000001 00000003")
NO_CLAIM: tuple[list[OfTopic], int] = ([], -1)
Claim = tuple[list[tuple[str, int]], int, str | None]
"""Owned partitions, generation and rack."""


def decoded(protocol: str, subscriptions: list[bytes]) -> list[Claim]:
    encoded = [JoinGroupResponseMember(MemberId(str(number)), None, blob) for number, blob in enumerate(subscriptions)]
    claims = claims_of(protocol, subscribed_members(encoded))
    owned: list[list[tuple[str, int]]] = [[] for _ in subscriptions]
    columns = (column.tolist() for column in claims.owned[:3])
    for member, topic, partition in zip(*columns, strict=True):
        owned[member].append((claims.owned.names[topic].decode(), partition))
    return list(zip(owned, claims.generations.tolist(), claims.rack_ids, strict=True))


def decoded_one_by_one(protocol: str, subscriptions: list[bytes]) -> list[Claim]:
    found = []
    for blob in subscriptions:
        encoded = decode_subscription(blob)
        owned, generation = cases.claim_of(protocol, encoded)
        found.append(([(of.topic, number) for of in owned for number in of.partitions], generation, encoded.rack_id))
    return found  # type: ignore[return-value]


def claim_of(protocol: str, blob: bytes) -> tuple[list[OfTopic], int]:
    """Return the owned partitions by topic, and the generation, of one subscription."""
    ((owned, generation, _),) = decoded(protocol, [blob])
    by_topic: dict[str, list[PartitionId]] = {}
    for topic, partition in owned:
        by_topic.setdefault(topic, []).append(PartitionId(partition))
    return [OfTopic(TopicName(topic), partitions) for topic, partitions in by_topic.items()], generation


def encoded(**fields: Any) -> bytes:
    return encode_subscription(Subscription(**fields))


def random_subscription(random: Random) -> bytes:
    """Return a subscription of any version; some own many topics, and some have damaged user data."""
    names = [TopicName(f"\u00e9-{number}") for number in range(random.choice((0, 1, 3, 60)))]
    owned = [
        OfTopic(name, [PartitionId(random.randrange(99)) for _ in range(random.choice((0, 1, 1, 4)))])
        for name in names
        if random.random() < 0.7
    ]
    had = [TopicPartition(of.topic, number) for of in owned for number in of.partitions]
    user_data = decode_subscription(subscription(random.choice(PROTOCOLS), names, assigned=had)).user_data or b""
    if random.random() < 0.2:
        user_data = user_data[: random.randrange(len(user_data) + 1)]
    return encode_subscription(
        Subscription(
            names,
            random.choice((None, user_data, user_data + b"held by a test")),
            owned,
            GenerationId(random.randrange(-2, 9)),
            random.choice((None, "", "rack")),
        ),
        random.randrange(4),
    )


PROTOCOLS = ("range", "sticky", "cooperative-sticky")


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("count", [1, 5, 80])
def test_claims_of_members__random_subscriptions__equal_to_claims_decoded_one_by_one(protocol: str, count: int) -> None:
    for seed in range(20):
        random = Random(seed)
        blobs = [random_subscription(random) for _ in range(count)]
        assert decoded(protocol, blobs) == decoded_one_by_one(protocol, blobs), seed


def test_claims_of_members__thousands_of_similar_topic_names__equal_to_claims_decoded_one_by_one() -> None:
    """Decode names that collide in the table of names, because there are so many."""
    names = [TopicName(f"{'x' * (number % 40)}{number}") for number in range(3_000)]
    owned = [OfTopic(name, [PartitionId(number)]) for number, name in enumerate(names)]
    blobs = [encoded(topics=names, owned_partitions=owned), encoded(topics=names[:30], owned_partitions=owned[:30])]
    assert decoded("range", blobs) == decoded_one_by_one("range", blobs)


@pytest.mark.parametrize("others", [0, 40])
def test_claims_of_members__one_subscription_truncated_anywhere__error(others: int) -> None:
    fine = subscription("cooperative-sticky", ["a", "t"], OWNED, 7, rack_id="r")
    for size in range(len(fine)):
        with pytest.raises((AssignmentError, MalformedMessage)):
            decoded("cooperative-sticky", [*[fine] * others, fine[:size]])


def test_claims_of_members__any_byte_of_a_subscription_changed__equal_to_claims_decoded_one_by_one() -> None:
    fine = subscription("cooperative-sticky", ["a", "t"], OWNED, 7, rack_id="r")
    for at in range(len(fine)):
        for byte in (0, 1, 0x7F, 0x80, 0xFF):
            blob = fine[:at] + bytes([byte]) + fine[at + 1 :]
            try:
                expected = decoded_one_by_one("range", [blob])
            except MalformedMessage:
                continue
            assert decoded("range", [fine, blob])[1:] == expected


@pytest.mark.parametrize("version", range(4))
@pytest.mark.parametrize("protocol", ["sticky", "cooperative-sticky"])
def test_claim__every_subscription_version__owned_partitions_and_generation_found(protocol: str, version: int) -> None:
    claim = claim_of(protocol, subscription(protocol, ["t", "a"], OWNED, 7, assigned=OWNED, version=version))
    owned = OWNED_BY_TOPIC if version or protocol == "sticky" else []
    assert claim == (owned, 7)


def test_claim__sticky_user_data_of_version_0__generation_minus_1() -> None:
    assert claim_of("sticky", encoded(user_data=STICKY_V0)) == (OWNED_BY_TOPIC, -1)


def test_claim__sticky_assignor_without_user_data__owned_partitions_field_ignored() -> None:
    assert claim_of("sticky", encoded(owned_partitions=OWNED_BY_TOPIC, generation_id=GenerationId(7))) == NO_CLAIM


@pytest.mark.parametrize("user_data", [None, b"", b"\0", b"\0\0\0\7x"])
def test_claim__unreadable_sticky_user_data__no_partitions_claimed(user_data: bytes | None) -> None:
    assert claim_of("sticky", encoded(user_data=user_data)) == NO_CLAIM


def test_claim__cooperative_generation_in_field_and_user_data__field_is_used() -> None:
    both = encoded(user_data=bytes.fromhex("00000005"), generation_id=GenerationId(7))
    assert claim_of("cooperative-sticky", both)[1] == 7


@pytest.mark.parametrize("user_data", [None, b"\0\0", bytes.fromhex("ffffffee")])
def test_claim__cooperative_without_a_generation__generation_minus_1(user_data: bytes | None) -> None:
    claim = claim_of("cooperative-sticky", encoded(user_data=user_data, owned_partitions=OWNED_BY_TOPIC))
    assert claim == (OWNED_BY_TOPIC, -1)
