"""`tenure groups ...` on streams groups (KIP-1071)."""

from collections.abc import Iterator

import pytest

from tenure.client import InternalTopic, OffsetAndMetadata, StreamsMember, Subtopology, TopicPartition, Topology
from tenure.protocol.messages import (
    StreamsGroupHeartbeatRequest,
    StreamsHeartbeatSubtopology,
    StreamsHeartbeatTaskOffset,
    StreamsHeartbeatTopicInfo,
    StreamsHeartbeatTopology,
)
from tenure.protocol.types import GroupId, InstanceId, MemberId, PartitionId, TopicName
from tests.cli.conftest import RECORDS, Cli
from tests.wire import Wire


@pytest.fixture(scope="module")
def kind() -> str:
    """Return one kind of broker only, because the command reads the answers of both in the same way."""
    return "tenure"


@pytest.fixture
def wire(cli: Cli) -> Iterator[Wire]:
    host, _, port = cli.address.rpartition(":")
    with Wire(host, int(port)) as wire:
        yield wire


def join(wire: Wire, group: str, topic: str, member_id: str, instance_id: str | None = None) -> int:
    """Join as a member of a topology with a store, and send heartbeats until its changelog topic exists.

    Returns the member epoch.
    """
    changelog = StreamsHeartbeatTopicInfo(TopicName(f"{topic}-store"))
    subtopology = StreamsHeartbeatSubtopology("0", [TopicName(topic)], state_changelog_topics=[changelog])
    who = {
        "group_id": GroupId(group),
        "member_id": MemberId(member_id),
        "instance_id": None if instance_id is None else InstanceId(instance_id),
    }
    answer = wire.ask(
        StreamsGroupHeartbeatRequest(
            rebalance_timeout_ms=60_000,
            topology=StreamsHeartbeatTopology(0, [subtopology]),
            active_tasks=[],
            standby_tasks=[],
            warmup_tasks=[],
            process_id=f"process-{member_id}",
            **who,
        )
    )
    while answer.status:
        answer = wire.ask(StreamsGroupHeartbeatRequest(member_epoch=answer.member_epoch, **who))
        assert answer.error_code == 0
    return int(answer.member_epoch)


def test_describe_group__streams_group__topology_tasks_and_partitions_shown(cli: Cli, wire: Wire, topic: str) -> None:
    cli("config", "streaming", "streams.initial.rebalance.delay.ms=0")
    join(wire, "streaming", topic, "m-1", "web-1")
    report = cli("describe", "streaming")
    assert report.startswith("Group 'streaming' is Stable, 1 member, assignor sticky, epoch ")
    assert ["0", topic, "-", "-", f"{topic}-store"] in [line.split("\t") for line in report.splitlines()]
    (row,) = cli.rows("describe", "streaming", "--members", "--verbose")
    assert row[:4] == ["streaming", "web-1", "m-1", "wire"]
    assert row[5:9] == [f"{topic}:0-1", "0:0-1", "-", "-"]
    assert row[-3:] == ["0:0-1", "-", "process-m-1"]
    (answer,) = cli.json("describe", "streaming")
    assert (answer["group_type"], answer["topology_epoch"]) == ("streams", 0)
    assert [position["member"] for position in answer["positions"]] == ["web-1", "web-1"]


def test_describe_group__streams_member_reports_offsets_of_its_states__restoration_lag_shown(
    cli: Cli, wire: Wire, topic: str
) -> None:
    cli("config", "restoring", "streams.initial.rebalance.delay.ms=0")
    epoch = join(wire, "restoring", topic, "m-1")
    offsets = {
        "task_offsets": [StreamsHeartbeatTaskOffset("0", PartitionId(at), offset) for at, offset in ((0, 3), (1, 9))],
        "task_end_offsets": [StreamsHeartbeatTaskOffset("0", PartitionId(0), 10)],
    }
    beat = StreamsGroupHeartbeatRequest(GroupId("restoring"), MemberId("m-1"), epoch, **offsets)
    assert wire.ask(beat).error_code == 0
    (row,) = cli.rows("describe", "restoring", "--members", "--verbose")
    assert row[-3:] == ["0:0-1", "0:0=7", "process-m-1"]


def test_expected_instances_and_target_group_size__streams_group__refused(cli: Cli, wire: Wire, topic: str) -> None:
    cli("config", "unexpected", "streams.initial.rebalance.delay.ms=0")
    join(wire, "unexpected", topic, "m-1")
    answer = cli.refused("expect", "unexpected", "--instance-ids", "web-1")
    assert "is a streams group, and group.expected.instance.ids applies to classic groups only" in answer
    assert "set streams.initial.rebalance.delay.ms" in answer
    assert "target.group.size applies to classic groups" in cli.refused("config", "unexpected", "target.group.size=2")


@pytest.mark.long
def test_remove_members__all_of_a_streams_group__group_is_empty(cli: Cli, wire: Wire, topic: str) -> None:
    cli("config", "removed", "streams.initial.rebalance.delay.ms=0")
    join(wire, "removed", topic, "m-1")
    join(wire, "removed", topic, "m-2", "web-2")
    cli("remove-members", "removed", "--all")
    (row,) = [row for row in cli.rows("list") if row[0] == "removed"]
    assert row == ["removed", "streams", "streams", "Empty"]
    cli("delete", "removed", "--yes")
    assert not [row for row in cli.rows("list") if row[0] == "removed"]


@pytest.mark.long
def test_reset_offsets__streams_group__refused_while_it_has_members_and_done_when_empty(cli: Cli, topic: str) -> None:
    cli("config", "resetting", "streams.initial.rebalance.delay.ms=0", "streams.num.standby.replicas=1")
    topology = Topology((Subtopology("0", (topic,), changelogs=(InternalTopic(f"{topic}-store"),)),))
    with StreamsMember(cli.address, "resetting", topology, process_id="p") as member:
        while not member.partitions:
            member.poll(1)
        member.commit({TopicPartition(topic, 0): OffsetAndMetadata(2)}, member.identity)
        (answer,) = cli.json("describe", "resetting")
        lags = {position["partition"]: position["lag"] for position in answer["positions"]}
        assert lags[0] == RECORDS - 2
        refused = cli.run("groups", "reset-offsets", "resetting", "--to-earliest", "--topic", topic, "--execute")
        assert refused.exit_code != 0
    cli("reset-offsets", "resetting", "--to-earliest", "--topic", topic, "--execute")
    assert sorted(cli("export", "resetting").split()) == [f"{topic},0,0", f"{topic},1,0"]
    cli("delete", "resetting", "--yes")
