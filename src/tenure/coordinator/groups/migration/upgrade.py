"""Upgrade of a classic group to a consumer group, when a member of the consumer protocol joins it (rule 3.9).

The generation becomes the epoch of the group, of its target and of all members. The leader's last assignment becomes
both the present and the target assignment, so the conversion moves no partition. The new member then joins as in any
consumer group. When the target of a classic member changes, the answer to its heartbeat tells it to join again. Members
with a parked join or sync have to join again at once.

An assignment does not show which partitions a member still owns. A cooperative member (KIP-429) keeps revoked
partitions until it has received its new assignment, and during a rebalance there are no assignments at all. So if a
member has claimed a partition in its join that is not assigned to it, it must give up the partition before another
member gets it. Apache Kafka assigns such a partition at once. If the classic group has no complete assignment, a target
is computed, even if the new member only replaces another one.
"""

from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

from tenure.coordinator.answers import NO_MEMBER_ID, Refused
from tenure.coordinator.groups.classic import logged as classic_logged
from tenure.coordinator.groups.classic.group import ClassicGroup
from tenure.coordinator.groups.classic.group import Member as ClassicMember
from tenure.coordinator.groups.classic.reserve import RESERVE_ASSIGNMENT
from tenure.coordinator.groups.classic.states import HAS_MEMBERS, State
from tenure.coordinator.groups.classic.subscriptions import CONSUMER
from tenure.coordinator.groups.commands import ConsumerHeartbeat
from tenure.coordinator.groups.consumer import logged
from tenure.coordinator.groups.consumer.changes import CHANGES
from tenure.coordinator.groups.consumer.group import FIRST_EPOCH, ConsumerGroup
from tenure.coordinator.groups.consumer.heartbeat import HeartbeatGroup, stay_or_join
from tenure.coordinator.groups.consumer.member import NOTHING, Assigned, Member, MemberState, Target
from tenure.coordinator.groups.consumer.subscribed import NO_REGEXES, existing, metadata_hash, topic_names
from tenure.coordinator.groups.consumer.validation import why_refused
from tenure.coordinator.groups.migration.embedded_protocol import classic_metadata, partitions_of
from tenure.coordinator.groups.records import SessionExtended
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.groups.state import Groups
from tenure.coordinator.groups.streams.group import StreamsGroup
from tenure.coordinator.metadata.topics import Topics
from tenure.coordinator.shard import AskId, CoordinatorResult, Now, Reply
from tenure.protocol.consumer_protocol import Assignment, Subscription, decode_assignment, decode_subscription
from tenure.protocol.errors import ErrorCode
from tenure.protocol.message import MalformedMessage
from tenure.protocol.special_values import JOINS
from tenure.protocol.types import GenerationId, MemberId, PartitionId, TopicId

Partition: TypeAlias = tuple[TopicId, PartitionId]

JOIN_AGAIN: Final = ErrorCode.REBALANCE_IN_PROGRESS


def consumer_heartbeat_to_new_group(
    groups: Groups, ask: AskId, other: ClassicGroup | StreamsGroup | None, beat: ConsumerHeartbeat, now: Now
) -> CoordinatorResult:
    """Handle a consumer heartbeat whose group id has no consumer group yet.

    A joining member creates the consumer group. If it replaces a classic group, the committed offsets are kept.
    """
    refused = why_refused(beat, groups.settings)
    if refused is not None:
        return CoordinatorResult((), ((ask, refused),))
    made = _made_for(groups, other, beat, now)
    if isinstance(made, Refused):
        return CoordinatorResult((), ((ask, made),))
    return stay_or_join(groups, ask, made, beat, now)


def _made_for(
    groups: Groups, other: ClassicGroup | StreamsGroup | None, beat: ConsumerHeartbeat, now: Now
) -> HeartbeatGroup | Refused:
    group_id = beat.group_id
    if isinstance(other, StreamsGroup) or (other is not None and beat.member_epoch != JOINS):
        return _refused(f"Group {group_id} is not a consumer group.")
    if beat.member_epoch != JOINS:
        return _refused(f"{'Group' if beat.member_epoch < JOINS else 'Consumer group'} {group_id} not found.")
    if other is None:
        return HeartbeatGroup(ConsumerGroup(group_id, groups.configs_of(group_id)), [], [])
    if other.state not in HAS_MEMBERS:
        return HeartbeatGroup(
            ConsumerGroup(group_id, groups.configs_of(group_id)), [classic_logged.removed(group_id)], []
        )
    why = _why_not(groups.settings, other)
    return _upgraded(groups, other, now) if why is None else _refused(why)


def _why_not(settings: GroupSettings, classic: ClassicGroup) -> str | None:
    cannot = f"Cannot upgrade classic group {classic.group_id} to consumer group because"
    if not settings.upgrades:
        return f"{cannot} online upgrade is disabled."
    if classic.protocol_type != CONSUMER:
        return f"{cannot} the group does not use the consumer embedded protocol."
    if len(classic.members) > settings.group_consumer_max_size:
        return f"{cannot} the group size exceeds the consumer group maximum size."
    return None


def _refused(message: str, error_code: ErrorCode = ErrorCode.GROUP_ID_NOT_FOUND) -> Refused:
    return Refused(error_code, NO_MEMBER_ID, message)


def _upgraded(groups: Groups, classic: ClassicGroup, now: Now) -> HeartbeatGroup | Refused:
    cannot = f"Cannot upgrade classic group {classic.group_id} to consumer group because"
    topics = groups.topics()
    try:
        subscriptions = {m.member_id: decode_subscription(_metadata(classic, m)) for m in _members(classic)}
        given = {member.member_id: _assignment(classic, member) for member in _members(classic)}
    except MalformedMessage:
        return _refused(f"{cannot} the embedded consumer protocol is malformed.")
    if any(assignment.user_data for assignment in given.values()):
        return _refused(
            f"{cannot} an unsupported custom assignor is in use. Please refer to the documentation or switch to a "
            "default assignor before re-attempting the upgrade."
        )
    targets = {m: partitions_of(assignment.assigned_partitions, topics) for m, assignment in given.items()}
    target_owners = {partition: m for m, target in targets.items() for partition in _flat(target)}
    if len(target_owners) < sum(len(_flat(target)) for target in targets.values()):
        return _refused(f"{cannot} a partition is assigned to two members.", ErrorCode.UNKNOWN_SERVER_ERROR)
    to_revoke = _pending_revocation(classic, subscriptions, target_owners, topics)
    epoch = max(classic.generation_id, FIRST_EPOCH)  # a group without a generation begins with the first epoch
    assigned = _by_owner({partition: m for partition, m in target_owners.items() if partition not in to_revoke}, epoch)
    pending = _by_owner(to_revoke, epoch)
    members = [
        _member(member, subscriptions[m], assigned.get(m, NOTHING), pending.get(m, NOTHING), epoch)
        for m, member in classic.members.items()
    ]
    made = _made(groups, classic, members, targets, epoch, now)
    wanted = {(t.topic_id, p) for t in existing(topic_names(members, NO_REGEXES), topics) for p in range(t.partitions)}
    made.is_unfinished = classic.state is not State.STABLE or target_owners.keys() != wanted
    return made


def _made(
    groups: Groups,
    classic: ClassicGroup,
    members: list[Member],
    targets: Mapping[MemberId, Target],
    epoch: int,
    now: Now,
) -> HeartbeatGroup:
    group_id = classic.group_id
    durable = [
        *(logged.subscription(group_id, member) for member in members),
        logged.group_epoch(group_id, epoch, metadata_hash(members, groups.topics())),
        *(logged.target(group_id, member.member_id, targets[member.member_id]) for member in members),
        logged.target_epoch(group_id, epoch, 0),
        *(logged.current(group_id, member) for member in members),
    ]
    group = ConsumerGroup(group_id, groups.configs_of(group_id))
    for record in durable:
        CHANGES[type(record.key)](group, record.key, record.value)
    sessions = [
        SessionExtended(group_id, member.member_id, now.tick_ms + member.session_timeout_ms)
        for member in classic.members.values()
    ]
    replies: list[Reply] = [(ask, Refused(JOIN_AGAIN, member_id)) for member_id, ask in classic.parked_joins.items()]
    replies += [(ask, Refused(JOIN_AGAIN)) for ask in classic.parked_syncs.values()]
    return HeartbeatGroup(group, [classic_logged.removed(group_id), *durable, *sessions], replies)


def _members(classic: ClassicGroup) -> Iterable[ClassicMember]:
    return classic.members.values()


def _metadata(classic: ClassicGroup, member: ClassicMember) -> bytes:
    """Return the member's metadata for the selected protocol.

    If no protocol is selected, or the member does not support it, return the metadata of the member's preferred
    protocol.
    """
    chosen = dict(member.protocols).get(classic.protocol_name or "")
    return member.protocols[0][1] if chosen is None else chosen


def _assignment(classic: ClassicGroup, member: ClassicMember) -> Assignment:
    """Return the decoded assignment of a member. It is empty for reserve members and for members without partitions."""
    data = classic.assignments.get(member.member_id, b"")
    return Assignment() if data in (b"", RESERVE_ASSIGNMENT) else decode_assignment(data)


def _pending_revocation(
    classic: ClassicGroup,
    subscriptions: Mapping[MemberId, Subscription],
    target_owners: Mapping[Partition, MemberId],
    topics: Topics,
) -> dict[Partition, MemberId]:
    """Return the partitions that a member has claimed although they are not assigned to it, each with this member.

    `target_owners` has the member to which each partition is assigned. In a Stable group, a partition that is assigned
    to another member is left out, because the claim is out of date. During a rebalance, the claim may be right: the
    other member may not have received its assignment yet.
    """
    return {
        partition: member_id
        for partition, member_id in _claimed(subscriptions, topics).items()
        if target_owners.get(partition) != member_id
        and (partition not in target_owners or classic.state is not State.STABLE)
    }


def _claimed(subscriptions: Mapping[MemberId, Subscription], topics: Topics) -> dict[Partition, MemberId]:
    """Return each claimed partition with the member that has claimed it.

    Of several claims, the one with the highest generation wins (KIP-792). If two claims have the highest generation,
    the partition is left out.
    """
    claims: dict[Partition, list[tuple[GenerationId, MemberId]]] = {}
    for member_id, subscription in subscriptions.items():
        for partition in _flat(partitions_of(subscription.owned_partitions, topics)):
            claims.setdefault(partition, []).append((subscription.generation_id, member_id))
    newest = {partition: max(generation for generation, _ in claimed) for partition, claimed in claims.items()}
    owners = {p: [m for generation, m in claimed if generation == newest[p]] for p, claimed in claims.items()}
    return {partition: members[0] for partition, members in owners.items() if len(members) == 1}


def _flat(target: Target) -> list[Partition]:
    return [(topic_id, partition) for topic_id, partitions in target.items() for partition in sorted(partitions)]


def _by_owner(owners: Mapping[Partition, MemberId], epoch: int) -> dict[MemberId, Assigned]:
    found: dict[MemberId, dict[TopicId, dict[PartitionId, int]]] = {}
    for (topic_id, partition), owner in owners.items():
        found.setdefault(owner, {}).setdefault(topic_id, {})[partition] = epoch
    return dict(found)


def _member(
    member: ClassicMember, subscription: Subscription, assigned: Assigned, pending: Assigned, epoch: int
) -> Member:
    return Member(
        member.member_id,
        member.group_instance_id,
        subscription.rack_id or None,
        member.client_id,
        member.client_host,
        member.rebalance_timeout_ms,
        tuple(sorted(set(subscription.topics))),
        classic=classic_metadata(member.session_timeout_ms, member.protocols),
        member_epoch=epoch,
        previous_member_epoch=epoch,
        state=MemberState.UNREVOKED_PARTITIONS if pending else MemberState.STABLE,
        assigned=assigned,
        pending_revocation=pending,
    )
