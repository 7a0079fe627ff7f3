"""Heartbeats of classic members (rule 2.10).

A heartbeat extends the member's session. REBALANCE_IN_PROGRESS tells the member to join again. Nothing is written to
the log. The order of the checks is visible on the wire: an unknown member with an old generation gets
UNKNOWN_MEMBER_ID, not ILLEGAL_GENERATION.

Heartbeats are the most frequent requests of a broker. So this rule needs no copy of the group, and emits one record.
"""

from typing import Final

from tenure.coordinator.answers import ACCEPTED, Refused, refuse
from tenure.coordinator.groups.classic.group import ClassicGroup, Member
from tenure.coordinator.groups.classic.states import State
from tenure.coordinator.groups.commands import Heartbeat
from tenure.coordinator.groups.records import SessionExtended
from tenure.coordinator.groups.state import AnyGroup, Groups
from tenure.coordinator.shard import AskId, CoordinatorResult, Now
from tenure.protocol.errors import ErrorCode

DEAD: Final = State.DEAD
PREPARING_REBALANCE: Final = State.PREPARING_REBALANCE
"""State as a constant, because looking up an enum member takes as long as all other checks of a heartbeat."""
JOIN_AGAIN: Final = Refused(ErrorCode.REBALANCE_IN_PROGRESS)


def heartbeat(_: Groups, ask: AskId, group: AnyGroup | None, beat: Heartbeat, now: Now) -> CoordinatorResult:
    group_id, member_id = beat.group_id, beat.member_id
    if not group_id:  # An offset commit creates even this group (rule 2.3).
        return refuse(ask, ErrorCode.INVALID_GROUP_ID)
    if not isinstance(group, ClassicGroup):
        return refuse(ask, ErrorCode.UNKNOWN_MEMBER_ID)
    if group.state is DEAD:
        return refuse(ask, ErrorCode.COORDINATOR_NOT_AVAILABLE)
    member = group.find_member(member_id, beat.group_instance_id)
    if not isinstance(member, Member):
        return refuse(ask, member)
    if beat.generation_id != group.generation_id:
        return refuse(ask, ErrorCode.ILLEGAL_GENERATION)
    deadline_ms = now.tick_ms + member.session_timeout_ms
    answer = JOIN_AGAIN if group.state is PREPARING_REBALANCE else ACCEPTED
    return CoordinatorResult((SessionExtended(group_id, member_id, deadline_ms),), ((ask, answer),))
