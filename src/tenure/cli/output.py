"""Output of commands: tables for a terminal, tab-separated lines for pipes and files, JSON for programs.

Results go to standard output, messages to standard error.
"""

import json
import sys
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, TypeAlias

import typer

from tenure.exit_status import ExitStatus

Group: TypeAlias = Annotated[str, typer.Argument(metavar="GROUP", show_default=False)]
Groups: TypeAlias = Annotated[list[str], typer.Argument(metavar="GROUP...", show_default=False)]
Yes: TypeAlias = Annotated[bool, typer.Option("--yes", "-y", help="Skip the confirmation.")]
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print JSON.")]


class Misuse(Exception):
    """The command line is invalid. The message is one sentence, and the exit status is 2."""


def print_message(sentence: str) -> None:
    print(f"tenure: {printable(sentence)}", file=sys.stderr)


def print_result(sentence: str) -> None:
    """Print a result of a command."""
    print(printable(sentence))


def fail_if(sentences: Sequence[str]) -> None:
    """Print each failure, and exit with status 1 if there are any. For actions that may succeed in part."""
    for sentence in sentences:
        print_message(sentence)
    if sentences:
        raise typer.Exit(ExitStatus.FAILED)


def listed(options: Sequence[str] | None) -> list[str]:
    """Return the values of an option that accepts `a,b,c`, repetition, or both."""
    return [word.strip() for option in options or () for word in option.split(",") if word.strip()]


def setting(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals or not key:
        raise Misuse(f"{text!r} is not a setting: write it as KEY=VALUE, such as retention.ms=60000")
    return key, value


def print_json(value: Any) -> None:
    print(json.dumps(value, indent=2, ensure_ascii=False))


def print_table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print a table. None and "" are printed as `-`. On a terminal, numbers are aligned to the right."""
    if not sys.stdout.isatty():
        print("\t".join(column.upper() for column in columns))
        for row in rows:
            print("\t".join(cell_text(cell) for cell in row))
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
        table.add_row(*(Text(cell_text(cell)) for cell in row))
    Console().print(table)


def cell_text(value: object) -> str:
    return "-" if value is None or value == "" else printable(str(value))


def printable(text: str) -> str:
    """Escape characters that cannot be printed.

    Clients choose names. A line feed in a name would end the row, and control characters would change the terminal.
    """
    return text if text.isprintable() else "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def time_text(unix_ms: int | None) -> str | None:
    """Return a time in the local time zone as text; None stays None.

    Clients choose times. A time outside the range of the calendar is returned as a number.
    """
    if unix_ms is None:
        return None
    try:
        return datetime.fromtimestamp(unix_ms / 1000).strftime("%Y-%m-%d %H:%M:%S")
    except (OverflowError, ValueError, OSError):
        return str(unix_ms)


def partitions_text(partitions: Sequence[int]) -> str:
    """Return partition numbers as text: 0-3,7 for 0, 1, 2, 3 and 7."""
    runs: list[list[int]] = []
    for partition in sorted(partitions):
        if runs and runs[-1][1] == partition - 1:
            runs[-1][1] = partition
        else:
            runs.append([partition, partition])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)
