"""Commands `tenure topics ...`."""

import sys
from typing import Annotated

import typer

from tenure.admin import Admin
from tenure.admin.topics import BROKER_DEFAULT
from tenure.cli.connect import BootstrapServers, CommandConfig, cluster_at
from tenure.cli.output import Json, Yes, print_json, print_result, print_table, setting
from tenure.client.values import TopicDescription
from tenure.plural import format_count
from tenure.protocol.types import TopicId, topic_id_text

commands = typer.Typer(help="Create, list, describe and delete topics.", no_args_is_help=True)

Names = Annotated[list[str], typer.Argument(metavar="TOPIC...", show_default=False)]


@commands.command()
def create(
    names: Names,
    partitions: Annotated[
        int | None,
        typer.Option("--partitions", "-p", min=1, help="Number of partitions (default: the broker's num.partitions)."),
    ] = None,
    replication_factor: Annotated[
        int | None, typer.Option(min=1, help="Number of replicas (default: the broker's default.replication.factor).")
    ] = None,
    config: Annotated[
        list[str] | None, typer.Option("--config", metavar="KEY=VALUE", help="Topic setting; may be repeated.")
    ] = None,
    json: Json = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Create topics."""
    configs = dict(setting(text) for text in config or [])
    with Admin(cluster_at(bootstrap_servers, command_config)) as admin:
        created = admin.create_topics(
            names,
            partitions=partitions or BROKER_DEFAULT,
            replication_factor=replication_factor or BROKER_DEFAULT,
            configs=configs,
        )
    if json:
        print_json([topic._asdict() | {"topic_id": topic_id_text(TopicId(topic.topic_id))} for topic in created])
        return
    for topic in created:
        print_result(f"Created topic '{topic.topic}' with {format_count(topic.partitions, 'partition')}.")


@commands.command("list")
def list_(
    internal: Annotated[bool, typer.Option("--internal", help="Include the brokers' internal topics.")] = False,
    json: Json = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """List topics."""
    with Admin(cluster_at(bootstrap_servers, command_config)) as admin:
        found = [topic for topic in admin.list_topics() if internal or not topic.is_internal]
    if json:
        print_json([{"topic": topic.topic, "partitions": len(topic.partitions)} for topic in found])
    else:
        print_table(["topic", "partitions"], [[topic.topic, len(topic.partitions)] for topic in found])


@commands.command()
def describe(
    names: Names, json: Json = False, bootstrap_servers: BootstrapServers = None, command_config: CommandConfig = None
) -> None:
    """Show partitions with their leaders and replicas."""
    with Admin(cluster_at(bootstrap_servers, command_config)) as admin:
        described = admin.describe_topics(names)
    if json:
        print_json([_as_json(topic) for topic in described])
        return
    print_table(
        ["topic", "partition", "leader", "epoch", "replicas", "in sync"],
        [
            [
                topic.topic,
                partition.partition,
                partition.leader,
                partition.leader_epoch,
                _ids(partition.replicas),
                _ids(partition.isr),
            ]
            for topic in described
            for partition in topic.partitions
        ],
    )


@commands.command()
def delete(
    names: Names,
    yes: Yes = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Delete topics and all their records. Asks for confirmation on a terminal."""
    if not yes and sys.stdin.isatty():
        typer.confirm(f"Delete {', '.join(names)} and all records?", abort=True)
    with Admin(cluster_at(bootstrap_servers, command_config)) as admin:
        admin.delete_topics(names)
    for name in names:
        print_result(f"Deleted topic '{name}'.")


def _ids(brokers: tuple[int, ...]) -> str:
    return ",".join(map(str, brokers))


def _as_json(topic: TopicDescription) -> dict[str, object]:
    return {
        "topic": topic.topic,
        "topic_id": topic_id_text(TopicId(topic.topic_id)),
        "is_internal": topic.is_internal,
        "partitions": [partition._asdict() for partition in topic.partitions],
    }
