"""Static replacement: a static member returns under a new member id (rule 2.6; KIP-345, KIP-814).

The new id takes over the assignment, and waiting requests of the old id are fenced. In a Stable group, the group's
record is written again with the new id. The generation does not change, and no other member has to join again, unless
the group would now select another protocol. In a CompletingRebalance group, the leader assigns partitions to the old
id, so the group rebalances again.

As in Kafka, the first session of the new id has the timeout of the old id. A new timeout applies from its first
heartbeat on.
"""

from dataclasses import replace

from tenure.coordinator.groups.answers import Joined
from tenure.coordinator.groups.causes import Cause, Why
from tenure.coordinator.groups.classic import logged
from tenure.coordinator.groups.classic.draft import Draft
from tenure.coordinator.groups.classic.group import ClassicGroup
from tenure.coordinator.groups.classic.rebalance import joined, maybe_complete_join_phase, prepare_rebalance
from tenure.coordinator.groups.classic.states import State
from tenure.coordinator.groups.commands import JoinGroup
from tenure.coordinator.groups.records import JoinParked, MemberReplaced, SessionExtended
from tenure.coordinator.shard import AskId
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import MemberId


def replace_static_member(draft: Draft, ask: AskId, join: JoinGroup, old: MemberId, new: MemberId) -> None:
    group = draft.group
    if group.state in (State.EMPTY, State.DEAD):
        return draft.refuse(ask, ErrorCode.UNKNOWN_SERVER_ERROR)
    old_leader = group.leader
    draft.refuse(group.parked_joins.get(old), ErrorCode.FENCED_INSTANCE_ID, old)
    draft.refuse(group.parked_syncs.get(old), ErrorCode.FENCED_INSTANCE_ID)
    replaced = group.members[old]
    member = replace(
        replaced,
        member_id=new,
        session_timeout_ms=join.session_timeout_ms,
        rebalance_timeout_ms=join.rebalance_timeout_ms,
        protocols=tuple(join.protocols),
    )
    draft.emit(MemberReplaced(group.group_id, old, member, join.reason))
    draft.emit(SessionExtended(group.group_id, new, draft.now.tick_ms + replaced.session_timeout_ms))

    if group.state is State.STABLE and group.winning_protocol() == group.protocol_name:
        draft.emit(logged.with_members(group, group.assignments))
        return _answer_silently(draft, ask, join, old_leader, new)
    draft.emit(JoinParked(group.group_id, new, ask))
    if group.state is State.PREPARING_REBALANCE:
        return maybe_complete_join_phase(draft)
    return prepare_rebalance(draft, Why(Cause.CAME_BACK, new, join.reason))


def _answer_silently(draft: Draft, ask: AskId, join: JoinGroup, old_leader: MemberId | None, new: MemberId) -> None:
    """Answer the join of a static member without a rebalance. `new` is its new member id.

    A leader that returns must not assign partitions. A client with KIP-814 is told so in the answer. A client without
    KIP-814 gets `old_leader`, the leader's id before this join. A leader that returns does not find its new id there,
    so it behaves as a follower.
    """
    group: ClassicGroup = draft.group
    answer = joined(group, new, skip_assignment=new == group.leader)
    if not join.skip_assignment_supported and old_leader is not None:
        answer = Joined(answer.generation_id, answer.protocol_type, answer.protocol_name, old_leader, new)
    draft.reply(ask, answer)
