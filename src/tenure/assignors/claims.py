"""Present owner of each partition, determined from the claims of the members (KIP-792; rule 7.8).

A member claims a partition that it was assigned in some generation and that it was not asked to revoke since. The claim
is out of date if the member missed a rebalance. If several members claim a partition, the claim with the highest
generation wins; if two claims have that generation, none of them counts. If only one member claims a partition, its
claim always counts, even an old one: the member may still process the partition (KAFKA-14639).

Kafka 4.3 differs in two cases (rule 7.8), which this module does not imitate. First, when Kafka compares two claims, it
reads one generation from the user data of the member, and the other one from the subscription of the other member. An
old subscription has no generation, so its claim counts as older. Second, if three members claim a partition with the
generations 5, 5 and 7, Kafka may reject all three claims.
"""

import numpy as np

from tenure.assignors.group import NOBODY, Claims, Counts, Flags, Indices
from tenure.protocol.special_values import NO_GENERATION


def true_owners(claims: Claims, partition_count: int) -> Indices:
    """Return, by partition, the member whose claim wins; NOBODY if no claim wins."""
    owners = np.full(partition_count, NOBODY, np.int32)
    owners[claims.partitions] = claims.members
    if is_disputed(claims, owners):
        rows = np.flatnonzero(claim_counts(claims, partition_count)[claims.partitions] > 1)
        _decide_disputed(owners, claims.members[rows], claims.partitions[rows], claims.generations)
    return owners


def claim_counts(claims: Claims, partition_count: int) -> Counts:
    return np.bincount(claims.partitions, minlength=partition_count)


def is_disputed(claims: Claims, last_claimants: Indices) -> bool:
    """Return whether several members claim the same partition.

    `last_claimants` has, for each partition, the member whose claim comes last in `claims`.
    """
    return bool((last_claimants[claims.partitions] != claims.members).any())


def _decide_disputed(owners: Indices, members: Indices, partitions: Indices, generations: Indices) -> None:
    known = generations[members] if len(generations) else np.full(len(members), NO_GENERATION, np.int32)
    order = np.lexsort((members, known, partitions))
    members, partitions, known = members[order], partitions[order], known[order]
    is_repeated = (partitions[1:] == partitions[:-1]) & (members[1:] == members[:-1])
    once = np.append(True, ~is_repeated)
    members, partitions, known = members[once], partitions[once], known[once]
    best = np.append(partitions[1:] != partitions[:-1], True)
    tied = np.append(False, (partitions[1:] == partitions[:-1]) & (known[1:] == known[:-1]))
    owners[partitions[best]] = np.where(tied[best], NOBODY, members[best])


def claimed_by_others(claims: Claims, owners: Indices) -> Flags:
    """Return, by partition, whether a member other than its owner in `owners` claims it."""
    others = np.zeros(len(owners), np.bool_)
    others[claims.partitions[owners[claims.partitions] != claims.members]] = True
    return others
