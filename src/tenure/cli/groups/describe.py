"""`tenure groups describe`: a report per group, or one table for all groups with a line per member or partition."""

from collections.abc import Iterable
from typing import Annotated, Final, TypeAlias

import typer

from tenure.admin import Admin
from tenure.admin.group_description import GroupDescription, MemberDescription, SubtopologyDescription
from tenure.admin.groups import GroupPosition
from tenure.cli.connect import BootstrapServers, CommandConfig, cluster_at
from tenure.cli.output import (
    Json,
    Misuse,
    partitions_text,
    print_json,
    print_message,
    print_result,
    print_table,
)
from tenure.plural import format_count
from tenure.protocol.special_values import STREAMS

SUBTOPOLOGY_COLUMNS: Final = ["subtopology", "sources", "repartition sources", "repartition sinks", "changelogs"]

Described: TypeAlias = list[tuple[GroupDescription, list[GroupPosition]]]


def describe(
    groups: Annotated[list[str] | None, typer.Argument(metavar="GROUP...", show_default=False)] = None,
    all_: Annotated[bool, typer.Option("--all", help="Show all groups.")] = False,
    members: Annotated[bool, typer.Option("--members", help="Show only a table of members.")] = False,
    offsets: Annotated[bool, typer.Option("--offsets", help="Show only a table of committed offsets and lag.")] = False,
    state: Annotated[bool, typer.Option("--state", help="Show only a table of states.")] = False,
    verbose: Annotated[
        bool,
        typer.Option(
            "--verbose", help="Include targets, epochs, subscriptions, holders of instance ids and commit metadata."
        ),
    ] = False,
    json: Json = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Show members with their instance ids and partitions, committed offsets and lag."""
    if all_ == bool(groups):
        raise Misuse("Name the groups to describe, or give --all")
    with Admin(cluster_at(bootstrap_servers, command_config)) as admin:
        described: Described = [
            (group, admin.group_positions(group))
            for group in admin.describe_groups(_all_describable(admin) if all_ else groups or [])
        ]
    if json:
        print_json([_as_json(group, positions) for group, positions in described])
    elif members or offsets or state:
        _print_tables(described, state=state, members=members, offsets=offsets, verbose=verbose)
    else:
        for number, (group, positions) in enumerate(described):
            _print_report(group, positions, verbose, first=number == 0)


def _all_describable(admin: Admin) -> list[str]:
    found = admin.list_groups()
    described = [group.group_id for group in found if group.is_describable]
    if len(described) < len(found):
        left_out = len(found) - len(described)
        print_message(f"Skipped {format_count(left_out, 'share group')} of {format_count(len(found), 'group')}.")
    return described


def _print_report(group: GroupDescription, positions: list[GroupPosition], verbose: bool, *, first: bool) -> None:
    if not first:
        print()
    assignor = f", assignor {group.assignor}" if group.assignor else ""
    members = format_count(len(group.members), "member")
    print_result(
        f"Group '{group.group_id}' is {group.state}, {members}{assignor}{_epochs(group)}; "
        f"its coordinator is {group.coordinator}."
    )
    if group.topology:
        print()
        print_table(SUBTOPOLOGY_COLUMNS, [_subtopology_row(each) for each in group.topology])
    if group.members:
        tasks = group.group_type == STREAMS
        print()
        print_table(_member_columns(verbose, tasks), [_member_row(member, verbose, tasks) for member in group.members])
    if positions:
        print()
        print_table(_position_columns(verbose), [_position_row(position, verbose) for position in positions])


def _epochs(group: GroupDescription) -> str:
    if group.group_epoch is None:
        return ""
    behind = "" if group.assignment_epoch == group.group_epoch else f", assigned for epoch {group.assignment_epoch}"
    return f", epoch {group.group_epoch}{behind}"


def _print_tables(described: Described, *, state: bool, members: bool, offsets: bool, verbose: bool) -> None:
    tables: list[tuple[list[str], list[list[object]]]] = []
    if state:
        columns = ["group", "type", "state", "protocol", "assignor", "members", "coordinator"]
        columns += ["epoch", "target epoch"] if verbose else []
        tables.append((columns, [_state_row(group, verbose) for group, _ in described]))
    if members:
        tasks = any(group.group_type == STREAMS for group, _ in described)
        columns = ["group", *_member_columns(verbose, tasks)]
        rows = [
            [group.group_id, *_member_row(member, verbose, tasks)] for group, _ in described for member in group.members
        ]
        tables.append((columns, rows))
    if offsets:
        columns = ["group", *_position_columns(verbose)]
        rows = [
            [group.group_id, *_position_row(position, verbose)]
            for group, positions in described
            for position in positions
        ]
        tables.append((columns, rows))
    for number, (columns, rows) in enumerate(tables):
        if number:
            print()
        print_table(columns, rows)


def _state_row(group: GroupDescription, verbose: bool) -> list[object]:
    row: list[object] = [
        group.group_id, group.group_type, group.state, group.protocol_type, group.assignor, len(group.members),
        group.coordinator,
    ]  # fmt: skip
    return [*row, group.group_epoch, group.assignment_epoch] if verbose else row


def _subtopology_row(each: SubtopologyDescription) -> list[object]:
    return [each.subtopology, *(",".join(topics) for topics in each[1:])]


def _member_columns(verbose: bool, tasks: bool) -> list[str]:
    """Return the column names for a table of members. `tasks` is true if some members belong to streams groups."""
    columns = ["instance id", "member id", "client", "host", "partitions"]
    columns += ["active tasks", "standby tasks", "warm-up tasks"] if tasks else []
    if not verbose:
        return columns
    columns += ["target", "epoch", "protocol", "subscribed to", "held by"]
    return [*columns, "target tasks", "restoration lag", "process"] if tasks else columns


def _member_row(member: MemberDescription, verbose: bool, tasks: bool) -> list[object]:
    row: list[object] = [
        member.group_instance_id, member.member_id, member.client_id, member.host, _by_topic(member.partitions)
    ]  # fmt: skip
    if tasks:
        row += [None] * 3 if member.tasks is None else [_by_topic(role) for role in member.tasks]
    if not verbose:
        return row
    target = None if member.target is None else _by_topic(member.target)
    row += [target, member.member_epoch, member.protocol, _subscription(member), member.holder]
    return [*row, _target_tasks(member), _restoration_lags(member), member.process_id] if tasks else row


def _target_tasks(member: MemberDescription) -> str | None:
    """Return the tasks of the target assignment in all roles as text, with active tasks first.

    None if the member does not belong to a streams group.
    """
    if member.target_tasks is None:
        return None
    active, standby, warmup = map(_by_topic, member.target_tasks)
    copies = [f"{role} {tasks}" for role, tasks in (("standby", standby), ("warm-up", warmup)) if tasks]
    return "; ".join([*([active] if active else []), *copies])


def _restoration_lags(member: MemberDescription) -> str | None:
    return " ".join(f"{subtopology}:{at}={lag}" for subtopology, at, lag in member.restoration_lags) or None


def _subscription(member: MemberDescription) -> str:
    """Return topics and pattern of a subscription; the pattern is between slashes."""
    return ",".join([*member.topics, *([f"/{member.topic_regex}/"] if member.topic_regex else [])])


def _position_columns(verbose: bool) -> list[str]:
    columns = ["topic", "partition", "committed", "end", "lag", "member"]
    return [*columns, "leader epoch", "metadata"] if verbose else columns


def _position_row(position: GroupPosition, verbose: bool) -> list[object]:
    row: list[object] = [*position.partition, position.committed, position.end, position.lag, position.member]
    return [*row, position.leader_epoch, position.metadata] if verbose else row


def _by_topic(partitions: Iterable[tuple[str, int]]) -> str:
    """Return partitions grouped by topic, or tasks grouped by subtopology, as text."""
    by_topic: dict[str, list[int]] = {}
    for topic, partition in partitions:
        by_topic.setdefault(topic, []).append(partition)
    return " ".join(f"{topic}:{partitions_text(numbers)}" for topic, numbers in by_topic.items())


def _as_json(group: GroupDescription, positions: list[GroupPosition]) -> dict[str, object]:
    return {
        **group._asdict(),
        "members": [_member_as_json(member) for member in group.members],
        "positions": [_position_as_json(position) for position in positions],
    }


def _member_as_json(member: MemberDescription) -> dict[str, object]:
    return member._asdict() | {
        "partitions": [partition._asdict() for partition in member.partitions],
        "target": None if member.target is None else [partition._asdict() for partition in member.target],
    }


def _position_as_json(position: GroupPosition) -> dict[str, object]:
    values = position._asdict() | {"lag": position.lag}
    del values["partition"]
    return position.partition._asdict() | values
