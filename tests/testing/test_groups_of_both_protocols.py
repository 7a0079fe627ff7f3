"""Groups of a test broker: the same methods for classic groups and for consumer groups, with clients of both kinds."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest

from tenure.client import Consumer
from tenure.client.errors import Fenced
from tenure.testing import Broker
from tests.client.conftest import long_holder_lookup
from tests.testing.test_broker import until

__all__ = ["long_holder_lookup"]

PROTOCOLS = ("classic", "consumer")
Poll = Callable[[], Any]


def ours(broker: Broker, topic: str, protocol: str, **keys: Any) -> Consumer:
    if protocol == "classic":
        keys = {"heartbeat.interval.ms": 100, "partition.assignment.strategy": "cooperative-sticky", **keys}
    consumer = Consumer(
        {
            "bootstrap.servers": broker.address,
            "group.id": "group",
            "group.protocol": protocol,
            "enable.auto.commit": False,
            **keys,
        }
    )
    consumer.subscribe([topic])
    return consumer


def start(stack: ExitStack, *arguments: Any, **keys: Any) -> Consumer:
    consumer = stack.enter_context(ours(*arguments, **keys))
    until(lambda: consumer.poll(0.01) or consumer.assignment())
    return consumer


@pytest.mark.kafka(partitions=4)
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_described_group__two_members__state_partitions_and_type(
    kafka_broker: Broker, kafka_topic: str, protocol: str
) -> None:
    assert kafka_broker.group("group").state == "Dead"
    with ExitStack() as stack:
        first = start(stack, kafka_broker, kafka_topic, protocol, **{"client.id": "one"})
        alone = kafka_broker.wait_until_stable("group", 1)
        assert alone.type == protocol
        assert [member.client_id for member in alone.members] == ["one"]
        assert alone.members[0].partitions == tuple((kafka_topic, number) for number in range(4))
        second = stack.enter_context(ours(kafka_broker, kafka_topic, protocol, **{"client.id": "two"}))
        until(lambda: [first.poll(0.01), second.poll(0.01)] and len(second.assignment()) == 2)
        until(lambda: [first.poll(0.01), second.poll(0.01)] and kafka_broker.group("group").state == "Stable")
        both = kafka_broker.wait_until_stable("group", 2)
        assert both.generation > alone.generation
        assert [len(member.partitions) for member in both.members] == [2, 2]
        assert len({partition for member in both.members for partition in member.partitions}) == 4
    assert kafka_broker.group("group")[0::3] == ("Empty", ())


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_expire__one_member__joins_again(kafka_broker: Broker, kafka_topic: str, protocol: str) -> None:
    with ExitStack() as stack:
        consumer = start(stack, kafka_broker, kafka_topic, protocol, **{"client.id": "one"})
        before = kafka_broker.wait_until_stable("group", 1)
        with pytest.raises(LookupError, match=r"0 members of group 'group' have .*; all members: one/"):
            kafka_broker.expire("group", client_id="two")
        assert kafka_broker.expire("group", client_id="one") == before.members[0]
        until(lambda: consumer.poll(0.01) or kafka_broker.group("group").generation > before.generation + 1)
        assert kafka_broker.wait_until_stable("group", 1).members[0].partitions == ((kafka_topic, 0),)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_advance__longer_than_the_session_timeout__group_has_no_members(
    kafka_broker: Broker, kafka_topic: str, protocol: str
) -> None:
    with ExitStack() as stack:
        start(stack, kafka_broker, kafka_topic, protocol)
        kafka_broker.wait_until_stable("group", 1)
        kafka_broker.stop_time()
        late = kafka_broker.delay("Heartbeat" if protocol == "classic" else "ConsumerGroupHeartbeat", 60)
        until(lambda: late.happened)
        kafka_broker.advance(46)
        assert kafka_broker.group("group").state == "Empty"
        kafka_broker.cut_connections()


@pytest.mark.usefixtures("long_holder_lookup")
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_fence__static_member__its_client_gets_a_fenced_error(
    kafka_broker: Broker, kafka_topic: str, protocol: str
) -> None:
    with ExitStack() as stack:
        consumer = start(stack, kafka_broker, kafka_topic, protocol, **{"group.instance.id": "web-1"})
        before = kafka_broker.wait_until_stable("group", 1)
        fenced = kafka_broker.fence("group", "web-1")
        assert fenced == before.members[0]
        with pytest.raises(Fenced):
            until(lambda: consumer.poll(0.01) and None)
        (holder,) = kafka_broker.members("group")
        assert holder.instance_id == "web-1"
        assert holder.member_id != fenced.member_id
        assert kafka_broker.group("group").generation == before.generation


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_static_member__restarts__generation_unchanged(kafka_broker: Broker, kafka_topic: str, protocol: str) -> None:
    with ExitStack() as stack:
        start(stack, kafka_broker, kafka_topic, protocol, **{"group.instance.id": "web-1"})
        before = kafka_broker.wait_until_stable("group", 1)
    with ExitStack() as stack:
        start(stack, kafka_broker, kafka_topic, protocol, **{"group.instance.id": "web-1"})
        after = kafka_broker.wait_until_stable("group", 1)
    assert after.generation == before.generation
    assert after.members[0].member_id != before.members[0].member_id


def test_migration__consumer_member_joins_a_classic_group__one_consumer_group(
    kafka_broker: Broker, kafka_topic: str
) -> None:
    with ExitStack() as stack:
        classic = start(stack, kafka_broker, kafka_topic, "classic", **{"client.id": "old"})
        assert kafka_broker.wait_until_stable("group", 1).type == "classic"
        newer = stack.enter_context(ours(kafka_broker, kafka_topic, "consumer", **{"client.id": "new"}))
        until(lambda: [classic.poll(0.01), newer.poll(0.01)] and len(kafka_broker.members("group")) == 2)
        found = kafka_broker.group("group")
        assert (found.type, [member.client_id for member in sorted(found.members, key=lambda m: m.client_id)]) == (
            "consumer",
            ["new", "old"],
        )


# --- confluent-kafka --------------------------------------------------------------------------------------------------


@contextmanager
def confluent(broker: Broker, topic: str, protocol: str) -> Iterator[Poll]:
    from confluent_kafka import Consumer as Confluent

    keys = {"session.timeout.ms": 6_000, "heartbeat.interval.ms": 100} if protocol == "classic" else {}
    consumer = Confluent(
        {
            "bootstrap.servers": broker.address,
            "group.id": "group",
            "group.protocol": protocol,
            "group.instance.id": "i",
            "auto.offset.reset": "earliest",
            "reconnect.backoff.ms": 10,
            "reconnect.backoff.max.ms": 50,
            **keys,
        }
    )
    consumer.subscribe([topic])
    try:
        yield lambda: consumer.consume(10, 0.05)
    finally:
        consumer.close()


@pytest.mark.interop
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_confluent_kafka_member__expired_and_then_fenced__visible_in_the_group_and_to_the_client(
    kafka_broker: Broker, kafka_topic: str, protocol: str
) -> None:
    from confluent_kafka import KafkaError

    kafka_broker.produce(kafka_topic, ["1"])
    with confluent(kafka_broker, kafka_topic, protocol) as poll:
        until(lambda: any(record.value() == b"1" for record in poll()))
        before = kafka_broker.wait_until_stable("group", 1)
        assert (before.type, before.members[0].instance_id) == (protocol, "i")
        assert before.members[0].partitions == ((kafka_topic, 0),)
        kafka_broker.expire("group", instance_id="i")
        until(lambda: poll() is not None and kafka_broker.group("group").generation > before.generation + 1)
        until(lambda: poll() is not None and kafka_broker.group("group").state == "Stable")
        kafka_broker.fence("group", "i")
        fenced = KafkaError._FENCED if protocol == "consumer" else KafkaError.FENCED_INSTANCE_ID
        until(lambda: any(r.error() is not None and r.error().code() in (fenced, KafkaError._FATAL) for r in poll()))
