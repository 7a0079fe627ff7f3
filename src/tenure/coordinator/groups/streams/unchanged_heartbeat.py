"""Fast path for heartbeats of streams members that change nothing.

Nearly all heartbeats are of this kind. Such a heartbeat contains only the member id and epochs, and both the group and
the member have reached the target. It only extends the session. All other heartbeats take the steps of `progress.py`.
For a heartbeat that changes nothing, these steps would give the same answer, but more slowly.
"""

from typing import Final

from tenure.coordinator.groups.answers import StreamsHeartbeatAnswered
from tenure.coordinator.groups.commands import StreamsHeartbeat
from tenure.coordinator.groups.records import SessionExtended
from tenure.coordinator.groups.state import Groups
from tenure.coordinator.groups.streams.assign import assignment_configs
from tenure.coordinator.groups.streams.group import StreamsGroup
from tenure.coordinator.groups.streams.member import TaskState
from tenure.coordinator.shard import AskId, CoordinatorResult, Now
from tenure.protocol.special_values import JOINS

STABLE: Final = TaskState.STABLE


def answer_unchanged_heartbeat(
    groups: Groups, group: StreamsGroup, ask: AskId, beat: StreamsHeartbeat, now: Now
) -> CoordinatorResult | None:
    """Return the result of a heartbeat that changes nothing; None if `progress.py` has to handle it."""
    member, epoch = group.members.get(beat.member_id), beat.member_epoch
    if (
        member is None
        or epoch <= JOINS
        or epoch != member.member_epoch
        or epoch != group.target_epoch
        or epoch != group.group_epoch
        or member.state is not STABLE
        or _has_content(beat)
        or beat.endpoint_epoch != group.endpoint_epoch
        or beat.instance_id != member.instance_id
        or beat.client_id != member.client_id
        or beat.client_host != member.client_host
        or member.topology_epoch < group.topology_epoch
        or _has_changes_for_members(groups, group)
    ):
        return None
    configs, member_id = group.configs, beat.member_id
    extended = SessionExtended(group.group_id, member_id, now.tick_ms + configs.streams_session_timeout_ms)
    answer = StreamsHeartbeatAnswered(
        member_id,
        epoch,
        configs.streams_heartbeat_interval_ms,
        configs.streams_task_offset_interval_ms,
        configs.streams_acceptable_recovery_lag,
        [],
        None,
        group.endpoint_epoch,
    )
    return CoordinatorResult((extended,), ((ask, answer),))


def _has_content(beat: StreamsHeartbeat) -> bool:
    return (
        beat.owned != (None, None, None)
        or beat.task_offsets is not None
        or beat.task_end_offsets is not None
        or beat.topology is not None
        or beat.process_id is not None
        or beat.rebalance_timeout_ms != -1
        or beat.rack_id is not None
        or beat.user_endpoint is not None
        or beat.client_tags is not None
        or beat.shutdown_application
    )


def _has_changes_for_members(groups: Groups, group: StreamsGroup) -> bool:
    """Return whether topics or configs have changed, or members have to get a status."""
    return (
        group.plan is None
        or group.plan.problem is not None
        or group.topology_epoch != group.validated_topology_epoch
        or group.initial_deadline_ms is not None
        or group.shutdown_member_id is not None
        or groups.topics().version != group.topics_version
        or bool(group.configs.streams_rack_aware_assignment_tags)
        or group.assignment_configs != assignment_configs(group.configs)
    )
