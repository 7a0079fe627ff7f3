"""Uniform assignor of consumer groups (rule 3.12): balanced, and members keep their partitions where possible.

The coordinator knows the previous target assignment, so this assignor uses no claims of members. It ignores racks. If
some members must get one partition more than others, Apache Kafka chooses these members by the order of its hash
tables. This assignor chooses members that already have one partition more, which saves moves.
"""

from tenure.assignors.group import Group, Indices
from tenure.assignors.sticky import reassign


def assign(group: Group, owners: Indices) -> Indices:
    """Return the new owner of each partition. `owners` has the owner of each partition in the previous target."""
    return reassign(group, owners)
