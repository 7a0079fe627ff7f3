"""The fence in front of the commits of a consumer group's members: four policies, each a rule about four numbers.

An epoch may increase while a commit is on its way, so the epoch in a commit may be lower than its member's. A commit
has to be refused if its member lost the partition after that epoch, even if it got it back since (KAFKA-19779). Rules
4.1 to 4.7 explain the policies.

Commits of unknown members are refused before the policy, and one refused partition refuses the whole commit.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

UNASSIGNED: Final = 2**31 - 1
"""The assignment epoch of a partition that the member neither has nor is giving up: ahead of every epoch."""
UNKNOWN: Final = -1
"""Revocation epoch of a member whose last revocation is unknown: only commits in its own epoch are accepted."""

KAFKA: Final = "kafka"
"""Policy under which a returning member keeps its assignment epochs, which leaving has set to 0.

It may then commit what it sent before others worked on the partitions (rule 4.6).
"""

Fence: TypeAlias = Callable[[int, int, int, int], bool]
"""(client epoch, member epoch, assignment epoch, revocation epoch) -> whether the commit is accepted."""


def by_assignment_epoch(client: int, member: int, assignment: int, revocation: int) -> bool:  # noqa: ARG001
    """Accept if the member has owned the partition since before the client learned its epoch."""
    return assignment <= client <= member


def by_kafka(client: int, member: int, assignment: int, revocation: int) -> bool:  # noqa: ARG001
    """Apply the rule of Apache Kafka since 4.3: the member's own epoch is accepted for every partition."""
    return client == member or assignment <= client <= member


def by_revocation_epoch(client: int, member: int, assignment: int, revocation: int) -> bool:  # noqa: ARG001
    """Accept if no partition was taken from the member since the client's epoch.

    Coarse: it may have been another partition.
    """
    return client == member if revocation == UNKNOWN else revocation < client <= member


def by_member_epoch(client: int, member: int, assignment: int, revocation: int) -> bool:  # noqa: ARG001
    """Apply the rule of Apache Kafka until 4.2: an honest commit that an epoch overtakes is refused."""
    return client == member


FENCES: Final[dict[str, Fence]] = {
    "assignment-epoch": by_assignment_epoch,
    KAFKA: by_kafka,
    "revocation-epoch": by_revocation_epoch,
    "member-epoch": by_member_epoch,
}
"""Fences by the value of `group.commit.fencing`."""
