"""Check whether a stable group assigns no partition to a member."""

from tenure.client.group.assignment import assigned_partitions
from tenure.client.net.cluster import Cluster
from tenure.client.queries.group_queries import describe_any_group
from tenure.protocol.messages import DescribedGroup

STABLE = "Stable"
"""State of a group whose members have all of their partitions."""


async def has_empty_assignment(cluster: Cluster, group_id: str, member_id: str) -> bool:
    """Return whether the group is stable and assigns no partition to the member.

    This function asks the coordinator, because an empty assignment alone proves nothing. Under the consumer protocol,
    the first assignment may be empty until the group's next target assignment is computed (rule 3.4).
    """
    group = await describe_any_group(cluster, group_id)
    if group is None or group.group_state != STABLE:
        return False
    if isinstance(group, DescribedGroup):
        assignments = (member.member_assignment for member in group.members if member.member_id == member_id)
        return any(not assignment or not assigned_partitions(assignment) for assignment in assignments)
    return any(not member.assignment.topic_partitions for member in group.members if member.member_id == member_id)
