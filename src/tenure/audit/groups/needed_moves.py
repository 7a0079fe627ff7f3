"""Minimum number of moves for a balanced assignment, to compare with the moves of a rebalance."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from tenure.audit.groups.group_model import LastOwner, Member, PartitionKey


def needed_moves(
    before: Mapping[PartitionKey, LastOwner], members: Iterable[Member], assigned: Collection[PartitionKey]
) -> int | None:
    """Return the minimum number of partitions that must change their owner for a balanced assignment.

    In a balanced assignment, the numbers of partitions of any two members differ by at most one.

    Args:
        before: Last owner of each partition.
        members: Members after the rebalance.
        assigned: Partitions that the rebalance assigns.

    Returns:
        The number; None if members subscribe to different topics, because the best assignment then depends on the
            assignor.
    """
    members = list(members)
    if not members or len({tuple(sorted(member.topics)) for member in members}) > 1:
        return None if members else 0
    owned = [before[key].owner for key in assigned if key in before]
    names = {member.owner for member in members}
    counts = Counter(owner for owner in owned if owner in names)
    least, larger = divmod(len(assigned), len(members))
    kept = sum(min(count, least) for count in counts.values())
    kept += min(larger, sum(count > least for count in counts.values()))
    return len(owned) - kept
