"""Java's `KafkaConsumer` and `Admin`, and Kafka's command-line tools, with `tenure serve`.

The jars are Apache Kafka's own; the program that uses them is compiled at the beginning. One JVM runs everything.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tenure.client import OffsetAndMetadata, StreamsMember
from tests.client.streams.streams_scenarios import topology_of
from tests.command_line import app
from tests.consumer_offsets import generations
from tests.interop.java_clients import JavaClients, JavaMember, java_clients, java_group
from tests.interop.producing import create_topic, produce
from tests.oracle.conftest import require_kafka
from tests.serving import Serving, serving

PARTITIONS = 6
RECORDS = 120
TOPICS = itertools.count(1)

pytestmark = [pytest.mark.interop]


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    settings = ("offsets.topic.num.partitions=1", "group.initial.rebalance.delay.ms=500")
    with serving(tmp_path_factory.mktemp("broker"), *settings) as broker:
        yield broker


@pytest.fixture(scope="module")
def java(broker: Serving, tmp_path_factory: pytest.TempPathFactory) -> Iterator[JavaClients]:
    require_kafka()
    with java_clients(broker.address, tmp_path_factory.mktemp("java")) as java:
        yield java


@pytest.fixture
def topic(broker: Serving) -> str:
    name = f"work-{next(TOPICS)}"
    create_topic(broker.address, name, PARTITIONS)
    return name


def tenure(broker: Serving, *arguments: str) -> str:
    done = CliRunner().invoke(app, list(arguments), env={"TENURE_BOOTSTRAP_SERVERS": broker.address})
    assert done.exit_code == 0, done.stderr
    return str(done.stdout)


@pytest.mark.parametrize("assignor", ["RangeAssignor", "CooperativeStickyAssignor"])
def test_java_static_members__leader_and_followers_restart__same_partitions_and_generation(
    java: JavaClients, broker: Serving, topic: str, assignor: str
) -> None:
    name = f"bounced-{assignor}"
    with java_group(java, name, topic, assignor) as group:
        group.wait_until_shared(PARTITIONS)
        written = produce("confluent-kafka", broker.address, topic, RECORDS)
        group.wait_until_read(written)
        assignments, before = group.assignments, generations(broker.host, broker.port, name)
        for member in group.members:  # one of them leads
            member.stop()
            member.start()
            written |= produce("confluent-kafka", broker.address, topic, RECORDS)
            group.wait_until_read(written)
            assert group.assignments == assignments
        assert generations(broker.host, broker.port, name) == before
        answer = java.ask("describe", group=name)
        assert (answer["state"], answer["assignments"]) == ("Stable", assignments)


def test_java_static_member__instance_id_taken_over__first_is_fenced(
    java: JavaClients, broker: Serving, topic: str
) -> None:
    with java_group(java, "fenced", topic, instances=["1"]) as group:
        group.wait("the only member has everything", lambda: len(group.members[0].assigned) == PARTITIONS)
        before = generations(broker.host, broker.port, "fenced")
        second = JavaMember(java, "fenced-again", "fenced", topic, "instance-1", "RangeAssignor")
        group.wait("the second has everything", lambda: len(second.assigned) == PARTITIONS)
        group.wait("the first hears of it", lambda: group.members[0].failed is not None)
        assert group.members[0].failed == "FencedInstanceIdException"
        assert second.failed is None
        assert generations(broker.host, broker.port, "fenced") == before
        second.stop()


def test_java_admin__removes_a_static_member__others_get_its_partitions_at_once(java: JavaClients, topic: str) -> None:
    with java_group(java, "removed", topic) as group:
        group.wait_until_shared(PARTITIONS)
        gone, *rest = group.members
        gone.stop()
        answer = java.ask("remove", group="removed", instances=["instance-1", "instance-9"])
        assert answer["results"] == {"instance-1": "removed", "instance-9": "UnknownMemberIdException"}
        group.wait(
            "the two share all", lambda: sorted([*rest[0].assigned, *rest[1].assigned]) == list(range(PARTITIONS))
        )
        gone.start()
        group.wait_until_shared(PARTITIONS)


@pytest.mark.parametrize("assignor", ["RangeAssignor", "CooperativeStickyAssignor"])
def test_target_group_size_2__three_java_members__one_in_reserve_until_another_is_removed(
    java: JavaClients, broker: Serving, topic: str, assignor: str
) -> None:
    name = f"reserve-{assignor}"
    with java_group(java, name, topic, assignor) as group:
        group.wait_until_shared(PARTITIONS)
        tenure(broker, "groups", "config", name, "target.group.size=2")

        def shared_by_two() -> bool:
            owned = sorted(one for member in group.members for one in member.assigned)
            return owned == list(range(PARTITIONS)) and sum(not member.assigned for member in group.members) == 1

        group.wait("two share all partitions", shared_by_two)
        gone = next(member for member in group.members if member.assigned)
        gone.stop()
        java.ask("remove", group=name, instances=[gone.instance])
        others = [member for member in group.members if member is not gone]
        group.wait(
            "the standby has taken over",
            lambda: sorted([*others[0].assigned, *others[1].assigned]) == list(range(PARTITIONS)),
        )


def test_kafka_console_tools__records_written_and_read__all_records(java: JavaClients, topic: str) -> None:
    lines = "".join(f"line {number}\n" for number in range(10))
    java.tool("producer", "--topic", topic, "--sync", "--command-property", "linger.ms=0", stdin=lines)
    counted = [line.split(":") for line in java.tool("offsets", "--topic", topic).splitlines()]
    assert (len(counted), sum(int(end) for _, _, end in counted)) == (PARTITIONS, 10)
    read = java.tool(
        "consumer", "--topic", topic, "--group", "console", "--from-beginning", "--max-messages", "10",
        "--timeout-ms", "60000",
    )  # fmt: skip
    assert sorted(line for line in read.splitlines() if line.startswith("line")) == sorted(lines.splitlines())
    assert ["console"] in java.rows("groups", "--list")


def test_kafka_topics_tool__topic_created_and_partition_added__described_and_listed_until_deleted(
    java: JavaClients,
) -> None:
    assert "Created topic made-by-java" in java.tool(
        "topics", "--create", "--topic", "made-by-java", "--partitions", "2", "--config", "retention.ms=60000"
    )
    java.tool("topics", "--alter", "--topic", "made-by-java", "--partitions", "3")
    described = java.tool("topics", "--describe", "--topic", "made-by-java")
    assert "PartitionCount: 3" in described
    assert "retention.ms=60000" in described
    assert "made-by-java" in java.tool("topics", "--list").splitlines()
    java.tool("topics", "--delete", "--topic", "made-by-java")
    assert "made-by-java" not in java.tool("topics", "--list").splitlines()


def test_kafka_consumer_groups_tool__describe_reset_and_delete__same_as_the_tenure_command(
    java: JavaClients, broker: Serving, topic: str, tmp_path: Path
) -> None:
    produce("confluent-kafka", broker.address, topic, RECORDS)
    with java_group(java, "reset", topic) as group:
        group.wait_until_shared(PARTITIONS)
        group.wait("all is read", lambda: len(group.read) == RECORDS)
        described = java.rows("groups", "--describe", "--group", "reset")
        ends = {int(row[2]): int(row[4]) for row in described}
        assert sum(ends.values()) == RECORDS
        assert {row[5] for row in described} == {"0"}
        members = java.rows("groups", "--describe", "--group", "reset", "--members", "--verbose")
        assert sorted(row[2] for row in members) == ["instance-1", "instance-2", "instance-3"]
        (state,) = java.rows("groups", "--describe", "--group", "reset", "--state")
        assert state[-2:] == ["Stable", "3"]
        assert "current state is Stable" in reset(java, "--to-earliest", "--all-topics", "--execute")
        for member in group.members:
            member.stop()
        java.ask("remove", group="reset", instances=["instance-1", "instance-2", "instance-3"])

        current = reset(java, "--to-current", "--all-topics", "--dry-run", "--export")
        assert sorted(current.split()) == tenure(broker, "groups", "export", "reset").split()
        file = tmp_path / "offsets.csv"
        file.write_text(
            tenure(broker, "groups", "reset-offsets", "reset", "--shift-by", "-1", "--all-topics", "--export")
        )
        reset(java, "--from-file", str(file), "--execute")
        assert sorted(tenure(broker, "groups", "export", "reset").split()) == sorted(file.read_text().split())
        reset(java, "--to-earliest", "--topic", f"{topic}:0,1", "--execute")
        assert tenure(broker, "groups", "export", "reset").split()[:2] == [f"{topic},0,0", f"{topic},1,0"]

        java.tool("groups", "--delete-offsets", "--group", "reset", "--topic", f"{topic}:0")
        assert len(tenure(broker, "groups", "export", "reset").split()) == PARTITIONS - 1
        for member in group.members:
            member.read.clear()
            member.start()
        group.wait("partition 1 is read again", lambda: {(1, at) for at in range(ends[1])} <= group.read)
        group.wait_until_shared(PARTITIONS)
        for member in group.members:
            member.stop()
        tenure(broker, "groups", "remove-members", "reset", "--all")
        java.tool("groups", "--delete", "--group", "reset")
        assert ["reset"] not in java.rows("groups", "--list")


def reset(java: JavaClients, *arguments: str) -> str:
    return java.tool("groups", "--reset-offsets", "--group", "reset", *arguments)


def test_kafka_configs_tool__group_and_topic_configs__set_shown_and_unset(
    java: JavaClients, broker: Serving, topic: str
) -> None:
    for kind, name, setting in (
        ("groups", "any", "consumer.session.timeout.ms=50000"),
        ("topics", topic, "retention.ms=7"),
    ):
        entity = ("--entity-type", kind, "--entity-name", name)
        java.tool("configs", *entity, "--alter", "--add-config", setting)
        assert setting in java.tool("configs", *entity, "--describe")
        java.tool("configs", *entity, "--alter", "--delete-config", setting.partition("=")[0])
        assert setting not in java.tool("configs", *entity, "--describe")
    tenure(broker, "groups", "config", "any", "target.group.size=4")
    assert "target.group.size=4" in java.tool(
        "configs", "--entity-type", "groups", "--entity-name", "any", "--describe"
    )


def test_kafka_streams_groups_tool__members_in_python__described_like_members_of_kafka_streams(
    java: JavaClients, broker: Serving, topic: str
) -> None:
    tenure(broker, "groups", "config", "streams-tool", "streams.initial.rebalance.delay.ms=0")
    topology = topology_of("streams-tool", topic)
    with StreamsMember(
        broker.address, "streams-tool", topology, process_id="p", group_instance_id="instance-1"
    ) as member:
        while len(member.tasks.active) < 2 * PARTITIONS:
            member.poll(1)
        member.commit(dict.fromkeys(member.partitions, OffsetAndMetadata(0)), member.identity)
        tool = ("--describe", "--group", "streams-tool")
        assert ["streams-tool"] in java.rows("streams-groups", "--list")
        rows = [row for row in java.rows("streams-groups", *tool) if topic in row]
        assert sorted(int(row[row.index(topic) + 1]) for row in rows) == list(range(PARTITIONS))
        members = java.tool("streams-groups", *tool, "--members", "--verbose")
        assert member.identity.member_id in members
        assert "Stable" in java.tool("streams-groups", *tool, "--state")
