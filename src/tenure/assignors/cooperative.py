"""Cooperative-sticky assignor (KIP-429): as `sticky`, but a partition moves only after its owner has revoked it.

A partition that a member claims, and another member is to get, is assigned to no member in this generation. Its
claimant revokes it and joins again; then the partition is free and assigned.
"""

import numpy as np

from tenure.assignors.claims import claimed_by_others, true_owners
from tenure.assignors.group import NOBODY, Claims, Group, Indices
from tenure.assignors.sticky import settle


def assign(group: Group) -> Indices:
    """Return the owner of each partition; NOBODY for partitions that are withheld."""
    before = true_owners(group.claims, group.partition_count)
    return withhold(group.claims, before, settle(group, before))


def withhold(claims: Claims, before: Indices, after: Indices) -> Indices:
    changes_hands = (after != before) & claimed_by_others(claims, after)
    return np.where(changes_hands, np.int32(NOBODY), after)
