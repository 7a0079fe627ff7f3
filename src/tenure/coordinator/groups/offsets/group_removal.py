"""Tombstones that delete a group without members, of any protocol (rule 6.4.1)."""

from collections.abc import Sequence

from tenure.coordinator.groups.classic import logged as classic_logged
from tenure.coordinator.groups.consumer import logged as consumer_logged
from tenure.coordinator.groups.state import Groups
from tenure.coordinator.groups.streams import logged as streams_logged
from tenure.coordinator.shard import LogRecord
from tenure.protocol.types import GroupId


def group_removed(groups: Groups, group_id: GroupId) -> Sequence[LogRecord]:
    consumer = groups.consumer.get(group_id)
    if consumer is not None:
        return consumer_logged.group_gone(consumer)
    streams = groups.streams.get(group_id)
    return (classic_logged.removed(group_id),) if streams is None else streams_logged.group_gone(streams)
