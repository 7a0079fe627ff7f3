"""Applications as forks of a process that has imported all modules (`tests/fork_server.py`)."""

import os
from importlib import import_module
from typing import Any

from tenure.client.net.connection import software_version
from tenure.pipeline.output.staging import installed_version
from tests.fork_server import ForkServer
from tests.forked_client import import_messages
from tests.pipeline.crashes.application import ApplicationSettings, main


def application_server() -> ForkServer:
    return ForkServer(__name__)


def warm_up() -> None:
    """Import the modules and fill the caches that the applications need."""
    import_messages()
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


def run(**settings: Any) -> None:
    """Run the application in the child; never return."""
    status = 1
    try:
        main(ApplicationSettings(**settings))
        status = 0
    finally:
        os._exit(status)
