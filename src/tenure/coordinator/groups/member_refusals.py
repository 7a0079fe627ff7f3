"""Refusals of heartbeats with an unknown member id or instance id, or with a wrong epoch (rules 3.4 and 5.2).

The refusals are the same for consumer and streams groups. Messages are Kafka's.
"""

from tenure.coordinator.answers import NO_MEMBER_ID, Refused
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import GroupId, InstanceId, MemberId


def unknown_member(group_id: GroupId, member_id: MemberId) -> Refused:
    return _unknown(f"Member {member_id} is not a member of group {group_id}.")


def unknown_instance(instance_id: InstanceId) -> Refused:
    return _unknown(f"Instance id {instance_id} is unknown.")


def _unknown(message: str) -> Refused:
    return Refused(ErrorCode.UNKNOWN_MEMBER_ID, NO_MEMBER_ID, message)


def fenced(instance_id: InstanceId, member_id: MemberId, holder_id: MemberId) -> Refused:
    """Return the refusal of a member whose instance id is in use by another member."""
    message = f"Static member {member_id} with instance id {instance_id} was fenced by member {holder_id}."
    return Refused(ErrorCode.FENCED_INSTANCE_ID, NO_MEMBER_ID, message)


def unreleased(instance_id: InstanceId, member_id: MemberId, holder_id: MemberId) -> Refused:
    """Return the refusal of a new member whose instance id is in use by a member that has not left."""
    message = (
        f"Static member {member_id} with instance id {instance_id} cannot join the group because the instance id "
        f"is owned by {holder_id} member."
    )
    return Refused(ErrorCode.UNRELEASED_INSTANCE_ID, NO_MEMBER_ID, message)


def group_is_full(protocol: str, size_max: int) -> Refused:
    message = f"The {protocol} group has reached its maximum capacity of {size_max} members."
    return Refused(ErrorCode.GROUP_MAX_SIZE_REACHED, NO_MEMBER_ID, message)


def wrong_epoch(protocol: str, epoch: int, known_epoch: int) -> Refused:
    """Return the refusal of a heartbeat with the wrong member epoch.

    `epoch` is the epoch in the heartbeat, and `known_epoch` that of the member. `protocol` is "consumer" or "streams".
    """
    relation = "greater" if epoch > known_epoch else "smaller"
    message = (
        f"The {protocol} group member has a {relation} member epoch ({epoch}) than the one known by the group "
        f"coordinator ({known_epoch}). The member must abandon all its partitions and rejoin."
    )
    return Refused(ErrorCode.FENCED_MEMBER_EPOCH, NO_MEMBER_ID, message)
