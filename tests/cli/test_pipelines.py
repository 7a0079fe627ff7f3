"""`tenure pipeline ...` on the members of a pipeline, and on the sockets of this host."""

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing
from typing import Any

import pytest
from typer.testing import Result

from tenure.client.group.group_member import GroupMember
from tenure.client.values import Assigned, Event, Revoked
from tenure.spark.application.control_socket import ControlServer
from tenure.spark.application.run_directory import DIRECTORY_VARIABLE
from tests.cli.conftest import Cli

PROTOCOLS = ("classic", "consumer")


@pytest.fixture(autouse=True)
def own_run_directory(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with tempfile.TemporaryDirectory(prefix="tenure-") as directory:
        monkeypatch.setenv(DIRECTORY_VARIABLE, directory)
        yield


def pipeline(cli: Cli, *words: str, expect: int = 0) -> Result:
    done = cli.run("pipeline", *words)
    assert done.exit_code == expect, (words, done.stdout, done.stderr)
    return done


def create_group(cli: Cli, group: str, topic: str, instances: list[str], protocol: str) -> None:
    """Let static members join, and close without leaving, so that they remain members."""
    members: list[GroupMember] = []
    with ExitStack() as all_of_them:
        for instance in instances:
            members.append(
                GroupMember(cli.address, group, [topic], group_instance_id=instance, group_protocol=protocol)
            )
            all_of_them.callback(members[-1].close, leave=False)
            members[-1].start()
            while not any(isinstance(event, Assigned) for event in [poll(member) for member in members][-1]):
                pass


def poll(member: GroupMember) -> list[Event]:
    """Return the member's events, and acknowledge a revocation at once, for which the next owner waits."""
    events = member.poll(0.05)
    if any(isinstance(event, Revoked) for event in events):
        member.acknowledge_revocation()
    return events


def found(cli: Cli, group: str) -> dict[str, list[str]]:
    listed = json.loads(pipeline(cli, "instances", group, "--json").stdout)
    return {one["group_instance_id"]: [member["group_instance_id"] for member in one["members"]] for one in listed}


@pytest.mark.long
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_instances_command__two_applications__listed_and_one_removed_with_all_members(
    cli: Cli, topic: str, protocol: str
) -> None:
    group = f"apps-{protocol}-{topic}"
    create_group(cli, group, topic, ["host-a-thread-1", "host-b-thread-1"], protocol)
    assert found(cli, group) == {"host-a": ["host-a-thread-1"], "host-b": ["host-b-thread-1"]}
    done = pipeline(cli, "instances", group, "--remove", "host-b,host-c", expect=1)
    assert done.stdout == f"Removed instance 'host-b-thread-1' from group '{group}'.\n"
    assert "instance 'host-c' cannot be removed" in done.stderr
    assert found(cli, group) == {"host-a": ["host-a-thread-1"]}
    assert pipeline(cli, "instances", group, "--remove-all").stdout.count("Removed") == 1
    assert found(cli, group) == {}


def control_server_of(pipeline: str, **who: Any) -> ControlServer:
    answer = {"pipeline": pipeline, "pid": os.getpid(), "began_ms": 0, "bootstrap_servers": "127.0.0.1:1", **who}
    return ControlServer({"who": lambda: answer, "status": lambda: answer | {"doing": "running"}, "stop": dict})


def test_instances_command__application_runs_on_this_host__removed_only_with_the_force_option(
    cli: Cli, topic: str
) -> None:
    group = f"here-{topic}"
    create_group(cli, group, topic, ["host-a-thread-1"], "classic")
    with closing(control_server_of(group, group_instance_id="host-a")):
        refused = pipeline(cli, "instances", group, "--remove", "host-a", expect=1)
        assert (
            f"runs on this host (process {os.getpid()}): stop it with `tenure pipeline stop {group}`" in refused.stderr
        )
        pipeline(cli, "instances", group, "--remove", "host-a", "--force")
    assert found(cli, group) == {}


def test_status_command__no_application_on_this_host__members_of_the_group_shown(cli: Cli, topic: str) -> None:
    group = f"status-{topic}"
    create_group(cli, group, topic, ["host-a-thread-1"], "classic")
    answer = pipeline(cli, "status", group).stdout
    assert f"No application of pipeline '{group}' runs on this host" in answer
    assert f"Group '{group}' is Stable, 1 member." in answer
    assert f"{topic}\t1\t-\t20\t-\thost-a-thread-1\n" in answer


def test_status_command__application_has_copies_of_standby_lanes__number_of_complete_copies_shown(
    cli: Cli, topic: str
) -> None:
    group = f"standby-{topic}"
    create_group(cli, group, topic, ["host-a-thread-1"], "classic")
    member = {"name": "host-a", "doing": "caught up", "trouble": "", "last_batch": None}
    lanes = {"lanes": {"t-0": {"lag": 0}}, "standby_lanes": {"t-1": 7, "t-2": 9}}
    with closing(control_server_of(group, group_instance_id="host-a", members=[member | lanes])):
        answer = pipeline(cli, "status", group, "--bootstrap-servers", cli.address).stdout
    assert "  host-a: caught up, lag 0; complete copies of 2 standby lanes\n" in answer


def test_status_command__group_does_not_exist__error(cli: Cli) -> None:
    assert "does not exist" in pipeline(cli, "status", "no-such-group", expect=1).stderr


def test_stop_command__no_application_on_this_host__error(cli: Cli) -> None:
    done = pipeline(cli, "stop", "no-such-group", expect=1)
    assert done.stderr == "tenure: No application of pipeline 'no-such-group' runs on this host under this user.\n"


def test_stop_command__application_does_not_end_in_time__error_names_the_process(cli: Cli) -> None:
    with closing(control_server_of("endless", group_instance_id="host-a")):
        done = pipeline(cli, "stop", "endless", "--timeout", "0.1", expect=1)
    assert f"`kill -9 {os.getpid()}` is safe and loses nothing" in done.stderr
