"""The requests of a member of the consumer protocol, from its settings and from what it has told before (rule 3.13.1).

A field that is null says "as before". The first heartbeat says everything, and so does every one after an error or a
broken connection: nobody knows then what the coordinator has heard.
"""

from collections.abc import Mapping
from itertools import groupby
from typing import Final, NamedTuple

from tenure.client.membership_outputs import MembershipSettings
from tenure.client.values import TopicPartition
from tenure.protocol.messages import (
    ConsumerGroupDescribeRequest,
    ConsumerGroupHeartbeatRequest,
    HeartbeatTopicPartitions,
)
from tenure.protocol.types import GroupId, InstanceId, MemberId, PartitionId, TopicId, TopicName

JOINS: Final = 0
LEAVES: Final = -1
LEAVES_FOR_NOW: Final = -2
"""A static member that means to come back: its seat waits, for any member id."""


class Told(NamedTuple):
    """What a member says of itself, beyond that it lives."""

    topics: tuple[str, ...]
    pattern: str
    """Empty: none."""
    owned: tuple[TopicPartition, ...]
    topic_ids: Mapping[str, TopicId]
    """Of what is owned, and perhaps of more."""


def heartbeat(
    settings: MembershipSettings,
    member_id: MemberId,
    member_epoch: int,
    tells: Told,
    before: Told | None,
) -> ConsumerGroupHeartbeatRequest:
    """`before` is what the coordinator is known to have heard; None if that is in doubt."""
    topics, pattern, *owned = tells
    heard: tuple[object, ...] = before or (None, None, None)
    everything = before is None
    return ConsumerGroupHeartbeatRequest(
        group_id=GroupId(settings.group_id),
        member_id=member_id,
        member_epoch=member_epoch,
        instance_id=_instance_id(settings),
        rack_id=settings.rack_id if everything else None,
        rebalance_timeout_ms=settings.rebalance_timeout_ms if everything else -1,
        subscribed_topic_names=[TopicName(topic) for topic in topics] if topics != heard[0] else None,
        subscribed_topic_regex=pattern if pattern != heard[1] else None,
        server_assignor=settings.server_assignor if everything else None,
        topic_partitions=_by_topic(tells) if owned != list(heard[2:]) else None,
    )


def _by_topic(tells: Told) -> list[HeartbeatTopicPartitions]:
    """What is owned is in order."""
    return [
        HeartbeatTopicPartitions(tells.topic_ids[topic], [PartitionId(of.partition) for of in of_topic])
        for topic, of_topic in groupby(tells.owned, key=lambda of: of.topic)
    ]


def leave(settings: MembershipSettings, member_id: MemberId, member_epoch: int) -> ConsumerGroupHeartbeatRequest:
    """`member_id` need not be our own: whoever holds our instance id can be let go by it (rule 3.5)."""
    return ConsumerGroupHeartbeatRequest(
        group_id=GroupId(settings.group_id),
        member_id=member_id,
        member_epoch=member_epoch,
        instance_id=_instance_id(settings),
    )


def describe(settings: MembershipSettings) -> ConsumerGroupDescribeRequest:
    return ConsumerGroupDescribeRequest(group_ids=[GroupId(settings.group_id)])


def _instance_id(settings: MembershipSettings) -> InstanceId | None:
    return None if settings.group_instance_id is None else InstanceId(settings.group_instance_id)
