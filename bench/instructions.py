"""Instructions of the broker's process per request, and Python objects that it creates for a request.

Other load on the machine does not change these figures.

The broker, and its compiled build if there is one, runs under valgrind's callgrind. Connections send requests in two
halves, as under load: while the broker works on one half, the other half waits. Instructions of the kernel are not
counted.
"""

from __future__ import annotations

import contextlib
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from bench import steady_requests, streams
from bench.brokers import Broker, pid_of, tenure
from bench.figures import Figure, Sample
from bench.load import ANSWER_BYTES_MAX, Load
from bench.sides import OURS, OURS_COMPILED
from compiled.installed import compiled_python

WARM_UP_ROUNDS: Final = 10
SETTLED_S: Final = 0.5
"""Time in which valgrind carries out an order."""
SUMMARY: Final = re.compile(r"^(?:summary|totals): (\d+)", re.MULTILINE)
NEW_OBJECT: Final = re.compile(r"fn=\((\d+)\) _Py_NewReference$", re.MULTILINE)
"""Line in which callgrind gives a number to the function that CPython calls for each new object."""
OS: Final = {"tenure_coordinator_durability": "os"}
KINDS: Final[Sequence[tuple[str, Callable[[Broker], Load], Mapping[str, str]]]] = (
    ("heartbeat", steady_requests.heartbeats, OS),
    ("consumer heartbeat", steady_requests.consumer_heartbeats, OS),
    ("streams heartbeat", steady_requests.streams_heartbeats, OS | streams.SETTINGS),
    ("offset commit, os", steady_requests.commits, OS),
    ("offset commit, fsync", steady_requests.commits, {"tenure_coordinator_durability": "fsync"}),
    ("offset fetch", steady_requests.offset_fetches, OS),
    ("offset commit in a transaction, os", steady_requests.transactional_commits, OS),
    ("produce of ten records", steady_requests.produces, OS),
    ("fetch of ten records", steady_requests.fetches, OS),
)
"""Requests, with the broker's settings."""


def measure(directory: Path, quick: bool) -> Iterator[Figure]:
    rounds = 20 if quick else 200
    builds = {OURS: Path(sys.executable)}
    if compiled := compiled_python():
        builds[OURS_COMPILED] = compiled
    for number, (what, load_of, settings) in enumerate(KINDS):
        for build, python in builds.items():
            counted = count(directory / f"{number}-{build}", python, settings, load_of, rounds)
            of_request = f"per {what}, {build}"
            yield Figure(f"instructions {of_request}", "", Sample.of([counted.instructions]), less_is_better=True)
            if counted.objects:
                yield Figure(f"new Python objects {of_request}", "", Sample.of([counted.objects]), less_is_better=True)


class Counted(NamedTuple):
    """Counts per request."""

    instructions: float
    objects: float
    """Python objects created; 0 if this Python has no symbols. Objects from a free list of CPython count, too."""

    @staticmethod
    def of(written: Path, requests: int) -> Counted:
        """Return the counts of `requests` requests in a file that callgrind has written."""
        text = written.read_text()
        summary, new_object = SUMMARY.search(text), NEW_OBJECT.search(text)
        calls = re.findall(rf"^cfn=\({new_object[1]}\).*\ncalls=(\d+)", text, re.MULTILINE) if new_object else []
        return Counted(int(summary[1]) / requests if summary else 0.0, sum(map(int, calls)) / requests)


def count(
    directory: Path, build: Path | str, settings: Mapping[str, str], load_of: Callable[[Broker], Load], rounds: int
) -> Counted:
    """Return the counts of so many rounds. In a round, each connection sends one request.

    `build` is the command of the interpreter.
    """
    directory.mkdir()
    python = directory / "python"
    python.write_text(
        "#!/bin/sh\n"
        f"exec valgrind --tool=callgrind --instr-atstart=no --callgrind-out-file={directory}/counted "
        f'{build} "$@"\n'
    )
    python.chmod(0o755)
    with contextlib.ExitStack() as opened:
        broker = opened.enter_context(tenure(directory / "data", python, **settings))
        asked = load_of(broker)
        connections = [opened.enter_context(socket.create_connection((broker.host, broker.port))) for _ in asked.frames]
        ask(connections, asked, WARM_UP_ROUNDS)
        valgrind(broker, "--instr=on")
        valgrind(broker, "--zero")
        ask(connections, asked, rounds)
        valgrind(broker, "--dump")
    return max(Counted.of(path, rounds * len(connections)) for path in directory.glob("counted*"))


def valgrind(broker: Broker, order: str) -> None:
    subprocess.run(["callgrind_control", order, str(pid_of(broker))], check=True, capture_output=True)
    time.sleep(SETTLED_S)


def ask(connections: list[socket.socket], asked: Load, rounds: int) -> None:
    """Send one request per connection and round, in two halves."""
    everything = list(zip(connections, asked.frames, asked.answers, strict=True))
    halves = everything[::2], everything[1::2]
    for half in halves:
        send(half)
    for number in range(rounds):
        for half in halves:
            for connection, _, good in half:
                receive(connection, good)
            if number < rounds - 1:
                send(half)


def send(half: list[tuple[socket.socket, bytes, bytes]]) -> None:
    for connection, frame, _ in half:
        connection.sendall(frame)


def receive(connection: socket.socket, good: bytes) -> None:
    """Receive an answer, and check that it begins with the bytes of a successful one."""
    answer = b""
    while len(answer) < 4 or len(answer) < 4 + int.from_bytes(answer[:4], "big"):
        more = connection.recv(ANSWER_BYTES_MAX)
        if not more:
            raise SystemExit("the broker closed a connection")
        answer += more
    if not answer.startswith(good):
        raise SystemExit(f"expected the answer {good.hex()}, got {answer.hex()}")
