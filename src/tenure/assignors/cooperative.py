"""Cooperative-sticky assignor (KIP-429): like `sticky`, but a partition moves only after its owner has revoked it.

A partition that is to move from one member to another takes two generations. In the first one, the assignor gives it to
no member. The member that claims it revokes it and joins again. In the second generation, the assignor gives it to the
other member.
"""

import numpy as np

from tenure.assignors.claims import claimed_by_others, true_owners
from tenure.assignors.group import NOBODY, Claims, Group, Indices
from tenure.assignors.sticky import reassign


def assign(group: Group) -> Indices:
    """Return the owner of each partition; NOBODY for partitions that their claimants must revoke first."""
    before = true_owners(group.claims, group.partition_count)
    return withhold(group.claims, before, reassign(group, before))


def withhold(claims: Claims, before: Indices, after: Indices) -> Indices:
    changes_hands = (after != before) & claimed_by_others(claims, after)
    return np.where(changes_hands, np.int32(NOBODY), after)
