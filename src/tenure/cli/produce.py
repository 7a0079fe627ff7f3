"""`tenure produce`: write lines of standard input as records, without converting bytes."""

import sys
from collections.abc import Iterator
from enum import Enum
from typing import Annotated, BinaryIO

import typer

from tenure.cli.connect import BootstrapServers, CommandConfig, cluster_at
from tenure.cli.output import Misuse
from tenure.client.producer.producer import Producer
from tenure.limits.cli import LINE_BYTES_MAX
from tenure.limits.client import STARTUP_PATIENCE_MS
from tenure.plural import format_count
from tenure.protocol.compression import Codec

Compression = Enum("Compression", [(codec.name.lower(), codec.name.lower()) for codec in Codec], type=str)  # type: ignore[misc]

Topic = Annotated[str, typer.Argument(metavar="TOPIC", show_default=False)]
KeySeparator = Annotated[
    str | None, typer.Option(metavar="TEXT", help="Text between key and value; \\t is a tab (default: no keys).")
]


def produce(
    topic: Topic,
    key_separator: KeySeparator = None,
    partition: Annotated[
        int | None, typer.Option(min=0, help="Partition to write to (default: by key, as Java's clients do).")
    ] = None,
    transactional_id: Annotated[
        str | None,
        typer.Option(
            metavar="ID", help="Transactional id: write all lines in one transaction, so that readers see all or none."
        ),
    ] = None,
    compression: Annotated[Compression, typer.Option(help="Compression of record batches.")] = Compression("none"),  # noqa: B008
    bootstrap_servers: BootstrapServers = None,
    command_config: CommandConfig = None,
) -> None:
    """Write each line of standard input as a record, idempotently and acknowledged by all replicas."""
    separator = None if key_separator is None else separator_bytes(key_separator)
    config: dict[str, object] = {
        **cluster_at(bootstrap_servers, command_config),
        "client.id": "tenure-produce",
        "compression.type": compression.value,
        "max.block.ms": STARTUP_PATIENCE_MS,
    }
    if transactional_id is not None:
        config["transactional.id"] = transactional_id
    with Producer(config) as to:
        to.partitions_of(topic)  # raises errors before the first line is read, and also if there is none
        if transactional_id is not None:
            to.init_transactions()
            to.begin_transaction()
        number = 0
        for number, line in enumerate(_lines(sys.stdin.buffer), start=1):
            key, value = _split(line, separator, number)
            to.send(topic, key, value, partition)
        if transactional_id is not None:
            to.commit_transaction()
    if sys.stderr.isatty():
        print(f"{format_count(number, 'record')} written to '{topic}'.", file=sys.stderr)


def separator_bytes(text: str) -> bytes:
    if not text:
        raise Misuse("A key separator needs at least one character")
    return text.replace("\\t", "\t").replace("\\0", "\0").encode()


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    while line := stream.readline(LINE_BYTES_MAX + 1):
        if len(line) > LINE_BYTES_MAX:
            raise ValueError(f"A line is longer than {LINE_BYTES_MAX} bytes: no broker accepts such a record")
        yield line.removesuffix(b"\n")


def _split(line: bytes, separator: bytes | None, number: int) -> tuple[bytes | None, bytes]:
    if separator is None:
        return None, line
    key, found, value = line.partition(separator)
    if not found:
        raise ValueError(f"Line {number} has no key separator {separator.decode()!r}: write it between key and value")
    return key, value
