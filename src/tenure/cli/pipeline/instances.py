"""`tenure pipeline instances`: list the applications of a pipeline by instance id, and remove their members.

The members `<group.instance.id>-thread-<n>` belong to one application. All of them are removed in one request, as
KIP-345 describes for Kafka Streams.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Annotated, Final, NamedTuple

import typer

from tenure.admin import Admin
from tenure.admin.group_description import MemberDescription
from tenure.admin.group_members import MemberToRemove, RemovedMember
from tenure.cli.connect import BootstrapServers, CommandConfig, cluster_at
from tenure.cli.output import Json, fail_if, listed, print_json, print_message, print_result, print_table
from tenure.cli.pipeline.arguments import Pipelines
from tenure.plural import format_count

SEAT: Final = re.compile(r"(?P<instance>.+)-thread-(?P<thread>[1-9][0-9]*)")


class ApplicationMembers(NamedTuple):
    """Application with its static members `<instance>-thread-1`, `-2` and so on."""

    instance: str
    members: tuple[MemberDescription, ...]

    @property
    def partitions(self) -> int:
        return sum(len(member.partitions) for member in self.members)


def instances(
    reference: Pipelines,
    remove: Annotated[
        list[str] | None,
        typer.Option(metavar="ID,...", help="Applications whose members to remove from the group."),
    ] = None,
    remove_all: Annotated[bool, typer.Option("--remove-all", help="Remove the members of all applications.")] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Remove members even if their application runs on this host.")
    ] = False,
    json: Json = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """List a pipeline's applications by instance id, or remove the members of some.

    Remove applications that will not start again: other members get their partitions at once instead of after the
    session timeout.
    """
    from tenure.spark.operations.pipeline_reference import group_named

    group = group_named(reference)
    with Admin(cluster_at(bootstrap_servers, command_config)) as admin:
        (described,) = admin.describe_groups([group])
        found = _applications(described.members)
        if remove_all or remove:
            wanted = [application.instance for application in found] if remove_all else listed(remove)
            _refuse_running(group, wanted, force)
            _print_removed(group, wanted, _remove_applications(admin, group, found, wanted), json)
            return
    if json:
        print_json([_as_json(application) for application in found])
    else:
        columns = ["application", "threads", "partitions", "host", "held by"]
        print_table(columns, [_row(application) for application in found])
    dynamic = [member for member in described.members if member.group_instance_id is None]
    if dynamic:
        members = format_count(len(dynamic), "member")
        print_message(f"Not listed: {members} without an instance id, see `tenure groups describe {group}`.")


def _applications(members: Iterable[MemberDescription]) -> list[ApplicationMembers]:
    seats: dict[str, list[tuple[int, MemberDescription]]] = {}
    for member in members:
        if member.group_instance_id is not None:
            match = SEAT.fullmatch(member.group_instance_id)
            instance, thread = match.group("instance", "thread") if match else (member.group_instance_id, "1")
            seats.setdefault(instance, []).append((int(thread), member))
    return [
        ApplicationMembers(instance, tuple(member for _, member in sorted(found, key=lambda pair: pair[0])))
        for instance, found in sorted(seats.items())
    ]


def _refuse_running(group: str, instances: Sequence[str], force: bool) -> None:
    """Exit with status 1 if any of the applications runs on this host, because removing its members would fence it.

    With `force`, do nothing.
    """
    from tenure.spark.application.control_socket import running_applications

    if force:
        return
    with running_applications(group) as (running, _):
        fail_if(
            [
                f"Application '{application.description['group_instance_id']}' runs on this host (process"
                f" {application.description['pid']}): stop it with `tenure pipeline stop {group}` first, or use"
                " --force."
                for application in running
                if application.description.get("group_instance_id") in instances
            ]
        )


def _remove_applications(
    admin: Admin, group: str, applications: Sequence[ApplicationMembers], instances: Sequence[str]
) -> list[RemovedMember]:
    """Remove all members of the applications `instances` in one request, and return the result for each member.

    A name in `instances` that is not the name of an application in `applications` is the instance id of one member.
    """
    seats = {
        application.instance: [MemberToRemove(member.group_instance_id) for member in application.members]
        for application in applications
    }
    wanted = [seat for instance in instances for seat in seats.get(instance, [MemberToRemove(instance)])]
    return admin.remove_members(group, wanted) if wanted else []


def _print_removed(group: str, instances: Sequence[str], removed: Sequence[RemovedMember], json: bool) -> None:
    if json:
        print_json(
            [result.member._asdict() | {"removed": not result.trouble, "trouble": result.trouble} for result in removed]
        )
    else:
        for result in removed:
            if not result.trouble:
                print_result(f"Removed {result.member} from group '{group}'.")
    if not instances:
        print_message(f"Group '{group}' has no static members.")
    fail_if(
        [
            f"{result.member} cannot be removed from group '{group}': {result.trouble}."
            for result in removed
            if result.trouble
        ]
    )


def _row(application: ApplicationMembers) -> list[object]:
    hosts = ", ".join(sorted({member.host for member in application.members}))
    holders = ", ".join(sorted({member.holder for member in application.members if member.holder}))
    return [application.instance, len(application.members), application.partitions, hosts, holders]


def _as_json(application: ApplicationMembers) -> dict[str, object]:
    return {
        "group_instance_id": application.instance,
        "members": [
            {
                "group_instance_id": member.group_instance_id,
                "member_id": member.member_id,
                "host": member.host,
                "holder": member.holder,
                "partitions": [partition._asdict() for partition in member.partitions],
            }
            for member in application.members
        ],
    }
