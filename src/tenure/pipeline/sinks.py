"""How an output's rows become files in a task, whichever sink they go to: Parquet, which all of them can read."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import pyarrow as pa
import pyarrow.parquet

from tenure.pipeline.partitioning import Values, partitions

SUFFIX: Final = ".parquet"

Compression: TypeAlias = Literal["snappy", "zstd", "gzip", "none"]


@dataclass(frozen=True, slots=True)
class ParquetFiles:
    """Picklable."""

    compression: Compression = "snappy"
    """Snappy is what every reader of Parquet has."""
    partition_by: tuple[str, ...] = ()
    convert: Callable[[pa.Table], pa.Table] | None = None
    """To columns that the sink knows; before partitioning."""

    grow_to_bytes: int | None = None
    """A file that is smaller is added to by the lane's next run."""

    @property
    def takes_any_file(self) -> bool:
        """Whether a file that somebody else has written will do as it is."""
        return self.convert is None and not self.partition_by and not self.grow_to_bytes

    def split(self, rows: pa.Table) -> Iterator[tuple[Values, pa.Table]]:
        """What goes into files of their own. Raises BadFunction where the rows are not what the sink needs."""
        if self.convert is not None:
            rows = self.convert(rows)
        if self.partition_by:
            yield from partitions(rows, self.partition_by)
        else:
            yield (), rows

    def encode(self, *groups: pa.Table) -> pa.Buffer:
        """Each in row groups of its own."""
        sink = pa.BufferOutputStream()
        with pyarrow.parquet.ParquetWriter(sink, groups[0].schema, compression=self.compression) as writer:
            for rows in groups:
                writer.write_table(rows)
        return sink.getvalue()
