"""ConsumerGroupHeartbeat of a member that stays or joins (rule 3.4).

A heartbeat extends the session of the member, and contains its subscription and the partitions that it owns. The answer
contains the partitions that it should own (`progress.py` has the steps). Nearly all heartbeats change nothing:
`unchanged_heartbeat.py` answers them without these steps.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tenure.coordinator.answers import Refused
from tenure.coordinator.groups.answers import HeartbeatAnswered
from tenure.coordinator.groups.commands import ConsumerHeartbeat
from tenure.coordinator.groups.consumer import regexes
from tenure.coordinator.groups.consumer.group import ConsumerGroup
from tenure.coordinator.groups.consumer.interval import has_just_changed, sooner_ms
from tenure.coordinator.groups.consumer.leave import Removal, leave
from tenure.coordinator.groups.consumer.member import Member, MemberState
from tenure.coordinator.groups.consumer.progress import MemberProgress
from tenure.coordinator.groups.consumer.reconcile import Owned
from tenure.coordinator.groups.consumer.seat import seat_of
from tenure.coordinator.groups.consumer.unchanged_heartbeat import answer_unchanged_heartbeat
from tenure.coordinator.groups.consumer.validation import why_refused
from tenure.coordinator.groups.member_refusals import group_is_full
from tenure.coordinator.groups.records import SessionExtended
from tenure.coordinator.groups.state import Groups
from tenure.coordinator.shard import AskId, CoordinatorResult, Now, Reply
from tenure.protocol.special_values import JOINS
from tenure.protocol.types import MemberId, PartitionId, TopicId, topic_id_text


@dataclass(slots=True)
class HeartbeatGroup:
    """Group that has received a heartbeat, which may have created the group."""

    group: ConsumerGroup
    records: list[object]
    """Records that create the group, and end a classic group that it replaces; empty if the group existed before."""
    replies: list[Reply]
    """Replies to waiting members of the classic group."""
    is_unfinished: bool = False
    """True if the classic group ended before its assignment was complete."""


def consumer_heartbeat(
    groups: Groups, ask: AskId, group: ConsumerGroup, beat: ConsumerHeartbeat, now: Now
) -> CoordinatorResult | Removal:
    result = answer_unchanged_heartbeat(groups, group, ask, beat, now)
    if result is not None:
        return result
    refused = why_refused(beat, groups.settings)
    if refused is not None:
        return CoordinatorResult((), ((ask, refused),))
    if beat.member_epoch < JOINS:
        return leave(ask, group, beat)
    return stay_or_join(groups, ask, HeartbeatGroup(group, [], []), beat, now)


def stay_or_join(
    groups: Groups, ask: AskId, made: HeartbeatGroup, beat: ConsumerHeartbeat, now: Now
) -> CoordinatorResult:
    group = made.group
    member_id = beat.member_id or MemberId(topic_id_text(TopicId(groups.random_bytes(16))))
    size_max = groups.settings.group_consumer_max_size
    if not group.may_join(member_id, beat.instance_id, size_max):
        return CoordinatorResult((), ((ask, group_is_full("consumer", size_max)),))
    owned = None if beat.owned is None else _by_topic(beat.owned)
    seat = seat_of(group, beat, member_id, owned)
    if isinstance(seat, Refused):
        return CoordinatorResult((), ((ask, seat),))
    pattern = beat.subscribed_topic_regex
    if pattern and pattern != seat.member.subscribed_topic_regex and (invalid := regexes.refused(pattern)) is not None:
        return CoordinatorResult((), ((ask, invalid),))
    progress = MemberProgress(groups, group, seat, now, made.records)
    progress.is_due = made.is_unfinished
    progress.may_describe = beat.may_describe
    progress.describe(_described(seat.member, beat))
    progress.update_regexes()
    progress.update_group_epoch()
    progress.assign()
    error = progress.reconcile(owned)
    if error is not None:
        return progress.refused(ask, error)
    made.replies.append((ask, _answer(progress, beat, now)))
    return CoordinatorResult(progress.records, made.replies, progress.effects)


def _by_topic(owned: Sequence[tuple[TopicId, Sequence[PartitionId]]]) -> Owned:
    """Return the owned partitions of each topic. The request may list a topic more than once."""
    by_topic: dict[TopicId, list[PartitionId]] = {}
    for topic_id, partitions in owned:
        by_topic.setdefault(topic_id, []).extend(partitions)
    return by_topic


def _answer(progress: MemberProgress, beat: ConsumerHeartbeat, now: Now) -> HeartbeatAnswered:
    """Return the answer to the heartbeat (rule 3.4, steps 6 and 7)."""
    group, member = progress.group, progress.member
    deadline_ms = now.tick_ms + group.configs.consumer_session_timeout_ms
    progress.records.append(SessionExtended(group.group_id, member.member_id, deadline_ms))
    tells = beat.member_epoch == JOINS or _is_full(beat) or member.assigned != progress.seat.member.assigned
    assignment = member.assigned if tells else None
    return HeartbeatAnswered(member.member_id, member.member_epoch, _interval_ms(progress, now), assignment)


def _interval_ms(progress: MemberProgress, now: Now) -> int:
    group, member = progress.group, progress.member
    is_there = member.state is MemberState.STABLE and member.member_epoch == progress.group_epoch
    if is_there and not progress.waits_for_work and not has_just_changed(group, now):
        return group.configs.consumer_heartbeat_interval_ms
    return sooner_ms(group, progress.groups.settings)


def _described(member: Member, beat: ConsumerHeartbeat) -> Member:
    """Return the member with the fields of the heartbeat. For a field of None, the member keeps its value."""
    names, regex, timeout_ms = beat.subscribed_topic_names, beat.subscribed_topic_regex, beat.rebalance_timeout_ms
    if (
        beat.instance_id == member.instance_id
        and beat.client_id == member.client_id
        and beat.client_host == member.client_host
        and names is regex is beat.rack_id is beat.server_assignor is None
        and timeout_ms == -1
        and member.classic is None
    ):
        return member
    return replace(
        member,
        instance_id=member.instance_id if beat.instance_id is None else beat.instance_id,
        rack_id=member.rack_id if beat.rack_id is None else beat.rack_id,
        client_id=beat.client_id,
        client_host=beat.client_host,
        rebalance_timeout_ms=member.rebalance_timeout_ms if timeout_ms == -1 else timeout_ms,
        subscribed_topic_names=member.subscribed_topic_names if names is None else tuple(sorted(set(names))),
        subscribed_topic_regex=member.subscribed_topic_regex if regex is None else regex,
        server_assignor=member.server_assignor if beat.server_assignor is None else beat.server_assignor,
        classic=None,
    )


def _is_full(beat: ConsumerHeartbeat) -> bool:
    """Return whether the heartbeat contains all fields. The answer then contains all fields, too.

    Clients send such a heartbeat after a lost connection.
    """
    subscribes = beat.subscribed_topic_names is not None or beat.subscribed_topic_regex is not None
    return beat.rebalance_timeout_ms != -1 and subscribes and beat.owned is not None
