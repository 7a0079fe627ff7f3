"""How commands print: tables for people, tab-separated lines where output is no terminal, JSON for programs."""

import json
import sys
from collections.abc import Sequence
from typing import Annotated, Any, TypeAlias

import typer

BootstrapServers: TypeAlias = Annotated[
    str,
    typer.Option(
        "--bootstrap-servers",
        "-b",
        envvar="TENURE_BOOTSTRAP_SERVERS",
        metavar="HOST:PORT,...",
        help="Any Kafka broker.",
    ),
]
DEFAULT_BOOTSTRAP_SERVERS = "127.0.0.1:9092"

Json: TypeAlias = Annotated[bool, typer.Option("--json", help="For programs.")]


def print_json(value: Any) -> None:
    print(json.dumps(value, indent=2, ensure_ascii=False))


def print_table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """None prints as `-`. Numbers are aligned to the right where a person reads."""
    if not sys.stdout.isatty():
        print("\t".join(column.upper() for column in columns))
        for row in rows:
            print("\t".join(_cell(cell) for cell in row))
        return
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, show_edge=False)
    for position, column in enumerate(columns):
        numbers = bool(rows) and all(isinstance(row[position], int | None) for row in rows)
        table.add_column(column, justify="right" if numbers else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(_cell(cell)) for cell in row))
    Console().print(table)


def _cell(value: object) -> str:
    return "-" if value is None else str(value)


def partitions_text(partitions: Sequence[int]) -> str:
    """0-3,7 for 0, 1, 2, 3 and 7."""
    runs: list[list[int]] = []
    for partition in sorted(partitions):
        if runs and runs[-1][1] == partition - 1:
            runs[-1][1] = partition
        else:
            runs.append([partition, partition])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)
