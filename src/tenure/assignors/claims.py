"""Owners of claimed partitions (KIP-792; rule 7.8).

A claim says that a member was assigned a partition in some generation and has not been asked to revoke it. It can be
stale, if the member missed a rebalance. Of several claims to a partition the one with the highest generation wins; with
equal generations none counts. An undisputed claim counts, however old: the member may still be working (KAFKA-14639).

Kafka 4.3 deviates in two cases: it reads a rival's generation from the subscription even if the member's own is in its
user data, and with three rivals it forgets which it has rejected (rule 7.8). This module implements the rule.
"""

import numpy as np

from tenure.assignors.group import NO_GENERATION, NOBODY, Claims, Counts, Flags, Indices


def true_owners(claims: Claims, partition_count: int) -> Indices:
    """Return the owner of each partition whose claim wins, or NOBODY."""
    owners = np.full(partition_count, NOBODY, np.int32)
    owners[claims.partitions] = claims.members
    if is_disputed(claims, owners):
        rows = np.flatnonzero(claim_counts(claims, partition_count)[claims.partitions] > 1)
        _settle(owners, claims.members[rows], claims.partitions[rows], claims.generations)
    return owners


def claim_counts(claims: Claims, partition_count: int) -> Counts:
    return np.bincount(claims.partitions, minlength=partition_count)


def is_disputed(claims: Claims, last_claimants: Indices) -> bool:
    """Return whether two members claim the same partition. `last_claimants` has one claimant of each partition."""
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
    """Return, by partition, whether a member other than the owner claims it."""
    others = np.zeros(len(owners), np.bool_)
    others[claims.partitions[owners[claims.partitions] != claims.members]] = True
    return others
