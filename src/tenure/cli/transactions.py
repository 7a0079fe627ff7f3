"""`tenure transactions ...`: what `kafka-transactions.sh` does, and an answer to "who holds the readers up?"."""

import sys
import time
from typing import Annotated, TypeAlias

import typer

from tenure.admin import Admin
from tenure.admin.open_transactions import PartitionProducer
from tenure.admin.times import parse_duration_ms
from tenure.admin.transactions import ANY_DURATION, TransactionDescription
from tenure.cli.connect import BootstrapServers, CommandConfig, cluster_at
from tenure.cli.output import Json, Misuse, Yes, listed, print_json, print_table, say, tell, time_text
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
    help="See who has transactions open, and end those that nobody else will.",
    no_args_is_help=True,
)


@commands.command("list")
def list_(
    state: Annotated[
        list[str] | None, typer.Option(metavar="STATE,...", help=f"Only those that are {', '.join(STATES)}.")
    ] = None,
    producer_id: Annotated[list[int] | None, typer.Option(metavar="ID", help="May be repeated.")] = None,
    longer_than: Annotated[
        str | None, typer.Option(metavar="DURATION", help="Only those begun so long ago, such as 90s or PT1H.")
    ] = None,
    pattern: Annotated[
        str, typer.Option("--transactional-id-pattern", metavar="REGEX", help="Of whole ids, in RE2's syntax.")
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
    """Show what transactional ids are at: their producer, since when, and where it has written to."""
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
        list[int] | None, typer.Option("--partition", "-p", min=0, help="May be repeated. Default: all.")
    ] = None,
    json: Json = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Show who has written into partitions, and which transactions are open there."""
    with Admin(cluster_at(bootstrap_servers, command_config)) as admin:
        wanted = partition
        if wanted is None:
            (described,) = admin.describe_topics([topic])
            wanted = [at.partition for at in described.partitions]
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
        list[str] | None, typer.Argument(metavar="[TOPIC]...", help="Default: all.", show_default=False)
    ] = None,
    max_transaction_timeout: Annotated[
        str, typer.Option(metavar="DURATION", help="What has been written to within this time is left alone.")
    ] = LONGEST_TRANSACTION,
    json: Json = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Find transactions that are open in a partition, and that no coordinator knows of.

    Nobody ends those, and readers of committed data wait before them: `abort` does it.
    """
    silent_since_ms = int(time.time() * 1_000) - _duration_ms(max_transaction_timeout)
    with Admin(cluster_at(bootstrap_servers, command_config)) as admin:
        found = admin.find_hanging_transactions(topics or None, silent_since_ms=silent_since_ms)
    _print_producers(found, json=json)
    for each in found:
        name, partition = each.partition
        say(f"{each.partition}: `tenure transactions abort {name} {partition} --start-offset {each.start_offset}`.")


@commands.command()
def abort(
    topic: Topic,
    partition: Partition,
    start_offset: Annotated[int, typer.Option(min=0, help="Where it begins, as `find-hanging` says.")],
    force: Annotated[bool, typer.Option("--force", help="Also one whose coordinator knows of it.")] = False,
    yes: Yes = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Abort a hanging transaction in one partition. Asks first, when somebody sits before the terminal."""
    at = TopicPartition(topic, partition)
    with Admin(cluster_at(bootstrap_servers, command_config)) as admin:
        found = admin.open_transaction(at, start_offset)
        if found.transactional_id is not None and not force:
            raise Misuse(
                f"the transaction in {at} does not hang: its coordinator will end it in all its partitions. "
                f"`tenure transactions force-terminate {found.transactional_id}` aborts it now"
            )
        if not yes and sys.stdin.isatty():
            typer.confirm(f"Abort the transaction of producer {found.producer.producer_id} in {at}?", abort=True)
        admin.abort_transaction(found.producer)
    tell(f"Aborted the transaction of producer {found.producer.producer_id} in {at} that began at {start_offset}.")


@commands.command("force-terminate")
def force_terminate(
    transactional_id: Annotated[str, typer.Argument(metavar="TRANSACTIONAL_ID", show_default=False)],
    yes: Yes = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Abort what is open under a transactional id, and fence its producer. Asks first, as `abort` does."""
    if not yes and sys.stdin.isatty():
        typer.confirm(f"Fence the producer of '{transactional_id}' and abort its transaction?", abort=True)
    with Admin(cluster_at(bootstrap_servers, command_config)) as admin:
        admin.force_terminate(transactional_id)
    tell(f"Fenced the producer of transactional id '{transactional_id}'; what it had open is aborted.")


def _state(word: str) -> str:
    for state in STATES:
        if state.lower() == word.lower():
            return state
    raise Misuse(f"--state {word} is nothing that a transaction can be: choose among {', '.join(STATES)}")


def _duration_ms(text: str) -> int:
    try:
        return parse_duration_ms(text)
    except ValueError as error:
        raise Misuse(str(error)) from None
