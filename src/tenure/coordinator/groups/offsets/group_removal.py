"""Tombstones that delete a group without members, of any protocol (rule 6.4.1)."""

from collections.abc import Sequence

from tenure.coordinator.groups.classic import logged as classic_logged
from tenure.coordinator.groups.consumer import logged as consumer_logged
from tenure.coordinator.groups.consumer.group import ConsumerGroup
from tenure.coordinator.groups.state import AnyGroup
from tenure.coordinator.groups.streams import logged as streams_logged
from tenure.coordinator.groups.streams.group import StreamsGroup
from tenure.coordinator.shard import LogRecord


def group_removed(group: AnyGroup) -> Sequence[LogRecord]:
    if isinstance(group, ConsumerGroup):
        return consumer_logged.group_gone(group)
    if isinstance(group, StreamsGroup):
        return streams_logged.group_gone(group)
    return (classic_logged.removed(group.group_id),)
