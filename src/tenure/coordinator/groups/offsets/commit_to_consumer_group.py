"""OffsetCommit to a consumer group (rule 4.3). The order of the checks is the specification."""

from tenure.coordinator.groups.commands import CommitOffsets
from tenure.coordinator.groups.consumer.group import UNKNOWN_REVOCATION_EPOCH, ConsumerGroup
from tenure.coordinator.groups.consumer.member import Member
from tenure.coordinator.groups.offsets.fencing import FENCES, UNASSIGNED
from tenure.coordinator.groups.offsets.metadata import is_too_long
from tenure.protocol.errors import ErrorCode


def why_refused(group: ConsumerGroup, commit: CommitOffsets, metadata_max: int) -> ErrorCode | None:
    """Return the error of a commit. It does not extend the session: only heartbeats do."""
    if commit.generation_id < 0 and not group.members:
        return None
    member = group.members.get(commit.member_id)
    if member is None:
        return ErrorCode.UNKNOWN_MEMBER_ID
    if member.classic is None and not commit.member_epochs_supported:
        return ErrorCode.UNSUPPORTED_VERSION
    if _accepts_all(group, member, commit, metadata_max):
        return None
    return ErrorCode.STALE_MEMBER_EPOCH if member.classic is None else ErrorCode.ILLEGAL_GENERATION


def _accepts_all(group: ConsumerGroup, member: Member, commit: CommitOffsets, metadata_max: int) -> bool:
    """Return whether the fence accepts all partitions.

    Those with metadata that are too long do not count, because they are refused anyway.
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
