"""Consumers of KIP-848 against our broker: seats that are seized, and commits that no fence refuses falsely."""

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing
from itertools import count

import pytest

from tenure.admin import Admin
from tenure.client import OffsetAndMetadata, TopicPartition
from tenure.testing import Broker
from tests.client.consumer_group_scenarios import (
    PATIENCE_S,
    Told,
    commit_through_rebalances,
    match_a_pattern,
    poll_until,
    seize,
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


def test_seize__the_seat_is_held__refused_or_taken_and_the_holder_is_fenced(broker: Serving, topic: str) -> None:
    seize(broker.address, topic, 4)


def test_subscription_pattern__matched_by_the_broker__or_refused_in_its_words(broker: Serving, topic: str) -> None:
    match_a_pattern(broker.address, topic)


@pytest.mark.parametrize("fence", ["assignment-epoch", "kafka", "revocation-epoch", "member-epoch"])
def test_commit__from_another_thread_through_rebalances__never_refused_falsely(
    broker: Serving, topic: str, fence: str
) -> None:
    with Admin(broker.address) as admin:
        admin.alter_group_configs(f"stream-{topic}", {"group.commit.fencing": fence})
    commit_through_rebalances(broker.address, topic, 4)


def test_commit__the_epoch_has_moved_and_no_answer_says_so__waits_for_the_newer_one_and_is_accepted() -> None:
    """The strictest fence, and heartbeats whose answers are lost."""
    settings = {
        "group.consumer.heartbeat.interval.ms": 100,
        "group.consumer.assignment.interval.ms": 0,
        "group.commit.fencing": "member-epoch",
    }
    with Broker(settings) as broker:
        broker.create_topic("t", partitions=2)
        with closing(Told(broker.address, "g", "t")) as member:
            poll_until(lambda: len(member.has) == 2, member)
            epoch = member.consumer.identity.generation_id
            lost = broker.drop_response("ConsumerGroupHeartbeat", times=1_000_000)
            with Admin(broker.address) as admin:
                admin.create_partitions("t", 3)
            before = lost.happened
            poll_until(lambda: lost.happened > before + 1, member)
            told = member.consumer.commit_async({TopicPartition("t", 0): OffsetAndMetadata(1)})
            before = lost.happened
            poll_until(lambda: lost.happened > before + 2, member)
            assert not told.done()
            assert member.consumer.identity.generation_id == epoch
            lost.end()
            told.result(PATIENCE_S)
            assert broker.committed("g") == {("t", 0): 1}


def test_commit__under_way_while_its_partition_is_let_go__answered_before_the_group_hears_of_that() -> None:
    settings = {"group.consumer.heartbeat.interval.ms": 100, "group.consumer.assignment.interval.ms": 0}
    with Broker(settings) as broker:
        broker.create_topic("t", partitions=2)
        with closing(Told(broker.address, "g", "t")) as first:
            poll_until(lambda: len(first.has) == 2, first)
            late = broker.delay("OffsetCommit", 1.0)
            commits: list[Future[None]] = []

            def on_revoked(partitions: list[TopicPartition]) -> None:
                commits.append(first.consumer.commit_async(dict.fromkeys(partitions, OffsetAndMetadata(7))))

            first.consumer.subscribe(["t"], on_revoked=on_revoked)
            with closing(Told(broker.address, "g", "t")) as second:
                poll_until(lambda: len(second.has) == 1, first, second)
                (moved,) = second.has
                (commit,) = commits
                commit.result(PATIENCE_S)
                assert late.happened == 1
                assert broker.committed("g") == {(moved.topic, moved.partition): 7}
