"""Programs of tests that use `tenure.client`, as forks of a process that has imported it."""

import atexit
import runpy
import sys
from functools import cache
from importlib import import_module

from tests.fork_server import ForkServer

MESSAGES = (
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
"""Messages of consumers and producers."""


@cache
def client_server() -> ForkServer:
    """Return the fork server of this process, which ends with it. Its calls have a `command`."""
    found = ForkServer(__name__)
    atexit.register(found.close)
    return found


def warm_up() -> None:
    """Import what clients import, at their start and later."""
    from tenure.client import ClientError, Consumer, Producer  # noqa: F401

    import_messages()


def import_messages() -> None:
    """Import the encoders and decoders, which a client imports with its first request of each kind."""
    for message in MESSAGES:
        for side in ("readers", "writers"):
            import_module(f"tenure.protocol.generated.{side}.{message}")


def run(command: list[str]) -> None:
    """Run `command`, which is `python -m MODULE ARGUMENTS`, in the child."""
    sys.argv = command[2:]
    runpy.run_module(command[2], run_name="__main__")
