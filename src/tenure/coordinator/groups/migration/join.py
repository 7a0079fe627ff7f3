"""JoinGroup of a classic member to a consumer group (rule 3.9) or a streams group (rule 5.2).

A group without members becomes classic. A streams group with members refuses the join.

In a consumer group, a join contains the member's subscription and partitions, as a consumer heartbeat does. So it takes
the same steps (`progress.py`), and is answered at once, without waiting for other members. A member without partitions
reaches the target's epoch with one join. An eager member never has partitions when it joins, because it revokes all of
them before. A cooperative member joins again when it has given up the revoked partitions.

A new member id with a known instance id takes over the seat of that static member without a check, because it belongs
to a restarted process. An unknown member id is accepted if it claims no partitions, because the coordinator does not
store the ids that it hands out. An unknown member id that claims partitions is refused: its member does not know that
it was removed, and would process these partitions until it syncs.
"""

from dataclasses import replace

from tenure.coordinator.answers import NO_MEMBER_ID, Refused, refuse
from tenure.coordinator.groups.answers import Joined
from tenure.coordinator.groups.causes import Cause, Why
from tenure.coordinator.groups.classic.join import join_group
from tenure.coordinator.groups.classic.subscriptions import CONSUMER
from tenure.coordinator.groups.commands import JoinGroup
from tenure.coordinator.groups.consumer.group import ConsumerGroup
from tenure.coordinator.groups.consumer.member import Member
from tenure.coordinator.groups.consumer.progress import MemberProgress
from tenure.coordinator.groups.consumer.reconcile import Owned
from tenure.coordinator.groups.consumer.seat import Seat
from tenure.coordinator.groups.migration.downgrade import downgraded_with, is_due_with_replacement
from tenure.coordinator.groups.migration.embedded_protocol import classic_metadata, partitions_of
from tenure.coordinator.groups.migration.request_sender import find_member
from tenure.coordinator.groups.offsets.group_removal import group_removed
from tenure.coordinator.groups.records import MemberJoined, SessionExtended
from tenure.coordinator.groups.state import EpochGroup, Groups
from tenure.coordinator.groups.streams.group import StreamsGroup
from tenure.coordinator.shard import AskId, CoordinatorResult, Now
from tenure.protocol.consumer_protocol import Subscription, decode_subscription
from tenure.protocol.errors import ErrorCode
from tenure.protocol.message import MalformedMessage
from tenure.protocol.types import GenerationId, MemberId, TopicId, topic_id_text


def join_consumer_group(
    groups: Groups, ask: AskId, group: ConsumerGroup, join: JoinGroup, now: Now
) -> CoordinatorResult:
    if not group.members:
        return _join_empty_group(groups, ask, group, join, now)
    if not groups.settings.allows_session_timeout(join.session_timeout_ms):
        return refuse(ask, ErrorCode.INVALID_SESSION_TIMEOUT, join.member_id)
    member_id = join.member_id or MemberId(topic_id_text(TopicId(groups.random_bytes(16))))
    if not group.may_join(member_id, join.group_instance_id, groups.settings.group_consumer_max_size):
        return refuse(ask, ErrorCode.GROUP_MAX_SIZE_REACHED)
    if not _supports(group, join):
        return refuse(ask, ErrorCode.INCONSISTENT_GROUP_PROTOCOL)
    if not join.member_id and join.group_instance_id is None and join.known_member_id_required:
        return refuse(ask, ErrorCode.MEMBER_ID_REQUIRED, member_id)
    seat = _seat(group, join, member_id)
    if isinstance(seat, ErrorCode):
        return refuse(ask, seat)
    try:
        subscription = decode_subscription(join.protocols[0][1])
    except MalformedMessage:
        return refuse(ask, ErrorCode.INCONSISTENT_GROUP_PROTOCOL)
    if seat.is_new and join.member_id and subscription.owned_partitions:
        return refuse(ask, ErrorCode.UNKNOWN_MEMBER_ID)
    progress = MemberProgress(groups, group, seat, now, [])
    progress.may_describe = join.may_describe
    progress.describe(_described(seat.member, join, subscription))
    progress.update_regexes()
    progress.update_group_epoch()
    owned = partitions_of(subscription.owned_partitions, progress.topics)
    holder_id = None if join.group_instance_id is None else group.static_members.get(join.group_instance_id)
    if holder_id is not None and is_due_with_replacement(groups.settings, group, group.members[holder_id]):
        return _take_the_last_seat(progress, ask, join, group.members[holder_id], owned)
    progress.assign()
    refused = progress.reconcile(owned)
    if refused is not None:
        return progress.refused(ask, Refused(refused.error_code))
    progress.records.append(MemberJoined(join.group_id, member_id, now.tick_ms + join.rebalance_timeout_ms))
    progress.records.append(SessionExtended(join.group_id, member_id, now.tick_ms + join.session_timeout_ms))
    return CoordinatorResult(progress.records, ((ask, _joined(progress.member, join)),), progress.effects)


def join_streams_group(groups: Groups, ask: AskId, group: StreamsGroup, join: JoinGroup, now: Now) -> CoordinatorResult:
    if group.members:
        return refuse(ask, ErrorCode.INCONSISTENT_GROUP_PROTOCOL, join.member_id)
    return _join_empty_group(groups, ask, group, join, now)


def _join_empty_group(groups: Groups, ask: AskId, group: EpochGroup, join: JoinGroup, now: Now) -> CoordinatorResult:
    """Let a classic member join a consumer or streams group without members. The group becomes classic."""
    result = join_group(groups, ask, None, join, now)
    if not result.records:
        return result
    records = [*group_removed(group), *result.records]
    return CoordinatorResult(records, result.replies, result.effects)


def _take_the_last_seat(
    progress: MemberProgress, ask: AskId, join: JoinGroup, holder: Member, owned: Owned
) -> CoordinatorResult:
    """Let a classic member replace `holder`, the last member of the consumer protocol. The group becomes classic.

    The member moves towards the target only if the target was computed for the present group epoch. An older target
    does not consider the member's subscription.
    """
    group = progress.group
    is_current = progress.group_epoch == group.target_epoch
    if is_current:
        progress.reconcile(owned)
    member = progress.member
    others = (other for other in group.members.values() if other is not holder)
    is_settled = is_current and all(group.has_reached_target(one) for one in (member, *others))
    why = None if is_settled else Why(Cause.CAME_BACK, member.member_id, join.reason)
    records = downgraded_with(progress.groups, group, member, holder, why, progress.now)
    return CoordinatorResult([*progress.records, *records], ((ask, _joined(member, join)),))


def _joined(member: Member, join: JoinGroup) -> Joined:
    """Return the answer to a join. It names no leader, because the coordinator assigns."""
    protocol_name, _ = join.protocols[0]
    return Joined(GenerationId(member.member_epoch), CONSUMER, protocol_name, NO_MEMBER_ID, member.member_id)


def _supports(group: ConsumerGroup, join: JoinGroup) -> bool:
    """Return whether the joining member has a protocol that all classic members of the group support (rule J4)."""
    known = [
        {protocol.name for protocol in member.classic.supported_protocols}
        for member in group.members.values()
        if member.classic is not None
    ]
    return join.protocol_type == CONSUMER and any(all(name in one for one in known) for name, _ in join.protocols)


def _seat(group: ConsumerGroup, join: JoinGroup, member_id: MemberId) -> Seat | ErrorCode:
    if join.group_instance_id is None:
        return _seat_of(group, member_id)
    holder_id = group.static_members.get(join.group_instance_id)
    if join.member_id:
        held = find_member(group, member_id, join.group_instance_id)
        return held if isinstance(held, ErrorCode) else Seat(held)
    if holder_id is None:
        return _seat_of(group, member_id)
    holder = group.members[holder_id]
    return Seat(replace(holder, member_id=member_id, member_epoch=0, previous_member_epoch=0), True, holder)


def _seat_of(group: ConsumerGroup, member_id: MemberId) -> Seat:
    member = group.members.get(member_id)
    return Seat(Member(member_id), is_new=True) if member is None else Seat(member)


def _described(member: Member, join: JoinGroup, subscription: Subscription) -> Member:
    timeout_ms = join.rebalance_timeout_ms
    return replace(
        member,
        instance_id=member.instance_id if join.group_instance_id is None else join.group_instance_id,
        rack_id=subscription.rack_id or member.rack_id,
        client_id=join.client_id,
        client_host=join.client_host,
        rebalance_timeout_ms=member.rebalance_timeout_ms if timeout_ms == -1 else timeout_ms,
        subscribed_topic_names=tuple(sorted(set(subscription.topics))),
        subscribed_topic_regex="",
        classic=classic_metadata(join.session_timeout_ms, join.protocols),
    )
