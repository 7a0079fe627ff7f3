"""Limit on the log lines of one kind, so that a client cannot fill the disk with them.

Lines of one kind have the same level and message template. Each kind has a budget of characters, which refills over
time. Lines that exceed the budget are suppressed, and their number is logged.
"""

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from typing import Final

from tenure.broker.process.line_formatter import printable
from tenure.limits.broker import (
    LOG_CHARACTERS_PER_KIND,
    LOG_CHARACTERS_PER_KIND_AND_S,
    LOG_KINDS_MAX,
    LOG_LINE_CHARACTERS_MAX,
    LOG_SUPPRESSED_REPORT_S,
)

log = logging.getLogger("tenure.broker")

Kind = tuple[int, str]
"""Kind of log lines: level and message template."""

OTHER: Final[Kind] = (logging.WARNING, "(of various kinds)")
REPORT: Final = 'suppressed %d log lines like "%s"'


class Budget:
    """Characters that one kind may still write, and number of its suppressed lines since the last report."""

    __slots__ = ("_characters", "_refilled_s", "suppressed")

    def __init__(self, now_s: float) -> None:
        self._characters: float = LOG_CHARACTERS_PER_KIND
        self._refilled_s = now_s
        self.suppressed = 0

    def admits(self, characters: int, now_s: float) -> bool:
        """Return whether a line may be written. If so, take its characters from the budget."""
        refill = (now_s - self._refilled_s) * LOG_CHARACTERS_PER_KIND_AND_S
        self._characters = min(self._characters + refill, LOG_CHARACTERS_PER_KIND)
        self._refilled_s = now_s
        if self._characters < characters:
            self.suppressed += 1
            return False
        self._characters -= characters
        return True


class LogLimiter(logging.Filter):
    """Filter of a log handler. It suppresses nothing before `start`, because clients cause no lines until then."""

    def __init__(self, now_s: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._now_s: Final = now_s
        self._lock: Final = threading.Lock()
        self._budgets: Final[dict[Kind, Budget]] = {}
        self._timer: asyncio.TimerHandle | None = None

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to suppress lines, and to report their number from time to time."""
        self.report()
        self._timer = loop.call_later(LOG_SUPPRESSED_REPORT_S, self.start, loop)

    def stop(self) -> None:
        """Report the suppressed lines, and suppress no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self.report()

    def filter(self, record: logging.LogRecord) -> bool:
        if self._timer is None or record.msg is REPORT:
            return True
        kind = (record.levelno, str(record.msg))
        with self._lock:
            return self._budget(kind).admits(_characters(record), self._now_s())

    def report(self) -> None:
        with self._lock:
            suppressed = {kind: budget.suppressed for kind, budget in self._budgets.items() if budget.suppressed}
            for kind in suppressed:
                self._budgets[kind].suppressed = 0
        for (level, template), lines in suppressed.items():
            log.log(level, REPORT, lines, template)

    def _budget(self, kind: Kind) -> Budget:
        if kind not in self._budgets and len(self._budgets) >= LOG_KINDS_MAX:
            kind = OTHER
        return self._budgets.setdefault(kind, Budget(self._now_s()))


def _characters(record: logging.LogRecord) -> int:
    """Return the length of a line in characters. A traceback counts as LOG_LINE_CHARACTERS_MAX more."""
    line = min(len(printable(record.getMessage())), LOG_LINE_CHARACTERS_MAX)
    return line + LOG_LINE_CHARACTERS_MAX if record.exc_info else line
