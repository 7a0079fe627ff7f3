"""Hot standby: members beyond `target.group.size` hold a seat and no partitions (KIP-345, future work).

To its clients a standby is an ordinary member. The leader does not see it, so it assigns it nothing; the coordinator
answers its sync with an assignment of no partitions. Who is active stays active, so a standby is promoted only when an
active member is gone: by the rebalance that this starts anyway. A static member that is absent within its session is
not gone. A standby comes to a Stable group, and goes, without a rebalance: nothing of what the others hold changes.

Nobody but the leader can write an assignment, except that of a consumer without partitions, which everybody reads. So
groups of other types have no standbys, and neither have those of Kafka Streams, which read more into it.
"""

from typing import Final

from tenure.coordinator.groups.classic.group import ClassicGroup, Member
from tenure.coordinator.groups.classic.subscriptions import CONSUMER
from tenure.protocol.consumer_protocol import Assignment, encode_assignment
from tenure.protocol.types import MemberId

NOBODY: Final[frozenset[MemberId]] = frozenset()

STREAMS: Final = "stream"
"""The one protocol of Kafka Streams' classic members."""

STANDBY_ASSIGNMENT: Final = encode_assignment(Assignment(user_data=b"standby"), version=0)
"""User data tell it apart from a leader's assignment of no partitions: after a fail-over the log is all there is."""


def choose_standbys(group: ClassicGroup) -> frozenset[MemberId]:
    """Who would be in reserve in a generation that began now. At least one member that has joined is not: it leads."""
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
