"""Comparison of one streams group on both brokers, with its requests and answers."""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import Any, Final

from tenure.coordinator.groups.streams.member import TaskState
from tenure.protocol.coordinator_logs.consumer_offsets import StreamsGroupCurrentMemberAssignmentValue
from tenure.protocol.messages import (
    DescribedStreamsGroup,
    StreamsGroupDescribeRequest,
    StreamsGroupDescribeResponse,
)
from tenure.protocol.types import GroupId
from tests.oracle.consumer_comparison import OBSERVER, ConsumerComparison
from tests.oracle.java_order import order_in_table
from tests.oracle.side import Session
from tests.oracle.streams_sender import OrderedStreams, StreamsSender

PAIR: Final = 2
"""Members of a group whose processes are in a table of two places."""


def remove_resolved_partitions(groups: Iterable[DescribedStreamsGroup]) -> None:
    """Set the partition counts of internal topics to 0 (docs/differences.md: Internal topics in descriptions)."""
    for group in groups:
        for subtopology in group.topology.subtopologies or () if group.topology is not None else ():
            for topic in (*subtopology.state_changelog_topics, *subtopology.repartition_source_topics):
                topic.partitions = 0


def is_reordered(group: DescribedStreamsGroup) -> bool:
    """Return whether the group has two members, whose processes are in another order in Apache Kafka's table."""
    processes = [member.process_id for member in sorted(group.members, key=attrgetter("member_id"))]
    return len(processes) == PAIR and order_in_table(processes, PAIR) != processes


def targets_of(group: DescribedStreamsGroup, session: Session) -> dict[str, str]:
    return {member.member_id: session.render(member.target_assignment) for member in group.members}


class StreamsComparison(ConsumerComparison):
    group_type = OrderedStreams
    sender_type = StreamsSender
    is_tied = False
    """True if the comparison has ended without an error (docs/differences.md: Choice between two equal processes)."""

    @property
    def is_over(self) -> bool:
        return self.is_tied or super().is_over

    def compare(self, who: str, expected: str, ours: str) -> None:
        if who != OBSERVER and expected != ours:
            self.end_if_tied(*(self.describe(session) for session in self.sessions))
        super().compare(who, expected, ours)

    def compare_descriptions(self, described: tuple[Any, Any], *, late: bool) -> bool:
        remove_resolved_partitions(described)
        self.end_if_tied(*described)
        return self.is_tied or super().compare_descriptions(described, late=late)

    def describe(self, session: Session) -> DescribedStreamsGroup:
        groups: list[DescribedStreamsGroup]
        groups = session.wire(OBSERVER).ask(StreamsGroupDescribeRequest([GroupId(self.name)])).groups
        return groups[0]

    def end_if_tied(self, kafka: DescribedStreamsGroup, tenure: DescribedStreamsGroup) -> None:
        """End the comparison if the brokers have chosen different processes, because of another order."""
        epochs = [(group.group_epoch, group.assignment_epoch) for group in (kafka, tenure)]
        if epochs[0] != epochs[1] or not is_reordered(kafka):
            return
        theirs, ours = (targets_of(*pair) for pair in zip((kafka, tenure), self.sessions, strict=True))
        if theirs.keys() == ours.keys() and theirs != ours:
            self.is_tied = True
            self.seen.add("tie")

    def prepare(self, answer: Any) -> None:
        super().prepare(answer)
        if isinstance(answer, StreamsGroupDescribeResponse):
            remove_resolved_partitions(answer.groups)

    def member_states(self) -> set[str]:
        """Return all states of members in Apache Kafka's log."""
        values = [value for _, _, value, _ in self.sessions[0].side.log.of(self.name)]
        return {
            TaskState(value.state).name
            for value in values
            if isinstance(value, StreamsGroupCurrentMemberAssignmentValue)
        }
