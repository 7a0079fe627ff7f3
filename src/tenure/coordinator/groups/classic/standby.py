"""Hot standby: members beyond `target.group.size` hold a seat and no partitions (KIP-345, future work).

To its clients a standby is an ordinary member. The leader does not see it, so it assigns it nothing; the coordinator
answers its sync with an assignment of no partitions. Who is active stays active, so a standby is promoted only when an
active member is gone: by the rebalance that this starts anyway. A static member that is absent within its session is
not gone. A standby comes to a Stable group, and goes, without a rebalance: nothing of what the others hold changes.

Only the leader can write an assignment, except that of a consumer without partitions, which all clients can read. So
groups of other types have no standbys, and neither have those of Kafka Streams, which read more into it.

A smaller target puts active members in reserve. Cooperative ones (KIP-429) still own what they had when they join, let
go of it when their assignment comes, and join once more. So no other member may be assigned it in between: it is
removed from the leader's assignments, and the generation that begins with their second join gives it away.
"""

from collections.abc import Mapping
from typing import Final, TypeAlias

from tenure.coordinator.groups.classic.group import ClassicGroup, Member
from tenure.coordinator.groups.classic.subscriptions import CONSUMER
from tenure.protocol.consumer_protocol import (
    NEWEST,
    Assignment,
    TopicPartition,
    decode_assignment,
    decode_subscription,
    encode_assignment,
)
from tenure.protocol.message import MalformedMessage
from tenure.protocol.types import MemberId, PartitionId, TopicName

Partitions: TypeAlias = set[tuple[TopicName, PartitionId]]

NOBODY: Final[frozenset[MemberId]] = frozenset()

STREAMS: Final = "stream"
"""The one protocol of Kafka Streams' classic members."""

STANDBY_ASSIGNMENT: Final = encode_assignment(Assignment(user_data=b"standby"), version=0)
"""User data tell it apart from a leader's assignment of no partitions: after a fail-over the log is all there is."""


def choose_standbys(group: ClassicGroup) -> frozenset[MemberId]:
    """Return the standbys of a generation that would begin now.

    At least one member that has joined is active: it leads.
    """
    size = group.configs.target_group_size
    if len(group.members) <= size or group.protocol_type != CONSUMER or STREAMS in group.protocol_support:
        return NOBODY

    def rank(member: Member) -> tuple[bool, bool]:
        was_active = member.member_id not in group.standbys and member.member_id not in group.new_members
        return not was_active, member.group_instance_id is None

    ranked = [member.member_id for member in sorted(group.members.values(), key=rank)]  # stable: then as they came
    active, beyond = ranked[:size], ranked[size:]
    if group.parked_joins and group.parked_joins.keys().isdisjoint(active):
        beyond.remove(next(member_id for member_id in beyond if member_id in group.parked_joins))
    return frozenset(beyond)


def with_standbys(group: ClassicGroup, told: Mapping[MemberId, bytes]) -> dict[MemberId, bytes]:
    """Return the leader's assignments with those of the standbys.

    Partitions that standbys still own are removed from the other members' assignments.
    """
    assignments = dict(told)
    still_owned: Partitions = set()
    for member_id in group.standbys:
        still_owned |= _owned(group.members[member_id].metadata_for(group.protocol_name))
    if still_owned:
        assignments = {member_id: _without(still_owned, data) for member_id, data in assignments.items()}
    return assignments | dict.fromkeys(group.standbys, STANDBY_ASSIGNMENT)


def _owned(metadata: bytes) -> Partitions:
    """Return the partitions that a member still claims; none if its metadata cannot be decoded."""
    try:
        owned = decode_subscription(metadata).owned_partitions
    except MalformedMessage:
        return set()
    return {(found.topic, partition) for found in owned for partition in found.partitions}


def _without(still_owned: Partitions, data: bytes) -> bytes:
    try:
        assignment = decode_assignment(data)
    except MalformedMessage:
        return data
    kept = [
        TopicPartition(found.topic, [p for p in found.partitions if (found.topic, p) not in still_owned])
        for found in assignment.assigned_partitions
    ]
    version = min(int.from_bytes(data[:2], "big"), NEWEST)
    return encode_assignment(Assignment([found for found in kept if found.partitions], assignment.user_data), version)
