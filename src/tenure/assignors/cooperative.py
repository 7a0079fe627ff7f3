"""The cooperative-sticky assignor (KIP-429): as `sticky`, but nothing changes hands while anybody may still hold it.

A partition that somebody else claims than the member who is to have it is withheld from everybody for this generation.
Whoever claims it sees that it is gone, revokes it and joins again; then nobody claims it, and it is dealt.
"""

import numpy as np

from tenure.assignors.claims import claimed_by_others, true_owners
from tenure.assignors.group import NOBODY, Claims, Group, Indices
from tenure.assignors.sticky import settle


def assign(group: Group) -> Indices:
    """The owner of each partition; NOBODY for those withheld."""
    before = true_owners(group.claims, group.partition_count)
    return withhold(group.claims, before, settle(group, before))


def withhold(claims: Claims, before: Indices, after: Indices) -> Indices:
    changes_hands = (after != before) & claimed_by_others(claims, after)
    return np.where(changes_hands, np.int32(NOBODY), after)
