"""`tenure move` as a command."""

from __future__ import annotations

import subprocess
import sys
from signal import SIGINT

import pytest
from typer.testing import CliRunner, Result

from tenure.admin import Admin
from tenure.testing import Broker
from tests.command_line import app
from tests.move.moving import rows, write


def tenure_move(source: Broker, target: Broker, *arguments: str) -> Result:
    command = ["move", "--to", target.address, "--bootstrap-servers", source.address, "--watch", "0s", *arguments]
    return CliRunner().invoke(app, command, catch_exceptions=False)


def test_move_command__dry_run__prints_the_plan_and_changes_nothing(source: Broker, target: Broker, topic: str) -> None:
    write(source.address, topic, range(30))
    source.commit("planned", {(topic, 0): 1})
    done = tenure_move(source, target, "--topics", topic, "--groups", "planned", "--dry-run")
    assert done.exit_code == 0
    assert f"{topic}\t3\t30\tis created" in done.stdout
    assert "planned\t1" in done.stdout
    assert "ACLs: none, the source has no authorizer." in done.stdout
    assert not has_topic(target, topic)


def test_move_command__verify_option__copies_and_says_how_to_switch_over(
    source: Broker, target: Broker, topic: str
) -> None:
    write(source.address, topic, range(30))
    source.commit("switched", {(topic, 0): 1})
    done = tenure_move(source, target, "--topics", topic, "--groups", "switched", "--verify")
    assert done.exit_code == 0, done.stderr
    assert "Copied 30 records" in done.stdout
    assert "Group 'switched': 1 offset written." in done.stdout
    assert "Verified 30 records of 3 partitions: 0 differ." in done.stdout
    assert f"group.id=switched bootstrap.servers={target.address}" in done.stdout


def test_move_command__from_option__copies_from_the_other_cluster(source: Broker, target: Broker, topic: str) -> None:
    target.create_topic(f"{topic}-there")
    target.produce(f"{topic}-there", [b"far"])
    command = ["move", "--from", target.address, "-b", source.address, "--topics", f"{topic}-there", "--watch", "0s"]
    done = CliRunner().invoke(app, command, catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
    assert [row[3] for row in rows(source.address, f"{topic}-there")] == [b"far"]


def test_move_command__last_hour_of_a_cluster_in_use__copied_without_a_switch_over(
    source: Broker, target: Broker, topic: str
) -> None:
    """The group goes on at the source, so the command does not watch it. Most records are older."""
    write(source.address, topic, range(30))
    source.produce(topic, [b"new"], partition=0)
    source.commit("in-production", {(topic, 0): 1})
    command = ["move", "--from", source.address, "-b", target.address, "--topics", topic, "--last", "1h"]
    command += ["--groups", "in-production"]
    planned = CliRunner().invoke(app, [*command, "--dry-run"], catch_exceptions=False)
    assert f"{topic}\t3\t1\tis created" in planned.stdout
    done = CliRunner().invoke(app, command, catch_exceptions=False)
    assert done.exit_code == 0, done.stderr
    assert "Copied 1 record " in done.stdout
    assert "To switch over" not in done.stdout
    assert target.committed("in-production") == {(topic, 0): 0}


def test_move_command__group_still_commits_at_the_source__exit_status_1_and_error_names_the_group(
    source: Broker, target: Broker, topic: str
) -> None:
    write(source.address, topic, range(30))
    source.commit("busy", {(topic, 0): 1})
    arguments = ["--topics", topic, "--groups", "busy", "--watch", "60s"]
    command = [sys.executable, "-m", "tenure", "move", "--to", target.address, "-b", source.address, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("Copied 30 records")
        assert process.stdout.readline().startswith("Group 'busy'")
        number = 2
        while process.poll() is None:
            source.commit("busy", {(topic, 0): number})
            number += 1
        assert process.returncode == 1
        assert process.stderr is not None
        assert "tenure: Group 'busy' still commits at the source" in process.stderr.read()


@pytest.mark.long
def test_move_command__ctrl_c__says_how_to_continue(source: Broker, target: Broker, topic: str) -> None:
    write(source.address, topic, range(3_000))
    arguments = ["--topics", topic, "--rate", "10K", "--follow"]
    command = [sys.executable, "-m", "tenure", "move", "--to", target.address, "-b", source.address, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while not has_topic(target, topic):
            assert process.poll() is None
        process.send_signal(SIGINT)
        _, errors = process.communicate()
    assert process.returncode == 130
    assert errors.splitlines()[-1] == "tenure: move: stopped. Run the same command again to continue."
    assert tenure_move(source, target, "--topics", topic, "--verify").exit_code == 0
    assert rows(target.address, topic) == rows(source.address, topic)


def has_topic(broker: Broker, topic: str) -> bool:
    with Admin(broker.address) as admin:
        return topic in {found.topic for found in admin.list_topics()}


def test_move_command__group_does_not_exist__refused_before_anything_is_copied(
    source: Broker, target: Broker, topic: str
) -> None:
    done = tenure_move(source, target, "--topics", topic, "--groups", "misspelt")
    assert done.exit_code == 1
    assert "Unknown group 'misspelt' at the source" in done.stderr
    assert not has_topic(target, topic)


def test_move_command__to_and_from_options_together__exit_status_2(source: Broker, target: Broker) -> None:
    done = tenure_move(source, target, "--from", target.address)
    assert done.exit_code == 2
    assert "--to and --from exclude each other" in done.stderr


def test_move_command__no_other_cluster_named__exit_status_2_and_the_remedy(source: Broker) -> None:
    done = CliRunner().invoke(app, ["move", "-b", source.address], catch_exceptions=False)
    assert done.exit_code == 2
    assert "name the other cluster with --to or with --from" in done.stderr


def test_move_command__no_topics_selected__all_but_internal_and_excluded_topics_copied() -> None:
    with Broker() as here, Broker() as there:
        here.create_topic("orders", 2)
        here.create_topic("prices")
        here.produce("orders", [b"1", b"2", b"3"], partition=1)
        here.commit("billing", {("orders", 1): 2})
        assert tenure_move(here, there, "--exclude", "prices").exit_code == 0
        assert (has_topic(there, "orders"), has_topic(there, "prices")) == (True, False)
        done = tenure_move(here, there, "--verify")
        assert done.exit_code == 0, done.stderr
        assert "of 2 topics" in done.stdout
        assert there.committed("billing") == {("orders", 1): 2}
