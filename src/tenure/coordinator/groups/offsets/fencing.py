"""Fencing policies for commits of members of consumer groups: four functions of four epochs.

- `client`: the member epoch in the commit;
- `member`: the member's present epoch;
- `assignment`: the assignment epoch of the partition;
- `revocation`: the last epoch in which the member had a partition that it has lost.

A member's epoch may be raised while its commit is on the way, so the epoch in the commit may be lower than the
member's. The commit must be refused if the member has lost the partition since the epoch in the commit, even if the
partition was assigned to the member again (KAFKA-19779). Rules 4.1 to 4.7 explain the policies.

Commits of unknown members are refused before the policy is applied. If one partition is refused, the whole commit is
refused.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

UNASSIGNED: Final = 2**31 - 1
"""Assignment epoch of a partition that the member does not have and is not giving up: greater than every epoch."""
UNKNOWN: Final = -1
"""Revocation epoch of a member that was loaded from the log: only commits in its present epoch are accepted."""

KAFKA: Final = "kafka"
"""Policy that treats a static member as Apache Kafka does after a temporary leave (rule 4.6).

The leave sets the assignment epoch of the member's partitions to 0. Under this policy, they keep 0 after the member has
returned. So commits from before the leave are accepted, even if another member has owned the partition since then.
"""

Fence: TypeAlias = Callable[[int, int, int, int], bool]
"""(client epoch, member epoch, assignment epoch, revocation epoch) -> whether the commit is accepted."""


def by_assignment_epoch(client: int, member: int, assignment: int, revocation: int) -> bool:  # noqa: ARG001
    """Accept a commit if the member has owned the partition at least since the epoch in the commit."""
    return assignment <= client <= member


def by_kafka(client: int, member: int, assignment: int, revocation: int) -> bool:  # noqa: ARG001
    """Accept a commit as Apache Kafka does since 4.3.

    A commit is accepted if `by_assignment_epoch` accepts it, or if it has the member's present epoch.
    """
    return client == member or assignment <= client <= member


def by_revocation_epoch(client: int, member: int, assignment: int, revocation: int) -> bool:  # noqa: ARG001
    """Accept a commit if no partition was taken from the member since the epoch in the commit.

    This policy refuses more than necessary, because the commit may be for another partition than the one taken.
    """
    return client == member if revocation == UNKNOWN else revocation < client <= member


def by_member_epoch(client: int, member: int, assignment: int, revocation: int) -> bool:  # noqa: ARG001
    """Accept a commit as Apache Kafka until 4.2: only if the commit has the member's present epoch.

    This policy also refuses a commit by the owner, if the owner's epoch was raised while the commit was on the way.
    """
    return client == member


FENCES: Final[dict[str, Fence]] = {
    "assignment-epoch": by_assignment_epoch,
    KAFKA: by_kafka,
    "revocation-epoch": by_revocation_epoch,
    "member-epoch": by_member_epoch,
}
"""Fencing policy for each value of the group config `group.commit.fencing`."""
