"""Subscription metadata of members, byte for byte as Kafka's assignors write and read it (rule 7.7)."""

import pytest

from tenure.client.group.subscriptions import NO_CLAIM, Claim, claim_of, holder_of, subscription
from tenure.client.values import TopicPartition
from tenure.protocol.consumer_protocol import Subscription, decode_subscription
from tenure.protocol.consumer_protocol import TopicPartition as OfTopic
from tenure.protocol.types import GenerationId, PartitionId, TopicName

HAD = [TopicPartition("t", 3), TopicPartition("t", 1), TopicPartition("a", 0)]
HAD_BY_TOPIC = [
    OfTopic(TopicName("a"), [PartitionId(0)]),
    OfTopic(TopicName("t"), [PartitionId(1), PartitionId(3)]),
]
STICKY_V0 = bytes.fromhex("00000002 0001 61 00000001 00000000 0001 74 00000002 00000001 00000003")
STICKY_V1 = STICKY_V0 + bytes.fromhex("00000007")


def told(protocol: str, **more: object) -> Subscription:
    return decode_subscription(subscription(protocol, ["t", "a"], HAD, 7, assigned=HAD, **more))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("protocol", "user_data"),
    [("range", None), ("roundrobin", None), ("sticky", STICKY_V1), ("cooperative-sticky", bytes.fromhex("00000007"))],
)
def test_subscription__each_assignor__user_data_as_this_assignor_writes_it(
    protocol: str, user_data: bytes | None
) -> None:
    found = told(protocol)
    assert found.user_data == user_data
    assert (found.topics, found.owned_partitions, found.generation_id) == (["a", "t"], HAD_BY_TOPIC, 7)


def test_subscription__sticky_before_its_first_assignment__no_user_data() -> None:
    assert decode_subscription(subscription("sticky", ["t"])).user_data is None


def test_subscription__rack__sent_from_version_3_on() -> None:
    assert told("range", rack_id="r").rack_id == "r"
    assert told("range", rack_id="").rack_id is None
    assert told("range", rack_id="r", version=2).rack_id is None


@pytest.mark.parametrize("version", range(4))
@pytest.mark.parametrize("protocol", ["sticky", "cooperative-sticky"])
def test_claim__every_subscription_version__owned_partitions_and_generation_found(protocol: str, version: int) -> None:
    claim = claim_of(protocol, told(protocol, version=version))
    owned = HAD_BY_TOPIC if version or protocol == "sticky" else []
    assert claim == Claim(owned, 7)


def test_claim__sticky_user_data_of_version_0__generation_minus_1() -> None:
    assert claim_of("sticky", Subscription(user_data=STICKY_V0)) == Claim(HAD_BY_TOPIC, -1)


def test_claim__sticky_assignor_without_user_data__owned_partitions_field_ignored() -> None:
    assert claim_of("sticky", Subscription(owned_partitions=HAD_BY_TOPIC, generation_id=GenerationId(7))) == NO_CLAIM


@pytest.mark.parametrize("user_data", [None, b"", b"\0", b"\0\0\0\7x"])
def test_claim__unreadable_sticky_user_data__no_partitions_claimed(user_data: bytes | None) -> None:
    assert claim_of("sticky", Subscription(user_data=user_data)) == NO_CLAIM


def test_claim__cooperative_generation_in_field_and_user_data__field_counts() -> None:
    both = Subscription(user_data=bytes.fromhex("00000005"), generation_id=GenerationId(7))
    assert claim_of("cooperative-sticky", both).generation_id == 7


@pytest.mark.parametrize("user_data", [None, b"\0\0", bytes.fromhex("ffffffee")])
def test_claim__cooperative_without_a_generation__generation_minus_1(user_data: bytes | None) -> None:
    claim = claim_of("cooperative-sticky", Subscription(user_data=user_data, owned_partitions=HAD_BY_TOPIC))
    assert claim == Claim(HAD_BY_TOPIC, -1)


@pytest.mark.parametrize("protocol", ["range", "roundrobin", "sticky", "cooperative-sticky"])
def test_holder__text_after_the_assignors_user_data__found(protocol: str) -> None:
    blob = subscription(protocol, ["t"], HAD, 7, assigned=HAD, holder="pid 7 on host h")
    assert holder_of(blob) == "pid 7 on host h"
    assert claim_of(protocol, decode_subscription(blob)) == claim_of(protocol, told(protocol))


def test_holder__subscription_of_another_client__none() -> None:
    assert holder_of(subscription("sticky", ["t"], assigned=HAD)) is None
    assert holder_of(b"") is None
