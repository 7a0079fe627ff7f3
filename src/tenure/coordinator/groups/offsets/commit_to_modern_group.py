"""The fence in front of commits to a group whose members have epochs, whatever it assigns."""

from tenure.coordinator.groups.commands import CommitOffsets
from tenure.coordinator.groups.consumer.group import ConsumerGroup
from tenure.coordinator.groups.offsets import commit_to_consumer_group, commit_to_streams_group
from tenure.coordinator.groups.streams.group import StreamsGroup
from tenure.protocol.errors import ErrorCode


def why_refused(group: ConsumerGroup | StreamsGroup, commit: CommitOffsets, metadata_max: int) -> ErrorCode | None:
    if isinstance(group, ConsumerGroup):
        return commit_to_consumer_group.why_refused(group, commit, metadata_max)
    return commit_to_streams_group.why_refused(group, commit, metadata_max)
