"""Process that imports all modules once, and forks an application for each case.

    with ForkServer() as fork_server:
        child = fork_server.start(orders)
        child.wait()            # until it has ended, by itself or by a signal

The process never starts a thread, because a fork copies only the calling thread. It ends when its input ends, and its
children are killed when it ends. So none of them outlives the tests, even if a signal ends these.
"""

import ctypes
import dataclasses
import gc
import json
import os
import select
import signal
import subprocess
import sys
from contextlib import suppress
from importlib import import_module
from threading import Lock
from types import TracebackType
from typing import Final, Self

from tenure.client.net.connection import software_version
from tenure.pipeline.output.staging import installed_version
from tests.pipeline.crashes.application import Orders, main

PATIENCE_S = 120.0
PR_SET_PDEATHSIG: Final = 1


class Child:
    """Forked process. Any process can wait for its end through its pidfd."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        try:
            self.descriptor: int | None = os.pidfd_open(pid)
        except ProcessLookupError:
            self.descriptor = None

    @property
    def is_alive(self) -> bool:
        return not self.has_died(0.0)

    def wait(self, timeout_s: float = PATIENCE_S) -> None:
        assert self.has_died(timeout_s), f"process {self.pid} has not ended within {timeout_s:.0f} s"

    def has_died(self, timeout_s: float) -> bool:
        if self.descriptor is None:
            return True
        poll = select.poll()
        poll.register(self.descriptor, select.POLLIN)
        return bool(poll.poll(timeout_s * 1000))

    @property
    def is_stopped(self) -> bool:
        """Return whether it is suspended; False if it has ended."""
        with suppress(FileNotFoundError, ProcessLookupError), open(f"/proc/{self.pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] == "T"
        return False

    def send(self, number: signal.Signals) -> None:
        """Send a signal, unless the process has ended: its id may belong to another process by then."""
        if self.descriptor is not None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self.descriptor, number)

    def end(self) -> None:
        self.send(signal.SIGKILL)
        self.wait()
        if self.descriptor is not None:
            os.close(self.descriptor)
            self.descriptor = None


class ForkServer:
    """Parent's side of the forking process; threads may share it."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.children: list[Child] = []
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.pipeline.crashes.fork_server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def start(self, orders: Orders) -> Child:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        with self.lock:
            self.process.stdin.write(json.dumps(dataclasses.asdict(orders)).encode() + b"\n")
            self.process.stdin.flush()
            child = Child(int(self.process.stdout.readline()))
            self.children.append(child)
        return child

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for child in self.children:
            child.end()
        with self.process:
            pass  # Its input ends, and so does it.


def serve() -> None:
    """Fork children: read a line of JSON for each, and answer with its process id."""
    warm_up()
    server, prctl = os.getpid(), ctypes.CDLL(None).prctl
    gc.freeze()  # Else the collector of a child writes into all objects, and the system has to copy their pages.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # No parent has to wait for them.
    for line in sys.stdin.buffer:
        pid = os.fork()
        if pid == 0:
            prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() != server:
                os._exit(1)  # The server ended before the call.
            live(Orders(**json.loads(line)))
        print(pid, flush=True)


def warm_up() -> None:
    """Import and look up once what the applications would import and look up later."""
    messages = (
        "add_offsets_to_txn",
        "add_partitions_to_txn",
        "api_versions",
        "consumer_group_describe",
        "consumer_group_heartbeat",
        "end_txn",
        "fetch",
        "find_coordinator",
        "heartbeat",
        "init_producer_id",
        "join_group",
        "list_offsets",
        "metadata",
        "offset_commit",
        "offset_fetch",
        "produce",
        "streams_group_heartbeat",
        "sync_group",
        "txn_offset_commit",
    )
    for message in messages:
        for side in ("readers", "writers"):
            import_module(f"tenure.protocol.generated.{side}.{message}")
    for name in (
        "encodings.idna",
        "pandas",
        "pyarrow.pandas_compat",
        "pyarrow.parquet",
        "tenure.client.producer.arrow_batches",
        "tenure.protocol.columnar.decode",
        "tenure.protocol.columnar.encode",
    ):
        import_module(name)
    software_version()
    installed_version()


def live(orders: Orders) -> None:
    """Run the application in the child; never return."""
    status = 1
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        main(orders)
        status = 0
    finally:
        os._exit(status)


if __name__ == "__main__":
    serve()
