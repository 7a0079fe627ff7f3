"""Members of streams groups against our broker; `test_consumer_on_kafka.py` runs the same against Apache Kafka."""

from collections.abc import Iterator
from itertools import count

import pytest

from tenure.admin import Admin
from tenure.client import StreamsMember, Subtopology, Topology
from tenure.client.errors import Closed, MembershipRefused
from tenure.protocol.errors import ErrorCode
from tests.client.streams.streams_scenarios import (
    PATIENCE_S,
    restart_a_static_member,
    share_tasks_and_commit,
    topology_of,
    wait_for_a_topic_and_shut_down,
)
from tests.serving import Serving, serving

NAMES = (f"topic-{number}" for number in count())
SETTINGS = (
    "offsets.topic.num.partitions=1",
    "group.streams.heartbeat.interval.ms=100",
    "group.streams.assignment.interval.ms=0",
    "group.streams.initial.rebalance.delay.ms=0",
)


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("streams-groups"), *SETTINGS) as broker:
        yield broker


@pytest.fixture
def topic(broker: Serving) -> str:
    name = next(NAMES)
    with Admin(broker.address) as admin:
        admin.create_topics([name], partitions=3)
    return name


def test_streams_members__tasks_move__each_commits_only_partitions_of_its_own_tasks(
    broker: Serving, topic: str
) -> None:
    share_tasks_and_commit(broker.address, topic, 3)


@pytest.mark.usefixtures("long_holder_lookup")
def test_static_member__restarted_and_replaced__keeps_its_tasks(broker: Serving, topic: str) -> None:
    restart_a_static_member(broker.address, topic, 3)


def test_source_topic__missing__status_reported_until_the_topic_is_created(broker: Serving) -> None:
    wait_for_a_topic_and_shut_down(broker.address, next(NAMES))


def test_join__different_topology_with_the_same_epoch__refused_with_the_brokers_reason(
    broker: Serving, topic: str
) -> None:
    other = Topology((Subtopology("0", (topic,)),))
    with StreamsMember(broker.address, f"other-{topic}", topology_of("g", topic)) as member:
        wait_for_events(member)
        with StreamsMember(broker.address, f"other-{topic}", other) as second:
            with pytest.raises(MembershipRefused, match="Topology updates") as failure:
                wait_for_events(second)
            assert failure.value.error_code is ErrorCode.INVALID_REQUEST


def wait_for_events(member: StreamsMember) -> None:
    while not member.poll(PATIENCE_S):
        pass


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"group_id": ""}, "Missing group id"),
        ({"group_instance_id": "a b"}, "Invalid group.instance.id 'a b'"),
        ({"on_unreleased": "grab"}, "Invalid on_unreleased 'grab'"),
        ({"topology": Topology(())}, "Missing subtopology id"),
    ],
)
def test_streams_member__invalid_setting__value_error(keys: dict[str, object], message: str) -> None:
    settings: dict[str, object] = {"group_id": "g", "topology": topology_of("g", "t")} | keys
    with pytest.raises(ValueError, match=message):
        StreamsMember("localhost:1", **settings)  # type: ignore[arg-type]


def test_poll__before_start__raises_closed() -> None:
    with pytest.raises(Closed, match="not started"):
        StreamsMember("localhost:1", "g", topology_of("g", "t")).poll()
