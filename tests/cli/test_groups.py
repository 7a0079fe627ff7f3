"""`tenure groups ...` on classic groups has the same output for `tenure serve` and Apache Kafka."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tenure.client import GroupMetadata, Producer, TopicPartition
from tenure.client.group.group_member import GroupMember
from tenure.client.values import Assigned, OffsetAndMetadata
from tests.cli.conftest import Cli

PATIENCE_S = 60.0


def create_group(cli: Cli, group: str, topic: str, instance_id: str) -> None:
    """Create a group whose static member commits the offsets 5 and 6, and closes without leaving."""
    with GroupMember(cli.address, group, [topic], group_instance_id=instance_id) as member:
        assigned = next(event for _ in range(600) for event in member.poll(0.1) if isinstance(event, Assigned))
        offsets = {at: OffsetAndMetadata(5 + at.partition, "from a member") for at in assigned.partitions}
        member.commit(offsets, assigned.identity)


@pytest.fixture
def idle(cli: Cli, topic: str) -> str:
    """Return a group with offsets 5 and 6 in its topic, and without members."""
    group = f"group-of-{topic}"
    cli("import", group, "-", "--execute", stdin=f"{topic},0,5\n{topic},1,6\n")
    return group


def committed(cli: Cli, group: str) -> dict[int, int]:
    return {
        int(partition): int(offset) for _, partition, offset in (row.split(",") for row in cli("export", group).split())
    }


def test_list_groups__filters_of_state_and_type__only_matching_groups(cli: Cli, idle: str) -> None:
    row = [idle, "classic", "-", "Empty"]
    assert row in cli.rows("list")
    assert row in cli.rows("list", "--state", "stable,empty", "--type", "Classic")
    assert row not in cli.rows("list", "--state", "Stable")
    assert row not in cli.rows("list", "--type", "share")
    assert {"group_id": idle, "group_type": "classic", "protocol_type": "", "state": "Empty"} in cli.json("list")


def test_describe_group__static_member__owner_partitions_and_lag_shown(cli: Cli, topic: str) -> None:
    create_group(cli, "described", topic, "web-1")
    report = cli("describe", "described")
    assert report.startswith("Group 'described' is Stable, 1 member, assignor range; its coordinator is 127.0.0.1:")
    assert f"{topic}\t1\t6\t20\t14\tweb-1\n" in report
    assert cli.rows("describe", "described", "--state")[0][:6] == [
        *("described", "classic", "Stable", "consumer", "range", "1")
    ]
    ((group, instance, _, client, host, partitions, *of_the_protocol, topics, holder),) = cli.rows(
        "describe", "described", "--members", "--verbose"
    )
    assert (group, instance, client, host) == ("described", "web-1", "tenure", "127.0.0.1")
    assert (partitions, of_the_protocol, topics) == (f"{topic}:0-1", ["-", "-", "classic"], topic)
    assert holder.startswith("process ")
    offsets = cli.rows("describe", "described", "--offsets", "--verbose")
    assert offsets[0] == ["described", topic, "0", "5", "20", "15", "web-1", "-", "from a member"]
    (answer,) = cli.json("describe", "described")
    assert [(at["committed"], at["lag"], at["member"]) for at in answer["positions"]] == [
        (5, 15, "web-1"),
        (6, 14, "web-1"),
    ]
    assert answer["members"][0]["topics"] == [topic]


def test_describe_group__commits_in_an_open_transaction__offsets_from_before_it_shown(
    cli: Cli, idle: str, topic: str
) -> None:
    with Producer({"bootstrap.servers": cli.address, "transactional.id": topic}) as producer:
        producer.init_transactions()
        producer.begin_transaction()
        producer.send_offsets_to_transaction({TopicPartition(topic, 0): OffsetAndMetadata(7)}, GroupMetadata(idle))
        (described,) = cli.json("describe", idle)
        producer.commit_transaction()
    assert [at["committed"] for at in described["positions"]] == [5, 6]
    assert committed(cli, idle) == {0: 7, 1: 6}


def test_describe_groups__several_or_all_groups__one_report_each(cli: Cli, idle: str) -> None:
    cli("import", f"{idle}-2", "-", "--from", idle, "--execute", stdin=cli("export", idle))
    assert [row[0] for row in cli.rows("describe", idle, f"{idle}-2", "--state")] == [idle, f"{idle}-2"]
    assert {idle, f"{idle}-2"} <= {row[0] for row in cli.rows("describe", "--all", "--state")}
    assert cli("describe", idle, f"{idle}-2").count("0 members") == 2


def test_remove_members__existing_and_unknown_member__one_result_each(cli: Cli, topic: str) -> None:
    create_group(cli, "removed", topic, "web-1")
    done = cli.run("groups", "remove-members", "removed", "--instance-ids", "web-1,web-2", "--member-id", "ghost")
    assert done.exit_code == 1
    assert done.stdout == "Removed instance 'web-1' from group 'removed'.\n"
    assert [line.split(":")[1] for line in done.stderr.splitlines()] == [
        " instance 'web-2' cannot be removed from group 'removed'",
        " member 'ghost' cannot be removed from group 'removed'",
    ]
    assert cli.rows("describe", "removed", "--members") == []


def test_remove_members__all__the_group_is_empty(cli: Cli, topic: str) -> None:
    create_group(cli, "cleared", topic, "web-1")
    (answer,) = cli.json("remove-members", "cleared", "--all", "--reason", "the host is gone")
    assert answer == {"group_instance_id": "web-1", "member_id": "", "removed": True, "trouble": ""}
    assert cli.rows("describe", "cleared", "--state")[0][2] == "Empty"
    nobody = cli.run("groups", "remove-members", "cleared", "--all")
    assert (nobody.exit_code, nobody.stderr) == (0, "tenure: Group 'cleared' has no members.\n")


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (["--to-earliest"], {0: 0, 1: 0}),
        (["--to-latest"], {0: 20, 1: 20}),
        (["--to-current"], {0: 5, 1: 6}),
        (["--to-offset", "7"], {0: 7, 1: 7}),
        (["--to-offset", "700"], {0: 20, 1: 20}),
        (["--shift-by", "-3"], {0: 2, 1: 3}),
        (["--to-datetime", "2001-01-01T00:00:00.000"], {0: 0, 1: 0}),
        (["--to-datetime", "2201-01-01"], {0: 20, 1: 20}),
        (["--to-datetime", "1969-12-31T23:59:59.999"], {0: 0, 1: 0}),
        (["--by-duration", "P1D"], {0: 0, 1: 0}),
    ],
)
def test_reset_offsets__dry_run_and_then_execute__plan_shown_and_then_applied(
    cli: Cli, idle: str, target: list[str], expected: dict[int, int]
) -> None:
    before = committed(cli, idle)
    shown = cli.run("groups", "reset-offsets", idle, *target, "--all-topics")
    assert shown.stderr == "tenure: Nothing was changed: use --execute to apply the change.\n"
    assert committed(cli, idle) == before
    done = cli.run("groups", "reset-offsets", idle, *target, "--all-topics", "--execute")
    assert done.stdout == shown.stdout
    assert committed(cli, idle) == expected


def test_reset_offsets__one_partition_of_a_topic__other_partition_unchanged(cli: Cli, idle: str, topic: str) -> None:
    answer = cli.json("reset-offsets", idle, "--to-offset", "99", "--topic", f"{topic}:1", "--execute")
    assert answer["executed"]
    assert [(at["partition"], at["committed"], at["offset"]) for at in answer["offsets"]] == [(1, 6, 20)]
    assert answer["offsets"][0]["note"] == "99 was requested, the partition ends at 20"
    assert committed(cli, idle) == {0: 5, 1: 20}


def test_reset_offsets__plan_exported_and_read_from_the_file__same_plan_applied(
    cli: Cli, idle: str, topic: str, tmp_path: Path
) -> None:
    file = tmp_path / "plan.csv"
    file.write_text(cli("reset-offsets", idle, "--shift-by", "1", "--topic", topic, "--export"))
    assert file.read_text() == f"{topic},0,6\n{topic},1,7\n"
    cli("reset-offsets", idle, "--from-file", str(file), "--execute")
    assert committed(cli, idle) == {0: 6, 1: 7}


def test_reset_offsets__group_has_members__refused_with_the_remedy(cli: Cli, topic: str) -> None:
    create_group(cli, "busy", topic, "web-1")
    ask = ("reset-offsets", "busy", "--to-latest", "--all-topics")
    shown = cli.run("groups", *ask)
    assert shown.exit_code == 0
    assert "--execute would be refused: Group 'busy' is in use (Stable)" in shown.stderr
    answer = cli.refused(*ask, "--execute")
    assert "`tenure groups remove-members busy --all`" in answer
    assert committed(cli, "busy") == {0: 5, 1: 6}


def test_reset_offsets__group_does_not_exist__created_only_with_the_create_option(cli: Cli, topic: str) -> None:
    ask = ("reset-offsets", f"made-for-{topic}", "--to-latest", "--topic", topic, "--execute")
    assert "use --create to create it" in cli.refused(*ask)
    cli(*ask, "--create")
    assert committed(cli, f"made-for-{topic}") == {0: 20, 1: 20}


def test_reset_offsets__topic_of_a_commit_deleted__left_out_with_a_note(cli: Cli, idle: str, topic: str) -> None:
    gone = f"{topic}-gone"
    assert cli.run("topics", "create", gone, "-p", "1").exit_code == 0
    wait_until(lambda: cli.run("topics", "describe", gone).exit_code == 0)
    cli("import", idle, "-", "--execute", stdin=f"{gone},0,0\n")
    assert cli.run("topics", "delete", gone, "-y").exit_code == 0
    wait_until(lambda: cli.run("topics", "describe", gone).exit_code == 1)
    done = cli.run("groups", "reset-offsets", idle, "--to-latest", "--all-topics", "--execute")
    assert done.exit_code == 0
    assert gone not in done.stdout
    assert [row[2:4] for row in cli.rows("describe", idle, "--offsets") if row[1] == topic] == [
        ["0", "20"],
        ["1", "20"],
    ]


def test_export_and_import_offsets__json_format__metadata_unchanged(cli: Cli, topic: str) -> None:
    create_group(cli, "source", topic, "web-1")
    csv = cli.run("groups", "export", "source")
    assert csv.stderr == "tenure: 2 offsets had metadata, which CSV does not contain: use --json to keep it.\n"
    text = cli("export", "source", "--json")
    assert "none of 'copy'; select a group with --from" in cli.refused("import", "copy", "-", stdin=text)
    shown = cli.run("groups", "import", "copy", "-", "--from", "source", stdin=text)
    assert "use --execute to apply the change, which creates group 'copy'" in shown.stderr
    cli("import", "copy", "-", "--from", "source", "--execute", stdin=text)
    ((source,), (copy,)) = cli.json("export", "source"), cli.json("export", "copy")
    assert copy["offsets"] == source["offsets"]
    assert copy["offsets"][0]["metadata"] == "from a member"


def test_export_offsets__several_groups__group_id_in_each_row(cli: Cli, idle: str, topic: str) -> None:
    cli("import", f"{idle}-2", "-", "--execute", stdin=f"{topic},1,9\n")
    assert cli("export", idle, f"{idle}-2").splitlines()[1:] == [f"{idle},{topic},1,6", f"{idle}-2,{topic},1,9"]


def test_delete_offsets__some_partitions__other_offsets_stay(cli: Cli, idle: str, topic: str) -> None:
    assert (
        cli("delete-offsets", idle, "--topic", f"{topic}:0") == f"Deleted the offset of group '{idle}' for {topic}-0.\n"
    )
    assert committed(cli, idle) == {1: 6}
    assert f"no committed offset for {topic}-0" in cli.refused("delete-offsets", idle, "--topic", f"{topic}:0-1")
    assert "no committed offset for topic 'other'" in cli.refused("delete-offsets", idle, "--topic", "other")


def test_delete_offsets__member_subscribed_to_the_topic__refused_with_the_remedy(cli: Cli, topic: str) -> None:
    create_group(cli, "subscribed", topic, "web-1")
    answer = cli.refused("delete-offsets", "subscribed", "--topic", f"{topic}:0")
    assert f"subscribe to '{topic}'; stop them" in answer


def test_delete_groups__empty_unknown_and_with_members__one_result_each(cli: Cli, idle: str, topic: str) -> None:
    create_group(cli, "in-use", topic, "web-1")
    done = cli.run("groups", "delete", idle, "absent", "in-use")
    assert (done.exit_code, done.stdout) == (1, f"Deleted group '{idle}'.\n")
    assert "Group 'absent' does not exist" in done.stderr
    assert "Group 'in-use' cannot be deleted: it has members; stop them" in done.stderr
    assert idle not in {row[0] for row in cli.rows("list")}


@pytest.mark.parametrize(
    "arguments",
    [
        ("describe", "absent"),
        ("remove-members", "absent", "--all"),
        ("reset-offsets", "absent", "--to-latest", "--all-topics"),
        ("export", "absent"),
        ("delete", "absent"),
        ("delete-offsets", "absent", "--topic", "t"),
    ],
)
def test_groups_command__group_does_not_exist__error_names_the_list_command(
    cli: Cli, arguments: tuple[str, ...]
) -> None:
    answer = cli.refused(*arguments)
    assert "Group 'absent' does not exist" in answer
    assert "`tenure groups list`" in answer


def test_reset_offsets__unknown_topic_or_partition__error_names_it(cli: Cli, idle: str, topic: str) -> None:
    ask = ("reset-offsets", idle, "--to-latest", "--topic")
    assert "Unknown topic 'absent'" in cli.refused(*ask, "absent")
    refusal = cli.refused(*ask, f"{topic}:2")
    assert f"Unknown partition 2 of topic '{topic}': it has 2 partitions, counted from 0." in refusal


def test_import_offsets__file_with_byte_order_mark__read(cli: Cli, idle: str, topic: str, tmp_path: Path) -> None:
    file = tmp_path / "offsets.csv"
    file.write_text(f"{topic},0,7\r\n", "utf-8-sig")
    cli("import", idle, str(file), "--execute")
    assert committed(cli, idle) == {0: 7, 1: 6}


def test_reset_offsets__range_of_partitions_in_descending_order__refused(cli: Cli, idle: str, topic: str) -> None:
    done = cli.run("groups", "reset-offsets", idle, "--to-latest", "--topic", f"{topic}:1-0")
    assert (done.exit_code, f"'{topic}:1-0' names no partitions" in done.stderr) == (2, True)


def test_list_groups__group_id_with_line_feed_and_control_characters__one_row_of_escaped_text(
    cli: Cli, topic: str
) -> None:
    cli("import", "two\nrows\x1b[2J", "-", "--execute", stdin=f"{topic},0,5\n")
    assert r"two\nrows\x1b[2J" in [row[0] for row in cli.rows("list")]
    cli("delete", "two\nrows\x1b[2J", "--yes")


def test_import_offsets__unusable_file__error_names_the_cause(cli: Cli, topic: str) -> None:
    assert "/nowhere cannot be read: no such file" in cli.refused("import", "g", "/nowhere")
    assert "line 1: 2 columns" in cli.refused("import", "g", "-", stdin=f"{topic},0\n")
    assert f"Unknown partition 7 of topic '{topic}'" in cli.refused("import", "g", "-", stdin=f"{topic},7,1\n")


def test_config_command__config_set_shown_and_unset__values_change(cli: Cli) -> None:
    key = "consumer.session.timeout.ms"
    assert cli("config", "any", f"{key}=50000") == f"Set {key} of group 'any' to 50000.\n"
    wait_until(lambda: [key, "50000", "this group"] in cli.rows("config", "any"))
    assert {"key": key, "value": "50000", "is_set": True} in cli.json("config", "any")
    cli("config", "any", "--unset", key)
    wait_until(lambda: [key, "45000", "broker"] in cli.rows("config", "any"))
    assert "(INVALID_CONFIG)" in cli.refused("config", "any", "no.such.key=1")
    assert key in cli.refused("config", "any", f"{key}=soon")


def test_expect_command__expected_instances_set__shown_and_removed_again(cli: Cli, kind: str) -> None:
    ask = ("expect", "expecting", "--instance-ids", "web-1,web-2", "--timeout", "90s")
    if kind == "kafka":
        assert "only Tenure's broker offers" in cli.refused(*ask)
        assert "only Tenure's broker offers" in cli.refused("expect", "expecting")
        return
    waits = "The first assignment of group 'expecting' waits for web-1, web-2, 90 s at most.\n"
    assert cli(*ask) == waits
    assert cli("expect", "expecting") == waits
    assert cli("expect", "expecting", "--clear") == "Group 'expecting' expects no instances.\n"
    assert cli.json("expect", "expecting")["instance_ids"] == []
    assert "(INVALID_CONFIG)" in cli.refused("expect", "expecting", "--instance-ids", "no blanks")


def test_rebalance_command__group_with_a_member__rebalance_begins_at_once(cli: Cli, topic: str, kind: str) -> None:
    if kind == "kafka":
        assert "only Tenure's broker offers" in cli.refused("rebalance", "any")
        return
    create_group(cli, "shaken", topic, "web-1")
    assert cli("rebalance", "shaken") == "Group 'shaken' rebalances.\n"
    assert cli.rows("describe", "shaken", "--state")[0][2] == "PreparingRebalance"
    cli("remove-members", "shaken", "--all")
    assert "has no members to rebalance" in cli.refused("rebalance", "shaken")
    assert "does not exist" in cli.refused("rebalance", "absent")


def wait_until(holds: Callable[[], bool]) -> None:
    """Wait for a condition, because Apache Kafka's brokers learn of changes after its controller."""
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline, f"not within {PATIENCE_S:g} s"
        time.sleep(0.05)
