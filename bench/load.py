"""Load generator with low cost: every connection repeats one request, and waits for its answer before the next.

It runs in a process and on a core of its own. Requests are encoded beforehand, and answers are compared with the
expected bytes, so a single error answer stops the run. `busy` is the share of its core that the generator uses:
near 1.0, the generator and not the broker limits the rate. `run` starts the process.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import select
import socket
import subprocess
import sys
import time
from array import array
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

CORE: Final = 1
"""Core of the generator. The broker may run on all cores; on two cores it mostly uses the other one."""

ANSWER_BYTES_MAX: Final = 4096
STALLED_S: Final = 5.0
QUICK_S: Final = 0.4
"""Duration of a short load, and of the warm-up before it."""


@dataclass(frozen=True, slots=True)
class Load:
    """Load with one connection per frame; `answers[n]` is the only right answer to `frames[n]`."""

    host: str
    port: int
    frames: list[bytes]
    answers: list[bytes]
    warm_up_s: float
    seconds: float


class Timed(Protocol):
    """Load of any kind, with its duration."""

    @property
    def warm_up_s(self) -> float: ...
    @property
    def seconds(self) -> float: ...


@dataclass(frozen=True, slots=True)
class Rate:
    """Answers in the measured time.

    `busy` is the share of its core that the generator used; one answer in a hundred took longer than `p99_ms`.
    """

    count: int
    seconds: float
    busy: float
    p99_ms: float

    @property
    def per_second(self) -> float:
        return self.count / self.seconds


def run(load: Timed, generator: str = "bench.load") -> Rate:
    """Generate the load from a fresh process, by the function `generate` of a module."""
    done = subprocess.run(
        [sys.executable, "-c", f"from bench.load import main; from {generator} import generate; main(generate)"],
        cwd=Path(__file__).resolve().parent.parent,
        input=pickle.dumps(load),
        stdout=subprocess.PIPE,
        timeout=load.warm_up_s + load.seconds + 60,
        check=True,
    )
    rate = pickle.loads(done.stdout)
    assert isinstance(rate, Rate)
    return rate


def generate(load: Load, connect: Callable[[], socket.socket] | None = None) -> Rate:
    """Repeat the requests, by default over connections in the clear."""
    with contextlib.ExitStack() as open_connections:
        epoll = open_connections.enter_context(select.epoll())
        send: dict[int, Callable[[bytes], int]] = {}
        receive: dict[int, Callable[[int], bytes]] = {}
        frames: dict[int, bytes] = {}
        answers: dict[int, bytes] = {}
        for frame, answer in zip(load.frames, load.answers, strict=True):
            made = socket.create_connection((load.host, load.port)) if connect is None else connect()
            connection = open_connections.enter_context(made)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            handle = connection.fileno()
            epoll.register(handle, select.EPOLLIN)
            send[handle], receive[handle] = connection.send, connection.recv
            frames[handle], answers[handle] = frame, answer
        for handle, frame in frames.items():
            send[handle](frame)
        exchange(epoll, send, receive, frames, answers, load.warm_up_s)
        started, used = time.perf_counter(), time.process_time()
        took_s = exchange(epoll, send, receive, frames, answers, load.seconds)
        seconds = time.perf_counter() - started
        busy = (time.process_time() - used) / seconds
        return Rate(len(took_s), seconds, busy, 1e3 * sorted(took_s)[len(took_s) * 99 // 100])


def exchange(
    epoll: select.epoll,
    send: dict[int, Callable[[bytes], int]],
    receive: dict[int, Callable[[int], bytes]],
    frames: dict[int, bytes],
    answers: dict[int, bytes],
    seconds: float,
) -> array[float]:
    """Send the next request after each answer, for `seconds`; return the latencies. This is the hot loop."""
    clock, poll = time.perf_counter, epoll.poll
    took_s = array("d")
    began = clock()
    sent_at = dict.fromkeys(frames, began)
    until = began + seconds
    while clock() < until:
        ready = poll(STALLED_S)
        if not ready:
            raise SystemExit(f"no answer for {STALLED_S:.0f} s")
        for handle, _ in ready:
            answer = receive[handle](ANSWER_BYTES_MAX)
            if answer != answers[handle]:
                whole(answer, receive[handle], answers[handle])
            now = clock()
            took_s.append(now - sent_at[handle])
            sent_at[handle] = now
            send[handle](frames[handle])
    return took_s


def whole(answer: bytes, receive: Callable[[int], bytes], expected: bytes) -> None:
    """Receive an answer, possibly in pieces. An unexpected answer ends the run."""
    while answer and len(answer) < len(expected):
        more = receive(len(expected) - len(answer))
        if not more:
            break
        answer += more
    if answer != expected:
        raise SystemExit(f"expected the answer {expected.hex()}, got {answer.hex() or 'the end of the connection'}")


def main(generate: Callable[[Any], Rate]) -> None:
    load = pickle.load(sys.stdin.buffer)
    os.sched_setaffinity(0, {CORE} & os.sched_getaffinity(0) or os.sched_getaffinity(0))
    sys.stdout.buffer.write(pickle.dumps(generate(load)))
