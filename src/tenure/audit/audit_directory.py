"""Directory of an audit, with its tables, report and state: a local or mounted directory, or a URL of a store."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet

from tenure.audit.tables import AuditTable
from tenure.pipeline.output.files import Files, absolute, is_url
from tenure.pipeline.output.fsspec_files import files_for

STATE_DIRECTORY: Final = "_audit"
"""Directory below the output with state, manifests and positions; readers of Parquet skip its name."""


@dataclass(frozen=True, slots=True)
class AuditDirectory:
    """Access to the files of an audit. The arguments `names` are the parts of a path below the directory."""

    location: str
    """Absolute path or URL, without a slash at its end."""
    files: Files = field(repr=False)
    storage_options: Mapping[str, Any] | None = field(default=None, repr=False)
    """fsspec's options for a URL. They may contain secrets."""

    @classmethod
    def at(cls, location: str | Path, storage_options: Mapping[str, Any] | None = None) -> "AuditDirectory":
        """Return the access to a local directory or a URL, which does not have to exist.

        `storage_options` are fsspec's options for a URL.
        """
        absolute_location = absolute(str(location))
        return cls(absolute_location, files_for(absolute_location, options=storage_options), storage_options)

    @property
    def is_url(self) -> bool:
        return is_url(self.location)

    def path(self, *names: str) -> str:
        """Return the path or URL of a file or directory."""
        return "/".join((self.location, *names))

    def has(self, *names: str) -> bool:
        """Return whether a file exists."""
        return self.files.size(self.path(*names)) is not None

    def names(self, *names: str) -> list[str]:
        """Return the names in a directory; empty if it does not exist."""
        return self.files.names(self.path(*names))

    def read(self, *names: str) -> bytes:
        """Return the content of a file. Raises FileNotFoundError."""
        return self.files.read(self.path(*names))

    def write(self, data: bytes | memoryview, *names: str) -> None:
        """Write a file. It atomically replaces an earlier file with the same name."""
        self.files.make_directory(self.path(*names[:-1]))
        self.files.write(self.path(*names), data)

    def remove(self, *names: str) -> None:
        """Remove a file, if it exists."""
        self.files.remove(self.path(*names))

    def write_table(self, table: AuditTable, rows: "Iterable[tuple[Any, ...]] | pa.Table", name: str) -> None:
        """Write a file of a table. It atomically replaces an earlier file with the same name."""
        if not isinstance(rows, pa.Table):
            columns = list(zip(*rows, strict=True)) or [()] * len(table.columns)
            rows = pa.table([pa.array(column) for column in columns], names=table.schema.names).cast(table.schema)
        data = pa.BufferOutputStream()
        pyarrow.parquet.write_table(rows, data)
        self.write(memoryview(data.getvalue()), table.name, f"{name}.parquet")
