"""Member of a streams group (rule 5.3). Immutable: every change creates a new object."""

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final, NamedTuple

from tenure.coordinator.groups.streams.tasks import NOTHING, AssignedTasks
from tenure.protocol.special_values import LEAVES_FOR_NOW
from tenure.protocol.types import InstanceId, MemberId

NO_TOPOLOGY: Final = -1


class TaskState(IntEnum):
    """State of a member.

    The values are those in `StreamsGroupCurrentMemberAssignmentValue`. Any other value is read as UNKNOWN.
    """

    STABLE = 1
    UNREVOKED_TASKS = 2
    UNRELEASED_TASKS = 3
    UNKNOWN = 127


class Endpoint(NamedTuple):
    """Address at which other processes query the state stores of this member's process."""

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
    """Process whose directory contains the state. No two members of a process have the same task."""
    user_endpoint: Endpoint | None = None
    client_tags: tuple[tuple[str, str], ...] = ()
    """(key, value) of each tag, ascending by key, without duplicates."""
    member_epoch: int = 0
    """Member epoch; LEAVES_FOR_NOW for a static member that has left temporarily.

    Invariant: at most the epoch of the group's target.
    """
    previous_member_epoch: int = 0
    state: TaskState = TaskState.STABLE
    assigned: AssignedTasks = field(default_factory=lambda: NOTHING)
    pending_revocation: AssignedTasks = field(default_factory=lambda: NOTHING)
    """Tasks that the member is giving up; empty unless its state is UNREVOKED_TASKS."""

    @property
    def is_away(self) -> bool:
        return self.member_epoch == LEAVES_FOR_NOW

    def has_reached(self, epoch: int) -> bool:
        return self.state is TaskState.STABLE and self.member_epoch == epoch
