"""Comparison of one classic group on both brokers: pending requests, state of the clients, requests and answers.

The state of a client follows from the answers of Apache Kafka. Both brokers must give the same answers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import unified_diff
from typing import Any, Final

from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import ListGroupsResponse
from tests.oracle.classic_histories import CLEAR, CLIENTS, FIRST, OPERATOR, STATIC, Action, History
from tests.oracle.classic_requests import BOTH, LONG_MS, OWN, RANGE, WIDER, Group
from tests.oracle.client_versions import CLIENT_VERSIONS
from tests.oracle.comparison import Comparison
from tests.oracle.side import Session, Side

SHORT_SESSION_MS: Final = 2_500
SHORT_REBALANCE_MS: Final = 3_000

LEADER: Final = re.compile(r"leader=([^,]+),")
PROTOCOLS: Final = (WIDER, BOTH, RANGE)
"""Lists of protocols of which no two tie in a vote: a member with both protocols prefers the rarer one."""

OTHER_GROUP: Final = "other-group"
"""Name of a group whose state never changes."""
MISSING: Final = "missing-group"
OBSERVER: Final = "observer"

MEMBERSHIP_LOST: Final = {ErrorCode.UNKNOWN_MEMBER_ID, ErrorCode.FENCED_INSTANCE_ID, ErrorCode.GROUP_MAX_SIZE_REACHED}


class ClientState:
    """State of a client, as its last answers define it."""

    def __init__(self) -> None:
        self.next = "join_with_id"
        self.generation = 0
        self.protocol: str | None = "range"

    def learn(self, kind: str, answer: Any) -> None:
        code = answer.error_code if hasattr(answer, "error_code") else 0
        if kind == "LeaveGroup" or code in MEMBERSHIP_LOST:
            self.next = "join_with_id"
        elif code == ErrorCode.MEMBER_ID_REQUIRED or code in (
            ErrorCode.REBALANCE_IN_PROGRESS,
            ErrorCode.ILLEGAL_GENERATION,
        ):
            self.next = "join"
        elif kind == "JoinGroup" and not code:
            self.next, self.generation, self.protocol = "sync", answer.generation_id, answer.protocol_name
        elif kind == "SyncGroup" and not code:
            self.next = "member"


class ClassicComparison(Comparison):
    def __init__(
        self, history: History, name: str, deleted_topic: str, sides: tuple[Side, Side], timeout_factor: int
    ) -> None:
        super().__init__(history, name)
        self.deleted_topic = deleted_topic
        self.timeout_factor = timeout_factor
        self.groups = [Group(side.session(), name, STATIC) for side in sides]
        for session in self.sessions:
            session.listening = False
        self.client_states = {client: ClientState() for client in (*CLIENTS, OPERATOR)}
        self.described: list[list[str]] = [[], []]
        """Member ids on each broker, from the last description of the group."""
        self.waiting: dict[str, tuple[str, str]] = {}
        """(client, kind of request) by connection with a pending request."""
        self.leader = ""
        self.states: set[str] = set()
        self.over = False

    @property
    def sessions(self) -> tuple[Session, Session]:
        return self.groups[0].session, self.groups[1].session

    # --- requests -----------------------------------------------------------------------------------------------------

    def act(self, action: Action) -> str:
        """Send the request of an action to both brokers; return the connection, "" if no client could send it."""
        if action.kind == "rest" or self.over:
            return ""
        if action.kind in ("proceed", "join") and all(client in self.waiting for client in CLIENTS):
            action = CLEAR
        client = self.client_of(action)
        connection = next((connection for connection in (client, f"{client}'") if connection not in self.waiting), None)
        if connection is None:
            connection = self.restart_process(client)
        for group, members in zip(self.groups, self.described, strict=True):
            group.versions = CLIENT_VERSIONS[action.client_version]
            RequestSender(self, group, client, connection, action, members).send()
        kind = self.sessions[0].last_asked
        self.waiting[connection] = client, kind
        self.asks.append(kind)
        self.transcript.append(f"{client}: {' '.join(str(one) for one in action)}")
        return connection

    def client_of(self, action: Action) -> str:
        """Return the client of an action. Clients that wait for an answer take no regular step (`proceed`)."""
        if action.kind not in ("proceed", "join"):
            return action.client
        at = CLIENTS.index(action.client)
        return next((one for one in CLIENTS[at:] + CLIENTS[:at] if one not in self.waiting), action.client)

    def restart_process(self, client: str) -> str:
        """End the process of a client that has two pending requests, and start another one."""
        for connection in (client, f"{client}'"):
            del self.waiting[connection]
            for session in self.sessions:
                session.close_connection(connection)
        return client

    # --- answers ------------------------------------------------------------------------------------------------------

    def ready(self) -> list[set[str]]:
        """Return the connections on which an answer has arrived, for each broker."""
        return [
            {connection for connection in self.waiting if session.has_answer(connection)} for session in self.sessions
        ]

    def receive(self, connections: set[str]) -> None:
        """Receive the answers of the same connections from both brokers, and compare them."""
        received = []
        for connection in sorted(connections):
            client, kind = self.waiting.pop(connection)
            received.append(
                (connection, client, kind, [session.receive(client, connection) for session in self.sessions])
            )
        for connection, client, kind, answers in received:  # by now all members in these answers are known by name
            for answer in answers:
                if isinstance(answer, ListGroupsResponse):
                    answer.groups[:] = [one for one in answer.groups if one.group_id == self.name]
            expected, ours = (session.render(one) for session, one in zip(self.sessions, answers, strict=True))
            self.compare(connection, expected, ours)
            self.client_states[client].learn(kind, answers[0])
            self.answers.append(expected)

    def compare_descriptions(self, described: tuple[Any, Any], late: bool) -> bool:
        """Compare descriptions of the group; return False if they differ and another attempt is possible."""
        expected, ours = (session.render(one) for session, one in zip(self.sessions, described, strict=True))
        if expected != ours and not late:
            return False
        self.states.add(described[0].group_state)
        self.described = [[member.member_id for member in one.members] for one in described]
        self.compare(OBSERVER, expected, ours)
        return True

    def compare(self, who: str, expected: str, ours: str) -> None:
        if self.over:
            return
        leaders = [LEADER.search(text) for text in (expected, ours)]
        if expected != ours:
            self.over = True
            if leaders[0] and leaders[1] and self.leader not in (leaders[0][1], leaders[1][1]):
                return  # an election (docs/differences.md): nothing after it can be compared
            pieces = [
                [f"{who} receives", *text.replace("Member(", "\n    Member(").split("\n")] for text in (expected, ours)
            ]
            self.difference = "\n".join(unified_diff(*pieces, "Apache Kafka", "Tenure", lineterm=""))
        elif leaders[0] and leaders[0][1] != "''":
            self.leader = leaders[0][1]
        if who != OBSERVER:
            self.transcript.append(f"    {who} receives {expected}")

    def disagree(self, connections: set[str]) -> None:
        """End the comparison, because only one broker answered."""
        if not connections or self.over:
            return
        self.over = True
        expected, _ = self.ready()
        for connection in sorted(connections):
            client, _ = self.waiting.pop(connection)
            answering, silent = (0, 1) if connection in expected else (1, 0)
            received = self.sessions[answering].render(self.sessions[answering].receive(client, connection))
            names = [session.side.name for session in self.sessions]
            self.difference += (
                f"    {connection} receives {received}\n    from {names[answering]}, and nothing from {names[silent]}"
            )


class RequestSender:
    """Sender of the request of one action to one broker."""

    def __init__(
        self,
        comparison: ClassicComparison,
        group: Group,
        client: str,
        connection: str,
        action: Action,
        members: Sequence[str],
    ) -> None:
        self.comparison, self.group, self.client, self.connection, self.action = (
            comparison,
            group,
            client,
            connection,
            action,
        )
        self.members = members
        self.state = comparison.client_states[client]

    def send(self) -> None:
        self.group.session.connection = self.connection
        getattr(self, self.action.kind)()

    @property
    def member_id(self) -> str | int:
        """Member id of the request: the client's newest id if it has no older one."""
        given = self.group.session.member_ids.get(self.client)
        return OWN if self.action.which == FIRST and not given else self.action.which

    @property
    def generation(self) -> int:
        return self.state.generation + self.action.shift

    def timeouts(self) -> dict[str, int]:
        history, timeout_factor = self.comparison.history, self.comparison.timeout_factor
        return {
            "session_timeout_ms": timeout_factor * SHORT_SESSION_MS
            if self.client in history.short_sessions
            else LONG_MS,
            "rebalance_timeout_ms": timeout_factor * SHORT_REBALANCE_MS if history.short_rebalances else LONG_MS,
        }

    # --- members ------------------------------------------------------------------------------------------------------

    def proceed(self) -> None:
        match self.state.next:
            case "join_with_id":
                self.group.join(self.client, "", wait=False, **self.timeouts())
            case "join":
                self.group.join(self.client, wait=False, **self.timeouts())
            case "sync":
                self.sync()
            case _ if self.action.number == 0:
                self.heartbeat()
            case _ if self.action.number == 1:
                self.commit()
            case _:
                self.fetch()

    def restart(self) -> None:
        self.group.join(self.client, "", wait=False, **self.timeouts())

    def join(self) -> None:
        protocols = PROTOCOLS[self.action.number]
        how = {"instance": self.action.instance, "protocols": protocols}
        self.group.join(self.client, self.member_id, wait=False, **how, **self.timeouts())

    def sync(self) -> None:
        ids = self.group.session.member_ids
        self.group.sync(
            self.client,
            {whose: f"{whose} in {self.generation}".encode() for whose in CLIENTS if ids.get(whose)},
            self.member_id,
            generation=self.generation,
            instance=self.action.instance,
            protocol_name=self.state.protocol,
            wait=False,
        )

    def heartbeat(self) -> None:
        how = {"generation": self.generation, "instance": self.action.instance}
        self.group.heartbeat(self.client, self.member_id, **how)

    def leave(self) -> None:
        self.group.leave(self.client)

    # --- offsets ------------------------------------------------------------------------------------------------------

    def commit(self) -> None:
        offsets = {self.action.number % 4: 100 + len(self.comparison.asks)}
        how = {"generation": self.generation, "instance": self.action.instance}
        self.group.commit(self.client, offsets, self.member_id, **how)

    def commit_anonymously(self) -> None:
        offsets = {self.action.number % 2: len(self.comparison.asks)}
        how: dict[str, Any] = {}
        if self.action.number == 2:
            how = {"topic": self.comparison.deleted_topic}
        elif self.action.number == 3:
            how = {"topic": self.comparison.deleted_topic, "metadata": "x" * 5_000}
        elif self.action.number == 4:
            how = {"retention_ms": 3_600_000}
        self.group.commit_anonymously(self.client, offsets, **how)

    def fetch(self) -> None:
        match self.action.number:
            case 0:
                self.group.fetch(self.client, (0, 1, 2, 3))
            case 1 if self.group.versions.fetch >= 2:
                self.group.fetch(self.client, None)
            case _:
                self.group.fetch(self.client, topic=self.comparison.deleted_topic, others=[OTHER_GROUP, MISSING])

    def delete_offsets(self) -> None:
        topics = (["oracle"], [self.comparison.deleted_topic], ["oracle", "no-such-topic"])[self.action.number % 3]
        self.group.delete_offsets(self.client, topics=topics)

    # --- observers ----------------------------------------------------------------------------------------------------

    def describe(self) -> None:
        self.group.describe(self.client)

    def list(self) -> None:
        states = ([], ["Stable", "preparingrebalance"], ["Empty"])[self.action.number]
        self.group.list(self.client, states=states if self.group.versions.list >= 4 else ())

    def remove_static_members(self) -> None:
        leavers = ([("", "a")], [("", "b"), ("", "z")], [("", "c")], [("", "a"), ("", "b"), ("", "c")], [])
        self.group.leave(self.client, leavers[self.action.number])

    def remove_member(self) -> None:
        newest_ids = {ids[-1] for ids in self.group.session.member_ids.values()}
        orphans = [one for one in self.members if one not in newest_ids]
        self.group.leave(self.client, [(one, None) for one in orphans or {*self.members, *newest_ids}], version=5)

    def delete(self) -> None:
        self.group.delete(self.client, others=[MISSING] if self.action.number else [])
