"""Commands `tenure transactions ...`: those of `kafka-transactions.sh`, and a search for hanging transactions."""

import sys
import time
from typing import Annotated, TypeAlias

import typer

from tenure.admin import Admin
from tenure.admin.open_transactions import PartitionProducer
from tenure.admin.times import parse_duration_ms
from tenure.admin.transactions import ANY_DURATION, TransactionDescription
from tenure.cli.connect import BootstrapServers, CommandConfig, cluster_at
from tenure.cli.output import Json, Misuse, Yes, listed, print_json, print_message, print_result, print_table, time_text
from tenure.client.values import TopicPartition

STATES = (
    "Ongoing",
    "PrepareCommit",
    "PrepareAbort",
    "CompleteCommit",
    "CompleteAbort",
    "Empty",
    "PrepareEpochFence",
    "Dead",
)
LONGEST_TRANSACTION = "15m"
"""Kafka's default of transaction.max.timeout.ms."""

TransactionalIds: TypeAlias = Annotated[list[str], typer.Argument(metavar="TRANSACTIONAL_ID...", show_default=False)]
Partition: TypeAlias = Annotated[int, typer.Argument(metavar="PARTITION", min=0, show_default=False)]
Topic: TypeAlias = Annotated[str, typer.Argument(metavar="TOPIC", show_default=False)]

commands = typer.Typer(
    help="Show transactions and their producers, and end hanging ones.",
    no_args_is_help=True,
)


@commands.command("list")
def list_(
    state: Annotated[
        list[str] | None,
        typer.Option(metavar="STATE,...", help=f"States of the transactions to list: {', '.join(STATES)}."),
    ] = None,
    producer_id: Annotated[list[int] | None, typer.Option(metavar="ID", help="Producer id; may be repeated.")] = None,
    longer_than: Annotated[
        str | None,
        typer.Option(metavar="DURATION", help="Minimum age of the transactions to list, such as 90s or PT1H."),
    ] = None,
    pattern: Annotated[
        str,
        typer.Option(
            "--transactional-id-pattern", metavar="REGEX", help="Regular expression for complete ids, in RE2's syntax."
        ),
    ] = "",
    json: Json = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """List the transactional ids of all brokers."""
    with Admin(cluster_at(bootstrap_servers, command_config)) as admin:
        found = admin.list_transactions(
            states=[_state(word) for word in listed(state)],
            producer_ids=producer_id or (),
            longer_than_ms=ANY_DURATION if longer_than is None else _duration_ms(longer_than),
            pattern=pattern,
        )
    if json:
        print_json([each._asdict() for each in found])
    else:
        print_table(["transactional id", "coordinator", "producer", "state"], found)


@commands.command()
def describe(
    transactional_ids: TransactionalIds,
    json: Json = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Show producer, state, start time and partitions of transactional ids."""
    with Admin(cluster_at(bootstrap_servers, command_config)) as admin:
        described = admin.describe_transactions(transactional_ids)
    if json:
        print_json([each._asdict() | {"partitions": list(map(str, each.partitions))} for each in described])
        return
    print_table(
        ["transactional id", "coordinator", "producer", "epoch", "state", "timeout ms", "begun", "partitions"],
        [_row(each) for each in described],
    )


def _row(described: TransactionDescription) -> list[object]:
    partitions = ",".join(map(str, described.partitions))
    return [*described[:6], time_text(described.start_ms), partitions]


@commands.command("describe-producers")
def describe_producers(
    topic: Topic,
    partition: Annotated[
        list[int] | None, typer.Option("--partition", "-p", min=0, help="Partition; may be repeated (default: all).")
    ] = None,
    json: Json = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Show the producers of partitions, and their open transactions."""
    with Admin(cluster_at(bootstrap_servers, command_config)) as admin:
        wanted = partition
        if wanted is None:
            (described,) = admin.describe_topics([topic])
            wanted = [partition.partition for partition in described.partitions]
        found = admin.describe_producers([TopicPartition(topic, number) for number in wanted])
    _print_producers(found, json=json)


def _print_producers(producers: list[PartitionProducer], *, json: bool) -> None:
    if json:
        print_json(
            [each._asdict() | {"topic": each.partition[0], "partition": each.partition[1]} for each in producers]
        )
        return
    print_table(
        [
            "topic",
            "partition",
            "producer",
            "epoch",
            "coordinator epoch",
            "sequence",
            "last written",
            "open since offset",
        ],
        [
            [
                *each.partition,
                each.producer_id,
                each.producer_epoch,
                each.coordinator_epoch,
                each.last_sequence,
                time_text(each.last_timestamp_ms),
                each.start_offset,
            ]
            for each in producers
        ],
    )


@commands.command("find-hanging")
def find_hanging(
    topics: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TOPIC]...", help="Topics to search (default: all).", show_default=False),
    ] = None,
    max_transaction_timeout: Annotated[
        str, typer.Option(metavar="DURATION", help="Skip transactions that were written to within this time.")
    ] = LONGEST_TRANSACTION,
    json: Json = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Find hanging transactions: open in a partition, and unknown to every coordinator.

    A hanging transaction blocks readers of committed data until `abort` ends it.
    """
    silent_since_ms = int(time.time() * 1_000) - _duration_ms(max_transaction_timeout)
    with Admin(cluster_at(bootstrap_servers, command_config)) as admin:
        found = admin.find_hanging_transactions(topics or None, silent_since_ms=silent_since_ms)
    _print_producers(found, json=json)
    for each in found:
        name, partition = each.partition
        print_message(
            f"{each.partition}: `tenure transactions abort {name} {partition} --start-offset {each.start_offset}`."
        )


@commands.command()
def abort(
    topic: Topic,
    partition: Partition,
    start_offset: Annotated[
        int, typer.Option(min=0, help="First offset of the transaction, as printed by `find-hanging`.")
    ],
    force: Annotated[
        bool, typer.Option("--force", help="Abort the transaction even if its coordinator knows it.")
    ] = False,
    yes: Yes = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Abort a hanging transaction in one partition. Asks for confirmation on a terminal."""
    topic_partition = TopicPartition(topic, partition)
    with Admin(cluster_at(bootstrap_servers, command_config)) as admin:
        transaction = admin.open_transaction(topic_partition, start_offset)
        if transaction.transactional_id is not None and not force:
            raise Misuse(
                f"The transaction in partition {topic_partition} is not hanging: its coordinator will end it in all "
                "its partitions. "
                f"`tenure transactions force-terminate {transaction.transactional_id}` aborts it now"
            )
        if not yes and sys.stdin.isatty():
            typer.confirm(
                f"Abort the transaction of producer {transaction.producer.producer_id} in partition {topic_partition}?",
                abort=True,
            )
        admin.abort_transaction(transaction.producer)
    print_result(
        f"Aborted the transaction of producer {transaction.producer.producer_id} in partition {topic_partition} that "
        f"began at offset {start_offset}."
    )


@commands.command("force-terminate")
def force_terminate(
    transactional_id: Annotated[str, typer.Argument(metavar="TRANSACTIONAL_ID", show_default=False)],
    yes: Yes = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Abort the open transaction of a transactional id, and fence its producer. Asks for confirmation on a terminal."""
    if not yes and sys.stdin.isatty():
        typer.confirm(f"Fence the producer of '{transactional_id}' and abort its transaction?", abort=True)
    with Admin(cluster_at(bootstrap_servers, command_config)) as admin:
        admin.force_terminate(transactional_id)
    print_result(f"Fenced the producer of transactional id '{transactional_id}', and aborted its open transaction.")


def _state(word: str) -> str:
    for state in STATES:
        if state.lower() == word.lower():
            return state
    raise Misuse(f"Unknown transaction state in --state: {word}. Choose among {', '.join(STATES)}")


def _duration_ms(text: str) -> int:
    try:
        return parse_duration_ms(text)
    except ValueError as error:
        raise Misuse(str(error)) from None
