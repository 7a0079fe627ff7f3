"""Log lines of the broker: text from clients in them, and limits on their number."""

import asyncio
import io
import logging
import re
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tenure.broker.process.line_formatter import LineFormatter, printable
from tenure.broker.process.log_limiter import LogLimiter
from tenure.limits.broker import (
    LOG_CHARACTERS_PER_KIND,
    LOG_CHARACTERS_PER_KIND_AND_S,
    LOG_KINDS_MAX,
    LOG_LINE_CHARACTERS_MAX,
)
from tests.serving import serving

pytestmark = pytest.mark.long

CLOSED = "closed the connection of %s: %s"


def formatted(message: str, *args: object) -> str:
    line = LineFormatter().format(logging.LogRecord("tenure", logging.INFO, "", 0, message, args, None))
    return line.partition(" INFO    ")[2]


@pytest.mark.parametrize(
    ("character", "escaped"),
    [
        ("\n", r"\n"),
        ("\x1b", r"\x1b"),
        ("\x85", r"\x85"),
        ("\u202e", r"\u202e"),
        ("\u2028", r"\u2028"),
        ("\u200f", r"\u200f"),
        ("\u2066", r"\u2066"),
        ("\u0378", r"\u0378"),
        ("\ud800", r"\ud800"),
        ("\U000e0041", r"\U000e0041"),
    ],
    ids=ascii,
)
def test_log_line__character_that_is_not_printable__escaped(character: str, escaped: str) -> None:
    assert formatted("group %s is empty", f"a{character}b") == rf"group a{escaped}b is empty"


def test_log_line__letters_of_any_language__unchanged() -> None:
    assert printable("Größe 注文 заказ") == "Größe 注文 заказ"


def test_log_line__very_long__truncated_with_the_number_of_characters_left_out() -> None:
    assert formatted("%s", "x" * (LOG_LINE_CHARACTERS_MAX + 7)).endswith("x... (24 more characters)")


def test_traceback__text_of_a_client_has_a_line_feed__no_line_looks_like_a_log_line() -> None:
    try:
        raise ValueError("\n10:00:00 INFO    stopped\u2028cleanly")
    except ValueError as error:
        record = logging.LogRecord("tenure", logging.ERROR, "", 0, "a bug", (), (ValueError, error, None))
    first, *others = LineFormatter().format(record).split("\n")
    assert first.endswith("ERROR   a bug")
    assert "    10:00:00 INFO    stopped\\u2028cleanly" in others
    assert all(line.startswith("    ") and line.isprintable() for line in others)


# --- number of lines --------------------------------------------------------------------------------------------------


class Limited:
    """Logger with a limiter, on a clock that the test moves."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.limiter = LogLimiter(lambda: self.now_s)
        self._stream = io.StringIO()
        handler = logging.StreamHandler(self._stream)
        handler.addFilter(self.limiter)
        self.logger = logging.getLogger("tenure.broker")
        self.logger.addHandler(handler)
        self.handler = handler

    @property
    def lines(self) -> list[str]:
        return self._stream.getvalue().splitlines()


@pytest.fixture
def limited() -> Iterator[Limited]:
    loop = asyncio.new_event_loop()
    limited = Limited()
    limited.limiter.start(loop)
    yield limited
    limited.logger.removeHandler(limited.handler)
    limited.limiter.stop()
    loop.close()


def test_log_limit__very_many_lines_of_one_template__budget_written_and_rest_counted(limited: Limited) -> None:
    sent = 2 * LOG_CHARACTERS_PER_KIND // 100
    for port in range(sent):
        limited.logger.warning(CLOSED, f"127.0.0.1:{port}", "x" * 100)
    written = len(limited.lines)
    assert sum(map(len, limited.lines)) <= LOG_CHARACTERS_PER_KIND
    limited.logger.warning("the disk is full")
    limited.limiter.report()
    assert limited.lines[written:] == [
        "the disk is full",
        f'suppressed {sent - written} log lines like "{CLOSED}"',
    ]


def test_log_limit__budget_used_and_time_passes__lines_written_at_the_rate_of_the_budget(limited: Limited) -> None:
    line = "x" * LOG_LINE_CHARACTERS_MAX
    for _ in range(LOG_CHARACTERS_PER_KIND // len(line) + 1):
        limited.logger.warning("%s", line)
    written = len(limited.lines)
    seconds = 10 * LOG_LINE_CHARACTERS_MAX // LOG_CHARACTERS_PER_KIND_AND_S
    for _ in range(10 * seconds):
        limited.now_s += 0.1
        limited.logger.warning("%s", line)
    assert 8 <= len(limited.lines) - written <= 10


def test_log_limit__very_many_messages_without_a_template__share_one_budget(limited: Limited) -> None:
    for number in range(LOG_KINDS_MAX + 2_000):
        limited.logger.warning(f"{number:0300}")
    over = sum(map(len, limited.lines)) - LOG_KINDS_MAX * 300
    assert 0 < over <= LOG_CHARACTERS_PER_KIND


def test_log_limit__not_started_or_stopped__no_line_suppressed() -> None:
    record = logging.LogRecord("tenure", logging.INFO, "", 0, "%s", ("x" * LOG_LINE_CHARACTERS_MAX,), None)
    limiter = LogLimiter()
    assert all(limiter.filter(record) for _ in range(LOG_CHARACTERS_PER_KIND // LOG_LINE_CHARACTERS_MAX + 10))


def test_log_limit__very_many_malformed_frames__lines_limited_and_rest_counted(tmp_path: Path) -> None:
    line = "00:00:00 WARNING closed the connection of 127.0.0.1:40000: a frame announces a negative size of -1 bytes"
    line_characters = len(line)
    sent = 2 * LOG_CHARACTERS_PER_KIND // line_characters
    with serving(tmp_path, options=("--memory",)) as broker:
        for _ in range(sent):
            with socket.create_connection((broker.host, broker.port)) as client:
                client.sendall(b"\xff\xff\xff\xff")
                assert client.recv(1) == b""
        assert broker.terminate() == 0
    written = broker.log.count("closed the connection of 127.0.0.1")
    suppressed = [int(lines) for lines in re.findall(r'suppressed (\d+) log lines like "closed the con', broker.log)]
    assert sum(suppressed) > 0
    assert written + sum(suppressed) == sent
