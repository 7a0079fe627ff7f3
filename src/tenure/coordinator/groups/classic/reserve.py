"""Reserve members: the members beyond `target.group.size`, which get no partitions (KIP-345, future work).

For its client, a reserve member is an ordinary member. The leader does not see it and assigns it nothing; the
coordinator answers its sync with an empty assignment. Active members stay active. A reserve member becomes active only
in the rebalance after an active member has left. A static member that is absent, but whose session has not expired, has
not left. When a reserve member joins or leaves a Stable group, no rebalance is needed, because no partition changes its
owner.

The coordinator cannot encode assignments, with one exception: the empty assignment of a consumer, which all consumers
can decode. So groups of other protocol types have no reserve members. Groups of Kafka Streams have none either, because
an assignment of Kafka Streams contains more than partitions.

If the size is reduced, active members become reserve members. If these members are cooperative (KIP-429), they still
own their partitions when they join. These members revoke the partitions when they get the new assignment, and then join
again. Until then no other member may get these partitions. So the coordinator removes them from the leader's
assignments, and the next generation assigns them.
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
"""Name of the only protocol that Kafka Streams uses in classic groups."""

RESERVE_ASSIGNMENT: Final = encode_assignment(Assignment(user_data=b"standby"), version=0)
"""Empty assignment of a reserve member.

The user data in it distinguish a reserve member, even in the log, from a member to which the leader has assigned
nothing.
"""


def choose_reserve_members(group: ClassicGroup) -> frozenset[MemberId]:
    """Return the members that would be reserve members if a generation began now.

    At least one member that has joined is active, because the generation needs a leader.
    """
    size = group.configs.target_group_size
    if len(group.members) <= size or group.protocol_type != CONSUMER or STREAMS in group.protocol_support:
        return NOBODY

    def rank(member: Member) -> tuple[bool, bool]:
        was_active = member.member_id not in group.reserve_members and member.member_id not in group.new_members
        return not was_active, member.group_instance_id is None

    # The sort is stable: equal ranks stay in the order of joining.
    ranked = [member.member_id for member in sorted(group.members.values(), key=rank)]
    active, beyond = ranked[:size], ranked[size:]
    if group.parked_joins and group.parked_joins.keys().isdisjoint(active):
        beyond.remove(next(member_id for member_id in beyond if member_id in group.parked_joins))
    return frozenset(beyond)


def with_reserve_members(group: ClassicGroup, from_leader: Mapping[MemberId, bytes]) -> dict[MemberId, bytes]:
    """Return the assignments of all members: those that the leader has sent, and empty ones for reserve members.

    Partitions that reserve members still own are removed from the leader's assignments.
    """
    assignments = dict(from_leader)
    still_owned: Partitions = set()
    for member_id in group.reserve_members:
        still_owned |= _owned(group.members[member_id].metadata_for(group.protocol_name))
    if still_owned:
        assignments = {member_id: _without(still_owned, data) for member_id, data in assignments.items()}
    return assignments | dict.fromkeys(group.reserve_members, RESERVE_ASSIGNMENT)


def _owned(metadata: bytes) -> Partitions:
    """Return the partitions that a member claims to own; none if its metadata cannot be decoded."""
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
