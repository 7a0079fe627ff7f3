"""Formatter that writes each log message on one line, even if it contains names chosen by clients.

Such names may contain line feeds, terminal control sequences, and characters that reverse or hide a part of the line.
All characters that are not printable are escaped.
"""

import logging
from typing import Final

from tenure.limits.broker import LOG_LINE_CHARACTERS_MAX

TRACEBACK_INDENT: Final = "    "


class LineFormatter(logging.Formatter):
    """Formatter with time, level and message.

    Lines of a traceback are indented, so that they do not look like log lines.
    """

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(message)s", "%H:%M:%S")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        return shortened(printable(super().formatMessage(record)))

    def formatException(self, ei: object) -> str:  # noqa: N802 - logging's name
        lines = super().formatException(ei).split("\n")  # type: ignore[arg-type]  # logging's own tuple
        return "\n".join(TRACEBACK_INDENT + shortened(printable(line)) for line in lines)


def printable(text: str) -> str:
    """Return the text. Characters that are not printable are escaped as in a Python string."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def shortened(line: str) -> str:
    """Return the line, or its first LOG_LINE_CHARACTERS_MAX characters and the number of the omitted ones."""
    missing = len(line) - LOG_LINE_CHARACTERS_MAX
    return line if missing <= 0 else f"{line[:LOG_LINE_CHARACTERS_MAX]}... ({missing} more characters)"
