"""Sinks: how a run's output becomes bytes of a file."""

from dataclasses import dataclass
from typing import Literal, Protocol

import pyarrow as pa
import pyarrow.parquet


class Sink(Protocol):
    """Picklable."""

    @property
    def suffix(self) -> str: ...

    def encode(self, rows: pa.Table) -> pa.Buffer: ...


@dataclass(frozen=True, slots=True)
class ParquetFiles:
    compression: Literal["snappy", "zstd", "gzip", "none"] = "snappy"
    """Snappy is what every reader of Parquet has."""

    @property
    def suffix(self) -> str:
        return ".parquet"

    def encode(self, rows: pa.Table) -> pa.Buffer:
        sink = pa.BufferOutputStream()
        pyarrow.parquet.write_table(rows, sink, compression=self.compression)
        return sink.getvalue()
