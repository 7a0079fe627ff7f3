"""One member of a streams group (rule 5.3). A member object never changes: every transition makes another one."""

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final, NamedTuple

from tenure.coordinator.groups.streams.tasks import NOTHING, AssignedTasks
from tenure.protocol.types import InstanceId, MemberId

JOINS: Final = 0
LEAVES: Final = -1
LEAVES_FOR_NOW: Final = -2
"""Values that a member may send instead of its epoch. The last is also the epoch of a static member that is away."""

NO_TOPOLOGY: Final = -1


class TaskState(IntEnum):
    """Values are those of record 22; every other value is read as UNKNOWN."""

    STABLE = 1
    UNREVOKED_TASKS = 2
    UNRELEASED_TASKS = 3
    UNKNOWN = 127


class Endpoint(NamedTuple):
    """Address for queries of other processes to the state of this one."""

    host: str
    port: int


@dataclass(slots=True)
class StreamsMember:
    member_id: MemberId
    instance_id: InstanceId | None = None
    rack_id: str | None = None
    client_id: str = ""
    client_host: str = ""
    rebalance_timeout_ms: int = -1
    topology_epoch: int = NO_TOPOLOGY
    process_id: str = ""
    """The process whose directory holds the state: no two of its members have the same task."""
    user_endpoint: Endpoint | None = None
    client_tags: tuple[tuple[str, str], ...] = ()
    """Ascending by key, no key twice."""
    member_epoch: int = 0
    """Invariant: never beyond the group's assignment epoch; LEAVES_FOR_NOW while a static member is away."""
    previous_member_epoch: int = 0
    state: TaskState = TaskState.STABLE
    assigned: AssignedTasks = field(default_factory=lambda: NOTHING)
    pending_revocation: AssignedTasks = field(default_factory=lambda: NOTHING)
    """Empty unless UNREVOKED_TASKS."""

    @property
    def is_away(self) -> bool:
        return self.member_epoch == LEAVES_FOR_NOW

    def has_reached(self, epoch: int) -> bool:
        return self.state is TaskState.STABLE and self.member_epoch == epoch
