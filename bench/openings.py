"""TLS handshakes and logins per second with some threads, and the latency of other requests meanwhile."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Self

from bench import load
from bench.load import Rate
from bench.secured_load import log_in, opened
from tests.wire import Wire

AT_ONCE = 4
"""Connections that are opened at the same time. OpenSSL and the sockets let other threads run meanwhile."""
FULL, RESUMED, LOGIN = "full", "resumed", "login"


@dataclass(frozen=True, slots=True)
class Openings:
    """Connections that are opened and closed again: with a full or resumed TLS handshake, or with a login by SCRAM."""

    host: str
    port: int
    kind: str
    ca: str
    user: str
    password: str
    warm_up_s: float
    seconds: float


def generate(of: Openings) -> Rate:
    """Open connections one after the other in each of some threads."""
    context = ssl.create_default_context(cafile=of.ca)
    context.maximum_version = ssl.TLSVersion.TLSv1_2  # a session of TLS 1.3 is known only after the first answer
    session = None
    if of.kind == RESUMED:
        with opened(of.host, of.port, context) as first:
            session = first.session
            close_tls(first)
    opening = raw_login if of.kind == LOGIN else handshake(context, session, is_resumed=of.kind == RESUMED)
    repeated(opening, of, of.warm_up_s)
    started, used = time.perf_counter(), time.process_time()
    took_s = repeated(opening, of, of.seconds)
    seconds = time.perf_counter() - started
    busy = (time.process_time() - used) / seconds
    return Rate(len(took_s), seconds, busy, 1e3 * sorted(took_s)[len(took_s) * 99 // 100])


def handshake(
    context: ssl.SSLContext, session: ssl.SSLSession | None, *, is_resumed: bool
) -> Callable[[Openings], None]:
    def opening(of: Openings) -> None:
        with opened(of.host, of.port, context, session) as connection:
            assert connection.session_reused == is_resumed, f"resumed: {connection.session_reused}"
            close_tls(connection)

    return opening


def close_tls(connection: ssl.SSLSocket) -> None:
    """Send close_notify without waiting for the peer's, because Java forgets sessions that end without it."""
    connection.setblocking(False)
    with contextlib.suppress(ssl.SSLWantReadError, ConnectionError):
        connection.unwrap()


def raw_login(of: Openings) -> None:
    """Log in without TLS."""
    with socket.create_connection((of.host, of.port), timeout=load.STALLED_S) as connection:
        log_in(connection, of.user, of.password)


def repeated(opening: Callable[[Openings], None], of: Openings, seconds: float) -> list[float]:
    """Repeat a function; return the duration of each call."""
    took_s: list[float] = []
    until = time.perf_counter() + seconds

    def work() -> None:
        while (began := time.perf_counter()) < until:
            opening(of)
            took_s.append(time.perf_counter() - began)

    with ThreadPoolExecutor(AT_ONCE) as threads:
        for done in [threads.submit(work) for _ in range(AT_ONCE)]:
            done.result()
    return took_s


class Beats:
    """Latencies of a request that is repeated beside a load, within a `with` block."""

    PULSE_S = 0.02

    def __init__(self, host: str, port: int, frame: bytes) -> None:
        self.took_s: list[float] = []
        self._wire = Wire(host, port)
        self._frame = frame
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._beat)

    def _beat(self) -> None:
        while not self._over.wait(self.PULSE_S):
            began = time.perf_counter()
            self._wire.exchange(self._frame)
            self.took_s.append(time.perf_counter() - began)

    @property
    def p99_ms(self) -> float:
        return 1e3 * sorted(self.took_s)[len(self.took_s) * 99 // 100]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()
        self._wire.close()
