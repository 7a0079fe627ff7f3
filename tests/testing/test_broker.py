"""`tenure.testing`, as its users use it: their own clients, their own tests. docs/testing.md tells of them."""

import asyncio
import gc
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest

from tenure.client import Consumer, OffsetAndMetadata, TopicPartition
from tenure.client.errors import ClientError, Fenced
from tenure.testing import Broker

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


# --- it is a broker ---------------------------------------------------------------------------------------------------


def test_broker__starts_and_stops_many_times__no_thread_stays_and_brokers_do_not_meet() -> None:
    with ExitStack() as stack:
        brokers = [stack.enter_context(Broker()) for _ in range(5)]
        for number, broker in enumerate(brokers):
            broker.create_topic("t", 1)
            broker.produce("t", [f"{number}"])
        for number, broker in enumerate(brokers):
            assert broker.records("t") == [(0, 0, None, b"%d" % number)]


@pytest.mark.kafka(partitions=3, settings={"group.max.size": 1, "auto.create.topics.enable": False})
def test_fixtures__marker__settings_and_partitions_are_what_it_says(
    kafka_broker: Broker, kafka_topic: str, kafka_group: str
) -> None:
    with ours(kafka_broker, kafka_topic, kafka_group) as first, ours(kafka_broker, kafka_topic, kafka_group) as second:
        first.poll(PATIENCE_S / 60)
        kafka_broker.wait_until_stable(kafka_group, 1)
        assert len(first.assignment()) == 3
        with pytest.raises(ClientError, match="GROUP_MAX_SIZE_REACHED"):
            second.poll(PATIENCE_S)


def test_broker__restarts__the_data_is_still_there(kafka_broker: Broker, kafka_topic: str) -> None:
    kafka_broker.produce(kafka_topic, ["a", "b", None], key="k")
    kafka_broker.commit("g", {(kafka_topic, 0): 2})
    kafka_broker.restart()
    assert kafka_broker.records(kafka_topic) == [(0, 0, b"k", b"a"), (0, 1, b"k", b"b"), (0, 2, b"k", None)]
    assert kafka_broker.committed("g") == {(kafka_topic, 0): 2}


def test_broker__setting_that_does_not_exist__named() -> None:
    with pytest.raises(Exception, match=r"nobody knows a setting group\.max\.sise .*group\.max\.size"):
        Broker({"group.max.sise": 1})


def test_fault__api_that_does_not_exist__named(kafka_broker: Broker) -> None:
    with pytest.raises(ValueError, match="there is no API 'Heartbeet'"):
        kafka_broker.delay("Heartbeet", 1)


# --- the ten tests ----------------------------------------------------------------------------------------------------


def test_1_session_expires__my_consumer_hears_that_it_lost_its_partitions_and_gets_them_back(
    kafka_broker: Broker, kafka_topic: str, kafka_group: str
) -> None:
    told: list[str] = []
    with ours(kafka_broker, kafka_topic, kafka_group) as consumer:
        consumer.subscribe(
            [kafka_topic],
            on_assigned=lambda _: told.append("assigned"),
            on_lost=lambda _: told.append("lost"),
        )
        until(lambda: consumer.poll(0.01) or told)
        (before,) = kafka_broker.wait_until_stable(kafka_group, 1).members
        kafka_broker.expire(kafka_group, member_id=before.member_id)
        until(lambda: consumer.poll(0.01) or len(told) == 3)
        (after,) = kafka_broker.wait_until_stable(kafka_group, 1).members
    assert told == ["assigned", "lost", "assigned"]
    assert after.member_id != before.member_id


def test_2_static_member_restarts__nobody_is_rebalanced(
    kafka_broker: Broker, kafka_topic: str, kafka_group: str
) -> None:
    with ours(kafka_broker, kafka_topic, kafka_group, group_instance_id="web-1") as consumer:
        until(lambda: consumer.poll(0.01) or consumer.assignment())
        before = kafka_broker.wait_until_stable(kafka_group, 1)
    with ours(kafka_broker, kafka_topic, kafka_group, group_instance_id="web-1") as consumer:
        until(lambda: consumer.poll(0.01) or consumer.assignment())
        assert kafka_broker.group(kafka_group).generation == before.generation


def test_3_somebody_takes_my_seat__my_application_stops_and_does_not_take_it_back(
    kafka_broker: Broker, kafka_topic: str, kafka_group: str
) -> None:
    with ours(kafka_broker, kafka_topic, kafka_group, group_instance_id="web-1") as consumer:
        until(lambda: consumer.poll(0.01) or consumer.assignment())
        fenced = kafka_broker.fence(kafka_group, "web-1")
        with pytest.raises(Fenced):
            until(lambda: consumer.poll(0.01))
    (holder,) = kafka_broker.members(kafka_group)
    assert holder.instance_id == "web-1"
    assert holder.member_id != fenced.member_id


def test_4_answer_to_my_commit_is_lost__the_offset_is_committed_all_the_same(
    kafka_broker: Broker, kafka_topic: str, kafka_group: str
) -> None:
    kafka_broker.produce(kafka_topic, ["a"])
    with ours(kafka_broker, kafka_topic, kafka_group) as consumer:
        until(lambda: consumer.poll(0.01))
        lost = kafka_broker.drop_response("OffsetCommit")
        consumer.commit()
        assert lost.happened == 1
    assert kafka_broker.committed(kafka_group) == {(kafka_topic, 0): 1}


@pytest.mark.kafka(partitions=2)
def test_5_rebalance_in_the_middle_of_my_batch__what_i_keep_can_still_be_committed(
    kafka_broker: Broker, kafka_topic: str, kafka_group: str
) -> None:
    kafka_broker.produce(kafka_topic, ["a"], partition=0)
    kafka_broker.produce(kafka_topic, ["b"], partition=1)
    strategy = {"partition_assignment_strategy": "cooperative-sticky"}
    with ours(kafka_broker, kafka_topic, kafka_group, **strategy) as consumer:
        read = 0
        while read < 2:
            read += len(consumer.poll(0.01))
        kafka_broker.rebalance(kafka_group)
        until(lambda: kafka_broker.group(kafka_group).generation > 1 or consumer.poll(0.01))
        consumer.commit()
    assert kafka_broker.committed(kafka_group) == {(kafka_topic, 0): 1, (kafka_topic, 1): 1}


def test_6_heartbeats_come_too_late__the_seat_is_lost_only_when_time_says_so(
    kafka_broker: Broker, kafka_topic: str, kafka_group: str
) -> None:
    kafka_broker.stop_time()
    with ours(kafka_broker, kafka_topic, kafka_group, session_timeout_ms=1_000) as consumer:
        until(lambda: consumer.poll(0.01) or consumer.assignment())
        late = kafka_broker.delay("Heartbeat", 0.2, times=1_000)
        until(lambda: consumer.poll(0.01) or late.happened > 2)
        assert len(kafka_broker.members(kafka_group)) == 1  # more than a second, and time stands still
        kafka_broker.advance(1.1)
        assert kafka_broker.group(kafka_group).state == "Empty"
        kafka_broker.start_time()
        late.end()
        until(lambda: consumer.poll(0.01) or kafka_broker.group(kafka_group).state == "Stable")


def test_7_coordinator_fails_over__seat_and_generation_stay(
    kafka_broker: Broker, kafka_topic: str, kafka_group: str
) -> None:
    kafka_broker.produce(kafka_topic, ["a"])
    with ours(kafka_broker, kafka_topic, kafka_group) as consumer:
        until(lambda: consumer.poll(0.01))
        before = kafka_broker.wait_until_stable(kafka_group, 1)
        kafka_broker.restart_coordinator()
        consumer.commit()
        assert kafka_broker.wait_until_stable(kafka_group, 1).generation == before.generation
    assert kafka_broker.committed(kafka_group) == {(kafka_topic, 0): 1}


def test_8_every_connection_breaks__not_a_record_is_missed(
    kafka_broker: Broker, kafka_topic: str, kafka_group: str
) -> None:
    with ours(kafka_broker, kafka_topic, kafka_group) as consumer:
        found: list[bytes | None] = []
        for number in range(5):
            kafka_broker.produce(kafka_topic, [f"{number}"])
            kafka_broker.cut_connections()
            while len(found) <= number:
                found += [record.value for record in consumer.poll(0.1)]
    assert found == [b"0", b"1", b"2", b"3", b"4"]


@pytest.mark.kafka(settings={"offsets.retention.minutes": 10_080, "offsets.retention.check.interval.ms": 1_000})
def test_9_nobody_came_for_a_week__my_offsets_are_gone_and_the_reset_policy_decides(
    kafka_broker: Broker, kafka_topic: str, kafka_group: str
) -> None:
    kafka_broker.produce(kafka_topic, ["a", "b"])
    kafka_broker.commit(kafka_group, {(kafka_topic, 0): 1})
    kafka_broker.advance(8 * 24 * 3_600)
    until(lambda: not kafka_broker.committed(kafka_group))
    with ours(kafka_broker, kafka_topic, kafka_group) as consumer:
        assert [record.value for record in until(lambda: consumer.poll(0.01))] == [b"a", b"b"]


def test_10_an_offset_was_committed_before__my_consumer_goes_on_there(
    kafka_broker: Broker, kafka_topic: str, kafka_group: str
) -> None:
    kafka_broker.produce(kafka_topic, ["old", "new"])
    kafka_broker.commit(kafka_group, {(kafka_topic, 0): 1})
    with ours(kafka_broker, kafka_topic, kafka_group) as consumer:
        assert [record.value for record in until(lambda: consumer.poll(0.01))] == [b"new"]
        consumer.commit({TopicPartition(kafka_topic, 0): OffsetAndMetadata(2)})
    assert kafka_broker.committed(kafka_group) == {(kafka_topic, 0): 2}


# --- with clients that others wrote -----------------------------------------------------------------------------------


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
    yield lambda: [record.value() for record in consumer.consume(10, 0.05) if record.error() is None]
    consumer.close()


@contextmanager
def kafka_python(address: str, topic: str, group: str) -> Iterator[Callable[[], list[bytes]]]:
    from kafka import KafkaConsumer

    consumer = KafkaConsumer(
        topic,
        bootstrap_servers=address,
        group_id=group,
        auto_offset_reset="earliest",
        heartbeat_interval_ms=100,
        group_instance_id="i",
        metadata_max_age_ms=500,  # it may lead before it knows the topic, and then looks again
    )
    yield lambda: [record.value for records in consumer.poll(50).values() for record in records]
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

        yield lambda: runner.run(poll())
        runner.run(consumer.stop())


@pytest.mark.interop
@pytest.mark.parametrize("client", [confluent, kafka_python, aiokafka])
def test_other_clients__expired_and_cut_off__come_back_and_read_on(
    kafka_broker: Broker, kafka_topic: str, kafka_group: str, client: Any
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # theirs
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
            until(lambda: poll() or kafka_broker.group(kafka_group).state == "Stable")  # aiokafka lives in its polls
            assert [member.instance_id for member in kafka_broker.members(kafka_group)] == ["i"]
        gc.collect()  # kafka-python leaves sockets to it
