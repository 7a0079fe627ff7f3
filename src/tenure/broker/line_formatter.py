"""Log lines that stay lines: names come from clients, and may hold line feeds and what terminals take for commands."""

import logging
from typing import Final

CONTROL_CHARACTERS: Final = {code: repr(chr(code))[1:-1] for code in (*range(0x20), *range(0x7F, 0xA0))}


class LineFormatter(logging.Formatter):
    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(message)s", "%H:%M:%S")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        """A traceback, which is appended later, keeps its lines."""
        return super().formatMessage(record).translate(CONTROL_CHARACTERS)
