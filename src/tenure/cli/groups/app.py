"""Commands `tenure groups ...`."""

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from tenure.admin import Admin
from tenure.admin.group_members import MemberToRemove, RemovedMember
from tenure.cli.connect import BootstrapServers, CommandConfig, cluster_at
from tenure.cli.groups import configs, describe, fences, journal, offsets
from tenure.cli.output import (
    Group,
    Groups,
    Json,
    Misuse,
    Yes,
    fail_if,
    listed,
    print_json,
    print_message,
    print_result,
    print_table,
)

STATES = (
    "Stable",
    "Empty",
    "PreparingRebalance",
    "CompletingRebalance",
    "Assigning",
    "Reconciling",
    "NotReady",
    "Dead",
)
TYPES = ("classic", "consumer", "share", "streams")

SHOW, MEMBERS, OFFSETS = "Show", "Members", "Offsets and groups"

commands = typer.Typer(
    help="Show and change consumer groups: members, partitions, offsets, lag and settings.",
    no_args_is_help=True,
)


@commands.command("list", rich_help_panel=SHOW)
def list_(
    state: Annotated[
        list[str] | None, typer.Option(metavar="STATE,...", help=f"States of the groups to list: {', '.join(STATES)}.")
    ] = None,
    type_: Annotated[
        list[str] | None,
        typer.Option("--type", "--types", metavar="TYPE,...", help=f"Types of the groups to list: {', '.join(TYPES)}."),
    ] = None,
    json: Json = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """List the groups of all brokers."""
    states, types = _among(STATES, state, "--state"), _among(TYPES, type_, "--type")
    with Admin(cluster_at(bootstrap_servers, command_config)) as admin:
        found = admin.list_groups(states=states, types=types)
    if json:
        print_json([group._asdict() for group in found])
    else:
        print_table(
            ["group", "type", "protocol", "state"],
            [[group.group_id, group.group_type, group.protocol_type, group.state] for group in found],
        )


commands.command("describe", rich_help_panel=SHOW)(describe.describe)


@commands.command("remove-members", rich_help_panel=MEMBERS)
def remove_members(
    group: Group,
    instance_id: Annotated[
        list[str] | None,
        typer.Option("--instance-ids", metavar="ID,...", help="Static members to remove, by group.instance.id."),
    ] = None,
    member_id: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="Member to remove; may be repeated.")
    ] = None,
    all_: Annotated[bool, typer.Option("--all", help="Remove all members.")] = False,
    reason: Annotated[str, typer.Option(metavar="TEXT", help="Reason for the coordinator's log.")] = "",
    json: Json = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Remove members without waiting for their sessions to end.

    The group rebalances at once. A process that still runs joins again as a new member: stop it first.
    """
    by_name = [MemberToRemove(name) for name in listed(instance_id)]
    by_id = [MemberToRemove(None, id_) for id_ in member_id or []]
    if all_ == bool(by_name or by_id):
        raise Misuse("Name the members to remove: either --all, or --instance-ids and --member-id as often as needed")
    with Admin(cluster_at(bootstrap_servers, command_config)) as admin:
        removed = admin.remove_members(group, None if all_ else [*by_name, *by_id], reason)
    _print_removed(group, removed, as_json=json)
    fail_if(
        [
            f"{result.member} cannot be removed from group '{group}': {result.trouble}."
            for result in removed
            if result.trouble
        ]
    )


def _print_removed(group: str, removed: Sequence[RemovedMember], *, as_json: bool) -> None:
    if as_json:
        print_json(
            [result.member._asdict() | {"removed": not result.trouble, "trouble": result.trouble} for result in removed]
        )
    else:
        for result in removed:
            if not result.trouble:
                print_result(f"Removed {result.member} from group '{group}'.")
    if not removed:
        print_message(f"Group '{group}' has no members.")


commands.command("journal", rich_help_panel=SHOW)(journal.journal)
commands.command("fences", rich_help_panel=SHOW)(fences.fences)
commands.command("rebalance", rich_help_panel=MEMBERS)(configs.rebalance)
commands.command("expect", rich_help_panel=MEMBERS)(configs.expect)
commands.command("config", rich_help_panel=MEMBERS)(configs.config)
commands.command("reset-offsets", rich_help_panel=OFFSETS)(offsets.reset_offsets)
commands.command("export", rich_help_panel=OFFSETS)(offsets.export)
commands.command("import", rich_help_panel=OFFSETS)(offsets.import_)
commands.command("delete-offsets", rich_help_panel=OFFSETS)(offsets.delete_offsets)


@commands.command(rich_help_panel=OFFSETS)
def delete(
    groups: Groups,
    yes: Yes = False,
    json: Json = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Delete groups that have no members, with their offsets.

    Asks for confirmation on a terminal.
    """
    if not yes and sys.stdin.isatty():
        typer.confirm(f"Delete {', '.join(groups)} and all committed offsets?", abort=True)
    with Admin(cluster_at(bootstrap_servers, command_config)) as admin:
        deleted = admin.delete_groups(groups)
    if json:
        print_json(
            [
                {"group_id": result.group_id, "deleted": not result.trouble, "trouble": result.trouble}
                for result in deleted
            ]
        )
    else:
        for result in deleted:
            if not result.trouble:
                print_result(f"Deleted group '{result.group_id}'.")
    fail_if([result.trouble for result in deleted if result.trouble])


def _among(known: Sequence[str], words: list[str] | None, option: str) -> list[str]:
    wanted = listed(words)
    for word in wanted:
        if word.lower() not in (name.lower() for name in known):
            raise Misuse(f"Unknown group state or type in {option}: {word}. Choose among {', '.join(known)}")
    return wanted
