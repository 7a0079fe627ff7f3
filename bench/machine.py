"""Speed of the machine, measured with every run to explain slow figures."""

from __future__ import annotations

import os
import socket
import statistics
import subprocess
import sys
import time
from pathlib import Path

SYNCS = 60
SYNC_BYTES = 4096
PINGS = 3_000


def fdatasync_s(directory: Path) -> float:
    """Return the median time of appending a page to a file and syncing it."""
    path = directory / "fdatasync"
    handle = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND)
    try:
        return statistics.median(one_sync_s(handle) for _ in range(SYNCS))
    finally:
        os.close(handle)
        path.unlink()


def one_sync_s(handle: int) -> float:
    os.write(handle, bytes(SYNC_BYTES))
    started = time.perf_counter()
    os.fdatasync(handle)
    return time.perf_counter() - started


def ping_s() -> float:
    """Return the median time of one byte to another thread over loopback TCP, and back."""
    import threading

    with socket.create_server(("127.0.0.1", 0)) as server:

        def echo() -> None:
            connection, _ = server.accept()
            with connection:
                while data := connection.recv(1):
                    connection.sendall(data)

        threading.Thread(target=echo, daemon=True).start()
        with socket.create_connection(server.getsockname()) as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return statistics.median(one_ping_s(connection) for _ in range(PINGS))


def one_ping_s(connection: socket.socket) -> float:
    started = time.perf_counter()
    connection.sendall(b".")
    connection.recv(1)
    return time.perf_counter() - started


def python_start_s() -> float:
    times = []
    for _ in range(5):
        started = time.perf_counter()
        subprocess.run([sys.executable, "-c", "pass"], check=True)
        times.append(time.perf_counter() - started)
    return statistics.median(times)


def present_speed(directory: Path) -> dict[str, float]:
    """Return the speed of this machine, in milliseconds, and its load."""
    return {
        "fdatasync ms": fdatasync_s(directory) * 1e3,
        "loopback ping ms": ping_s() * 1e3,
        "python -c pass ms": python_start_s() * 1e3,
        "load average": os.getloadavg()[0],
        "cores": float(os.cpu_count() or 1),
    }
