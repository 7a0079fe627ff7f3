"""`tenure pipeline stop | pause | resume`: control the applications of a pipeline on this host."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from tenure.cli.output import Json, fail_if, print_json, print_message, print_result
from tenure.cli.pipeline.arguments import Pipelines

if TYPE_CHECKING:
    from tenure.spark.application.control_socket import RunningApplication

LOOK_S = 0.1

Instance: TypeAlias = Annotated[
    str | None,
    typer.Option("--group-instance-id", metavar="ID", help="Application to control.", show_default="all"),
]
Wait: TypeAlias = Annotated[
    bool, typer.Option("--wait/--no-wait", help="Wait until the applications have stopped or paused.")
]
Timeout: TypeAlias = Annotated[float, typer.Option("--timeout", metavar="S", help="Maximum time to wait.")]


def stop(
    reference: Pipelines,
    group_instance_id: Instance = None,
    wait: Wait = True,
    timeout_s: Timeout = 60.0,
    json: Json = False,
) -> None:
    """Stop a pipeline's applications on this host after their running batches.

    Standbys and supervisors stop too. Static members keep their partitions until their sessions expire: an
    application that starts again before that causes no rebalance.
    """
    with applications(reference, group_instance_id, supervisors=True) as found:
        for application in found:
            application.connection.ask("stop")
        until_s = time.monotonic() + timeout_s
        left = [
            application
            for application in found
            if wait and not application.connection.has_ended(max(until_s - time.monotonic(), 0.01))
        ]
        _report(found, left, "stopped" if wait else "stopping", json)
        fail_if(
            [
                f"{describe_application(application)} did not stop within {timeout_s:g} s: its batch may hang;"
                f" `kill -9 {application.description['pid']}` is safe and loses nothing."
                for application in left
            ]
        )


def pause(
    reference: Pipelines,
    group_instance_id: Instance = None,
    wait: Wait = True,
    timeout_s: Timeout = 60.0,
    json: Json = False,
) -> None:
    """Pause a pipeline's applications on this host.

    The applications start no new batches but stay in the group with their partitions, so lag grows. `tenure pipeline
    resume` or the end of the application ends the pause.
    """
    with applications(reference, group_instance_id) as found:
        doing = {application: application.connection.ask("pause").get("doing") for application in found}
        until_s = time.monotonic() + timeout_s
        while wait and "pausing" in doing.values() and time.monotonic() < until_s:
            time.sleep(LOOK_S)
            doing = {application: application.connection.ask("status").get("doing") for application in found}
        left = [application for application in found if wait and doing[application] == "pausing"]
        _report(found, left, "paused" if wait else "pausing", json)
        fail_if(
            [
                f"{describe_application(application)} still runs a batch after {timeout_s:g} s;"
                " it pauses when the batch ends."
                for application in left
            ]
        )


def resume(reference: Pipelines, group_instance_id: Instance = None, json: Json = False) -> None:
    """Resume a pipeline's paused applications on this host."""
    with applications(reference, group_instance_id) as found:
        for application in found:
            application.connection.ask("resume")
        _report(found, [], "resumed", json)


@contextmanager
def applications(
    reference: str, group_instance_id: str | None, *, supervisors: bool = False
) -> "Iterator[list[RunningApplication]]":
    """Yield a pipeline's applications on this host.

    Exit with status 1 if there is none.

    Args:
        reference: Name of the pipeline, or MODULE:ATTRIBUTE or FILE.py:ATTRIBUTE.
        group_instance_id: Yield only this application; None yields all.
        supervisors: Also yield the processes that restart applications.
    """
    from tenure.spark.application.control_socket import running_applications
    from tenure.spark.operations.pipeline_reference import group_named

    group = group_named(reference)
    with running_applications(group) as (running, silent):
        print_silent(silent)
        found = [
            application
            for application in running
            if group_instance_id in (None, application.description.get("group_instance_id"))
            and (supervisors or application.description.get("role") != "supervisor")
        ]
        if not found:
            named = f" named '{group_instance_id}'" if group_instance_id else ""
            fail_if([f"No application{named} of pipeline '{group}' runs on this host under this user."])
        yield found


def print_silent(sockets: Sequence[Path]) -> None:
    for socket in sockets:
        pid = socket.name.partition("-")[0]
        print_message(
            f"Process {pid} runs a pipeline but does not answer: it hangs, or it was suspended (then run `kill -CONT"
            f" {pid}`)."
        )


def describe_application(application: "RunningApplication") -> str:
    """Return a description such as `Application 'host-a' of 'orders' (process 12)`."""
    instance, role = (
        application.description.get("group_instance_id"),
        str(application.description.get("role", "application")).capitalize(),
    )
    named = f" {instance!r}" if instance else ""
    return f"{role}{named} of '{application.group}' (process {application.description['pid']})"


def _report(
    applications: "Sequence[RunningApplication]", unfinished: "Sequence[RunningApplication]", done: str, json: bool
) -> None:
    if json:
        print_json([{**application.description, "done": application not in unfinished} for application in applications])
        return
    for application in applications:
        if application not in unfinished:
            print_result(f"{describe_application(application)} {'is ' if done.endswith('ing') else 'was '}{done}.")
