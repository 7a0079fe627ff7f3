"""OffsetCommit to a streams group (rule 4.4): a partition belongs to the task of the subtopology that reads its topic.

The order of the checks is the specification. The fence is that of consumer groups.
"""

from tenure.coordinator.groups.commands import CommitOffsets
from tenure.coordinator.groups.offsets.fencing import FENCES, UNASSIGNED, UNKNOWN
from tenure.coordinator.groups.offsets.metadata import is_too_long
from tenure.coordinator.groups.streams.group import StreamsGroup
from tenure.coordinator.groups.streams.member import StreamsMember
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import PartitionId, TopicName


def why_refused(group: StreamsGroup, commit: CommitOffsets, metadata_max: int) -> ErrorCode | None:
    """Return the error of a commit. It does not extend the session: only heartbeats do."""
    if commit.generation_id < 0 and not group.members:
        return None
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
    """Return the assignment epoch of the task that reads the partition; None if the member does not have it."""
    subtopology_id = None if group.topology is None else group.topology.subtopology_of.get(topic)
    if subtopology_id is None:
        return None
    task = (subtopology_id, partition)
    since = member.assigned.active.get(task)
    return member.pending_revocation.active.get(task) if since is None else since
