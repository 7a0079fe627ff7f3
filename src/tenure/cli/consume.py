"""`tenure consume`: print records with a `Consumer`.

Without a group, the command reads all partitions and commits nothing. With a group, it joins as a member, reads its
partitions from the committed offsets, and commits after printing (at least once).
"""

import base64
import json
import sys
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, BinaryIO, Final

import typer

from tenure.cli.connect import BootstrapServers, CommandConfig, cluster_at
from tenure.cli.output import Misuse
from tenure.cli.produce import KeySeparator, Topic, separator_bytes
from tenure.client.consumer.bounded_read import BoundedRead
from tenure.client.consumer.consumer import Consumer
from tenure.client.consumer.consumer_records import ConsumerRecord
from tenure.client.values import TopicPartition
from tenure.limits.cli import ADMIN_PATIENCE_MS, CONSUME_POLL_RECORDS

CLIENT_ID: Final = "tenure-consume"
POLL_S: Final = 0.2


class GroupProtocol(StrEnum):
    CLASSIC = "classic"
    CONSUMER = "consumer"


class IsolationLevel(StrEnum):
    READ_UNCOMMITTED = "read_uncommitted"
    READ_COMMITTED = "read_committed"


def consume(
    topic: Topic,
    from_beginning: Annotated[
        bool,
        typer.Option(
            "--from-beginning",
            help="Start partitions without a committed offset at their first record (default: at their end).",
        ),
    ] = False,
    max_messages: Annotated[int | None, typer.Option(min=1, help="Maximum number of records to print.")] = None,
    until_end: Annotated[bool, typer.Option("--until-end", help="Stop at the current end of the topic.")] = False,
    key_separator: KeySeparator = None,
    group: Annotated[
        str | None, typer.Option(metavar="GROUP", help="Group to join, and to commit offsets for.")
    ] = None,
    group_instance_id: Annotated[
        str | None,
        typer.Option(metavar="ID", help="Instance id of a static member, which keeps its partitions in a restart."),
    ] = None,
    group_protocol: Annotated[
        GroupProtocol, typer.Option(help="Group protocol; with consumer (KIP-848), the broker assigns partitions.")
    ] = GroupProtocol.CLASSIC,
    isolation_level: Annotated[
        IsolationLevel,
        typer.Option(help="With read_committed, records of open and aborted transactions are not printed."),
    ] = IsolationLevel.READ_UNCOMMITTED,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object per record.")] = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Print the records of a topic to standard output until Ctrl-C."""
    printer = _Printer(sys.stdout.buffer, max_messages, json, key_separator)
    member = _group_settings(group, group_instance_id, group_protocol)
    fetch = _fetch_settings(isolation_level, from_beginning=from_beginning)
    settings = {**cluster_at(bootstrap_servers, command_config), **fetch, **member}
    try:
        with Consumer(settings) as consumer:
            _print_records(consumer, topic, printer, joins=group is not None, until_end=until_end)
    except KeyboardInterrupt:
        pass  # the usual end of a command that follows a topic
    finally:
        printer.flush()


def _fetch_settings(isolation_level: IsolationLevel, *, from_beginning: bool) -> dict[str, Any]:
    return {
        "client.id": CLIENT_ID,
        "isolation.level": isolation_level.value,
        "auto.offset.reset": "earliest" if from_beginning else "latest",
        "enable.auto.commit": False,
        "max.poll.records": CONSUME_POLL_RECORDS,
    }


def _group_settings(group: str | None, instance_id: str | None, protocol: GroupProtocol) -> dict[str, Any]:
    """Return the settings of the group member; empty without a group.

    Raises:
        Misuse: An instance id is given without a group.
    """
    if group is None:
        if instance_id is not None:
            raise Misuse("Missing option --group: it is required with --group-instance-id")
        return {}
    settings = {"group.id": group, "group.protocol": protocol.value}
    return settings if instance_id is None else {**settings, "group.instance.id": instance_id}


class _Printer:
    """Writer of records to a stream, up to a maximum number."""

    def __init__(self, out: BinaryIO, max_messages: int | None, as_json: bool, key_separator: str | None) -> None:
        self._out: Final = out
        self._left = max_messages
        self._json: Final = as_json
        self._separator: Final = None if key_separator is None else separator_bytes(key_separator)

    @property
    def done(self) -> bool:
        return self._left == 0

    def print(self, record: ConsumerRecord) -> None:
        if self._left is not None:
            self._left -= 1
        if self._json:
            self._out.write(json.dumps(_as_json(record), ensure_ascii=False).encode() + b"\n")
            return
        if self._separator is not None:
            self._out.write((record.key or b"") + self._separator)
        self._out.write((record.value or b"") + b"\n")

    def flush(self) -> None:
        self._out.flush()


def _print_records(consumer: Consumer, topic: str, printer: _Printer, *, joins: bool, until_end: bool) -> None:
    read = BoundedRead(consumer)
    if joins:
        on_assigned = read.add if until_end else None
        consumer.subscribe([topic], on_assigned=on_assigned, on_revoked=read.remove, on_lost=read.remove)
    else:
        partitions = _assign(consumer, topic)
        if until_end:
            read.add(partitions)
    while not (printer.done or (until_end and read.is_done)):
        _print_next(consumer, printer, read.left)
        read.pause_finished(consumer.commit_owned if joins else consumer.assignment)


def _assign(consumer: Consumer, topic: str) -> list[TopicPartition]:
    numbers = consumer.partitions_of(topic, ADMIN_PATIENCE_MS / 1000)
    partitions = [TopicPartition(topic, number) for number in numbers]
    consumer.assign(partitions)
    return partitions


def _print_next(consumer: Consumer, printer: _Printer, ends: Mapping[TopicPartition, int]) -> None:
    """Print the records of one poll, up to the end offsets in `ends` and up to the printer's maximum number."""
    for record in consumer.poll(POLL_S):
        partition = TopicPartition(record.topic, record.partition)
        if printer.done or record.offset >= ends.get(partition, record.offset + 1):
            consumer.seek(partition, record.offset)
            break
        printer.print(record)
    printer.flush()


def _as_json(record: ConsumerRecord) -> dict[str, object]:
    return {
        "topic": record.topic,
        "partition": record.partition,
        "offset": record.offset,
        "timestamp_ms": record.timestamp_ms,
        "key": _text(record.key),
        "value": _text(record.value),
        "headers": [[name, _text(content)] for name, content in record.headers],
    }


def _text(content: bytes | None) -> str | dict[str, str] | None:
    """Return bytes as text if they are UTF-8, otherwise as {"base64": ...}; None stays None."""
    if content is None:
        return None
    try:
        return content.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(content).decode("ascii")}
