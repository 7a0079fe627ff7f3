"""`tenure groups ...`"""

from collections.abc import Iterable
from typing import Annotated

import typer

from tenure.admin import Admin
from tenure.admin.groups import GroupDescription, GroupPosition
from tenure.cli.output import (
    DEFAULT_BOOTSTRAP_SERVERS,
    BootstrapServers,
    Json,
    partitions_text,
    print_json,
    print_table,
)
from tenure.client.values import TopicPartition

commands = typer.Typer(
    help="See who is in a group, what each member holds, and how far it has come.", no_args_is_help=True
)


@commands.command("list")
def list_(json: Json = False, bootstrap_servers: BootstrapServers = DEFAULT_BOOTSTRAP_SERVERS) -> None:
    """List the groups of all brokers."""
    with Admin(bootstrap_servers) as admin:
        found = admin.list_groups()
    if json:
        print_json([group._asdict() for group in found])
    else:
        print_table(
            ["group", "type", "protocol", "state"],
            [[group.group_id, group.group_type, group.protocol_type, group.state] for group in found],
        )


@commands.command()
def describe(
    group: Annotated[str, typer.Argument(metavar="GROUP", show_default=False)],
    json: Json = False,
    bootstrap_servers: BootstrapServers = DEFAULT_BOOTSTRAP_SERVERS,
) -> None:
    """Show members with their instance ids and partitions, committed offsets and lag."""
    with Admin(bootstrap_servers) as admin:
        (described,) = admin.describe_groups([group])
        positions = admin.group_positions(described)
    if json:
        print_json(_as_json(described, positions))
        return
    assignor = f", assignor {described.assignor}" if described.assignor else ""
    members = f"{len(described.members) or 'no'} member{'s' * (len(described.members) != 1)}"
    print(f"Group '{group}' is {described.state}, {members}{assignor}; its coordinator is {described.coordinator}.")
    if described.members:
        print()
        print_table(
            ["instance id", "member id", "client", "host", "partitions"],
            [
                [of.group_instance_id, of.member_id, of.client_id, of.host, _by_topic(of.partitions)]
                for of in described.members
            ],
        )
    if positions:
        print()
        print_table(
            ["topic", "partition", "committed", "end", "lag", "member"],
            [[*at.partition, at.committed, at.end, at.lag, at.member] for at in positions],
        )


def _by_topic(partitions: Iterable[TopicPartition]) -> str:
    by_topic: dict[str, list[int]] = {}
    for topic, partition in partitions:
        by_topic.setdefault(topic, []).append(partition)
    return " ".join(f"{topic}:{partitions_text(numbers)}" for topic, numbers in by_topic.items()) or "-"


def _as_json(group: GroupDescription, positions: list[GroupPosition]) -> dict[str, object]:
    return {
        **group._asdict(),
        "members": [
            member._asdict() | {"partitions": [partition._asdict() for partition in member.partitions]}
            for member in group.members
        ],
        "positions": [
            at.partition._asdict()
            | {"committed": at.committed, "end": at.end, "lag": at.lag, "metadata": at.metadata, "member": at.member}
            for at in positions
        ],
    }
