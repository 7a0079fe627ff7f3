"""Expiry of the timers of a consumer group (rule 3.7): the member is removed, as if it had left."""

from typing import Final

from tenure.coordinator.groups.causes import Cause, Why
from tenure.coordinator.groups.consumer.group import ConsumerGroup
from tenure.coordinator.groups.consumer.leave import Removal
from tenure.coordinator.groups.consumer.member import MemberState
from tenure.coordinator.groups.records import ConsumerGroupLoaded, RevocationTimerArmed, SessionExtended
from tenure.coordinator.groups.timers import Timer, TimerKind
from tenure.coordinator.shard import Now

CAUSES: Final = {
    TimerKind.SESSION: Cause.SESSION_EXPIRED,
    TimerKind.REVOCATION: Cause.REVOCATION_EXPIRED,
    TimerKind.MEMBER_REJOIN: Cause.JOIN_EXPIRED,
    TimerKind.MEMBER_SYNC: Cause.SYNC_EXPIRED,
}


def expire(group: ConsumerGroup, timer: Timer) -> Removal:
    return Removal([group.members[timer.member_id]], Why(CAUSES[timer.kind], timer.member_id))


def loaded_again(group: ConsumerGroup, now: Now) -> list[object]:
    """Return the records that end the load of a group and restart its timers (rule 6.5.4).

    Every member gets a full session. A member that is giving up partitions gets its full rebalance timeout.
    """
    group_id, session_ms = group.group_id, group.configs.consumer_session_timeout_ms
    records: list[object] = [ConsumerGroupLoaded(group_id)]
    for member in group.members.values():
        records.append(SessionExtended(group_id, member.member_id, now.tick_ms + session_ms))
        if member.state is MemberState.UNREVOKED_PARTITIONS:
            deadline_ms = now.tick_ms + member.rebalance_timeout_ms
            records.append(RevocationTimerArmed(group_id, member.member_id, deadline_ms))
    return records
