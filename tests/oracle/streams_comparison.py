"""Comparison of one streams group on both brokers, with its requests and answers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tenure.coordinator.groups.streams.member import TaskState
from tenure.protocol.coordinator_logs.consumer_offsets import StreamsGroupCurrentMemberAssignmentValue
from tenure.protocol.messages import DescribedStreamsGroup, StreamsGroupDescribeResponse
from tests.oracle.consumer_comparison import ConsumerComparison
from tests.oracle.streams_sender import OrderedStreams, StreamsSender


def forget_resolved_partitions(groups: Iterable[DescribedStreamsGroup]) -> None:
    """Remove the partitions of internal topics (docs/differences.md: Internal topics in descriptions)."""
    for group in groups:
        for subtopology in group.topology.subtopologies or () if group.topology is not None else ():
            for topic in (*subtopology.state_changelog_topics, *subtopology.repartition_source_topics):
                topic.partitions = 0


class StreamsComparison(ConsumerComparison):
    group_type = OrderedStreams
    sender_type = StreamsSender

    def compare_descriptions(self, described: tuple[Any, Any], *, late: bool) -> bool:
        for group in described:
            forget_resolved_partitions([group])
        return super().compare_descriptions(described, late=late)

    def prepare(self, answer: Any) -> None:
        super().prepare(answer)
        if isinstance(answer, StreamsGroupDescribeResponse):
            forget_resolved_partitions(answer.groups)

    def member_states(self) -> set[str]:
        """Return all states of members in Apache Kafka's log."""
        values = [value for _, _, value, _ in self.sessions[0].side.log.of(self.name)]
        return {
            TaskState(value.state).name
            for value in values
            if isinstance(value, StreamsGroupCurrentMemberAssignmentValue)
        }
