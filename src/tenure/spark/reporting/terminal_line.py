"""Progress line at the bottom of a terminal, below the log lines."""

import sys
from collections.abc import Callable
from typing import Final, TextIO

from rich.console import Console
from rich.live import Live
from rich.text import Text


class TerminalLine:
    """Line at the bottom of a terminal, refreshed twice a second by a thread of the library rich."""

    def __init__(self, out: TextIO, text: Callable[[], str]) -> None:
        """Show the line.

        Args:
            out: Terminal.
            text: Function that returns the line. It must not wait for a thread that prints.
        """
        self._live: Final = Live(
            console=Console(file=out, highlight=False, markup=False, soft_wrap=True),
            get_renderable=lambda: Text(text(), no_wrap=True, overflow="ellipsis"),
            refresh_per_second=2,
            transient=True,
            redirect_stdout=sys.stdout.isatty(),  # With True, rich would print the output for a file in the terminal.
        )
        self._live.start()

    def print_above(self, line: str) -> None:
        """Print a log line above the progress line."""
        self._live.console.print(line)

    def close(self) -> None:
        """Remove the line from the terminal."""
        self._live.stop()
