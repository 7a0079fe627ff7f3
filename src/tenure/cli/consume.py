"""`tenure consume`: prints records, as bytes, with a `Consumer`.

Without a group it reads all partitions and commits nothing. With a group it is a member: it reads its partitions from
the committed offsets on, and commits what it has printed (at least once).
"""

import base64
import json
import sys
from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Annotated, Any, BinaryIO, Final

import typer

from tenure.admin import Admin
from tenure.cli.connect import BootstrapServers, CommandConfig, cluster_at
from tenure.cli.output import Misuse
from tenure.cli.produce import KeySeparator, Topic, separator_bytes
from tenure.client.consumer.consumer import Consumer
from tenure.client.consumer.consumer_records import ConsumerRecord
from tenure.client.errors import RebalanceInProgress, StaleIdentity
from tenure.client.values import OffsetAndMetadata, TopicPartition
from tenure.limits import CONSUME_POLL_RECORDS

CLIENT_ID: Final = "tenure-consume"
POLL_S: Final = 0.2
STABLE: Final = "Stable"
"""State of a group whose members have all of their partitions."""


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
        GroupProtocol, typer.Option(help="Group protocol; with consumer (KIP-848) the broker assigns.")
    ] = GroupProtocol.CLASSIC,
    isolation_level: Annotated[
        IsolationLevel, typer.Option(help="Whether to print records of open and aborted transactions.")
    ] = IsolationLevel.READ_UNCOMMITTED,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object per record.")] = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Print the records of a topic to standard output. Ctrl-C ends it."""
    if group_instance_id is not None and group is None:
        raise Misuse("Missing option --group: it is required with --group-instance-id")
    printer = _Printer(sys.stdout.buffer, max_messages, json, key_separator)
    cluster = cluster_at(bootstrap_servers, command_config)
    settings: dict[str, Any] = {
        **cluster,
        "client.id": CLIENT_ID,
        "isolation.level": isolation_level.value,
        "auto.offset.reset": "earliest" if from_beginning else "latest",
        "enable.auto.commit": False,
        "max.poll.records": CONSUME_POLL_RECORDS,
    }
    try:
        if group is None:
            _read_all(cluster, settings, topic, printer, until_end)
        else:
            settings |= {"group.id": group, "group.protocol": group_protocol.value}
            if group_instance_id is not None:
                settings["group.instance.id"] = group_instance_id
            _read_as_member(cluster, settings, topic, printer, until_end)
    except KeyboardInterrupt:
        pass  # the usual end of a command that follows a topic
    finally:
        printer.flush()


class _Printer:
    """Writes records to a stream, up to a maximum."""

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


class _Reader:
    """Prints what a consumer reads, and commits what was printed (at least once) if the consumer has a group."""

    def __init__(self, consumer: Consumer, printer: _Printer, *, until_end: bool, commits: bool) -> None:
        self._consumer: Final = consumer
        self._printer: Final = printer
        self._until_end: Final = until_end
        self._commits: Final = commits
        self._committed: Final[dict[TopicPartition, int]] = {}
        self._ends: Final[dict[TopicPartition, int]] = {}
        """Partitions that are not read to their end yet, with `--until-end`: the offset at which each ends."""

    @property
    def is_done(self) -> bool:
        """True if nothing assigned is left to print."""
        return self._printer.done or (self._until_end and not self._ends and bool(self._consumer.assignment()))

    def assigned(self, partitions: list[TopicPartition]) -> None:
        """Read these partitions, too; with `--until-end` up to where they end now."""
        if self._until_end:
            self._ends.update(self._consumer.end_offsets(partitions))

    def lost(self, partitions: list[TopicPartition]) -> None:
        """Forget these partitions: another member prints what is not committed."""
        for partition in partitions:
            self._ends.pop(partition, None)
            self._committed.pop(partition, None)

    def print_next(self) -> None:
        """Print and commit the records of one poll."""
        records = self._consumer.poll(POLL_S)
        for record in records:
            partition = TopicPartition(record.topic, record.partition)
            if self._printer.done or record.offset >= self._ends.get(partition, record.offset + 1):
                self._consumer.seek(partition, record.offset)
                break
            self._printer.print(record)
        self._printer.flush()
        touched = {TopicPartition(record.topic, record.partition) for record in records}
        self._note_positions(touched or self._consumer.assignment())

    def commit_rest(self) -> None:
        """Commit the positions of all partitions, also of those without records: the next run starts there."""
        self._note_positions(self._consumer.assignment())

    def _note_positions(self, partitions: Collection[TopicPartition]) -> None:
        positions = {partition: self._consumer.position(partition) for partition in partitions}
        moved = {partition: at for partition, at in positions.items() if self._committed.get(partition) != at}
        if self._commits and moved:
            try:
                self._consumer.commit({partition: OffsetAndMetadata(at) for partition, at in moved.items()})
            except (StaleIdentity, RebalanceInProgress):
                return  # the next poll tells what was lost; the next commit includes the other partitions
            self._committed.update(moved)
        for partition, position in positions.items():
            if position >= self._ends.get(partition, position + 1):
                del self._ends[partition]
                self._consumer.pause([partition])


def _read_all(
    cluster: Mapping[str, str], settings: Mapping[str, Any], topic: str, printer: _Printer, until_end: bool
) -> None:
    with Admin(cluster, client_id=CLIENT_ID) as admin:
        (described,) = admin.describe_topics([topic])
    partitions = [TopicPartition(topic, at.partition) for at in described.partitions]
    with Consumer(settings) as consumer:
        reader = _Reader(consumer, printer, until_end=until_end, commits=False)
        consumer.assign(partitions)
        reader.assigned(partitions)
        while not reader.is_done:
            reader.print_next()


def _read_as_member(
    cluster: Mapping[str, str], settings: Mapping[str, Any], topic: str, printer: _Printer, until_end: bool
) -> None:
    with Consumer(settings) as consumer:
        reader = _Reader(consumer, printer, until_end=until_end, commits=True)
        consumer.subscribe([topic], on_assigned=reader.assigned, on_revoked=reader.lost, on_lost=reader.lost)
        while not (reader.is_done or (until_end and _has_no_share(cluster, settings["group.id"], consumer))):
            reader.print_next()
        reader.commit_rest()


def _has_no_share(cluster: Mapping[str, str], group: str, consumer: Consumer) -> bool:
    """Return whether the group is stable and assigns no partition to this member.

    Under the consumer protocol the first assignment may be empty until the group's next target is computed (rule 3.4).
    The coordinator is asked, because the member may receive its partitions later.
    """
    member_id = consumer.identity.member_id
    if consumer.assignment() or not member_id:
        return False
    with Admin(cluster, client_id=CLIENT_ID) as admin:
        (described,) = admin.describe_groups([group])
    mine = [member for member in described.members if member.member_id == member_id]
    return described.state == STABLE and any(not member.partitions for member in mine)


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
    """Decode UTF-8; other bytes become {"base64": ...}."""
    if content is None:
        return None
    try:
        return content.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(content).decode("ascii")}
