"""Comparison of the topics that a topology needs with those that exist (rule 5.2, point 5).

The number of partitions of an internal topic follows from the source topics. A repartition topic has as many partitions
as the largest input of the subtopology that writes to it, unless the topology states a number. Topics that are joined
form a copartition group, and must have equal numbers of partitions. A changelog topic has one partition per task of its
subtopology.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

from tenure.coordinator.groups.streams.topology import Topology, input_topics
from tenure.coordinator.metadata.topics import Topics
from tenure.protocol.coordinator_logs.consumer_offsets import (
    TopologyCopartitionGroup,
    TopologySubtopology,
    TopologyTopicInfo,
)
from tenure.protocol.types import TopicName

NAMED_MAX: Final = 3
"""Number of topics that a status names; the others are counted."""
BROKER_DEFAULT: Final = -1


class Status(IntEnum):
    """Kafka's codes for problems of a streams group, which heartbeat responses report to members (rule 5.4)."""

    STALE_TOPOLOGY = 0
    MISSING_SOURCE_TOPICS = 1
    INCORRECTLY_PARTITIONED_TOPICS = 2
    MISSING_INTERNAL_TOPICS = 3
    SHUTDOWN_APPLICATION = 4
    ASSIGNMENT_DELAYED = 5
    MISSING_CLIENT_TAGS = 6


@dataclass(slots=True, frozen=True)
class InternalTopic:
    """Repartition or changelog topic, with the number of partitions that it needs."""

    name: TopicName
    partitions: int
    replication_factor: int
    configs: Mapping[str, str]


@dataclass(slots=True, frozen=True)
class PlannedSubtopology:
    """Subtopology with its number of tasks; tasks are numbered from 0."""

    tasks: int
    source_topics: tuple[TopicName, ...]
    repartition_source_topics: tuple[InternalTopic, ...]
    repartition_sink_topics: tuple[TopicName, ...]
    changelog_topics: tuple[InternalTopic, ...]

    @property
    def is_stateful(self) -> bool:
        return bool(self.changelog_topics)


@dataclass(slots=True, frozen=True)
class TopicPlan:
    """Subtopologies that can be assigned, or the reason why they cannot."""

    subtopologies: Mapping[str, PlannedSubtopology] = field(default_factory=dict)
    """Subtopologies by id, ascending; empty if source topics are missing or numbers of partitions are inconsistent."""
    missing_internal_topics: tuple[InternalTopic, ...] = ()
    problem: tuple[Status, str] | None = None

    @property
    def is_ready(self) -> bool:
        return self.problem is None


class InvalidTopology(Exception):
    """The topology permits no valid number of partitions for a topic (STREAMS_INVALID_TOPOLOGY)."""


class _Unsuitable(Exception):
    """Topics are missing, or have a wrong number of partitions, so no task can be assigned."""

    def __init__(self, status: Status, detail: str) -> None:
        super().__init__(detail)
        self.problem: Final = (status, detail)


def plan_topics(topology: Topology, topics: Topics) -> TopicPlan:
    """Compare a topology with the existing topics. Raises InvalidTopology."""
    try:
        planned = _Planning(topology, topics).subtopologies()
        missing = _missing_internal_topics(planned.values(), topology, topics)
    except _Unsuitable as unsuitable:
        return TopicPlan(problem=unsuitable.problem)
    if not missing:
        return TopicPlan(planned)
    detail = f"Internal topics are missing: {summary(topic.name for topic in missing)}"
    return TopicPlan(planned, missing, (Status.MISSING_INTERNAL_TOPICS, detail))


def summary(names: Iterable[TopicName]) -> str:
    """Return a text with the first NAMED_MAX names, and the number of the others."""
    found = list(names)
    more = f" and {len(found) - NAMED_MAX} additional topics" if len(found) > NAMED_MAX else ""
    return f"{', '.join(found[:NAMED_MAX])}{more}"


class _Planning:
    """Computation of the numbers of partitions of internal topics."""

    def __init__(self, topology: Topology, topics: Topics) -> None:
        self._topology: Final = topology
        self._topics: Final = topics
        self._decided: Final[dict[TopicName, int]] = {}
        """Computed number of partitions of each internal topic."""

    def subtopologies(self) -> dict[str, PlannedSubtopology]:
        self._require_source_topics()
        self._size_repartition_topics()
        for subtopology in self._topology.subtopologies.values():
            for group in subtopology.copartition_groups:
                self._enforce(_members(subtopology, group))
        tasks = {name: self._tasks(subtopology) for name, subtopology in self._topology.subtopologies.items()}
        for name, subtopology in self._topology.subtopologies.items():
            self._decided.update((topic.name, tasks[name]) for topic in subtopology.state_changelog_topics)
        return {name: self._planned(each, tasks[name]) for name, each in self._topology.subtopologies.items()}

    def _require_source_topics(self) -> None:
        wanted = {name for each in self._topology.subtopologies.values() for name in each.source_topics}
        missing = sorted(name for name in wanted if self._topics.named(name) is None)
        if missing:
            raise _Unsuitable(Status.MISSING_SOURCE_TOPICS, f"Source topics {summary(missing)} are missing.")

    def _size_repartition_topics(self) -> None:
        """Compute the number of partitions of each repartition topic from the subtopologies that write to it.

        If these subtopologies read other repartition topics, the numbers of partitions of those topics are computed
        first.
        """
        subtopologies = self._topology.subtopologies.values()
        sources = [topic for each in subtopologies for topic in each.repartition_source_topics]
        sizes = {topic.name: topic.partitions for topic in sources if topic.partitions}
        waiting = [(sink, each) for each in subtopologies for sink in each.repartition_sink_topics if sink not in sizes]
        while waiting:
            left = []
            for sink, writer in waiting:
                size = self._largest_input(writer, sizes)
                if sink not in sizes and size is None:
                    left.append((sink, writer))
                elif size is not None:
                    sizes.setdefault(sink, size)
            if len(left) == len(waiting):
                message = "There may be loops in the topology that cannot be resolved."
                raise InvalidTopology(f"Failed to compute number of partitions for all repartition topics. {message}")
            waiting = left
        if any(topic.name not in sizes for topic in sources):
            message = "because a repartition source topic is never used as a sink topic."
            raise InvalidTopology(f"Failed to compute number of partitions for all repartition topics, {message}")
        self._decided.update(sizes)

    def _largest_input(self, subtopology: TopologySubtopology, sizes: Mapping[TopicName, int]) -> int | None:
        known = [sizes[topic.name] for topic in subtopology.repartition_source_topics if topic.name in sizes]
        known += [size for name in subtopology.source_topics if (size := self._existing(name)) is not None]
        return max(known, default=None)

    def _existing(self, name: TopicName) -> int | None:
        topic = self._topics.named(name)
        return None if topic is None else topic.partitions

    def _size(self, name: TopicName) -> int:
        """Return the number of partitions of a topic: that of the existing topic, or the computed one."""
        existing = self._existing(name)
        return self._decided[name] if existing is None else existing

    def _enforce(self, group: Collection[TopicName]) -> None:
        """Give all repartition topics of a copartition group the same number of partitions.

        The number is that of the source topics in the group, or else the one that the topology states. Raises
        _Unsuitable if several such numbers differ.
        """
        subtopologies = self._topology.subtopologies.values()
        sources = [topic for each in subtopologies for topic in each.repartition_source_topics]
        stated = {topic.name for topic in sources if topic.partitions}
        derived = {topic.name for topic in sources if not topic.partitions}
        internal = {name: self._size(name) for name in group if name in stated or name in derived}
        external = {name: self._size(name) for name in group if name not in internal}
        fixed = {name: size for name, size in internal.items() if name in stated}
        decisive = external or fixed
        if len(set(decisive.values())) > 1:
            listed = ", ".join(f"{name}={size}" for name, size in sorted((external or internal).items()))
            detail = f"Following topics do not have the same number of partitions: [{{{listed}}}]"
            raise _Unsuitable(Status.INCORRECTLY_PARTITIONED_TOPICS, detail)
        if not group:
            return
        size = next(iter(decisive.values())) if decisive else max(internal.values())
        for name, own in internal.items():
            self._decided[name] = size
            if name in stated and own != size:
                detail = (
                    f"Number of partitions [{own}] of repartition topic [{name}] doesn't match number of partitions "
                    f"[{size}] of the source topic."
                )
                raise _Unsuitable(Status.INCORRECTLY_PARTITIONED_TOPICS, detail)

    def _tasks(self, subtopology: TopologySubtopology) -> int:
        sizes = [self._size(name) for name in input_topics(subtopology)]
        if not sizes:
            raise InvalidTopology(f"No source topics found for subtopology {subtopology.subtopology_id}")
        return max(sizes)

    def _planned(self, subtopology: TopologySubtopology, tasks: int) -> PlannedSubtopology:
        return PlannedSubtopology(
            tasks,
            tuple(subtopology.source_topics),
            tuple(self._internal(topic) for topic in subtopology.repartition_source_topics),
            tuple(subtopology.repartition_sink_topics),
            tuple(self._internal(topic) for topic in subtopology.state_changelog_topics),
        )

    def _internal(self, topic: TopologyTopicInfo) -> InternalTopic:
        configs = {config.key: config.value for config in topic.topic_configs}
        partitions = topic.partitions or self._decided[topic.name]
        return InternalTopic(topic.name, partitions, topic.replication_factor or BROKER_DEFAULT, configs)


def _members(subtopology: TopologySubtopology, group: TopologyCopartitionGroup) -> set[TopicName]:
    """Return the names of the topics in a copartition group. The group has indices into the topics of `subtopology`."""
    sources = dict(enumerate(subtopology.source_topics))
    repartition = {at: topic.name for at, topic in enumerate(subtopology.repartition_source_topics)}
    try:
        return {sources[at] for at in group.source_topics} | {repartition[at] for at in group.repartition_source_topics}
    except KeyError:
        raise InvalidTopology(
            f"Subtopology {subtopology.subtopology_id} has a copartition group with an index of a topic that it lacks."
        ) from None


def _missing_internal_topics(
    planned: Iterable[PlannedSubtopology], topology: Topology, topics: Topics
) -> tuple[InternalTopic, ...]:
    internal = {
        topic.name: topic for each in planned for topic in (*each.repartition_source_topics, *each.changelog_topics)
    }
    missing = []
    for name in sorted(topology.required_topics & internal.keys()):
        existing = topics.named(name)
        if existing is None:
            missing.append(internal[name])
        elif existing.partitions != internal[name].partitions:
            detail = (
                f"Existing topic {name} has different number of partitions: expected {internal[name].partitions}, "
                f"found {existing.partitions}"
            )
            raise _Unsuitable(Status.INCORRECTLY_PARTITIONED_TOPICS, detail)
    return tuple(missing)
