"""StreamsGroupHeartbeat of a member that stays or joins (rule 5.2).

A heartbeat extends the session of the member, and contains its changed fields and the tasks that it owns. The answer
contains the tasks that it should own (`progress.py` has the steps). A member's first heartbeat also contains the
topology. `unchanged_heartbeat.py` answers heartbeats that change nothing.
"""

from dataclasses import replace

from tenure.coordinator.answers import NO_MEMBER_ID, Refused
from tenure.coordinator.groups.answers import StreamsHeartbeatAnswered
from tenure.coordinator.groups.classic import logged as classic_logged
from tenure.coordinator.groups.classic.group import ClassicGroup
from tenure.coordinator.groups.classic.states import HAS_MEMBERS
from tenure.coordinator.groups.commands import StreamsHeartbeat
from tenure.coordinator.groups.consumer.group import ConsumerGroup
from tenure.coordinator.groups.member_refusals import group_is_full
from tenure.coordinator.groups.records import (
    EndpointsChanged,
    SessionExtended,
    ShutdownRequested,
)
from tenure.coordinator.groups.state import Groups
from tenure.coordinator.groups.streams.endpoints import endpoint_partitions
from tenure.coordinator.groups.streams.group import StreamsGroup
from tenure.coordinator.groups.streams.leave import leave
from tenure.coordinator.groups.streams.member import Endpoint, StreamsMember
from tenure.coordinator.groups.streams.progress import StepRefused, StreamsProgress
from tenure.coordinator.groups.streams.seat import seat_of
from tenure.coordinator.groups.streams.tasks import Tasks, tasks_of
from tenure.coordinator.groups.streams.topic_plan import Status
from tenure.coordinator.groups.streams.unchanged_heartbeat import answer_unchanged_heartbeat
from tenure.coordinator.groups.streams.validation import why_refused
from tenure.coordinator.shard import AskId, CoordinatorResult, Now
from tenure.protocol.errors import ErrorCode
from tenure.protocol.special_values import JOINS, LEAVES


def streams_heartbeat(
    groups: Groups, ask: AskId, group: StreamsGroup, beat: StreamsHeartbeat, now: Now
) -> CoordinatorResult:
    result = answer_unchanged_heartbeat(groups, group, ask, beat, now)
    if result is not None:
        return result
    refused = why_refused(beat)
    if refused is not None:
        return CoordinatorResult((), ((ask, refused),))
    if beat.member_epoch <= LEAVES:
        return leave(ask, group, beat)
    return _stay_or_join(groups, ask, group, [], beat, now)


def streams_heartbeat_to_new_group(
    groups: Groups, ask: AskId, other: ClassicGroup | ConsumerGroup | None, beat: StreamsHeartbeat, now: Now
) -> CoordinatorResult:
    """Handle a heartbeat that creates a streams group. Committed offsets of an empty classic group are kept."""
    refused = why_refused(beat)
    if refused is not None:
        return CoordinatorResult((), ((ask, refused),))
    group_id = beat.group_id
    is_other = isinstance(other, ConsumerGroup) or (
        other is not None and (beat.member_epoch != JOINS or other.state in HAS_MEMBERS)
    )
    if is_other or beat.member_epoch != JOINS:
        why = (
            f"Group {group_id} is not a streams group."
            if is_other
            else f"{'Group' if beat.member_epoch < JOINS else 'Streams group'} {group_id} not found."
        )
        return CoordinatorResult((), ((ask, Refused(ErrorCode.GROUP_ID_NOT_FOUND, NO_MEMBER_ID, why)),))
    ended = [] if other is None else [classic_logged.removed(group_id)]
    return _stay_or_join(groups, ask, StreamsGroup(group_id, groups.configs_of(group_id)), [*ended], beat, now)


def _stay_or_join(
    groups: Groups, ask: AskId, group: StreamsGroup, ended: list[object], beat: StreamsHeartbeat, now: Now
) -> CoordinatorResult:
    if beat.member_epoch == JOINS and _is_full(groups, group, beat):
        return CoordinatorResult((), ((ask, group_is_full("streams", groups.settings.group_streams_max_size)),))
    owned = _owned(beat)
    seat = seat_of(group, beat, owned)
    if isinstance(seat, Refused):
        return CoordinatorResult((), ((ask, seat),))
    progress = StreamsProgress(groups, group, seat, now, ended)
    try:
        progress.describe(_described(seat.member, beat), is_static=beat.instance_id is not None)
        progress.report_offsets(beat.task_offsets, beat.task_end_offsets)
        progress.set_topology(beat.topology)
        progress.check_topics(owned)
        progress.assign()
        progress.reconcile(owned)
    except StepRefused as refusal:
        return CoordinatorResult((), ((ask, refusal.refused),))
    answer = _answer(progress, beat, now)
    return CoordinatorResult(progress.records, ((ask, answer),), progress.effects)


def _is_full(groups: Groups, group: StreamsGroup, beat: StreamsHeartbeat) -> bool:
    is_known = beat.instance_id in group.static_members or beat.member_id in group.members
    return len(group.members) >= groups.settings.group_streams_max_size and not is_known


def _owned(beat: StreamsHeartbeat) -> Tasks | None:
    active, standby, warmup = beat.owned
    if active is None or standby is None or warmup is None:
        return None
    return Tasks(tasks_of(active), tasks_of(standby), tasks_of(warmup))


def _described(member: StreamsMember, beat: StreamsHeartbeat) -> StreamsMember:
    """Return the member with the fields of the heartbeat. For a field of None, the member keeps its value.

    The endpoint is an exception: if a member joins again without an endpoint, its previous endpoint is removed.
    """
    endpoint = None if beat.user_endpoint is None else Endpoint(*beat.user_endpoint)
    keeps_endpoint = endpoint is None and beat.member_epoch != JOINS
    return replace(
        member,
        instance_id=member.instance_id if beat.instance_id is None else beat.instance_id,
        rack_id=member.rack_id if beat.rack_id is None else beat.rack_id,
        client_id=beat.client_id,
        client_host=beat.client_host,
        rebalance_timeout_ms=member.rebalance_timeout_ms
        if beat.rebalance_timeout_ms == -1
        else beat.rebalance_timeout_ms,
        topology_epoch=member.topology_epoch if beat.topology is None else beat.topology.epoch,
        process_id=member.process_id if beat.process_id is None else beat.process_id,
        user_endpoint=member.user_endpoint if keeps_endpoint else endpoint,
        client_tags=member.client_tags if beat.client_tags is None else tuple(sorted(beat.client_tags.items())),
    )


def _answer(progress: StreamsProgress, beat: StreamsHeartbeat, now: Now) -> StreamsHeartbeatAnswered:
    group, before, member = progress.group, progress.seat.member, progress.member
    group_id, member_id, configs = group.group_id, member.member_id, group.configs
    plan = progress.plan
    assert plan is not None
    progress.records.append(SessionExtended(group_id, member_id, now.tick_ms + configs.streams_session_timeout_ms))
    if beat.shutdown_application:
        progress.records.append(ShutdownRequested(group_id, member_id))
    changed = member.assigned != before.assigned
    endpoint_epoch = group.endpoint_epoch
    if member.user_endpoint != before.user_endpoint or (changed and member.user_endpoint is not None):
        endpoint_epoch += 1
        if group.members:
            progress.records.append(EndpointsChanged(group_id))
    knows_endpoints = beat.endpoint_epoch == endpoint_epoch
    return StreamsHeartbeatAnswered(
        member_id,
        member.member_epoch,
        configs.streams_heartbeat_interval_ms,
        configs.streams_task_offset_interval_ms,
        configs.streams_acceptable_recovery_lag,
        _status(progress, beat),
        member.assigned if beat.member_epoch == JOINS or changed else None,
        endpoint_epoch if _existed_before(progress) else 0,
        None if knows_endpoints else endpoint_partitions(progress.members, plan, progress.topics),
        plan.missing_internal_topics,
    )


def _existed_before(progress: StreamsProgress) -> bool:
    """Return whether the group existed before this heartbeat.

    The answer to a heartbeat that creates the group has endpoint epoch 0 (rule 5.5).
    """
    return progress.groups.by_id.get(progress.group.group_id) is progress.group


def _status(progress: StreamsProgress, beat: StreamsHeartbeat) -> list[tuple[int, str]]:
    group, status = progress.group, progress.status
    if progress.plan is not None and progress.plan.problem is not None:
        status.append(progress.plan.problem)
    asked_by = group.shutdown_member_id or (beat.member_id if beat.shutdown_application else None)
    if asked_by is not None:
        detail = f"Streams group member {asked_by} encountered a fatal error and requested a shutdown for the entire"
        status.append((Status.SHUTDOWN_APPLICATION, f"{detail} application."))
    known = {key for key, _ in progress.member.client_tags}
    missing = [tag for tag in group.configs.streams_rack_aware_assignment_tags if tag not in known]
    if missing and beat.knows_missing_tags:
        detail = (
            f"Missing required client tags for rack-aware standby assignment: [{', '.join(missing)}]. Configure them "
            "via 'client.tag.<tagKey>' in your Streams config."
        )
        status.append((Status.MISSING_CLIENT_TAGS, detail))
    return status
