"""Fast path for heartbeats of consumers that change nothing.

Nearly all heartbeats are of this kind, so this is the broker's hottest path. Such a heartbeat contains only the member
id and the epoch, and both the group and the member have reached the target. It only extends the session. All other
heartbeats take the steps of `progress.py`. For a heartbeat that changes nothing, these steps would give the same
answer, but more slowly.
"""

from typing import Final

from tenure.coordinator.groups.answers import HeartbeatAnswered
from tenure.coordinator.groups.commands import ConsumerHeartbeat
from tenure.coordinator.groups.consumer.group import ConsumerGroup
from tenure.coordinator.groups.consumer.interval import sooner_ms
from tenure.coordinator.groups.consumer.member import MemberState
from tenure.coordinator.groups.records import SessionExtended
from tenure.coordinator.groups.state import Groups
from tenure.coordinator.shard import AskId, CoordinatorResult, Now
from tenure.protocol.special_values import JOINS

STABLE: Final = MemberState.STABLE
"""State as a constant, because looking up an enum member takes as long as all other checks of a heartbeat."""


def answer_unchanged_heartbeat(
    groups: Groups, group: ConsumerGroup, ask: AskId, beat: ConsumerHeartbeat, now: Now
) -> CoordinatorResult | None:
    """Return the result of a heartbeat that changes nothing; None if `progress.py` has to handle it."""
    member = group.members.get(beat.member_id)
    epoch = beat.member_epoch
    if (
        member is None
        or epoch <= JOINS
        or epoch != member.member_epoch
        or epoch != group.target_epoch
        or epoch != group.group_epoch
        or member.state is not STABLE
        or member.classic is not None
        or group.regex_subscribers
        or groups.topics().version != group.topics_version
        or _has_content(beat)
        or beat.instance_id != member.instance_id
        or beat.client_id != member.client_id
        or beat.client_host != member.client_host
    ):
        return None
    configs, member_id = group.configs, beat.member_id
    extended = SessionExtended(group.group_id, member_id, now.tick_ms + configs.consumer_session_timeout_ms)
    interval_ms = configs.consumer_heartbeat_interval_ms
    if now.wall_ms - group.assignment_timestamp < interval_ms:  # `has_just_changed` inlined
        interval_ms = sooner_ms(group, groups.settings)
    answer = HeartbeatAnswered(member_id, epoch, interval_ms, None)
    return CoordinatorResult((extended,), ((ask, answer),))


def _has_content(beat: ConsumerHeartbeat) -> bool:
    return (
        beat.owned is not None
        or beat.subscribed_topic_names is not None
        or beat.subscribed_topic_regex is not None
        or beat.rebalance_timeout_ms != -1
        or beat.server_assignor is not None
        or beat.rack_id is not None
    )
