"""Reserve members: members beyond `target.group.size`, which have no partitions (KIP-345, future work).

To its client a reserve member looks like an ordinary member. The leader does not see it and assigns it nothing; the
coordinator answers its sync with an empty assignment. Active members stay active: a reserve member is promoted only in
the rebalance after an active member has left. A static member that is absent within its session has not left. Reserve
members join and leave a Stable group without a rebalance, because the partitions of the others do not change.

Only the leader can write an assignment, except the empty one of a consumer, which all clients can decode. So groups of
other protocol types have no reserve members; nor have those of Kafka Streams, whose assignments contain more.

A smaller target puts active members into the reserve. Cooperative members (KIP-429) still own their partitions when
they join, revoke them when the new assignment arrives, and join once more. Until then no other member may get these
partitions: they are removed from the leader's assignments, and the next generation assigns them.
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
"""User data that distinguishes it from a leader's empty assignment: after a fail-over only the log exists."""


def choose_standbys(group: ClassicGroup) -> frozenset[MemberId]:
    """Return the reserve members of a generation that would begin now.

    At least one joined member is active, because it has to lead.
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
    """Return the leader's assignments with those of the reserve members.

    Partitions that reserve members still own are removed from the assignments of the other members.
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
