"""Tables that a pipeline's workers load once and then have at hand."""

import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

import pyarrow as pa

from tenure.pipeline.errors import PipelineConfigError

_loaded: dict[str, tuple[object, pa.Table]] = {}
"""Of this process, by the table's token: what it was loaded from, and it."""

SUFFIXES = (".parquet", ".csv", ".arrow", ".feather")


@dataclass(frozen=True, slots=True)
class StaticTable:
    """A table that does not change while a pipeline runs: a file, a directory of Parquet files, or what a function
    returns. Each worker loads it once, and a file again when it was replaced; the batches after that see the new one.

        planes = StaticTable("planes.parquet")
        process=join_static(planes, on="tailnum")

    A function of the pipeline may have it, too: `planes()` is a `pyarrow.Table`.
    """

    source: str | Callable[[], pa.Table]
    token: str = field(default_factory=lambda: secrets.token_hex(8), repr=False)

    def __post_init__(self) -> None:
        if not callable(self.source) and not (isinstance(self.source, str) and self.source):
            raise PipelineConfigError(
                f"A static table must be a path or a function that returns a table, not {self.source!r}."
            )
        if isinstance(self.source, str):
            object.__setattr__(self, "source", os.path.abspath(self.source))

    def __call__(self) -> pa.Table:
        stamp = None if callable(self.source) else file_version(self.source)
        known = _loaded.get(self.token)
        if known is None or known[0] != stamp:
            known = _loaded[self.token] = (stamp, self.source() if callable(self.source) else read_table(self.source))
        return known[1]


def file_version(path: str) -> tuple[int, int]:
    status = os.stat(path)
    return status.st_mtime_ns, status.st_size


def read_table(path: str) -> pa.Table:
    import pyarrow.dataset

    form = os.path.splitext(path)[1].removeprefix(".")
    return (
        pyarrow.dataset.dataset(path, format=form if f".{form}" in SUFFIXES else "parquet").to_table().combine_chunks()
    )
