"""TxnOffsetCommit (rules 2.14 and 4.3): commits that take effect at the end of a transaction.

The checks are those of OffsetCommit, with one difference: a classic group also accepts a commit while the leader
assigns partitions. Producers older than KIP-447 name no member. Their commits are accepted, and only the transactional
id fences zombies.
"""

from typing import Final

from tenure.coordinator.answers import ACCEPTED, refuse
from tenure.coordinator.groups.answers import ALL_COMMITTED, Committed
from tenure.coordinator.groups.classic.group import ClassicGroup
from tenure.coordinator.groups.classic.states import State
from tenure.coordinator.groups.commands import CommitInTransaction, CommitOffsets, EndOfTransaction
from tenure.coordinator.groups.offsets.commit_to_epoch_group import why_refused
from tenure.coordinator.groups.offsets.metadata import is_too_long
from tenure.coordinator.groups.records import SimpleGroupMade
from tenure.coordinator.groups.state import AnyGroup, Groups
from tenure.coordinator.shard import AskId, CoordinatorResult, Now, TransactionalRecord
from tenure.limits.coordinator import OFFSETS_PER_COMMIT_MAX
from tenure.protocol.coordinator_logs.consumer_offsets import OffsetCommitKey, OffsetCommitValue
from tenure.protocol.errors import ErrorCode

SINCE_MEMBER_EPOCHS: Final = (ErrorCode.STALE_MEMBER_EPOCH, ErrorCode.GROUP_ID_NOT_FOUND)


def commit_in_transaction(
    groups: Groups, ask: AskId, group: AnyGroup | None, commit: CommitInTransaction, now: Now
) -> CoordinatorResult:
    metadata_max = groups.settings.offset_metadata_max_bytes
    refusal = _why_refused(group, commit, metadata_max)
    if refusal is not None:
        return refuse(ask, refusal)
    if len(commit.offsets) > OFFSETS_PER_COMMIT_MAX:
        return refuse(ask, ErrorCode.UNKNOWN_SERVER_ERROR)
    codes: list[ErrorCode] = []
    records: list[object] = []
    for one in commit.offsets:
        if is_too_long(one.metadata, metadata_max):
            codes.append(ErrorCode.OFFSET_METADATA_TOO_LARGE)
            continue
        codes.append(ErrorCode.NONE)
        key = OffsetCommitKey(commit.group_id, one.topic, one.partition)
        value = OffsetCommitValue(one.offset, one.leader_epoch, one.metadata or "", now.wall_ms, topic_id=one.topic_id)
        records.append(TransactionalRecord(commit.producer_id, commit.producer_epoch, key, value))
    if not records and group is None:
        records.append(SimpleGroupMade(commit.group_id))
    answer = Committed(codes) if any(codes) else ALL_COMMITTED
    return CoordinatorResult(records, ((ask, answer),))


def _why_refused(group: AnyGroup | None, commit: CommitInTransaction, metadata_max: int) -> ErrorCode | None:
    if commit.generation_id == -1 and not commit.member_id and commit.group_instance_id is None:
        return None
    refusal = _why_refused_by_group(group, commit, metadata_max)
    if refusal in SINCE_MEMBER_EPOCHS and not commit.member_epochs_supported:
        return ErrorCode.ILLEGAL_GENERATION  # rule 4.5
    return refusal


def _why_refused_by_group(group: AnyGroup | None, commit: CommitInTransaction, metadata_max: int) -> ErrorCode | None:
    if group is None or isinstance(group, ClassicGroup):
        return _why_refused_by_classic(group, commit)
    as_plain = CommitOffsets(
        commit.group_id, commit.member_id, commit.group_instance_id, commit.generation_id, commit.offsets
    )
    return why_refused(group, as_plain, metadata_max)


def _why_refused_by_classic(group: ClassicGroup | None, commit: CommitInTransaction) -> ErrorCode | None:
    if group is None:
        return None if commit.generation_id < 0 else ErrorCode.GROUP_ID_NOT_FOUND
    if group.state is State.DEAD:
        return ErrorCode.COORDINATOR_NOT_AVAILABLE
    if commit.generation_id < 0 and group.state is State.EMPTY:
        return None
    member = group.find_member(commit.member_id, commit.group_instance_id)
    if isinstance(member, ErrorCode):
        return member
    return None if commit.generation_id == group.generation_id else ErrorCode.ILLEGAL_GENERATION


def end_of_transaction(groups: Groups, ask: AskId, end: EndOfTransaction, now: Now) -> CoordinatorResult:  # noqa: ARG001
    """Commit or drop the pending offsets of a transaction. A repeated marker finds none, and changes nothing."""
    return CoordinatorResult((end.marker,), ((ask, ACCEPTED),))
