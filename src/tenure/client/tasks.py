"""Value types of streams groups: topology, tasks, and the events of a member (KIP-1071)."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, TypeAlias

from tenure.client.values import Identity, TopicPartition

NO_CONFIGS: Final[Mapping[str, str]] = {}


class InternalTopic(NamedTuple):
    """Repartition or changelog topic, which the broker creates for the group."""

    name: str
    partitions: int = 0
    """Number of partitions. 0: the broker derives the number from the topics that are read. A changelog topic always
    has 0."""
    replication_factor: int = 0
    """Number of replicas. 0: the broker's `default.replication.factor`."""
    configs: Mapping[str, str] = NO_CONFIGS


class Subtopology(NamedTuple):
    """Part of a topology that exchanges records with the other parts only through internal topics.

    There is one task for each partition number of the topics that this part reads.
    """

    subtopology_id: str
    sources: tuple[str, ...] = ()
    """Topics that the subtopology reads, and that exist before the application starts."""
    repartition_sources: tuple[InternalTopic, ...] = ()
    """Internal topics that the subtopology reads: another subtopology writes them."""
    repartition_sinks: tuple[str, ...] = ()
    """Internal topics that the subtopology writes for other subtopologies."""
    changelogs: tuple[InternalTopic, ...] = ()
    """Internal topics of the subtopology's state. Standby tasks exist only for subtopologies with state."""
    copartitioned: tuple[tuple[str, ...], ...] = ()
    """Sets of joined topics. All topics of one set have the same number of partitions."""

    @property
    def topics(self) -> tuple[str, ...]:
        """Names of the topics that the subtopology reads."""
        return (*self.sources, *(topic.name for topic in self.repartition_sources))


class Topology(NamedTuple):
    """Topology of an application. All members of the group have the same one."""

    subtopologies: tuple[Subtopology, ...]
    epoch: int = 0
    """Kafka's topology epoch: a member with a lower one than the group's gets the status STALE_TOPOLOGY."""


class Task(NamedTuple):
    """Unit of work of a streams group: one partition number of the topics that a subtopology reads."""

    subtopology_id: str
    partition: int

    def __str__(self) -> str:
        return f"{self.subtopology_id}_{self.partition}"


class Tasks(NamedTuple):
    """Tasks by role. The tasks of a role are sorted."""

    active: tuple[Task, ...] = ()
    """Tasks that process records. Each active task is assigned to one member of the group."""
    standby: tuple[Task, ...] = ()
    """Tasks whose state the member keeps up to date, in case the active task's process stops."""
    warmup: tuple[Task, ...] = ()
    """Tasks whose state the member restores before they become active."""


class Endpoint(NamedTuple):
    """Kafka's `application.server`: address for queries of a process's state."""

    host: str
    port: int


class EndpointPartitions(NamedTuple):
    """Source partitions of the tasks in the process with this endpoint."""

    active: tuple[TopicPartition, ...]
    standby: tuple[TopicPartition, ...]


class GroupStatus(NamedTuple):
    """Status that the coordinator reports about the group or about this member."""

    code: int
    """Number of the status, a constant of `StatusCode`."""
    detail: str


class StatusCode:
    """Kafka's codes for problems of a streams group, which heartbeat responses report to members (rule 5.4)."""

    STALE_TOPOLOGY: Final = 0
    MISSING_SOURCE_TOPICS: Final = 1
    INCORRECTLY_PARTITIONED_TOPICS: Final = 2
    MISSING_INTERNAL_TOPICS: Final = 3
    SHUTDOWN_APPLICATION: Final = 4
    ASSIGNMENT_DELAYED: Final = 5
    MISSING_CLIENT_TAGS: Final = 6


class TasksAssigned(NamedTuple):
    """Event: the member received an assignment. `tasks` are all of its tasks. Commit with `identity`."""

    identity: Identity
    tasks: Tasks
    added: Tasks
    """Tasks that the member did not have before in this role, such as a standby task that becomes active."""
    added_partitions: tuple[TopicPartition, ...]
    """Partitions that the added active tasks read."""


class TasksRevoked(NamedTuple):
    """Event: a rebalance revokes these tasks. They can be committed until the revocation is acknowledged."""

    tasks: Tasks


class TasksLost(NamedTuple):
    """Event: the membership is lost. Work that was planned under it cannot be committed."""

    tasks: Tasks


class StatusChanged(NamedTuple):
    """Event: the coordinator reports changed statuses. The tuple is empty if there is no problem."""

    statuses: tuple[GroupStatus, ...]


StreamsEvent: TypeAlias = TasksAssigned | TasksRevoked | TasksLost | StatusChanged


def check_topology(topology: Topology) -> None:
    """Raise ValueError if the topology is invalid.

    Each subtopology needs an id of its own. No topic may be read by two subtopologies. At least one topic must be read,
    and `copartitioned` may name only topics that its subtopology reads.
    """
    for kind, names in (
        ("subtopology id", [subtopology.subtopology_id for subtopology in topology.subtopologies]),
        ("topic", [topic for subtopology in topology.subtopologies for topic in subtopology.topics]),
    ):
        twice = _first_twice(names)
        if twice is not None:
            raise ValueError(f"Duplicate {kind} '{twice}' in the topology: it may be in one subtopology only.")
        if not names or "" in names:
            raise ValueError(f"Missing {kind} in the topology: it needs a subtopology with an id that reads a topic.")
    for subtopology in topology.subtopologies:
        unknown = sorted(
            {topic for topics in subtopology.copartitioned for topic in topics}.difference(subtopology.topics)
        )
        if unknown:
            raise ValueError(
                f"Unknown topic '{unknown[0]}' in 'copartitioned' of subtopology '{subtopology.subtopology_id}': the "
                "subtopology "
                "does not read this topic."
            )


def _first_twice(names: Iterable[str]) -> str | None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None
