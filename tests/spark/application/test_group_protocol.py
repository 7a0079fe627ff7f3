"""Group protocol of an application, and the check that everything was read."""

from collections.abc import Iterator
from typing import Any

import pytest

from tenure.client.group.group_member import GroupMember
from tenure.client.producer.producer import Producer
from tenure.client.values import OffsetAndMetadata, TopicPartition
from tenure.pipeline.errors import Code, PipelineConfigError, PipelineStopped
from tenure.protocol.types import PartitionId, TopicName
from tenure.run_options import RunOptions
from tenure.spark.application.memberships import with_group_protocol
from tenure.spark.application.runner import translate_errors
from tenure.spark.kafka.caught_up import all_partitions_owned, all_partitions_read
from tenure.spark.kafka.client_membership import ClientMembership
from tenure.spark.kafka.topic_log import TopicLog
from tenure.testing import Broker

TOPIC = TopicName("words")
OLD = {"metadata.version": 7}
"""Features that an Apache Kafka from before group.version reports."""


def options(address: str, **given: Any) -> RunOptions:
    defaults: dict[str, Any] = {
        "bootstrap_servers": address, "security": {}, "group_instance_id": None, "client_id": "a", "threads": 1,
        "until": "stopped", "max_records": 1, "tasks": 1, "on_disagreement": "refuse", "session_timeout_ms": None,
        "heartbeat_interval_ms": None, "max_poll_interval_ms": 300_000, "group_protocol": None,
        "on_unreleased": "seize", "observer": None, "max_bytes": 1, "target_batch_time_s": 1.0, "metrics": None,
        "standby": False, "spark_ui": False, "ending_offsets": None,
    }  # fmt: skip
    return RunOptions(**(defaults | given))


@pytest.fixture
def broker() -> Iterator[Broker]:
    with Broker() as at:
        at.create_topic(TOPIC, partitions=2)
        yield at


def test_group_protocol__default__consumer_if_broker_supports_it(broker: Broker) -> None:
    chosen, remark = with_group_protocol(options(broker.address))
    assert (chosen.group_protocol, remark) == ("consumer", "")


def test_group_protocol__broker_without_consumer_protocol__classic_and_reason_logged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tenure.broker.broker.INITIAL_LEVELS", OLD)
    with Broker() as old:
        chosen, remark = with_group_protocol(options(old.address))
    assert chosen.group_protocol == "classic"
    assert "does not support the consumer protocol (KIP-848, Apache Kafka 4.0 and later)" in remark


@pytest.mark.parametrize("option", ["session_timeout_ms", "heartbeat_interval_ms"])
def test_group_protocol__session_timeout_set__classic_and_reason_logged(option: str) -> None:
    chosen, remark = with_group_protocol(options("nobody.is.asked:9092", **{option: 1_000}))
    assert chosen.group_protocol == "classic"
    assert (
        remark
        == f"uses the classic group protocol: {option} is set, which only the classic protocol lets members choose"
    )


@pytest.mark.parametrize("name", ["classic", "consumer", "streams"])
def test_group_protocol__set_by_the_user__no_request_to_the_broker(name: str) -> None:
    chosen, remark = with_group_protocol(options("nobody.is.asked:9092", group_protocol=name))
    assert (chosen.group_protocol, remark) == (name, "")


@pytest.mark.parametrize("name", ["consumer", "streams"])
def test_group_protocol__consumer_or_streams_with_session_timeout__error_names_the_group_config(name: str) -> None:
    with pytest.raises(PipelineConfigError, match=rf"set the group's {name}\.session\.timeout\.ms instead"):
        options("any:9092", group_protocol=name, session_timeout_ms=1_000)


def test_group_protocol__unknown__refused() -> None:
    with pytest.raises(PipelineConfigError, match="Unknown group_protocol 'share': use classic, consumer or streams"):
        options("any:9092", group_protocol="share")


def test_run__broker_ends_while_spark_starts__stops_with_the_code_no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tenure.client.group.membership_runner.STARTUP_PATIENCE_MS", 100)
    with GroupMember("127.0.0.1:1", "g", [TOPIC]) as member, pytest.raises(PipelineStopped) as stopped:
        stopped_by(ClientMembership(member, None))
    assert stopped.value.code is Code.NO_BROKER


def stopped_by(member: ClientMembership) -> None:
    with translate_errors():
        assert not member.poll(60.0)


def test_all_partitions_read__partition_without_an_owner__false_until_committed_to_its_end(
    broker: Broker,
) -> None:
    with Producer(broker.address) as producer:
        for partition in (0, 1, 1):
            producer.send(TOPIC, b"k", b"v", partition=partition)
    with GroupMember(broker.address, "g", [TOPIC]) as member:
        membership, log = ClientMembership(member, None), TopicLog(broker.address)
        assert not all_partitions_read(membership, log, [TOPIC])
        while not member.partitions:
            member.poll(1.0)
        for partition, offset, is_all in ((0, 1, False), (1, 1, False), (1, 2, True)):
            member.commit({TopicPartition(TOPIC, partition): OffsetAndMetadata(offset)}, member.identity)
            assert all_partitions_read(membership, log, [TOPIC]) == is_all


def test_all_partitions_owned__partition_without_an_owner__false_until_it_has_one(broker: Broker) -> None:
    log = TopicLog(broker.address)

    def asked(*own: int) -> bool:
        return all_partitions_owned(
            {"bootstrap.servers": broker.address}, "g", log, [TOPIC], {PartitionId(n) for n in own}
        )

    assert not asked(0)
    with GroupMember(broker.address, "g", [TOPIC]) as member:
        assert asked(0, 1)
        while len(member.partitions) < 2:
            member.poll(1.0)
        assert asked()
    assert not asked(0)
