"""Downgrade of a consumer group to a classic group, when its last member of the consumer protocol is gone (rule 3.9).

The group epoch becomes the generation, and each member's target becomes its assignment. Then a rebalance follows, in
which all members join again. To a member whose epoch was lower than that of the group, the coordinator first answers
ILLEGAL_GENERATION.

There is one exception. If a classic member replaces the last member of the consumer protocol, and all members
have reached the target, no rebalance follows. Apache Kafka omits the rebalance even if members have not reached the
target. The new member would then process partitions that another member has not given up yet.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from tenure.coordinator.groups.causes import Why
from tenure.coordinator.groups.classic.draft import Draft
from tenure.coordinator.groups.classic.group import Member as ClassicMember
from tenure.coordinator.groups.classic.group import most_voted
from tenure.coordinator.groups.classic.rebalance import prepare_rebalance
from tenure.coordinator.groups.classic.subscriptions import CONSUMER
from tenure.coordinator.groups.consumer.group import ConsumerGroup
from tenure.coordinator.groups.consumer.logged import group_gone
from tenure.coordinator.groups.consumer.member import Member, Target
from tenure.coordinator.groups.migration.embedded_protocol import encoded_assignment
from tenure.coordinator.groups.records import MemberUpdated, SessionExtended
from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.groups.state import Groups
from tenure.coordinator.shard import LogRecord, Now
from tenure.protocol.coordinator_logs.consumer_offsets import GroupMetadataKey, GroupMetadataValue, MemberMetadata
from tenure.protocol.types import GenerationId, MemberId


def is_due_after_departure(settings: GroupSettings, group: ConsumerGroup, gone: Collection[MemberId]) -> bool:
    """Return whether the group becomes classic when the members in `gone` leave."""
    remaining = [member for member_id, member in group.members.items() if member_id not in gone]
    return bool(remaining) and _may_become_classic(settings, remaining, len(remaining))


def is_due_with_replacement(settings: GroupSettings, group: ConsumerGroup, replaced: Member) -> bool:
    """Return whether the group becomes classic when a classic member replaces `replaced`."""
    others = [member for member in group.members.values() if member is not replaced]
    return replaced.classic is None and _may_become_classic(settings, others, len(group.members))


def _may_become_classic(settings: GroupSettings, staying: Sequence[Member], size: int) -> bool:
    is_allowed = settings.downgrades and size <= settings.group_max_size
    return is_allowed and all(member.classic is not None for member in staying)


def downgraded_without(
    groups: Groups, group: ConsumerGroup, gone: Collection[MemberId], why: Why, now: Now
) -> list[object]:
    remaining = [member for member_id, member in group.members.items() if member_id not in gone]
    draft = Draft(groups, groups.new_classic_group(group.group_id), now)
    draft.records += group_gone(group)
    _become_classic(draft, groups, group, remaining, group.targets)
    prepare_rebalance(draft, why)
    return draft.records


def downgraded_with(
    groups: Groups, group: ConsumerGroup, joined: Member, replaced: Member, why: Why | None, now: Now
) -> list[object]:
    """Return the records of a downgrade in which the member `joined` replaces the member `replaced`.

    `why` is the cause of the rebalance that follows; None if none follows.
    """
    others = [member for member in group.members.values() if member is not replaced]
    member_ids = [joined.member_id if member is replaced else m for m, member in group.members.items()]
    targets = {**group.targets, joined.member_id: group.target_of(replaced.member_id)}
    draft = Draft(groups, groups.new_classic_group(group.group_id), now)
    draft.records += group_gone(group, member_ids)
    _become_classic(draft, groups, group, [*others, joined], targets)
    if why is not None:
        prepare_rebalance(draft, why)
    return draft.records


def _become_classic(
    draft: Draft, groups: Groups, group: ConsumerGroup, remaining: Sequence[Member], targets: Mapping[MemberId, Target]
) -> None:
    """Emit the records of the classic group: of the members in `remaining`, with `targets` as their assignments.

    The durable record has only the selected protocol of each member. The other protocols of the members are in
    ephemeral records (rule 6.5.2).
    """
    members = [_classic_member(member) for member in remaining]
    protocol_name = _winning_protocol(members)
    topics, logged = groups.topics(), []
    for member in members:
        metadata = member.metadata_for(protocol_name)
        assignment = encoded_assignment(targets.get(member.member_id, {}), metadata, topics)
        logged.append(
            MemberMetadata(
                member.member_id,
                member.group_instance_id,
                member.client_id,
                member.client_host,
                member.rebalance_timeout_ms,
                member.session_timeout_ms,
                metadata,
                assignment,
            )
        )
    value = GroupMetadataValue(
        CONSUMER,
        GenerationId(group.group_epoch),
        protocol_name,
        members[0].member_id,
        draft.now.wall_ms,
        logged,
    )
    draft.emit(LogRecord(GroupMetadataKey(group.group_id), value))
    for member in members:
        draft.emit(MemberUpdated(group.group_id, member))
        deadline_ms = draft.now.tick_ms + member.session_timeout_ms
        draft.emit(SessionExtended(group.group_id, member.member_id, deadline_ms))


def _winning_protocol(members: Sequence[ClassicMember]) -> str:
    support = Counter(name for member in members for name in {name for name, _ in member.protocols})
    return most_voted(members, support, None)


def _classic_member(member: Member) -> ClassicMember:
    assert member.classic is not None
    return ClassicMember(
        member.member_id,
        member.instance_id,
        member.client_id,
        member.client_host,
        member.classic.session_timeout_ms,
        member.rebalance_timeout_ms,
        tuple((protocol.name, protocol.metadata) for protocol in member.classic.supported_protocols),
    )
