"""OffsetCommit to classic and simple groups (rule 2.13).

The checks of a commit fence zombies: the sender of a commit must be a member of the group in the present generation,
and must be the holder of its instance id. A commit without member and generation comes from an operator or a simple
consumer. It is accepted only while the group has no members. While a rebalance waits for members to join, members of
the old generation may still commit the offsets of records that they have processed.
"""

from collections.abc import Sequence
from typing import Final

from tenure.coordinator.answers import refuse
from tenure.coordinator.groups.answers import ALL_COMMITTED, Committed
from tenure.coordinator.groups.classic.group import ClassicGroup, Member
from tenure.coordinator.groups.classic.states import State
from tenure.coordinator.groups.commands import CommitOffsets
from tenure.coordinator.groups.offsets.commit_to_epoch_group import why_refused
from tenure.coordinator.groups.offsets.metadata import utf16_units
from tenure.coordinator.groups.records import SessionExtended, SimpleGroupMade
from tenure.coordinator.groups.state import AnyGroup, Groups
from tenure.coordinator.shard import AskId, CoordinatorResult, LogRecord, Now
from tenure.limits.coordinator import OFFSETS_PER_COMMIT_MAX
from tenure.protocol.coordinator_logs.consumer_offsets import OffsetCommitKey, OffsetCommitValue
from tenure.protocol.errors import ErrorCode

DEAD: Final = State.DEAD
COMPLETING_REBALANCE: Final = State.COMPLETING_REBALANCE
"""State as a constant, because looking up an enum member takes as long as all other checks of a commit."""


def commit_offsets(
    groups: Groups, ask: AskId, group: AnyGroup | None, commit: CommitOffsets, now: Now
) -> CoordinatorResult:
    metadata_max = groups.settings.offset_metadata_max_bytes
    fence: Member | ErrorCode | None
    if group is None or isinstance(group, ClassicGroup):
        fence = _fence(group, commit)
    else:
        fence = why_refused(group, commit, metadata_max)
    if fence is not None and not isinstance(fence, Member):
        return refuse(ask, fence)
    if len(commit.offsets) > OFFSETS_PER_COMMIT_MAX:
        return refuse(ask, ErrorCode.UNKNOWN_SERVER_ERROR)
    records, answer = _records(commit, metadata_max, now.wall_ms)
    if fence is not None:
        deadline_ms = now.tick_ms + fence.session_timeout_ms
        records.append(SessionExtended(commit.group_id, fence.member_id, deadline_ms))
    elif not records and group is None:
        records.append(SimpleGroupMade(commit.group_id))
    return CoordinatorResult(records, ((ask, answer),))


def _fence(group: ClassicGroup | None, commit: CommitOffsets) -> Member | ErrorCode | None:
    """Return the member that commits, an error, or None if the commit is accepted without a member.

    The order of the checks decides which error a client gets, so it is the same as in Kafka.
    """
    generation_id = commit.generation_id
    if group is None:
        if generation_id < 0:
            return None
        return ErrorCode.GROUP_ID_NOT_FOUND if commit.member_epochs_supported else ErrorCode.ILLEGAL_GENERATION
    if group.state is DEAD:
        return ErrorCode.COORDINATOR_NOT_AVAILABLE
    if generation_id < 0:
        if group.state is State.EMPTY:
            return None
        if not commit.member_id and commit.group_instance_id is None:
            return ErrorCode.UNKNOWN_MEMBER_ID
    member = group.find_member(commit.member_id, commit.group_instance_id)
    if not isinstance(member, Member):
        return member
    if generation_id != group.generation_id:
        return ErrorCode.ILLEGAL_GENERATION
    if group.state is COMPLETING_REBALANCE:
        return ErrorCode.REBALANCE_IN_PROGRESS
    return member


def _records(commit: CommitOffsets, metadata_max: int, wall_ms: int) -> tuple[list[object], Committed]:
    """Return a record for each accepted partition, and the answer.

    A partition is refused only if its metadata is too long.
    """
    expires_ms = -1 if commit.retention_time_ms == -1 else wall_ms + commit.retention_time_ms
    group_id = commit.group_id
    records: list[object] = []
    refused: list[int] = []
    for index, one in enumerate(commit.offsets):
        metadata = one.metadata or ""
        if 2 * len(metadata) > metadata_max and utf16_units(metadata) > metadata_max:
            refused.append(index)
            continue
        key = OffsetCommitKey(group_id, one.topic, one.partition)
        value = OffsetCommitValue(one.offset, one.leader_epoch, metadata, wall_ms, expires_ms, one.topic_id)
        records.append(LogRecord(key, value))
    return records, _answer(len(commit.offsets), refused) if refused else ALL_COMMITTED


def _answer(offsets: int, refused: Sequence[int]) -> Committed:
    codes = [ErrorCode.NONE] * offsets
    for index in refused:
        codes[index] = ErrorCode.OFFSET_METADATA_TOO_LARGE
    return Committed(codes)
