"""Requests of a consumer-protocol member (rule 3.13.1).

A null field means "unchanged". Two heartbeats contain all fields: the first one of a membership, and the first one
after an error or disconnect. After an error it is unknown which fields the coordinator has received.
"""

from collections.abc import Mapping
from itertools import groupby
from typing import NamedTuple

from tenure.client.group.memberships.membership_settings import MembershipSettings
from tenure.client.values import TopicPartition
from tenure.protocol.messages import (
    ConsumerGroupDescribeRequest,
    ConsumerGroupHeartbeatRequest,
    HeartbeatTopicPartitions,
)
from tenure.protocol.types import GroupId, InstanceId, MemberId, PartitionId, TopicId, TopicName


class HeartbeatFields(NamedTuple):
    """Fields that a heartbeat contains only after they have changed."""

    topics: tuple[str, ...]
    pattern: str
    """RE2 expression; empty if there is none."""
    owned: tuple[TopicPartition, ...]
    topic_ids: Mapping[str, TopicId]
    """Topic ids by name. Contains the topics of all owned partitions, and possibly others."""


def heartbeat(
    settings: MembershipSettings,
    member_id: MemberId,
    member_epoch: int,
    fields: HeartbeatFields,
    before: HeartbeatFields | None,
) -> ConsumerGroupHeartbeatRequest:
    """Build a heartbeat with the fields that differ from `before`, the fields that the coordinator has received.

    If `before` is None, the heartbeat contains all fields.
    """
    topics, pattern, *owned = fields
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
        topic_partitions=_by_topic(fields) if owned != list(heard[2:]) else None,
    )


def _by_topic(fields: HeartbeatFields) -> list[HeartbeatTopicPartitions]:
    """Return the owned partitions, grouped by topic id. `fields` must contain them in sorted order."""
    return [
        HeartbeatTopicPartitions(fields.topic_ids[topic], [PartitionId(partition.partition) for partition in of_topic])
        for topic, of_topic in groupby(fields.owned, key=lambda partition: partition.topic)
    ]


def leave(settings: MembershipSettings, member_id: MemberId, member_epoch: int) -> ConsumerGroupHeartbeatRequest:
    """Build a leave heartbeat for `member_id`.

    `member_id` is this member's id, or the id of another member that has this member's instance id. The leave of the
    other member makes the instance id free for this member (rule 3.5).
    """
    return ConsumerGroupHeartbeatRequest(
        group_id=GroupId(settings.group_id),
        member_id=member_id,
        member_epoch=member_epoch,
        instance_id=_instance_id(settings),
    )


def describe(settings: MembershipSettings) -> ConsumerGroupDescribeRequest:
    """Build a ConsumerGroupDescribe request for the member's group."""
    return ConsumerGroupDescribeRequest(group_ids=[GroupId(settings.group_id)])


def _instance_id(settings: MembershipSettings) -> InstanceId | None:
    return None if settings.group_instance_id is None else InstanceId(settings.group_instance_id)
