"""`tenure groups ...` on groups of KIP-848 has the same output for `tenure serve` and Apache Kafka."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest

from tenure.client.net.event_loop import run
from tenure.client.net.shared_clusters import shared_cluster
from tenure.client.queries.group_changes import leave_consumer_group
from tenure.protocol.consumer_protocol import Subscription, encode_subscription
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import ConsumerGroupHeartbeatRequest, JoinGroupRequest, JoinGroupRequestProtocol
from tenure.protocol.types import GroupId, InstanceId, MemberId, TopicName
from tests.cli.conftest import Cli
from tests.wire import Wire


class Member:
    """Member whose requests the test sends; its session timeout is 45 s."""

    def __init__(self, wire: Wire, group: str, topic: str, member_id: str, instance_id: str | None) -> None:
        self._wire = wire
        self._who = {
            "group_id": GroupId(group),
            "member_id": MemberId(member_id),
            "instance_id": None if instance_id is None else InstanceId(instance_id),
        }
        self._topic = TopicName(topic)
        self.member_id = member_id
        self.epoch = 0
        self.owned: list[Any] = []

    def beat(self) -> int:
        """Send a complete heartbeat, with all assigned partitions; return the error."""
        request = ConsumerGroupHeartbeatRequest(
            member_epoch=self.epoch,
            rebalance_timeout_ms=60_000,
            subscribed_topic_names=[self._topic],
            topic_partitions=self.owned,
            **self._who,
        )
        answer = self._wire.ask(request)
        if answer.error_code == 0:
            self.epoch = answer.member_epoch
            self.owned = self.owned if answer.assignment is None else answer.assignment.topic_partitions
        return int(answer.error_code)

    def leave_temporarily(self) -> None:
        self._wire.ask(ConsumerGroupHeartbeatRequest(member_epoch=-2, **self._who))


class Members:
    """Members of groups, each with a connection of its own."""

    def __init__(self, cli: Cli, stack: ExitStack) -> None:
        host, _, port = cli.address.rpartition(":")
        self._at = host, int(port)
        self._stack = stack

    def join(self, group: str, topic: str, member_id: str, instance_id: str | None = None) -> Member:
        member = Member(self.wire(), group, topic, member_id, instance_id)
        assert member.beat() == 0
        return member

    def wire(self) -> Wire:
        return self._stack.enter_context(Wire(*self._at))

    def stabilize(self, cli: Cli, group: str, *members: Member) -> None:
        """Send heartbeats of all members until the group is stable, after an assignment interval of a second."""
        while cli.json("describe", group)[0]["state"] != "Stable":
            for member in members:
                assert member.beat() == 0


@contextmanager
def members_at(cli: Cli) -> Iterator[Members]:
    with ExitStack() as stack:
        yield Members(cli, stack)


@pytest.fixture
def members(cli: Cli) -> Iterator[Members]:
    with members_at(cli) as found:
        yield found


def test_list_groups__filter_by_type__consumer_and_classic_groups_distinguished(
    cli: Cli, members: Members, topic: str
) -> None:
    members.join("listed", topic, "m-1")
    cli("import", "classic-one", "-", "--execute", stdin=f"{topic},0,5\n")
    assert ["listed", "consumer", "consumer", "Stable"] in cli.rows("list", "--types", "consumer", "--state", "stable")
    assert {"listed", "classic-one"} <= {row[0] for row in cli.rows("list")}
    assert "classic-one" not in {row[0] for row in cli.rows("list", "--type", "Consumer")}
    assert {"listed", "classic-one"} <= {row[0] for row in cli.rows("describe", "--all", "--state")}


@pytest.mark.long
def test_describe_group__member_waits_for_partitions__epochs_target_and_assignment_shown(
    cli: Cli, members: Members, topic: str
) -> None:
    first = members.join("two", topic, "m-1", "web-1")
    report = cli("describe", "two")
    assert report.startswith(
        f"Group 'two' is Stable, 1 member, assignor uniform, epoch {first.epoch}; its coordinator is 127.0.0.1:"
    )
    second = members.join("two", topic, "m-2")
    while cli.json("describe", "two")[0]["state"] == "Assigning":  # two assignments are at least a second apart
        assert second.beat() == 0
    (answer,) = cli.json("describe", "two")
    assert (answer["group_type"], answer["state"]) == ("consumer", "Reconciling")
    assert answer["group_epoch"] == answer["assignment_epoch"] == first.epoch + 1
    rows = cli.rows("describe", "two", "--members", "--verbose")
    (mine, others) = rows
    assert mine[:4] == ["two", "web-1", "m-1", "wire"]
    assert mine[5] == f"{topic}:0-1"
    assert sorted((mine[6], others[6])) == [f"{topic}:0", f"{topic}:1"]
    assert others[5] == "-"
    assert [row[7:10] for row in rows] == [
        [str(first.epoch), "consumer", topic],
        [str(first.epoch + 1), "consumer", topic],
    ]
    members.stabilize(cli, "two", first, second)
    assert [row[5] for row in cli.rows("describe", "two", "--members")] == [mine[6], others[6]]
    (state,) = cli.rows("describe", "two", "--state", "--verbose")
    assert state[:6] == ["two", "consumer", "Stable", "consumer", "uniform", "2"]
    assert state[7:] == [str(first.epoch), str(first.epoch)]


def test_describe_group__static_member_absent__its_partitions_shown(cli: Cli, members: Members, topic: str) -> None:
    members.join("bounced", topic, "m-1", "web-1").leave_temporarily()
    (row,) = cli.rows("describe", "bounced", "--members", "--verbose")
    assert (row[1], row[5], row[7]) == ("web-1", f"{topic}:0-1", "-2")


def test_describe_group__members_with_a_pattern_and_of_the_classic_protocol__both_shown(
    cli: Cli, members: Members, topic: str
) -> None:
    members.join("mixed", topic, "m-1")
    wire = members.wire()
    request = ConsumerGroupHeartbeatRequest(
        GroupId("mixed"),
        MemberId("m-2"),
        member_epoch=0,
        rebalance_timeout_ms=60_000,
        subscribed_topic_regex="test_describe_.+",
        topic_partitions=[],
    )
    assert wire.ask(request).error_code == ErrorCode.NONE
    subscription = encode_subscription(Subscription([TopicName(topic)]))
    join = JoinGroupRequest(
        GroupId("mixed"),
        session_timeout_ms=30_000,
        rebalance_timeout_ms=60_000,
        protocol_type="consumer",
        protocols=[JoinGroupRequestProtocol("range", subscription)],
    )
    join.member_id = wire.ask(join).member_id
    assert wire.ask(join).error_code == ErrorCode.NONE
    rows = {row[2]: row for row in cli.rows("describe", "mixed", "--members", "--verbose")}
    assert {member_id: row[8:10] for member_id, row in rows.items()} == {
        "m-1": ["consumer", topic],
        "m-2": ["consumer", "/test_describe_.+/"],
        join.member_id: ["classic", topic],
    }


def test_remove_members__existing_and_unknown_member__one_result_each(cli: Cli, members: Members, topic: str) -> None:
    static, dynamic = members.join("removed", topic, "m-1", "web-1"), members.join("removed", topic, "m-2")
    done = cli.run(
        "groups",
        "remove-members",
        "removed",
        "--instance-ids",
        "web-1,web-2",
        "--member-id",
        "m-2",
        "--member-id",
        "m",
    )
    assert done.exit_code == 1
    assert done.stdout.splitlines() == [
        "Removed instance 'web-1' from group 'removed'.",
        "Removed member 'm-2' from group 'removed'.",
    ]
    assert done.stderr.count("it is not in the group (UNKNOWN_MEMBER_ID)") == 2
    assert cli.rows("describe", "removed", "--state")[0][2] == "Empty"
    assert [static.beat(), dynamic.beat()] == [25, 25]


def test_remove_members__all__group_is_empty_and_offsets_can_be_set(cli: Cli, members: Members, topic: str) -> None:
    members.join("cleared", topic, "m-1", "web-1")
    reset = ("reset-offsets", "cleared", "--to-offset", "7", "--topic", topic)
    assert "Group 'cleared' is in use (Stable)" in cli.refused(*reset, "--execute")
    assert "cannot be deleted: it has members" in cli.refused("delete", "cleared")
    (answer,) = cli.json("remove-members", "cleared", "--all")
    assert answer == {"group_instance_id": "web-1", "member_id": "", "removed": True, "trouble": ""}
    cli(*reset, "--execute")
    assert cli("export", "cleared") == f"{topic},0,7\n{topic},1,7\n"
    cli("import", "cleared", "-", "--execute", stdin=f"{topic},1,9\n")
    cli("delete-offsets", "cleared", "--topic", f"{topic}:0")
    assert cli("export", "cleared") == f"{topic},1,9\n"
    assert cli("delete", "cleared") == "Deleted group 'cleared'.\n"
    assert "cleared" not in {row[0] for row in cli.rows("list")}


def test_leave_request__sent_for_another_member__that_member_removed(cli: Cli, members: Members, topic: str) -> None:
    """Remove the member with a LeaveGroup, as `remove-members` does on brokers before Kafka 4.3."""
    members.join("spoken-for", topic, "m-1", "web-1")
    cluster = shared_cluster(cli.address, "leaver")
    answer = [run(leave_consumer_group(cluster, "spoken-for", "m-1", "web-1")) for _ in range(2)]
    assert answer == [ErrorCode.NONE, ErrorCode.UNKNOWN_MEMBER_ID]
    assert cli.rows("describe", "spoken-for", "--members") == []


def test_delete_offsets__member_subscribed_to_the_topic__refused_with_the_remedy(
    cli: Cli, members: Members, topic: str
) -> None:
    cli("import", "subscribed", "-", "--execute", stdin=f"{topic},0,5\n")
    members.join("subscribed", topic, "m-1")
    assert f"subscribe to '{topic}'; stop them" in cli.refused("delete-offsets", "subscribed", "--topic", f"{topic}:0")
    assert [row[2:] for row in cli.rows("describe", "subscribed", "--offsets")] == [
        ["0", "5", "20", "15", "m-1"],
        ["1", "-", "20", "-", "m-1"],
    ]


@pytest.mark.long
def test_rebalance_command__consumer_group_with_a_member__group_epoch_raised(
    cli: Cli, members: Members, topic: str, kind: str
) -> None:
    member = members.join("shared-out", topic, "m-1")
    if kind == "kafka":
        assert "only Tenure's broker offers" in cli.refused("rebalance", "shared-out")
        return
    before = member.epoch
    assert cli("rebalance", "shared-out") == "Group 'shared-out' rebalances.\n"
    members.stabilize(cli, "shared-out", member)
    assert member.epoch == before + 1


def test_journal_command__consumer_group__each_epoch_with_its_cause(
    cli: Cli, members: Members, topic: str, kind: str
) -> None:
    member = members.join("journalled", topic, "m-1", "web-1")
    if kind == "kafka":
        assert "Apache Kafka writes none" in cli.refused("journal", "journalled")
        return
    member.leave_temporarily()
    member.epoch, member.owned = 0, []
    assert member.beat() == 0
    rows: list[list[str]] = []
    while len(rows) < 2:  # an entry is written when the event that it describes is durable
        done = cli.run("groups", "journal", "journalled")
        rows = [line.split("\t") for line in done.stdout.splitlines()[1:]]
    assert [row[1:3] for row in rows] == [["1 -> 2", "stable"], ["2", "seat kept"]]
    assert [row[-1] for row in rows] == [
        "member m-1 (instance web-1) joined",
        "member m-1 (instance web-1) returned after a temporary leave: epoch 2 stays",
    ]


def test_expected_instances_and_target_group_size__consumer_group__refused(
    cli: Cli, members: Members, topic: str, kind: str
) -> None:
    members.join("new-protocol", topic, "m-1")
    if kind == "kafka":
        assert "only Tenure's broker offers" in cli.refused("expect", "new-protocol", "--instance-ids", "web-1")
        return
    answer = cli.refused("expect", "new-protocol", "--instance-ids", "web-1")
    assert "is a consumer group, and group.expected.instance.ids applies to classic groups" in answer
    assert "target.group.size applies to classic groups" in cli.refused("config", "new-protocol", "target.group.size=2")
    cli("config", "new-protocol", "--unset", "target.group.size")


def test_describe_group__names_with_terminal_control_characters__shown_escaped(
    cli: Cli, members: Members, topic: str
) -> None:
    members.join("red\x1b[31m", topic, "m-1\x1b[2J")
    report = cli("describe", "red\x1b[31m")
    assert "\x1b" not in report
    assert report.startswith(r"Group 'red\x1b[31m' is Stable")
    assert cli("remove-members", "red\x1b[31m", "--all") == (
        r"Removed member 'm-1\x1b[2J' from group 'red\x1b[31m'." + "\n"
    )
