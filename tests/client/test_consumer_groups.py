"""Consumers of KIP-848 against our broker: seats that are seized, and commits that no fence refuses falsely."""

from collections.abc import Iterator
from itertools import count

import pytest

from tenure.admin import Admin
from tests.client.consumer_group_scenarios import commit_through_rebalances, match_a_pattern, seize
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
