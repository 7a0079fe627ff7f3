"""Publish a committed batch to an Iceberg table, in a process that kills itself (kill -9) during the commit.

python -m tests.spark.sinks.killed_publisher BATCH MOMENT

BATCH is a file with the pickled sink, files, layout and manifest. MOMENT is "data written" (rows are in files that no
metadata name), "metadata written" (the catalog does not name the new metadata), or "committed".
"""

import os
import pickle
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pyiceberg.catalog.sql import SqlCatalog


def main(batch: str, moment: str) -> None:
    sink, files, layout, manifest = pickle.loads(Path(batch).read_bytes())
    sink.location().load_or_create(staged_schema(files, layout, manifest))
    if moment == "data written":
        SqlCatalog.commit_table = before(SqlCatalog.commit_table)  # type: ignore[method-assign]
    elif moment == "metadata written":
        SqlCatalog._write_metadata = staticmethod(after(SqlCatalog._write_metadata))  # type: ignore[method-assign]
    else:
        SqlCatalog.commit_table = after(SqlCatalog.commit_table)  # type: ignore[method-assign]
    sink.publisher("").publish(files, layout, manifest, manifest.outputs)


def staged_schema(files: Any, layout: Any, manifest: Any) -> Any:
    """Return the columns of the staged rows, so that the kill does not hit the creation of the table."""
    from tenure.pipeline.output.publish import staged_rows

    return staged_rows(files, layout, manifest, manifest.outputs).schema


def before(_: Callable[..., Any]) -> Callable[..., Any]:
    def killed(*_: Any, **__: Any) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    return killed


def after(function: Callable[..., Any]) -> Callable[..., Any]:
    def killed(*arguments: Any, **named: Any) -> None:
        function(*arguments, **named)
        os.kill(os.getpid(), signal.SIGKILL)

    return killed


if __name__ == "__main__":
    main(*sys.argv[1:])
