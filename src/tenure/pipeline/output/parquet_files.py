"""Parquet files in which a task stages the rows of an output, for every kind of sink."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import pyarrow as pa
import pyarrow.parquet

from tenure.pipeline.output.partitioning import Values, partitions

SUFFIX: Final = ".parquet"

Compression: TypeAlias = Literal["snappy", "zstd", "gzip", "none"]


@dataclass(frozen=True, slots=True)
class ParquetFiles:
    """Settings of the staged files of an output. Picklable."""

    compression: Compression = "snappy"
    """Compression of the files. Every reader of Parquet supports snappy."""
    partition_by: tuple[str, ...] = ()
    convert: Callable[[pa.Table], pa.Table] | None = None
    """Function that converts rows to types that the sink supports, before they are partitioned."""

    grow_to_bytes: int | None = None
    """Size of a file in bytes below which later batches of the lane add their rows to it; None for no growing files."""

    @property
    def takes_any_file(self) -> bool:
        """True if files that Spark wrote can be used without a conversion."""
        return self.convert is None and not self.partition_by and not self.grow_to_bytes

    def split(self, rows: pa.Table) -> Iterator[tuple[Values, pa.Table]]:
        """Yield the partition values and the rows of each file.

        Raises BadFunction if the sink cannot store the rows.
        """
        if self.convert is not None:
            rows = self.convert(rows)
        if self.partition_by:
            yield from partitions(rows, self.partition_by)
        else:
            yield (), rows

    def encode(self, *groups: pa.Table) -> pa.Buffer:
        """Return the bytes of a Parquet file, with separate row groups for each table of `groups`."""
        sink = pa.BufferOutputStream()
        with pyarrow.parquet.ParquetWriter(sink, groups[0].schema, compression=self.compression) as writer:
            for rows in groups:
                writer.write_table(rows)
        return sink.getvalue()
