"""`tenure groups config`, `expect` and `rebalance`: settings of a group at its coordinator."""

from typing import Annotated

import typer

from tenure.admin import Admin
from tenure.admin.times import parse_duration_ms
from tenure.cli.connect import BootstrapServers, CommandConfig, cluster_at
from tenure.cli.output import (
    Group,
    Json,
    Misuse,
    listed,
    print_json,
    print_result,
    print_table,
    setting,
)


def config(
    group: Group,
    settings: Annotated[list[str] | None, typer.Argument(metavar="KEY=VALUE...", show_default=False)] = None,
    unset: Annotated[
        list[str] | None, typer.Option(metavar="KEY", help="Setting to reset to the broker's value; may be repeated.")
    ] = None,
    json: Json = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Show a group's settings, or change some. The group need not exist yet.

    For example: tenure groups config readers target.group.size=4

    With this setting, members beyond four are reserve members: they get no partitions until another member leaves.
    """
    changes: dict[str, str | None] = dict(setting(text) for text in settings or [])
    for key in listed(unset):
        if key in changes:
            raise Misuse(f"Setting {key} has a new value and is also in --unset: give only one of them")
        changes[key] = None
    with Admin(cluster_at(bootstrap_servers, command_config)) as admin:
        if changes:
            admin.alter_group_configs(group, changes)
            for key, value in changes.items():
                print_result(
                    f"Unset {key} of group '{group}'." if value is None else f"Set {key} of group '{group}' to {value}."
                )
            return
        configs = admin.group_configs(group)
    if json:
        print_json([one._asdict() for one in configs])
    else:
        rows = [[one.key, one.value, "this group" if one.is_set else "broker"] for one in configs]
        print_table(["setting", "value", "from"], rows)


def expect(
    group: Group,
    instance_ids: Annotated[
        list[str] | None,
        typer.Option("--instance-ids", metavar="ID,...", help="Instance ids to expect."),
    ] = None,
    timeout: Annotated[
        str | None,
        typer.Option(metavar="DURATION", help="Maximum time to wait for the instances, such as 90s or PT2M."),
    ] = None,
    clear: Annotated[bool, typer.Option("--clear", help="Expect no instances any more.")] = False,
    json: Json = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Make the first assignment wait for expected static members.

    Otherwise each member that joins later causes a rebalance. Without options, shows the expected instances. The group
    need not exist yet.
    """
    wanted = listed(instance_ids)
    if clear and (wanted or timeout):
        raise Misuse("--clear removes all expected instances: give no other option with it")
    if timeout and not wanted:
        raise Misuse("--timeout is the time to wait for --instance-ids: give both")
    with Admin(cluster_at(bootstrap_servers, command_config)) as admin:
        if wanted or clear:
            admin.expect(group, wanted, _milliseconds(timeout))
        expected = admin.expectation(group)
    if json:
        print_json(expected._asdict())
    elif expected.instance_ids:
        wait = "" if expected.timeout_ms is None else f", {expected.timeout_ms / 1000:g} s at most"
        print_result(f"The first assignment of group '{group}' waits for {', '.join(expected.instance_ids)}{wait}.")
    else:
        print_result(f"Group '{group}' expects no instances.")


def rebalance(group: Group, bootstrap_servers: BootstrapServers = None, command_config: CommandConfig = None) -> None:
    """Rebalance a group: assign all partitions again to its present members.

    In a consumer group with a sticky assignor, members keep their partitions if the assignment is balanced already.
    """
    with Admin(cluster_at(bootstrap_servers, command_config)) as admin:
        admin.rebalance(group)
    print_result(f"Group '{group}' rebalances.")


def _milliseconds(duration: str | None) -> int | None:
    try:
        return None if duration is None else parse_duration_ms(duration)
    except ValueError as error:
        raise Misuse(str(error)) from None
