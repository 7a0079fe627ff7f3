"""Rebalance callbacks that raise or close the consumer, and cancelled polls: the group continues at once."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest

from tenure.broker.server.connection import Connection
from tenure.client import Consumer, TopicPartition
from tenure.client.consumer.async_consumer import AsyncConsumer
from tenure.client.errors import Closed, NotAssigned
from tenure.testing import Broker
from tenure.testing.faults import FaultyDispatcher

PATIENCE_S = 60.0
RECORDS = 30


def config(broker: Broker, group: str, **others: Any) -> dict[str, Any]:
    keys = {key.replace("_", "."): value for key, value in others.items()}
    return {
        "bootstrap.servers": broker.address,
        "group.id": group,
        "auto.offset.reset": "earliest",
        "heartbeat.interval.ms": 50,
        **keys,
    }


def until(what: Callable[[], bool]) -> None:
    give_up_at = time.monotonic() + PATIENCE_S
    while not what():
        assert time.monotonic() < give_up_at
        time.sleep(0.01)


class HeldRequests:
    """Requests of one API, which the broker handles only when the test releases them."""

    def __init__(self, broker: Broker, api: str) -> None:
        self.broker = broker
        self.requests: list[tuple[FaultyDispatcher, Connection, bytes]] = []
        broker._add(api, None, 1, lambda *request: self.requests.append(request))

    def release(self) -> None:
        for dispatcher, connection, frame in self.requests:
            self.broker._on_loop(partial(dispatcher.begin_after, 0.0, connection, frame))


def test_rebalance_callback__raises_while_more_events_wait__next_poll_reports_the_other_events(
    kafka_broker: Broker, kafka_topic: str, kafka_group: str
) -> None:
    def on_lost(_: list[TopicPartition]) -> None:
        raise ArithmeticError("a bug of the user's")

    kafka_broker.produce(kafka_topic, ["x"] * RECORDS)
    with Consumer(config(kafka_broker, kafka_group, enable_auto_commit=False)) as consumer:
        consumer.subscribe([kafka_topic], on_lost=on_lost)
        assert len(consumer.poll(PATIENCE_S)) == RECORDS
        (member,) = kafka_broker.members(kafka_group)
        kafka_broker.expire(kafka_group, member_id=member.member_id)
        until(lambda: [found.member_id for found in kafka_broker.members(kafka_group)] not in ([], [member.member_id]))
        kafka_broker.wait_until_stable(kafka_group, 1)
        until(lambda: consumer.identity.member_id != member.member_id and consumer.identity.generation_id >= 0)
        with pytest.raises(ArithmeticError):
            consumer.poll(PATIENCE_S)
        assert len(consumer.poll(PATIENCE_S)) == RECORDS


def test_rebalance_callback__closes_the_consumer__poll_raises_closed(
    kafka_broker: Broker, kafka_topic: str, kafka_group: str
) -> None:
    consumer = Consumer(config(kafka_broker, kafka_group))
    consumer.subscribe([kafka_topic], on_assigned=lambda _: consumer.close())
    with pytest.raises(Closed):
        consumer.poll(10 * PATIENCE_S)


def test_poll__cancelled_between_revocation_and_its_callback__group_does_not_wait(
    kafka_broker: Broker, kafka_topic: str, kafka_group: str
) -> None:
    """Cancel a poll between a revocation and its callback, during a slow commit."""
    kafka_broker.produce(kafka_topic, ["x"] * RECORDS)
    recorded: list[str] = []

    async def work() -> None:
        keys = {"partition.assignment.strategy": "range", "auto.commit.interval.ms": 3_600_000}
        async with AsyncConsumer({**config(kafka_broker, kafka_group), **keys}) as consumer:
            await consumer.subscribe([kafka_topic], on_revoked=lambda _: recorded.append("revoked"))
            assert await consumer.poll(PATIENCE_S)
            generation_id = consumer.identity.generation_id
            commit = HeldRequests(kafka_broker, "OffsetCommit")
            await asyncio.to_thread(kafka_broker.rebalance, kafka_group)
            while not commit.requests:
                try:
                    async with asyncio.timeout(0.05):
                        await consumer.poll(PATIENCE_S)
                except TimeoutError:
                    pass
            assert recorded == []
            commit.release()
            while consumer.identity.generation_id == generation_id:
                await consumer.poll(0.05)
            assert recorded == ["revoked"]

    asyncio.run(work())


@pytest.mark.parametrize(("end", "refusal"), [(AsyncConsumer.unsubscribe, NotAssigned), (AsyncConsumer.close, Closed)])
def test_position__consumer_unsubscribed_or_closed_during_the_call__error(
    kafka_broker: Broker,
    kafka_topic: str,
    kafka_group: str,
    end: Callable[[AsyncConsumer], Awaitable[None]],
    refusal: type[Exception],
) -> None:
    place = TopicPartition(kafka_topic, 0)

    async def work() -> None:
        async with AsyncConsumer(config(kafka_broker, kafka_group)) as consumer:
            offsets = HeldRequests(kafka_broker, "OffsetFetch")
            await consumer.assign([place])
            asked = asyncio.create_task(consumer.position(place))
            while not offsets.requests:
                await asyncio.sleep(0.01)
            await end(consumer)
            offsets.release()
            with pytest.raises(refusal):
                await asked

    asyncio.run(work())


def test_poll__seek_beyond_the_log_end_during_a_lookup__position_reset_in_the_same_poll(
    kafka_broker: Broker, kafka_topic: str, kafka_group: str
) -> None:
    kafka_broker.produce(kafka_topic, ["x"] * RECORDS)
    place = TopicPartition(kafka_topic, 0)
    with Consumer(config(kafka_broker, kafka_group)) as consumer:
        offsets = HeldRequests(kafka_broker, "OffsetFetch")
        consumer.assign([place])
        until(lambda: bool(offsets.requests))
        consumer.seek(place, 5_000)
        offsets.release()
        assert len(consumer.poll(PATIENCE_S)) == RECORDS
