"""Topology of a streams group (rules 5.2 and 5.4): subtopologies, and the topics that they need.

Members send the topology when they join, and the log stores it unchanged (`StreamsGroupTopologyValue`). A topology
names source topics, which users create, and internal topics, which the broker creates. Internal topics are repartition
topics, which transfer records from one subtopology to another, and changelog topics, which contain the changes of a
state store.
"""

from collections.abc import Iterator
from functools import cached_property

from tenure.protocol.coordinator_logs.consumer_offsets import StreamsGroupTopologyValue, TopologySubtopology
from tenure.protocol.types import TopicName


class Topology:
    """Topology with look-ups. Immutable."""

    def __init__(self, value: StreamsGroupTopologyValue) -> None:
        self.value = value
        self.subtopologies: dict[str, TopologySubtopology] = {
            subtopology.subtopology_id: subtopology
            for subtopology in sorted(value.subtopologies, key=lambda each: each.subtopology_id)
        }

    @property
    def epoch(self) -> int:
        return self.value.epoch

    def equals(self, other: StreamsGroupTopologyValue) -> bool:
        """Return whether epochs and subtopologies are equal; the order of subtopologies does not matter."""
        return self.epoch == other.epoch and self.subtopologies == Topology(other).subtopologies

    @cached_property
    def subtopology_of(self) -> dict[TopicName, str]:
        """Subtopology id by source topic and by repartition source topic."""
        return {
            name: subtopology_id
            for subtopology_id, subtopology in self.subtopologies.items()
            for name in input_topics(subtopology)
        }

    @cached_property
    def required_topics(self) -> frozenset[TopicName]:
        """Topics that must exist before tasks can be assigned."""
        return frozenset(
            name
            for subtopology in self.subtopologies.values()
            for name in (*input_topics(subtopology), *(topic.name for topic in subtopology.state_changelog_topics))
        )


def input_topics(subtopology: TopologySubtopology) -> Iterator[TopicName]:
    yield from subtopology.source_topics
    yield from (topic.name for topic in subtopology.repartition_source_topics)
