"""`tenure consume`: records to standard output, bytes as they are.

Without a group it reads all partitions and leaves no trace. With one it is a member: it reads what it is assigned, from
where the group stands, and commits what it has printed (at least once).
"""

import base64
import json
import sys
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Annotated, BinaryIO, Final

import typer

from tenure.admin import Admin
from tenure.cli.connect import BootstrapServers, CommandConfig, cluster_at
from tenure.cli.output import Misuse
from tenure.cli.produce import KeySeparator, Topic, separator_bytes
from tenure.client.errors import RebalanceInProgress, StaleIdentity, UnknownOutcome
from tenure.client.event_loop import run
from tenure.client.fetch import fetch, unreadable
from tenure.client.group_member import GroupMember
from tenure.client.offsets import beginning_offsets, end_offsets
from tenure.client.shared_clusters import shared_cluster
from tenure.client.values import Assigned, Identity, OffsetAndMetadata, TopicPartition
from tenure.limits import CONSUME_FETCH_BYTES, FETCH_WAIT_MS
from tenure.protocol.message import Data
from tenure.protocol.records import Record, decode_records, read_batches, verify_crc

CLIENT_ID: Final = "tenure-consume"
POLL_S: Final = 0.2
STABLE: Final = "Stable"
"""The state of a group in which each member has what it shall have."""


class GroupProtocol(StrEnum):
    CLASSIC = "classic"
    CONSUMER = "consumer"


class IsolationLevel(StrEnum):
    READ_UNCOMMITTED = "read_uncommitted"
    READ_COMMITTED = "read_committed"


def consume(
    topic: Topic,
    from_beginning: Annotated[
        bool, typer.Option("--from-beginning", help="Where nothing is committed, start with the first record.")
    ] = False,
    max_messages: Annotated[int | None, typer.Option(min=1, help="Stop after so many.")] = None,
    until_end: Annotated[bool, typer.Option("--until-end", help="Stop at the end as it is now.")] = False,
    key_separator: KeySeparator = None,
    group: Annotated[str | None, typer.Option(metavar="GROUP", help="Be a member of this group, and commit.")] = None,
    group_instance_id: Annotated[
        str | None, typer.Option(metavar="ID", help="Be a static member: keep the seat over a restart.")
    ] = None,
    group_protocol: Annotated[
        GroupProtocol, typer.Option(help="With consumer (KIP-848) the broker assigns.")
    ] = GroupProtocol.CLASSIC,
    isolation_level: Annotated[
        IsolationLevel, typer.Option(help="With read_committed nothing of open and aborted transactions.")
    ] = IsolationLevel.READ_UNCOMMITTED,
    json: Annotated[bool, typer.Option("--json", help="One JSON object per record.")] = False,
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Print the records of a topic to standard output. Ctrl-C ends it."""
    if group_instance_id is not None and group is None:
        raise Misuse("--group-instance-id names a seat in a group: give --group too")
    printer = _Printer(sys.stdout.buffer, max_messages, json, key_separator)
    config = cluster_at(bootstrap_servers, command_config)
    level = int(isolation_level is IsolationLevel.READ_COMMITTED)
    positions = _Positions(config, topic, from_beginning, until_end, level)
    try:
        if group is None:
            _read_all(positions, printer)
        else:
            _read_as_member(positions, printer, group, group_instance_id, group_protocol)
    except KeyboardInterrupt:
        pass  # how one ends a command that follows
    finally:
        printer.flush()


class _Printer:
    def __init__(self, out: BinaryIO, max_messages: int | None, as_json: bool, key_separator: str | None) -> None:
        self._out: Final = out
        self._left = max_messages
        self._json: Final = as_json
        self._separator: Final = None if key_separator is None else separator_bytes(key_separator)

    @property
    def done(self) -> bool:
        return self._left == 0

    def print(self, partition: TopicPartition, record: Record) -> None:
        if self._left is not None:
            self._left -= 1
        if self._json:
            self._out.write(json.dumps(_as_json(partition, record), ensure_ascii=False).encode() + b"\n")
            return
        if self._separator is not None:
            self._out.write((record.key or b"") + self._separator)
        self._out.write((record.value or b"") + b"\n")

    def flush(self) -> None:
        self._out.flush()


class _Positions:
    """Where to read on, by partition; and where to stop, if so asked."""

    def __init__(
        self, config: Mapping[str, str], topic: str, from_beginning: bool, until_end: bool, isolation_level: int
    ) -> None:
        self.config: Final = config
        self.topic: Final = topic
        self._from_beginning: Final = from_beginning
        self._until_end: Final = until_end
        self._isolation_level: Final = isolation_level
        self._next: dict[TopicPartition, int] = {}
        self._end: dict[TopicPartition, int] = {}
        self._committed: dict[TopicPartition, int] = {}

    def begin(
        self, partitions: list[TopicPartition], committed: Mapping[TopicPartition, OffsetAndMetadata | None]
    ) -> None:
        fresh = [partition for partition in partitions if committed.get(partition) is None]
        start = self._beginnings if self._from_beginning else self._ends
        self._next = start(fresh) if fresh else {}
        self._committed = {partition: at.offset for partition, at in committed.items() if at is not None}
        self._next |= self._committed
        self._end = self._ends(partitions) if self._until_end else {}

    def _beginnings(self, partitions: list[TopicPartition]) -> dict[TopicPartition, int]:
        return beginning_offsets(self.config, partitions, client_id=CLIENT_ID)

    def _ends(self, partitions: list[TopicPartition]) -> dict[TopicPartition, int]:
        return end_offsets(self.config, partitions, client_id=CLIENT_ID, isolation_level=self._isolation_level)

    def clear(self) -> None:
        self._next = {}

    @property
    def has_any(self) -> bool:
        return bool(self._next)

    @property
    def at_end(self) -> bool:
        return self._until_end and not self._open()

    def _open(self) -> dict[TopicPartition, int]:
        """Those that are to be read on."""
        return {
            partition: offset
            for partition, offset in self._next.items()
            if partition not in self._end or offset < self._end[partition]
        }

    def read(self) -> Iterator[tuple[TopicPartition, Record]]:
        """The next records; waits a little for the first. Each counts as read when the next one is asked for."""
        cluster = shared_cluster(self.config, CLIENT_ID)
        asked = self._open()
        if not asked:
            return
        answers = run(
            fetch(
                cluster,
                asked,
                max_bytes=CONSUME_FETCH_BYTES,
                max_wait_ms=FETCH_WAIT_MS,
                isolation_level=self._isolation_level,
            )
        )
        for partition, fetched in answers.items():
            for record in _records(partition, fetched.records, asked[partition]):
                if partition in self._end and record.offset >= self._end[partition]:
                    self._next[partition] = self._end[partition]
                    break
                self._next[partition] = record.offset + 1
                yield partition, record
            else:
                self._next[partition] = fetched.next_offset

    def to_commit(self) -> dict[TopicPartition, OffsetAndMetadata]:
        """What has moved since the last call."""
        moved = {partition: at for partition, at in self._next.items() if self._committed.get(partition) != at}
        self._committed |= moved
        return {partition: OffsetAndMetadata(offset) for partition, offset in moved.items()}


def _read_all(positions: _Positions, printer: _Printer) -> None:
    with Admin(positions.config, client_id=CLIENT_ID) as admin:
        (described,) = admin.describe_topics([positions.topic])
    positions.begin([TopicPartition(positions.topic, at.partition) for at in described.partitions], {})
    while not printer.done and not positions.at_end:
        _print_next(positions, printer)


def _read_as_member(
    positions: _Positions, printer: _Printer, group: str, group_instance_id: str | None, group_protocol: GroupProtocol
) -> None:
    member = GroupMember(
        positions.config,
        group,
        [positions.topic],
        group_instance_id=group_instance_id,
        client_id=CLIENT_ID,
        group_protocol=group_protocol.value,
    )
    with member:
        identity: Identity | None = None
        while not printer.done and not (identity is not None and _is_over(positions, group, identity)):
            for event in member.poll(0.0 if positions.has_any else POLL_S):
                if isinstance(event, Assigned):
                    identity = event.identity
                    positions.begin(list(event.partitions), member.committed(event.partitions))
                else:
                    identity = None
                    positions.clear()
                    member.acknowledge_revocation()
            if identity is not None:
                _print_next(positions, printer)
                if not _commit(member, positions, identity):
                    identity = None
                    positions.clear()


def _is_over(positions: _Positions, group: str, identity: Identity) -> bool:
    """Who has no partitions is at their end once nobody is to get any more: under the consumer protocol the first
    assignment may have none, until the group's next target is computed (rule 3.4). What the coordinator has given this
    member by now counts, too: the member may hear of it later."""
    if not positions.at_end:
        return False
    if positions.has_any:
        return True
    with Admin(positions.config, client_id=CLIENT_ID) as admin:
        (described,) = admin.describe_groups([group])
    mine = [member for member in described.members if member.member_id == identity.member_id]
    return described.state == STABLE and any(not member.partitions for member in mine)


def _commit(member: GroupMember, positions: _Positions, identity: Identity) -> bool:
    """False: whoever is assigned the partitions next, most likely this member, prints these records again."""
    offsets = positions.to_commit()
    try:
        if offsets:
            member.commit(offsets, identity)
    except (StaleIdentity, RebalanceInProgress):
        return False
    except UnknownOutcome:
        member.rejoin_anew()
        return False
    return True


def _print_next(positions: _Positions, printer: _Printer) -> None:
    for partition, record in positions.read():
        printer.print(partition, record)
        if printer.done:
            break
    printer.flush()


def _records(partition: TopicPartition, data: Data, offset: int) -> Iterator[Record]:
    try:
        for batch in read_batches(data):
            verify_crc(batch)
            if not batch.is_control:
                yield from (record for record in decode_records(batch) if record.offset >= offset)
    except ValueError as error:
        raise unreadable(partition, offset, error) from error


def _as_json(partition: TopicPartition, record: Record) -> dict[str, object]:
    return {
        "topic": partition.topic,
        "partition": partition.partition,
        "offset": record.offset,
        "timestamp_ms": record.timestamp_ms,
        "key": _text(record.key),
        "value": _text(record.value),
        "headers": [[name, _text(content)] for name, content in record.headers],
    }


def _text(content: bytes | None) -> str | dict[str, str] | None:
    """Bytes that are no UTF-8 become {"base64": ...}."""
    if content is None:
        return None
    try:
        return content.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(content).decode("ascii")}
