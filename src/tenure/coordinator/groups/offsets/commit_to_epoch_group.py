"""OffsetCommit to a group whose members have epochs: a consumer group (rule 4.3) or a streams group (rule 4.4).

The order of the checks decides which error a client gets, so it is the same as in Kafka. A commit does not extend the
session; only heartbeats do.
"""

from tenure.coordinator.groups.commands import CommitOffsets
from tenure.coordinator.groups.consumer.group import UNKNOWN_REVOCATION_EPOCH, ConsumerGroup
from tenure.coordinator.groups.consumer.member import Member
from tenure.coordinator.groups.offsets.fencing import FENCES, UNASSIGNED, UNKNOWN
from tenure.coordinator.groups.offsets.metadata import is_too_long
from tenure.coordinator.groups.state import EpochGroup
from tenure.coordinator.groups.streams.group import StreamsGroup
from tenure.coordinator.groups.streams.member import StreamsMember
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import PartitionId, TopicName


def why_refused(group: EpochGroup, commit: CommitOffsets, metadata_max: int) -> ErrorCode | None:
    """Return the error of a commit; None if it is accepted."""
    if commit.generation_id < 0 and not group.members:
        return None
    if isinstance(group, ConsumerGroup):
        return _refusal_of_consumer_group(group, commit, metadata_max)
    return _refusal_of_streams_group(group, commit, metadata_max)


def _refusal_of_consumer_group(group: ConsumerGroup, commit: CommitOffsets, metadata_max: int) -> ErrorCode | None:
    member = group.members.get(commit.member_id)
    if member is None:
        return ErrorCode.UNKNOWN_MEMBER_ID
    if member.classic is None and not commit.member_epochs_supported:
        return ErrorCode.UNSUPPORTED_VERSION
    if _accepts_all(group, member, commit, metadata_max):
        return None
    return ErrorCode.STALE_MEMBER_EPOCH if member.classic is None else ErrorCode.ILLEGAL_GENERATION


def _accepts_all(group: ConsumerGroup, member: Member, commit: CommitOffsets, metadata_max: int) -> bool:
    """Return whether the fencing policy accepts all partitions of the commit.

    Partitions with too long metadata are not checked, because they are refused anyway.
    """
    accepts = FENCES[group.configs.group_commit_fencing]
    client, epoch = commit.generation_id, member.member_epoch
    revocation = group.revocation_epochs.get(member.member_id, UNKNOWN_REVOCATION_EPOCH)
    for offset in commit.offsets:
        since = member.assigned_since(offset.topic_id, offset.partition)
        is_accepted = accepts(client, epoch, UNASSIGNED if since is None else since, revocation)
        if not is_accepted and (client > epoch or not is_too_long(offset.metadata, metadata_max)):
            return False
    return True


def _refusal_of_streams_group(group: StreamsGroup, commit: CommitOffsets, metadata_max: int) -> ErrorCode | None:
    member = group.members.get(commit.member_id)
    if member is None:
        return ErrorCode.UNKNOWN_MEMBER_ID
    if not commit.member_epochs_supported:
        return ErrorCode.UNSUPPORTED_VERSION
    accepts = FENCES[group.configs.group_commit_fencing]
    client, epoch = commit.generation_id, member.member_epoch
    for offset in commit.offsets:
        since = _assigned_since(group, member, offset.topic, offset.partition)
        is_accepted = accepts(client, epoch, UNASSIGNED if since is None else since, UNKNOWN)
        if not is_accepted and (client > epoch or not is_too_long(offset.metadata, metadata_max)):
            return ErrorCode.STALE_MEMBER_EPOCH
    return None


def _assigned_since(group: StreamsGroup, member: StreamsMember, topic: TopicName, partition: PartitionId) -> int | None:
    """Return the assignment epoch of a partition; None if the member does not have it and is not giving it up.

    A partition belongs to the task with the same number in the subtopology that reads the topic.
    """
    subtopology_id = None if group.topology is None else group.topology.subtopology_of.get(topic)
    if subtopology_id is None:
        return None
    task = (subtopology_id, partition)
    since = member.assigned.active.get(task)
    return member.pending_revocation.active.get(task) if since is None else since
