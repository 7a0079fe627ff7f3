"""`tenure.testing` with Tenure's client and with other libraries; tests/docs runs the examples of docs/testing.md."""

import asyncio
import gc
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest

from tenure.client import Consumer
from tenure.client.errors import ClientError
from tenure.coordinator.groups.commands import Heartbeat
from tenure.protocol.types import GroupId, MemberId
from tenure.testing import Broker
from tests.interop.member import join_in_one_poll

PATIENCE_S = 60.0


def ours(broker: Broker, topic: str, group: str, **keys: Any) -> Consumer:
    consumer = Consumer(
        {
            "bootstrap.servers": broker.address,
            "group.id": group,
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
            "heartbeat.interval.ms": 100,
            **{name.replace("_", "."): value for name, value in keys.items()},
        }
    )
    consumer.subscribe([topic])
    return consumer


def until(what: Callable[[], Any]) -> Any:
    give_up_at = time.monotonic() + PATIENCE_S
    while not (found := what()):
        assert time.monotonic() < give_up_at
        time.sleep(0.01)
    return found


# --- starts, stops and settings ---------------------------------------------------------------------------------------


def test_test_broker__started_and_stopped_many_times__no_thread_remains() -> None:
    with ExitStack() as stack:
        brokers = [stack.enter_context(Broker()) for _ in range(5)]
        for number, broker in enumerate(brokers):
            broker.create_topic("t", 1)
            broker.produce("t", [f"{number}"])
        for number, broker in enumerate(brokers):
            assert broker.records("t") == [(0, 0, None, b"%d" % number)]


@pytest.mark.kafka(partitions=3, settings={"group.max.size": 1, "auto.create.topics.enable": False})
def test_pytest_fixtures__marker_with_settings_and_partitions__both_applied(
    kafka_broker: Broker, kafka_topic: str, kafka_group: str
) -> None:
    with ours(kafka_broker, kafka_topic, kafka_group) as first:
        until(lambda: first.poll(0.1) or first.assignment())
        kafka_broker.wait_until_stable(kafka_group, 1)
        assert len(first.assignment()) == 3
        with (
            ours(kafka_broker, kafka_topic, kafka_group) as second,  # not sooner: it could join before the first one
            pytest.raises(ClientError, match="GROUP_MAX_SIZE_REACHED"),
        ):
            second.poll(PATIENCE_S)


def test_test_broker__restarted__records_and_groups_still_there(kafka_broker: Broker, kafka_topic: str) -> None:
    kafka_broker.produce(kafka_topic, ["a", "b", None], key="k")
    kafka_broker.commit("g", {(kafka_topic, 0): 2})
    kafka_broker.restart()
    assert kafka_broker.records(kafka_topic) == [(0, 0, b"k", b"a"), (0, 1, b"k", b"b"), (0, 2, b"k", None)]
    assert kafka_broker.committed("g") == {(kafka_topic, 0): 2}


def test_test_broker__unknown_setting__error_names_it() -> None:
    with pytest.raises(Exception, match=r"Unknown setting 'group\.max\.sise' .*group\.max\.size"):
        Broker({"group.max.sise": 1})


@pytest.mark.parametrize(
    "end", [lambda broker, group: broker.expire(group), lambda broker, _: broker.advance(46)], ids=["expire", "advance"]
)
def test_expire_or_advance__heartbeat_arrives_in_the_same_turn__session_still_ends(
    kafka_broker: Broker,
    kafka_topic: str,
    kafka_group: str,
    monkeypatch: pytest.MonkeyPatch,
    end: Callable[[Broker, str], object],
) -> None:
    with ours(kafka_broker, kafka_topic, kafka_group, heartbeat_interval_ms=40_000) as consumer:
        until(lambda: consumer.poll(0.1) or consumer.assignment())
        (member,) = kafka_broker.members(kafka_group)
        beat = Heartbeat(GroupId(kafka_group), MemberId(member.member_id), None, consumer.identity.generation_id)
        in_one_turn = kafka_broker._on_loop

        def after_a_heartbeat(work: Callable[[], Any]) -> Any:
            def both() -> Any:
                kafka_broker._shard_of(kafka_group).ask(beat, lambda _: None)
                return work()

            return in_one_turn(both)

        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(kafka_broker, "_on_loop", after_a_heartbeat)
            end(kafka_broker, kafka_group)
        assert kafka_broker.members(kafka_group) == ()


def test_injected_fault__unknown_api_name__error_names_it(kafka_broker: Broker) -> None:
    with pytest.raises(ValueError, match="unknown API 'Heartbeet'"):
        kafka_broker.delay("Heartbeet", 1)


# --- other client libraries -------------------------------------------------------------------------------------------


@contextmanager
def confluent(address: str, topic: str, group: str) -> Iterator[Callable[[], list[bytes]]]:
    from confluent_kafka import Consumer as Confluent

    consumer = Confluent(
        {
            "bootstrap.servers": address,
            "group.id": group,
            "auto.offset.reset": "earliest",
            "heartbeat.interval.ms": 100,
            "session.timeout.ms": 6_000,
            "group.instance.id": "i",
            "reconnect.backoff.ms": 10,
            "reconnect.backoff.max.ms": 50,
        }
    )
    consumer.subscribe([topic])
    try:
        yield lambda: [record.value() for record in consumer.consume(10, 0.05) if record.error() is None]
    finally:
        consumer.close()


@contextmanager
def kafka_python(address: str, topic: str, group: str) -> Iterator[Callable[[], list[bytes]]]:
    from kafka import KafkaConsumer

    consumer = KafkaConsumer(
        bootstrap_servers=address,
        group_id=group,
        auto_offset_reset="earliest",
        heartbeat_interval_ms=100,
        group_instance_id="i",
    )
    try:
        until(lambda: consumer.partitions_for_topic(topic))  # a leader has to know the topic
        consumer.subscribe([topic])
        join_in_one_poll(consumer)
        yield lambda: [record.value for records in consumer.poll(50).values() for record in records]
    finally:
        consumer.close()


@contextmanager
def aiokafka(address: str, topic: str, group: str) -> Iterator[Callable[[], list[bytes]]]:
    from aiokafka import AIOKafkaConsumer

    async def start() -> Any:
        consumer = AIOKafkaConsumer(
            topic,
            bootstrap_servers=address,
            group_id=group,
            auto_offset_reset="earliest",
            heartbeat_interval_ms=100,
            group_instance_id="i",
        )
        await consumer.start()
        return consumer

    with asyncio.Runner() as runner:
        consumer = runner.run(start())

        async def poll() -> list[bytes]:
            found = await consumer.getmany(timeout_ms=50)
            return [record.value for records in found.values() for record in records]

        try:
            yield lambda: runner.run(poll())
        finally:
            runner.run(consumer.stop())


@pytest.mark.interop
@pytest.mark.parametrize("client", [confluent, kafka_python, aiokafka])
def test_clients_of_other_libraries__expired_and_disconnected__rejoin_and_continue(
    kafka_broker: Broker, kafka_topic: str, kafka_group: str, client: Any
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the other libraries
        with client(kafka_broker.address, kafka_topic, kafka_group) as poll:
            kafka_broker.produce(kafka_topic, ["1"])
            assert until(poll) == [b"1"]
            kafka_broker.wait_until_stable(kafka_group, 1)
            kafka_broker.expire(kafka_group, instance_id="i")
            kafka_broker.produce(kafka_topic, ["2"])
            found: list[bytes] = []
            until(lambda: found.extend(poll()) or b"2" in found)
            kafka_broker.restart_coordinator()
            kafka_broker.cut_connections()
            kafka_broker.produce(kafka_topic, ["3"])
            until(lambda: found.extend(poll()) or b"3" in found)
            until(lambda: poll() or kafka_broker.group(kafka_group).state == "Stable")  # aiokafka rejoins only in polls
            assert [member.instance_id for member in kafka_broker.members(kafka_group)] == ["i"]
        gc.collect()  # kafka-python leaves sockets open until then
