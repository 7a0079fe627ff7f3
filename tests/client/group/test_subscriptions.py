"""Subscription metadata of members, byte for byte as Kafka's assignors write and read it (rule 7.7)."""

import pytest

from tenure.client.group.subscriptions import holder_of, subscription
from tenure.client.values import TopicPartition
from tenure.protocol.consumer_protocol import Subscription, decode_subscription
from tenure.protocol.consumer_protocol import TopicPartition as OfTopic
from tenure.protocol.types import PartitionId, TopicName
from tests.client.group.test_claims import claim_of

OWNED = [TopicPartition("t", 3), TopicPartition("t", 1), TopicPartition("a", 0)]
OWNED_BY_TOPIC = [
    OfTopic(TopicName("a"), [PartitionId(0)]),
    OfTopic(TopicName("t"), [PartitionId(1), PartitionId(3)]),
]
STICKY_V0 = bytes.fromhex("00000002 0001 61 00000001 00000000 0001 74 00000002 00000001 00000003")
STICKY_V1 = STICKY_V0 + bytes.fromhex("00000007")


def decoded_subscription(protocol: str, **more: object) -> Subscription:
    return decode_subscription(subscription(protocol, ["t", "a"], OWNED, 7, assigned=OWNED, **more))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("protocol", "user_data"),
    [("range", None), ("roundrobin", None), ("sticky", STICKY_V1), ("cooperative-sticky", bytes.fromhex("00000007"))],
)
def test_subscription__each_assignor__user_data_in_the_format_of_the_assignor(
    protocol: str, user_data: bytes | None
) -> None:
    found = decoded_subscription(protocol)
    assert found.user_data == user_data
    assert (found.topics, found.owned_partitions, found.generation_id) == (["a", "t"], OWNED_BY_TOPIC, 7)


def test_subscription__sticky_before_its_first_assignment__no_user_data() -> None:
    assert decode_subscription(subscription("sticky", ["t"])).user_data is None


def test_subscription__rack__sent_from_version_3_on() -> None:
    assert decoded_subscription("range", rack_id="r").rack_id == "r"
    assert decoded_subscription("range", rack_id="").rack_id is None
    assert decoded_subscription("range", rack_id="r", version=2).rack_id is None


@pytest.mark.parametrize("protocol", ["range", "roundrobin", "sticky", "cooperative-sticky"])
def test_process_description__appended_to_the_user_data_of_each_assignor__found_and_claims_unchanged(
    protocol: str,
) -> None:
    blob = subscription(protocol, ["t"], OWNED, 7, assigned=OWNED, holder="pid 7 on host h")
    assert holder_of(blob) == "pid 7 on host h"
    assert claim_of(protocol, blob) == claim_of(protocol, subscription(protocol, ["t"], OWNED, 7, assigned=OWNED))


def test_process_description__subscription_of_another_client__none() -> None:
    assert holder_of(subscription("sticky", ["t"], assigned=OWNED)) is None
    assert holder_of(b"") is None
