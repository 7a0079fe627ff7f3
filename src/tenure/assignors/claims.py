"""Who owns what is claimed (KIP-792; rule 7.8).

A claim says that a member was assigned a partition in some generation, and nobody has told it since to give it up. It
can be stale: the member slept through a rebalance. Of several claims to a partition the one of the highest generation
is true; among equal ones nobody can tell, so none of them counts. A claim that nobody disputes counts, however old: the
member may still be at work (KAFKA-14639).

Kafka 4.3 reads the generation of a rival from the subscription even where the member's own stands in its user data, and
forgets with three rivals whom it has refused already (rule 7.8). The rule is what is kept here, not those quirks.
"""

import numpy as np

from tenure.assignors.group import NO_GENERATION, NOBODY, Claims, Counts, Flags, Indices


def true_owners(claims: Claims, partition_count: int) -> Indices:
    """By partition: whose claim is true, or NOBODY."""
    owners = np.full(partition_count, NOBODY, np.int32)
    owners[claims.partitions] = claims.members
    if is_disputed(claims, owners):
        rows = np.flatnonzero(claim_counts(claims, partition_count)[claims.partitions] > 1)
        _settle(owners, claims.members[rows], claims.partitions[rows], claims.generations)
    return owners


def claim_counts(claims: Claims, partition_count: int) -> Counts:
    return np.bincount(claims.partitions, minlength=partition_count)


def is_disputed(claims: Claims, last_claimants: Indices) -> bool:
    """Whether some partition is claimed by two: then a claim is not the last one to its partition."""
    return bool((last_claimants[claims.partitions] != claims.members).any())


def _settle(owners: Indices, members: Indices, partitions: Indices, generations: Indices) -> None:
    known = generations[members] if len(generations) else np.full(len(members), NO_GENERATION, np.int32)
    order = np.lexsort((members, known, partitions))
    members, partitions, known = members[order], partitions[order], known[order]
    said_twice = (partitions[1:] == partitions[:-1]) & (members[1:] == members[:-1])
    once = np.append(True, ~said_twice)
    members, partitions, known = members[once], partitions[once], known[once]
    best = np.append(partitions[1:] != partitions[:-1], True)
    tied = np.append(False, (partitions[1:] == partitions[:-1]) & (known[1:] == known[:-1]))
    owners[partitions[best]] = np.where(tied[best], NOBODY, members[best])


def claimed_by_others(claims: Claims, owners: Indices) -> Flags:
    """By partition: whether somebody claims it who is not its owner here."""
    others = np.zeros(len(owners), np.bool_)
    others[claims.partitions[owners[claims.partitions] != claims.members]] = True
    return others
