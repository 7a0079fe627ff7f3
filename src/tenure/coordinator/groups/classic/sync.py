"""SyncGroup to a classic group (rule 2.9).

Members wait until the leader sends the assignments. When the record with the assignments is durable, all waiting
members are answered. Members that sync later get their assignment at once, because the group is Stable.
"""

from collections.abc import Iterable

from tenure.coordinator.answers import refuse
from tenure.coordinator.groups.answers import Synced
from tenure.coordinator.groups.classic import logged
from tenure.coordinator.groups.classic.group import ClassicGroup
from tenure.coordinator.groups.classic.reserve import with_reserve_members
from tenure.coordinator.groups.classic.states import State
from tenure.coordinator.groups.commands import SyncGroup
from tenure.coordinator.groups.records import MemberSynced, SessionExtended, SyncParked
from tenure.coordinator.groups.state import AnyGroup, Groups
from tenure.coordinator.shard import AskId, CoordinatorResult, Now
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import MemberId


def sync_group(_: Groups, ask: AskId, group: AnyGroup | None, sync: SyncGroup, now: Now) -> CoordinatorResult:
    error = _refusal(group, sync)
    if error is not ErrorCode.NONE or not isinstance(group, ClassicGroup):
        return refuse(ask, error)
    if group.state is State.STABLE:
        answer = _synced(group, group.assignments.get(sync.member_id, b""))
        return CoordinatorResult([MemberSynced(sync.group_id, sync.member_id)], [(ask, answer)])
    parked = SyncParked(sync.group_id, sync.member_id, ask)
    if sync.member_id != group.leader:
        return CoordinatorResult([parked], ())
    assignments = with_reserve_members(group, sync.assignments)
    waiting: dict[MemberId, AskId] = {**group.parked_syncs, sync.member_id: ask}
    replies = [(w, _synced(group, assignments.get(member_id, b""))) for member_id, w in waiting.items()]
    return CoordinatorResult(
        [parked, logged.with_members(group, assignments), *_sessions(group, waiting, now)], replies
    )


def _sessions(group: ClassicGroup, waiting: Iterable[MemberId], now: Now) -> list[SessionExtended]:
    """Return the records that extend the sessions of the members that waited for the leader's sync (rule 2.12).

    These members could not send heartbeats, so their sessions may be about to expire.
    """
    return [
        SessionExtended(group.group_id, member_id, now.tick_ms + group.members[member_id].session_timeout_ms)
        for member_id in waiting
    ]


def names_its_protocol(sync: SyncGroup) -> bool:
    return not sync.protocol_required or (sync.protocol_type is not None and sync.protocol_name is not None)


def _refusal(group: AnyGroup | None, sync: SyncGroup) -> ErrorCode:
    """Return the error of a sync; NONE if it is valid. The order of the checks is visible on the wire."""
    if not names_its_protocol(sync):
        return ErrorCode.INCONSISTENT_GROUP_PROTOCOL
    if not sync.group_id:
        return ErrorCode.INVALID_GROUP_ID
    if not isinstance(group, ClassicGroup):
        return ErrorCode.UNKNOWN_MEMBER_ID
    if group.state is State.DEAD:
        return ErrorCode.COORDINATOR_NOT_AVAILABLE
    member = group.find_member(sync.member_id, sync.group_instance_id)
    if isinstance(member, ErrorCode):
        return member
    if sync.generation_id != group.generation_id:
        return ErrorCode.ILLEGAL_GENERATION
    if sync.protocol_type not in (None, group.protocol_type) or sync.protocol_name not in (None, group.protocol_name):
        return ErrorCode.INCONSISTENT_GROUP_PROTOCOL
    if group.state is State.PREPARING_REBALANCE:
        return ErrorCode.REBALANCE_IN_PROGRESS
    return ErrorCode.NONE


def _synced(group: ClassicGroup, assignment: bytes) -> Synced:
    return Synced(group.protocol_type or "", group.protocol_name or "", assignment)
