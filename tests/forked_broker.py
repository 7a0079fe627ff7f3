"""`python -m tenure serve` as a fork of a process that has imported it, which saves the time of the imports.

The options and the environment are those of a new process. Some brokers get an interpreter of their own, as from a
shell: those with another Python, those with TLS of the monitoring pages, for which `tenure serve` imports asyncio in
another way, and those of benchmarks.
"""

import atexit
import os
import sys
from functools import cache

from tests.fork_server import ForkServer

IN_TESTS = "PYTEST_VERSION"
"""Environment variable that pytest sets."""


@cache
def fork_server() -> ForkServer:
    """Return the fork server of this process, which ends with it."""
    found = ForkServer(__name__)
    atexit.register(found.close)
    return found


def warm_up() -> None:
    """Import what a broker without TLS of the monitoring pages imports."""
    from tenure.cli.serve import _import_asyncio_without_ssl

    _import_asyncio_without_ssl()
    import tenure.broker  # noqa: F401


def run(command: list[str]) -> None:
    """Run `command`, a `tenure serve`, in the child."""
    if IN_TESTS not in os.environ or command[0] != sys.executable or "--metrics-tls" in command:
        os.execv(command[0], command)
    from tenure.cli import main

    sys.orig_argv = command
    sys.argv = command[2:]
    main()
