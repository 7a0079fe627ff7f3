"""Applications as forks of a process that has imported all modules (`tests/fork_server.py`)."""

import os
from importlib import import_module
from typing import Any

from tenure.client.net.connection import software_version
from tenure.pipeline.output.staging import installed_version
from tests.fork_server import ForkServer
from tests.pipeline.crashes.application import Orders, main


def application_server() -> ForkServer:
    return ForkServer(__name__)


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


def run(**orders: Any) -> None:
    """Run the application in the child; never return."""
    status = 1
    try:
        main(Orders(**orders))
        status = 0
    finally:
        os._exit(status)
