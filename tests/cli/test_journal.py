"""The rebalance journal over real sockets: members cause each kind of rebalance, and the entries are compared."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from typer.testing import CliRunner

from tenure.admin import Admin
from tenure.admin.group_members import MemberToRemove
from tenure.protocol.consumer_protocol import (
    Assignment,
    Subscription,
    TopicPartition,
    encode_assignment,
    encode_subscription,
)
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    HeartbeatRequest,
    JoinGroupRequest,
    JoinGroupRequestProtocol,
    LeaveGroupRequest,
    MemberIdentity,
    SyncGroupRequest,
    SyncGroupRequestAssignment,
)
from tests.cli.test_commands import environment, tenure
from tests.command_line import app
from tests.serving import Serving, serving
from tests.wire import Wire

SESSION_MS: Final = 300
LONG_MS: Final = 120_000
"""Session or rebalance timeout that does not expire during a test."""
PATIENCE_S: Final = 60.0


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    settings = ("group.min.session.timeout.ms=100", "offsets.topic.num.partitions=3")
    with serving(tmp_path_factory.mktemp("journal"), *settings) as broker:
        yield broker


class ClassicMember(Wire):
    """Member of a group with a connection of its own and classic requests."""

    def __init__(self, broker: Serving, group: str, instance: str | None = None, session_ms: int = LONG_MS) -> None:
        super().__init__(broker.host, broker.port, client_id="member")
        self.group, self.instance, self.session_ms = group, instance, session_ms
        self.member_id, self.generation = "", 0

    def send_join(self, reason: str | None = None) -> None:
        protocols = [JoinGroupRequestProtocol("range", encode_subscription(Subscription(["t"])))]
        self.send(
            JoinGroupRequest(
                self.group, self.session_ms, LONG_MS, self.member_id, self.instance, "consumer", protocols, reason
            )
        )

    def receive_join(self) -> None:
        answer = self.receive()
        if answer.error_code == ErrorCode.MEMBER_ID_REQUIRED:
            self.member_id = answer.member_id
            return self.join()
        assert answer.error_code == 0, answer
        self.member_id, self.generation = answer.member_id, answer.generation_id
        return None

    def join(self, reason: str | None = None) -> None:
        self.send_join(reason)
        self.receive_join()

    def sync(self, **partitions: list[int]) -> None:
        """Send SyncGroup, as the leader with assignments by member id."""
        assignments = [
            SyncGroupRequestAssignment(member, encode_assignment(Assignment([TopicPartition("t", numbers)])))
            for member, numbers in partitions.items()
        ]
        answer = self.ask(
            SyncGroupRequest(
                self.group, self.generation, self.member_id, self.instance, "consumer", "range", assignments=assignments
            )
        )
        assert answer.error_code == 0, answer

    def heartbeat(self) -> int:
        answer = self.ask(HeartbeatRequest(self.group, self.generation, self.member_id, self.instance))
        return int(answer.error_code)


def journal_of(broker: Serving, group: str, until: Callable[[list[Any]], bool]) -> list[Any]:
    """Return the journal of a group once it contains the awaited entry."""
    deadline_s = time.monotonic() + PATIENCE_S
    while True:
        done = CliRunner().invoke(app, ["groups", "journal", group, "--json"], env=environment(broker))
        entries = json.loads(done.stdout) if done.exit_code == 0 else []
        if until(entries):
            return list(entries)
        assert time.monotonic() < deadline_s, (entries, done.stderr)


def test_journal_command__each_kind_of_rebalance__reported_with_its_cause(broker: Serving) -> None:
    group = "j-kinds"
    with ClassicMember(broker, group, "web-1") as a, ClassicMember(broker, group, "web-2") as b:
        first_b, second_b = _cause_each_kind(broker, group, a, b)
    entries = journal_of(broker, group, lambda entries: bool(entries) and entries[-1].get("outcome") == "empty")
    causes = [entry["cause"] for entry in entries]
    assert causes[0] == f'member {a.member_id} (instance web-1) joined, saying "first"'
    assert causes[1] == f"member {first_b} (instance web-2) joined"
    assert causes[2].startswith(f"member {second_b} (instance web-2) returned and replaces member {first_b}")
    assert causes[3] == f"member {second_b} (instance web-2) sent no heartbeat within its session timeout"
    assert causes[4].startswith(
        f"member {b.member_id} (instance web-2) joined with a new member id: the session of the old member had expired "
    )
    assert causes[5].startswith(f"member {b.member_id} (instance web-2) was removed by an operator")
    assert causes[6] == f'member {a.member_id} (instance web-1) left, saying "done"'
    assert len(causes) == 7
    assert [entry.get("generation") for entry in entries] == [1, 2, 2, 3, 4, 5, 6]
    assert [entry["partitions"]["moved"] for entry in entries if "partitions" in entry] == [0, 1, 1, 1, 1, 0]
    assert all(entry["preparing_ms"] >= 0 for entry in entries if "preparing_ms" in entry)


def _cause_each_kind(broker: Serving, group: str, a: ClassicMember, b: ClassicMember) -> tuple[str, str]:
    """Cause each kind of rebalance; return the earlier member ids of b."""
    a.join(reason="first")
    a.sync(**{a.member_id: [0, 1]})
    b.send_join()  # a second member joins, and the first one joins again
    while a.heartbeat() != ErrorCode.REBALANCE_IN_PROGRESS:
        pass
    a.join()
    b.receive_join()
    a.sync(**{a.member_id: [0], b.member_id: [1]})
    b.sync()
    first_b, b.member_id, b.session_ms = b.member_id, "", SESSION_MS
    b.join()  # a restart of a static member: no rebalance
    assert b.generation == 2
    assert (
        b.heartbeat() == 0
    )  # the heartbeat begins a session with the short timeout; the restart keeps the old one (rule 2.6)
    while a.heartbeat() != ErrorCode.REBALANCE_IN_PROGRESS:  # its session ends
        pass
    a.join()
    a.sync(**{a.member_id: [0, 1]})
    second_b, b.member_id, b.session_ms = b.member_id, "", LONG_MS
    b.send_join()  # and it returns
    while a.heartbeat() != ErrorCode.REBALANCE_IN_PROGRESS:
        pass
    a.join()
    b.receive_join()
    a.sync(**{a.member_id: [0], b.member_id: [1]})
    with Admin(broker.address) as admin:
        admin.remove_members(group, [MemberToRemove("web-2")])
    a.join()
    a.sync(**{a.member_id: [0, 1]})
    a.ask(LeaveGroupRequest(group, members=[MemberIdentity(a.member_id, "web-1", "done")]))
    return first_b, second_b


def test_journal_command__table_output__one_row_per_entry(broker: Serving) -> None:
    with ClassicMember(broker, "j-table", "web-1") as a:
        a.join()
        a.sync(**{a.member_id: [0]})
        a.member_id = ""
        a.join()
    journal_of(broker, "j-table", lambda entries: len(entries) == 2)
    head, *rows = tenure(broker, "groups", "journal", "j-table").stdout.decode().splitlines()
    assert head.split("\t") == ["TIME", "GENERATION", "OUTCOME", "PREPARING", "COMPLETING", "MOVED", "MEMBERS", "CAUSE"]
    assert [row.split("\t")[1:3] for row in rows] == [["0 -> 1", "stable"], ["1", "seat kept"]]
    newest = tenure(broker, "groups", "journal", "j-table", "--last", "1").stdout.decode().splitlines()
    assert newest[1:] == rows[1:]


def test_journal_command__broker_killed_during_a_rebalance__under_way_before_the_kill_and_cut_short_after_it(
    broker: Serving,
) -> None:
    group = "j-restart"
    with ClassicMember(broker, group, "web-1") as a, ClassicMember(broker, group, "web-2") as b:
        a.join()
        a.sync(**{a.member_id: [0]})
        b.send_join()
        (_, under_way) = journal_of(broker, group, lambda entries: len(entries) == 2)
        assert (under_way["event"], under_way["outcome"]) == ("rebalance-began", "under way")
    broker.kill()
    broker.start()
    (_, cut_short) = journal_of(broker, group, lambda entries: len(entries) == 2)
    assert (cut_short["outcome"], cut_short["cause"]) == ("cut short", under_way["cause"])


def test_journal_command__follow_option__continues_until_ctrl_c(broker: Serving) -> None:
    command = [
        sys.executable,
        "-m",
        "tenure",
        "groups",
        "journal",
        "j-follow",
        "--follow",
        "--json",
        "-b",
        broker.address,
    ]
    with ClassicMember(broker, "j-follow", "web-1") as a:
        a.join()
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as following:
            assert following.stdout is not None
            began = json.loads(following.stdout.readline())
            a.sync(**{a.member_id: [0]})
            ended = json.loads(following.stdout.readline())
            following.send_signal(signal.SIGINT)
            _, errors = following.communicate(timeout=100)
    assert (began["outcome"], ended["outcome"], errors) == ("under way", "stable", b"")


def test_journal_command__unknown_group__error_of_one_sentence(broker: Serving) -> None:
    with ClassicMember(broker, "j-known") as a:
        a.join()
    journal_of(broker, "j-known", lambda entries: bool(entries))
    refused = tenure(broker, "groups", "journal", "j-unknown", expect=1).stderr.decode()
    assert refused.startswith("tenure: The journal has no entries of group 'j-unknown'")
    assert refused.count("\n") == 1


def test_journal_command__journal_disabled_at_the_broker__error_of_one_sentence(tmp_path: Any) -> None:
    with serving(tmp_path, "tenure.journal.enable=false", options=("--memory",)) as broker:
        with ClassicMember(broker, "g") as a:
            a.join()
        refused = tenure(broker, "groups", "journal", "g", expect=1).stderr.decode()
    assert "has no rebalance journal: Apache Kafka writes none" in refused
    assert refused.count("\n") == 1


def test_journal_topic__its_records__plain_json(broker: Serving) -> None:
    with ClassicMember(broker, "j-plain", "web-1") as a:
        a.join()
    journal_of(broker, "j-plain", lambda entries: bool(entries))
    read = tenure(broker, "consume", "__tenure_journal", "--from-beginning", "--until-end", "--json").stdout.decode()
    records = [json.loads(line) for line in read.splitlines()]
    (began,) = [json.loads(record["value"]) for record in records if record["key"] == "j-plain"]
    assert (began["version"], began["event"], began["group_id"]) == (1, "rebalance-began", "j-plain")
    refused = tenure(broker, "produce", "__tenure_journal", stdin=b"forged\n", expect=1).stderr.decode()
    assert "INVALID_TOPIC_EXCEPTION" in refused
