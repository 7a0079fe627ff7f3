"""Consumers with the consumer protocol (KIP-848) at our broker: takeovers, and commits that must be accepted."""

import asyncio
import re
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing, suppress
from itertools import count

import pytest

from tenure.admin import Admin
from tenure.client import AsyncConsumer, OffsetAndMetadata, TopicPartition
from tenure.client.errors import MembershipRefused
from tenure.coordinator.answers import NO_MEMBER_ID, Refused
from tenure.coordinator.groups.consumer import heartbeat
from tenure.protocol.errors import ErrorCode
from tenure.testing import Broker
from tests.client.consumer.consumer_group_scenarios import (
    PATIENCE_S,
    RecordedConsumer,
    commit_through_rebalances,
    match_a_pattern,
    poll_until,
    take_over,
)
from tests.serving import Serving, serving

NAMES = (f"topic-{number}" for number in count())
SETTINGS = ("group.consumer.heartbeat.interval.ms=200", "group.consumer.assignment.interval.ms=0")


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("consumer-groups"), *SETTINGS) as broker:
        yield broker


@pytest.fixture
def topic(broker: Serving) -> str:
    name = next(NAMES)
    with Admin(broker.address) as admin:
        admin.create_topics([name], partitions=4)
    return name


@pytest.mark.usefixtures("long_holder_lookup")
def test_instance_id__already_in_use__join_refused_or_holder_fenced(broker: Serving, topic: str) -> None:
    take_over(broker.address, topic, 4)


def test_subscription_pattern__valid_or_invalid__resolved_or_refused_by_the_broker(broker: Serving, topic: str) -> None:
    match_a_pattern(broker.address, topic)


@pytest.mark.long
@pytest.mark.parametrize("fence", ["assignment-epoch", "kafka", "revocation-epoch", "member-epoch"])
def test_commit__from_another_thread_during_rebalances__no_commit_of_the_owner_refused(
    broker: Serving, topic: str, fence: str
) -> None:
    with Admin(broker.address) as admin:
        admin.alter_group_configs(f"stream-{topic}", {"group.commit.fencing": fence})
    commit_through_rebalances(broker.address, topic, 4)


def test_commit__heartbeat_answer_with_the_new_epoch_lost__waits_for_the_new_epoch() -> None:
    """Wait for the new epoch if the strictest fencing policy applies and answers to heartbeats are lost."""
    settings = {
        "group.consumer.heartbeat.interval.ms": 100,
        "group.consumer.assignment.interval.ms": 0,
        "group.commit.fencing": "member-epoch",
    }
    with Broker(settings) as broker:
        broker.create_topic("t", partitions=2)
        with closing(RecordedConsumer(broker.address, "g", "t")) as member:
            poll_until(lambda: len(member.owned) == 2, member)
            epoch = member.consumer.identity.generation_id
            lost = broker.drop_response("ConsumerGroupHeartbeat", times=1_000_000)
            with Admin(broker.address) as admin:
                admin.create_partitions("t", 3)
            before = lost.happened
            poll_until(lambda: lost.happened > before + 1, member)
            recorded = member.consumer.commit_async({TopicPartition("t", 0): OffsetAndMetadata(1)})
            before = lost.happened
            poll_until(lambda: lost.happened > before + 2, member)
            assert not recorded.done()
            assert member.consumer.identity.generation_id == epoch
            lost.end()
            recorded.result(PATIENCE_S)
            assert broker.committed("g") == {("t", 0): 1}


def test_commit__sent_by_the_revocation_callback__answered_before_the_revocation_is_acknowledged() -> None:
    settings = {"group.consumer.heartbeat.interval.ms": 100, "group.consumer.assignment.interval.ms": 0}
    with Broker(settings) as broker:
        broker.create_topic("t", partitions=2)
        with closing(RecordedConsumer(broker.address, "g", "t")) as first:
            poll_until(lambda: len(first.owned) == 2, first)
            late = broker.delay("OffsetCommit", 1.0)
            commits: list[Future[None]] = []

            def on_revoked(partitions: list[TopicPartition]) -> None:
                commits.append(first.consumer.commit_async(dict.fromkeys(partitions, OffsetAndMetadata(7))))

            first.consumer.subscribe(["t"], on_revoked=on_revoked)
            with closing(RecordedConsumer(broker.address, "g", "t")) as second:
                poll_until(lambda: len(second.owned) == 1, first, second)
                (moved,) = second.owned
                (commit,) = commits
                commit.result(PATIENCE_S)
                assert late.happened == 1
                assert broker.committed("g") == {(moved.topic, moved.partition): 7}


def test_subscription__topic_not_authorized__one_error_and_membership_continues(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Return the error once, although each heartbeat gets this answer, as from Apache Kafka's authorizer."""
    sentence = "Not authorized to access topics: [u]"
    refused = Refused(ErrorCode.TOPIC_AUTHORIZATION_FAILED, NO_MEMBER_ID, sentence)
    with Broker({"group.consumer.heartbeat.interval.ms": 100}) as broker:
        broker.create_topic("t", partitions=2)
        broker.create_topic("u")
        with closing(RecordedConsumer(broker.address, "g", "t")) as member:
            poll_until(lambda: len(member.owned) == 2, member)
            with monkeypatch.context() as for_a_while:
                for_a_while.setattr(heartbeat, "why_refused", lambda *_: refused)
                member.consumer.subscribe(["t", "u"])
                with pytest.raises(MembershipRefused, match=re.escape(sentence)):
                    poll_until(lambda: False, member)
                member.consumer.commit({TopicPartition("t", 0): OffsetAndMetadata(1)})
            while len(member.owned) < 3:
                with suppress(MembershipRefused):  # one more error, if a heartbeat was refused meanwhile
                    poll_until(lambda: len(member.owned) == 3, member)
            assert not member.reported("lost")


def test_async_consumer__coroutines_as_rebalance_callbacks__awaited_and_may_commit() -> None:
    recorded: list[str] = []

    async def on_assigned(_: list[TopicPartition]) -> None:
        await asyncio.sleep(0)
        recorded.append("assigned")

    async def work(address: str) -> None:
        config = {"bootstrap.servers": address, "group.id": "g", "group.protocol": "consumer"}
        async with AsyncConsumer({**config, "auto.offset.reset": "earliest"}) as consumer:
            await consumer.subscribe(["t"], on_assigned=on_assigned)
            records = 0
            async with asyncio.timeout(PATIENCE_S):
                while records < 2:
                    records += len(await consumer.poll())
            await consumer.commit()

    with Broker() as broker:
        broker.create_topic("t")
        broker.produce("t", ["a", "b"])
        asyncio.run(work(broker.address))
        assert recorded == ["assigned"]
        assert broker.committed("g") == {("t", 0): 2}
