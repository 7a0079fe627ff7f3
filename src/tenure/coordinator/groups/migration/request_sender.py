"""Look-up of the classic member of a consumer group that sent a request, and the member's deadline to join again.

See rule 3.9.
"""

from dataclasses import dataclass

from tenure.coordinator.groups.consumer.group import ConsumerGroup
from tenure.coordinator.groups.consumer.member import Member
from tenure.coordinator.groups.records import RejoinTimerArmed
from tenure.coordinator.shard import Now
from tenure.protocol.coordinator_logs.consumer_offsets import ClassicMemberMetadata
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import GenerationId, InstanceId, MemberId


@dataclass(slots=True)
class RequestSender:
    group: ConsumerGroup
    member: Member
    classic: ClassicMemberMetadata
    """Metadata of the classic member."""

    @property
    def session_timeout_ms(self) -> int:
        return self.classic.session_timeout_ms


def sender_of(
    group: ConsumerGroup, member_id: MemberId, instance_id: InstanceId | None, generation_id: GenerationId
) -> RequestSender | ErrorCode:
    """Return the classic member that sent a request, or an error.

    The order of the checks is visible on the wire. A member of the consumer protocol gets UNKNOWN_MEMBER_ID.
    """
    member = find_member(group, member_id, instance_id)
    if isinstance(member, ErrorCode):
        return member
    if member.classic is None:
        return ErrorCode.UNKNOWN_MEMBER_ID
    if generation_id != member.member_epoch:
        return ErrorCode.ILLEGAL_GENERATION
    return RequestSender(group, member, member.classic)


def find_member(group: ConsumerGroup, member_id: MemberId, instance_id: InstanceId | None) -> Member | ErrorCode:
    """Return the member with this member id and instance id, or an error. An instance id of None is not checked."""
    if instance_id is not None:
        holder_id = group.static_members.get(instance_id)
        if holder_id is None:
            return ErrorCode.UNKNOWN_MEMBER_ID
        if holder_id != member_id:
            return ErrorCode.FENCED_INSTANCE_ID
    return group.members.get(member_id, ErrorCode.UNKNOWN_MEMBER_ID)


def rejoin_timer(sender: RequestSender, now: Now) -> list[RejoinTimerArmed]:
    """Return the record that sets the deadline to join again; none if it is set already."""
    group, member = sender.group, sender.member
    if member.member_id in group.join_deadlines:
        return []
    return [RejoinTimerArmed(group.group_id, member.member_id, now.tick_ms + member.rebalance_timeout_ms)]
