"""Groups through the admin clients of confluent-kafka and kafka-python, and a static member of kcat."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from tenure.admin import Admin
from tenure.client.errors import RequestRefused
from tenure.client.group.group_member import GroupMember
from tenure.client.producer.producer import Producer
from tenure.client.values import Assigned, OffsetAndMetadata
from tests.consumer_offsets import generations
from tests.serving import Serving, serving

TOPIC = "work"
RECORDS = 10

pytestmark = [
    pytest.mark.interop,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # raised within the libraries
]


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("broker"), "offsets.topic.num.partitions=1") as broker:
        with Admin(broker.address) as admin, Producer(broker.address) as producer:
            admin.create_topics([TOPIC], partitions=2)
            for number in range(2 * RECORDS):
                producer.send(TOPIC, None, b"%d" % number, number % 2)
        yield broker


def create_group(broker: Serving, group: str) -> None:
    """Create a group whose static member commits offset 5 in both partitions, and closes."""
    with GroupMember(broker.address, group, [TOPIC], group_instance_id="instance-1") as member:
        assigned = next(event for _ in range(600) for event in member.poll(0.1) if isinstance(event, Assigned))
        member.commit(dict.fromkeys(assigned.partitions, OffsetAndMetadata(5)), assigned.identity)


def committed(broker: Serving, group: str) -> dict[int, int]:
    with Admin(broker.address) as admin:
        return {at.partition: found.offset for at, found in admin.committed_offsets(group).items()}


def test_confluent_kafka_admin__group_described_reset_and_deleted__reset_only_without_members(broker: Serving) -> None:
    from confluent_kafka import ConsumerGroupTopicPartitions, KafkaException
    from confluent_kafka import TopicPartition as At
    from confluent_kafka.admin import AdminClient

    create_group(broker, "confluent")
    client = AdminClient({"bootstrap.servers": broker.address})
    listed = {group.group_id: group for group in client.list_consumer_groups().result().valid}
    assert listed["confluent"].state.name == "STABLE"
    described = client.describe_consumer_groups(["confluent"])["confluent"].result()
    (member,) = described.members
    assert (described.partition_assignor, member.group_instance_id) == ("range", "instance-1")
    assert sorted(at.partition for at in member.assignment.topic_partitions) == [0, 1]

    wanted = ConsumerGroupTopicPartitions("confluent", [At(TOPIC, 0, 2), At(TOPIC, 1, 3)])
    refused = client.alter_consumer_group_offsets([wanted])["confluent"].result().topic_partitions
    assert [at.error.name() for at in refused] == ["UNKNOWN_MEMBER_ID"] * 2
    with Admin(broker.address) as admin:
        admin.remove_members("confluent", None)
    client.alter_consumer_group_offsets([wanted])["confluent"].result()
    found = client.list_consumer_group_offsets([ConsumerGroupTopicPartitions("confluent")])["confluent"].result()
    assert {at.partition: at.offset for at in found.topic_partitions} == {0: 2, 1: 3} == committed(broker, "confluent")
    client.delete_consumer_groups(["confluent"])["confluent"].result()
    with pytest.raises(KafkaException, match="GROUP_ID_NOT_FOUND"):
        client.delete_consumer_groups(["confluent"])["confluent"].result()


def test_kafka_python_admin__group_described_reset_and_deleted__offsets_changed_only_without_members(
    broker: Serving,
) -> None:
    from kafka import KafkaAdminClient
    from kafka import TopicPartition as At
    from kafka.admin import MemberToRemove
    from kafka.structs import OffsetAndMetadata as Position

    create_group(broker, "python")
    client: Any = KafkaAdminClient(bootstrap_servers=broker.address)
    (member,) = client.describe_groups(["python"])["python"]["members"]
    assert member["group_instance_id"] == "instance-1"
    assert member["member_assignment"]["assigned_partitions"] == [{"topic": TOPIC, "partitions": [0, 1]}]
    back, away = {At(TOPIC, 0): Position(2, "", -1)}, [At(TOPIC, 1)]
    assert errors(client.alter_group_offsets("python", back)) == ["UnknownMemberIdError"]
    assert errors(client.delete_group_offsets("python", away)) == ["GroupSubscribedToTopicError"]
    gone = [MemberToRemove(group_instance_id=f"instance-{number}") for number in (1, 2)]
    assert errors(client.remove_group_members("python", gone)) == ["NoError", "UnknownMemberIdError"]
    assert errors(client.alter_group_offsets("python", back)) == ["NoError"]
    assert errors(client.delete_group_offsets("python", away)) == ["NoError"]
    assert committed(broker, "python") == {0: 2}
    assert client.delete_groups(["python"]) == {"python": "OK"}
    client.close()
    with Admin(broker.address) as admin, pytest.raises(RequestRefused, match="does not exist"):
        admin.find_group("python")


def errors(results: dict[Any, type[Exception]]) -> list[str]:
    return [error.__name__ for error in results.values()]


@pytest.mark.skipif(shutil.which("kcat") is None, reason="kcat is not installed")
def test_kcat__static_member_restarts__continues_reading_without_a_rebalance(broker: Serving) -> None:
    membership = [
        "-X",
        "group.instance.id=instance-1",
        "-X",
        "auto.offset.reset=earliest",
        "-X",
        "topic.metadata.refresh.interval.ms=500",
    ]
    with Producer(broker.address) as producer:
        producer.send(TOPIC, None, b"one more", 0)
    assert f'topic "{TOPIC}" with 2 partitions' in kcat(broker, "-L")
    read = kcat(broker, "-G", "cats", "-e", "-q", *membership, TOPIC)
    assert len(read.splitlines()) == 2 * RECORDS + 1
    before = generations(broker.host, broker.port, "cats")
    kcat(broker, "-P", "-t", TOPIC, "-p", "1", stdin="news\n")
    assert kcat(broker, "-G", "cats", "-e", "-q", *membership, TOPIC) == "news\n"
    assert generations(broker.host, broker.port, "cats") == before
    with Admin(broker.address) as admin:
        (group,) = admin.describe_groups(["cats"])
        assert [member.group_instance_id for member in group.members] == ["instance-1"]


def kcat(broker: Serving, *arguments: str, stdin: str = "") -> str:
    done = subprocess.run(
        ["kcat", "-b", broker.address, *arguments], input=stdin, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
