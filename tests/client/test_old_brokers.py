"""The client with a broker that reports the API versions of Apache Kafka 2.8: one group per request."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest

from tenure.admin import Admin
from tenure.broker.handlers import api_versions
from tenure.client import Consumer
from tenure.client.errors import UnsupportedByBroker
from tenure.client.net.bootstrap import bootstrap
from tenure.client.net.cluster import Cluster
from tenure.client.net.event_loop import run
from tenure.client.queries.group_queries import committed_offsets
from tenure.protocol.apis import ApiKey
from tenure.testing import Broker
from tenure.values import TopicPartition

KAFKA_2_8: Final = {
    ApiKey.FIND_COORDINATOR: 3,
    ApiKey.JOIN_GROUP: 7,
    ApiKey.LIST_GROUPS: 4,
    ApiKey.METADATA: 11,
    ApiKey.OFFSET_COMMIT: 8,
    ApiKey.OFFSET_FETCH: 7,
}
"""Newest version of each API for groups, where it is older than ours."""


@pytest.fixture
def old_broker(monkeypatch: pytest.MonkeyPatch) -> Iterator[Broker]:
    limited = {key: api_versions.APIS[key]._replace(max_version=newest) for key, newest in KAFKA_2_8.items()}
    monkeypatch.setattr(api_versions, "APIS", api_versions.APIS | limited)
    with Broker() as broker:
        broker.create_topic("t", partitions=2)
        yield broker


def test_committed_offsets__broker_of_kafka_2_8__offsets_of_one_topic_and_of_all(old_broker: Broker) -> None:
    old_broker.commit("g", {("t", 0): 3, ("t", 1): 4})
    at = bootstrap(old_broker.address)
    cluster = Cluster(at.servers, client_id="test", request_timeout_ms=10_000, patience_ms=10_000, security=at.security)
    try:
        found = run(committed_offsets(cluster, "g", [TopicPartition("t", 1)]))
        everything = run(committed_offsets(cluster, "g", None, require_stable=False))
    finally:
        cluster.close()
    assert {partition: at.offset for partition, at in found.items()} == {TopicPartition("t", 1): 4}
    assert sorted(everything) == [TopicPartition("t", 0), TopicPartition("t", 1)]


def test_committed_offsets__broker_without_stable_offsets__refused(
    old_broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    kafka_2_4 = api_versions.APIS[ApiKey.OFFSET_FETCH]._replace(max_version=6)
    monkeypatch.setattr(api_versions, "APIS", api_versions.APIS | {ApiKey.OFFSET_FETCH: kafka_2_4})
    with (
        Consumer({"bootstrap.servers": old_broker.address, "group.id": "g"}) as consumer,
        pytest.raises(UnsupportedByBroker, match=r"OffsetFetch .* needs a version from 7 to 9"),
    ):
        consumer.committed([TopicPartition("t", 0)])


def test_consumer__broker_of_kafka_2_8__joins_commits_and_is_described(old_broker: Broker) -> None:
    old_broker.produce("t", ["a", "b"], partition=0)
    config = {"bootstrap.servers": old_broker.address, "group.id": "g", "auto.offset.reset": "earliest"}
    with Consumer(config) as consumer:
        consumer.subscribe(["t"])
        while not consumer.poll(0.1):
            pass
        consumer.commit()
        with Admin(old_broker.address) as admin:
            (group,) = admin.describe_groups([each.group_id for each in admin.list_groups()])
            committed = admin.committed_offsets("g")
    assert (group.state, len(group.members)) == ("Stable", 1)
    assert committed[TopicPartition("t", 0)].offset == 2
