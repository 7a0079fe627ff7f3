"""Consumer groups (rule book 3 and 4): the same heartbeats and commits to Apache Kafka and to us, under policy `kafka`.

Answers are compared whole, with their messages; then what `__consumer_offsets` holds of the group. Which of two members
gets which half is each assignor's own affair: of such groups only the course of things is compared.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tenure.protocol.messages import (
    ConsumerGroupDescribeRequest,
    ConsumerGroupHeartbeatRequest,
    HeartbeatTopicPartitions,
    IncrementalAlterableConfig,
    IncrementalAlterConfigsRequest,
    IncrementalAlterConfigsResource,
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopics,
)
from tests.oracle.conftest import TOPIC
from tests.oracle.side import Side
from tests.wire import Wire

pytestmark = pytest.mark.oracle

OTHERWISE = re.compile(r"metadata_hash=-?\d+|(assignment_timestamp|commit_timestamp|timestamp)=\d+")
"""Each coordinator's own hash, and times."""
GROUPS = iter(range(1_000))
BEYOND_THE_INTERVAL_S = 1.05


class Told:
    """One side of a scenario: what is asked, what is answered."""

    def __init__(self, side: Side, group: str) -> None:
        self.side = side
        self.group = group
        self.topic_id = side.topic_id(TOPIC)
        self.wire = Wire(side.host, side.port, client_id="oracle")
        self.lines: list[str] = []

    def tell(self, answer: object) -> None:
        self.lines.append(OTHERWISE.sub("(own)", repr(answer).replace(repr(self.topic_id), "(id)")))

    def beat(self, member: str, epoch: int, *, owned: str | None = None, version: int = 1, **fields: Any) -> Any:
        if epoch == 0:
            fields = {"rebalance_timeout_ms": 60_000, "subscribed_topic_names": [TOPIC]} | fields
            owned = "" if owned is None else owned
        parts = None if owned is None or owned == "null" else self.partitions(owned)
        request = ConsumerGroupHeartbeatRequest(self.group, member, epoch, topic_partitions=parts, **fields)  # type: ignore[arg-type]
        answer = self.wire.ask(request, version)
        self.tell(answer)
        return answer

    def partitions(self, text: str) -> list[HeartbeatTopicPartitions]:
        return [HeartbeatTopicPartitions(self.topic_id, [int(p) for p in text.split(",")])] if text else []  # type: ignore[arg-type,misc]

    def commit(self, member: str, epoch: int, *partitions: int, version: int = 9) -> None:
        wanted = [OffsetCommitRequestPartition(p, 7, -1, "") for p in partitions]  # type: ignore[arg-type]
        topic = OffsetCommitRequestTopic(TOPIC, self.topic_id, wanted)  # type: ignore[arg-type]
        self.tell(self.wire.ask(OffsetCommitRequest(self.group, epoch, member, topics=[topic]), version))  # type: ignore[arg-type]

    def fetch(self, member: str | None, epoch: int) -> None:
        topic = OffsetFetchRequestTopics(TOPIC, partition_indexes=[0])  # type: ignore[arg-type,list-item]
        group = OffsetFetchRequestGroup(self.group, topics=[topic], member_id=member, member_epoch=epoch)  # type: ignore[arg-type]
        self.tell(self.wire.ask(OffsetFetchRequest(groups=[group]), 9))

    def describe(self) -> None:
        answer = self.wire.ask(ConsumerGroupDescribeRequest([self.group]), 1)  # type: ignore[list-item]
        for group in answer.groups:
            group.members.sort(key=lambda member: member.member_id)
        self.tell(answer)

    def rest(self) -> None:
        time.sleep(BEYOND_THE_INTERVAL_S)

    def log(self) -> list[str]:
        entries = [f"{key} v{version} {value}" for key, version, value, _ in self.side.log.of(self.group)]
        return [OTHERWISE.sub("(own)", entry.replace(repr(self.topic_id), "(id)")) for entry in entries]


def bad_requests(k: Told) -> None:
    k.beat("A", 0, instance_id=" ")
    k.beat("A", 0, rack_id="")
    k.beat("", 0)
    k.beat("", 0, instance_id="", version=0)
    k.beat("", 1, version=0)
    k.beat("A", 0, rebalance_timeout_ms=-1)
    k.beat("A", 0, owned="null")
    k.beat("A", 0, owned="0")
    k.beat("A", 0, subscribed_topic_names=None)
    k.beat("A", -2)
    k.beat("A", -3)
    k.beat("A", 0, server_assignor="sticky")
    k.beat("A", 5)
    k.beat("A", -1)
    k.describe()


def one_member(k: Told) -> None:
    k.beat("A", 0)
    k.beat("A", 2)
    k.beat("A", 2, rebalance_timeout_ms=60_000, subscribed_topic_names=[TOPIC], owned="0,1,2,3")
    k.beat("A", 3)
    k.beat("A", 1)
    k.beat("B", 2)
    k.beat("B", -1)
    k.describe()
    k.rest()
    k.beat("A", 2, subscribed_topic_names=[TOPIC, "nobody-has-it"])
    k.beat("A", 2, owned="0,1")
    k.beat("A", 2)
    k.commit("A", 3, 0)
    k.commit("A", 2, 0)
    k.commit("A", 1, 0)
    k.commit("A", 4, 0)
    k.commit("B", 3, 0)
    k.commit("", -1, 0)
    k.commit("A", 3, 0, version=8)
    k.fetch("A", 3)
    k.fetch("A", 2)
    k.fetch("B", 3)
    k.fetch("", 3)
    k.fetch(None, -1)
    k.fetch(None, 3)
    k.rest()
    k.beat("A", 3, subscribed_topic_names=[])
    k.beat("A", 3)
    k.beat("A", 3, owned="")
    k.describe()
    k.beat("A", -1)
    k.beat("A", 3)
    k.describe()


def two_members(k: Told) -> None:
    k.beat("A", 0)
    k.rest()
    k.beat("B", 0)
    k.describe()
    told = k.beat("A", 2)
    kept = told.assignment.topic_partitions[0].partitions
    k.lines[-1] = f"A keeps {len(kept)}"
    k.beat("A", 2)
    k.beat("B", 3)
    k.commit("A", 2, *range(4))
    k.beat("A", 2, owned=",".join(str(p) for p in kept))
    k.commit("A", 2, *kept)
    k.commit("A", 2, *range(4))
    k.commit("A", 3, *range(4))
    k.lines.append(f"B gets {len(k.beat('B', 3).assignment.topic_partitions[0].partitions)}")
    del k.lines[-2]


def static_members(k: Told) -> None:
    k.beat("A", 0, instance_id="seat")
    k.beat("B", 0, instance_id="seat")
    k.beat("A", 0, instance_id="seat")
    k.beat("A", -2, instance_id="seat")
    k.beat("A", 2, instance_id="seat")
    k.commit("A", 2, 0)
    k.commit("A", 7, 0)
    k.fetch("A", -2)
    k.describe()
    k.beat("B", 0, instance_id="seat")
    k.describe()
    k.beat("A", 2, instance_id="seat")
    k.beat("A", -1, instance_id="seat")
    k.beat("B", 2, instance_id="another")
    k.beat("B", -2, instance_id="another")
    k.commit("B", 1, 0)
    k.commit("A", 2, 0)
    k.beat("B", -2, instance_id="seat")
    k.beat("B", 0, instance_id="seat")
    k.beat("B", -1, instance_id="seat")


SCENARIOS: list[Callable[[Told], None]] = [bad_requests, one_member, two_members, static_members]


@pytest.fixture
def sides(kafka: Side, tenure: Side) -> Iterator[list[Told]]:
    group = f"consumers-{next(GROUPS)}"
    told = [Told(side, group) for side in (kafka, tenure)]
    told[1].wire.ask(fencing_of_kafka(group))
    yield told
    for one in told:
        one.wire.close()


def fencing_of_kafka(group: str) -> Any:
    config = IncrementalAlterableConfig("group.commit.fencing", 0, "kafka")
    return IncrementalAlterConfigsRequest([IncrementalAlterConfigsResource(32, group, [config])])


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_consumer_groups__asked_the_same__answered_alike(scenario: Callable[[Told], None], sides: list[Told]) -> None:
    for side in sides:
        scenario(side)
    assert sides[1].lines == sides[0].lines
    if scenario is not two_members:
        assert sides[1].log() == sides[0].log()
