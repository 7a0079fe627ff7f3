"""Instructions of the broker's process per request: a figure that other work on the machine does not change.

The broker runs under valgrind's callgrind, interpreted. Connections ask in two halves, as a load does: while the broker
works on one half, the other waits. The kernel's part of system calls is not counted.
"""

from __future__ import annotations

import contextlib
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from bench.brokers import Broker, create_topic, pid_of, tenure
from bench.figures import Figure, Sample
from bench.load import ANSWER_BYTES_MAX, Load, whole
from bench.members import COMMIT_VERSION, HEARTBEAT_VERSION, TOPIC, form, load

CONNECTIONS: Final = 50
WARM_UP_ROUNDS: Final = 10
SETTLED_S: Final = 0.5
"""Time until valgrind has obeyed."""
SUMMARY: Final = re.compile(r"^(?:summary|totals): (\d+)", re.MULTILINE)


def measure(directory: Path, quick: bool) -> list[Figure]:
    rounds = 20 if quick else 200
    figures = []
    kinds = (
        ("heartbeat", "os", heartbeats),
        ("offset commit, os", "os", commits),
        ("offset commit, fsync", "fsync", commits),
    )
    for number, (what, durability, load_of) in enumerate(kinds):
        counted = count(directory / str(number), durability, load_of, rounds)
        figures.append(Figure(f"instructions per {what}", "", Sample.of([counted]), less_is_better=True))
    return figures


def heartbeats(broker: Broker) -> Load:
    return load(broker, form(broker, "beats", CONNECTIONS).heartbeats(), HEARTBEAT_VERSION, 0)


def commits(broker: Broker) -> Load:
    create_topic(broker, TOPIC, 1)
    return load(broker, form(broker, "commits", CONNECTIONS).commits(), COMMIT_VERSION, 0)


def count(directory: Path, durability: str, load_of: Callable[[Broker], Load], rounds: int) -> float:
    """Return the instructions per request of so many rounds, in which each connection asks once."""
    directory.mkdir()
    python = directory / "python"
    python.write_text(
        "#!/bin/sh\n"
        f"exec valgrind --tool=callgrind --instr-atstart=no --callgrind-out-file={directory}/counted "
        f'{sys.executable} "$@"\n'
    )
    python.chmod(0o755)
    with contextlib.ExitStack() as opened:
        broker = opened.enter_context(tenure(directory / "data", python, tenure_coordinator_durability=durability))
        asked = load_of(broker)
        connections = [opened.enter_context(socket.create_connection((broker.host, broker.port))) for _ in asked.frames]
        ask(connections, asked, WARM_UP_ROUNDS)
        valgrind(broker, "--instr=on")
        valgrind(broker, "--zero")
        ask(connections, asked, rounds)
        valgrind(broker, "--dump")
    totals = [int(found[1]) for path in directory.glob("counted*") if (found := SUMMARY.search(path.read_text()))]
    return max(totals) / rounds / len(connections)


def valgrind(broker: Broker, order: str) -> None:
    subprocess.run(["callgrind_control", order, str(pid_of(broker))], check=True, capture_output=True)
    time.sleep(SETTLED_S)


def ask(connections: list[socket.socket], asked: Load, rounds: int) -> None:
    """Let both halves of the connections ask once per round."""
    everything = list(zip(connections, asked.frames, asked.answers, strict=True))
    halves = everything[::2], everything[1::2]
    for half in halves:
        send(half)
    for number in range(rounds):
        for half in halves:
            for connection, _, answer in half:
                whole(connection.recv(ANSWER_BYTES_MAX), connection.recv, answer)
            if number < rounds - 1:
                send(half)


def send(half: list[tuple[socket.socket, bytes, bytes]]) -> None:
    for connection, frame, _ in half:
        connection.sendall(frame)
