"""Uniform assignor of consumer groups (rule 3.12): balanced, and members keep their partitions where possible.

The coordinator has the previous target assignment, so members claim nothing. Racks are ignored. If some members must
get one partition more than others, Apache Kafka chooses these members by the order of its hash tables. This module
chooses members that have the additional partition already, which saves moves.
"""

from tenure.assignors.group import Group, Indices
from tenure.assignors.sticky import settle


def assign(group: Group, owners: Indices) -> Indices:
    """Return the new owner of each partition. `owners` are those of the previous target assignment."""
    return settle(group, owners)
