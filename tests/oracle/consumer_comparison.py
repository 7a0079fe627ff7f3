"""Comparison of one consumer group on both brokers, with its requests and answers.

Each request is answered at once. The state of a client on a broker follows from the answers of that broker; the
comparison ends with the first difference.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import unified_diff
from typing import Any, Final

from tenure.coordinator.groups.consumer.member import MemberState
from tenure.protocol.coordinator_logs.consumer_offsets import (
    ConsumerGroupCurrentMemberAssignmentValue as CurrentAssignment,
)
from tenure.protocol.messages import ListGroupsResponse
from tests.oracle.comparison import Comparison
from tests.oracle.consumer_histories import CLIENTS, STATIC, Action, History
from tests.oracle.consumer_requests import Consumers
from tests.oracle.consumer_sender import RequestSender
from tests.oracle.side import Session, Side

OBSERVER: Final = "observer"
LINE_STARTS: Final = re.compile(r"(\w+Member\(|\w*TopicPartitions\(|\w+Assignment\(|\w+Topology\(|\w+_tasks=)")
"""Pattern before which a report of a difference begins a new line."""


class ConsumerComparison(Comparison):
    group_type: type[Consumers] = Consumers
    sender_type: type[RequestSender] = RequestSender

    def __init__(self, history: History, name: str, topics: Mapping[str, str], sides: tuple[Side, Side]) -> None:
        super().__init__(history, name)
        self.groups = [self.group_type(side.session(), name, STATIC) for side in sides]
        self.senders = [self.sender_type(group, history, topics) for group in self.groups]
        for group in self.groups:
            group.session.listening = False
            for client in CLIENTS:
                group.draw_id(client)  # members choose their ids: the assignment of `range` depends on the order of ids
        self.seen: set[str] = set()
        self.described: tuple[Any, Any] | None = None
        """Last descriptions from both brokers; equal ones are not recorded again."""

    @property
    def sessions(self) -> tuple[Session, Session]:
        return self.groups[0].session, self.groups[1].session

    @property
    def is_over(self) -> bool:
        return bool(self.difference)

    def act(self, action: Action) -> bool:
        """Send the request of an action to both brokers; return whether there was one."""
        if action.kind == "rest" or self.is_over:
            return False
        for sender in self.senders:
            sender.send(action)
        self.asks.append(self.sessions[0].last_asked)
        self.transcript.append(f"{action.client}: {' '.join(str(one) for one in action)}")
        return True

    def receive(self, client: str) -> None:
        answers = [group.receive(client) for group in self.groups]
        for answer in answers:
            self.prepare(answer)
        expected, ours = (session.render(one) for session, one in zip(self.sessions, answers, strict=True))
        self.answers.append(expected)
        self.compare(client, expected, ours)

    def prepare(self, answer: Any) -> None:
        """Remove from an answer what concerns other groups, and what may differ."""
        if isinstance(answer, ListGroupsResponse):
            answer.groups[:] = [one for one in answer.groups if one.group_id == self.name]

    def compare_descriptions(self, described: tuple[Any, Any], *, late: bool) -> bool:
        """Compare descriptions of the group; return False if they differ and another attempt is possible."""
        if described == self.described:
            return True
        expected, ours = (session.render(one) for session, one in zip(self.sessions, described, strict=True))
        if expected != ours and not late:
            return False
        self.described = described
        self.seen.add(described[0].group_state)
        self.compare(OBSERVER, expected, ours)
        return True

    def compare(self, who: str, expected: str, ours: str) -> None:
        if self.is_over:
            return
        if expected != ours:
            pieces = [[f"{who} receives", *LINE_STARTS.sub(r"\n    \1", text).split("\n")] for text in (expected, ours)]
            self.difference = "\n".join(unified_diff(*pieces, "Apache Kafka", "Tenure", lineterm="", n=1))
        if who != OBSERVER:
            self.transcript.append(f"    {who} receives {expected}")

    def member_states(self) -> set[str]:
        """Return all states of members in Apache Kafka's log."""
        values = [value for _, _, value, _ in self.sessions[0].side.log.of(self.name)]
        return {MemberState(value.state).name for value in values if isinstance(value, CurrentAssignment)}
