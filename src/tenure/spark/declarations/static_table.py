"""Static tables: loaded once by each worker."""

import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

import pyarrow as pa

from tenure.pipeline.errors import PipelineConfigError

_loaded: dict[str, tuple[object, pa.Table]] = {}
"""Tables that this process has loaded, by `StaticTable.token`, each with the version of the file that was loaded."""

SUFFIXES = (".parquet", ".csv", ".arrow", ".feather")


@dataclass(frozen=True, slots=True)
class StaticTable:
    """Table from a file, a directory or a function, which a pipeline joins with its rows.

    Example: `join_static(StaticTable("planes.parquet"), on="tailnum")`. The pipeline's function can also call the
    table: `planes = StaticTable(…)`, then `planes()` returns a pyarrow.Table. Each worker loads the table on
    first use. It loads a file again only after the file was replaced.
    """

    source: str | Callable[[], pa.Table]
    """Path of a file or of a directory of Parquet files, or a function that returns a pyarrow.Table."""
    token: str = field(default_factory=lambda: secrets.token_hex(8), repr=False)

    def __post_init__(self) -> None:
        if not callable(self.source) and not (isinstance(self.source, str) and self.source):
            raise PipelineConfigError(
                f"A static table must be a path or a function that returns a table, not {self.source!r}."
            )
        if isinstance(self.source, str):
            object.__setattr__(self, "source", os.path.abspath(self.source))

    def __call__(self) -> pa.Table:
        """Return the table. The first call in a process loads it."""
        stamp = None if callable(self.source) else file_version(self.source)
        known = _loaded.get(self.token)
        if known is None or known[0] != stamp:
            known = _loaded[self.token] = (stamp, self.source() if callable(self.source) else read_table(self.source))
        return known[1]


def file_version(path: str) -> tuple[int, int]:
    """Return the version of a file: its modification time in ns, and its size in bytes."""
    status = os.stat(path)
    return status.st_mtime_ns, status.st_size


def read_table(path: str) -> pa.Table:
    """Read a file, or a directory of Parquet files, as one table. The suffix of a file determines its format."""
    import pyarrow.dataset

    form = os.path.splitext(path)[1].removeprefix(".")
    return (
        pyarrow.dataset.dataset(path, format=form if f".{form}" in SUFFIXES else "parquet").to_table().combine_chunks()
    )
