"""Growing files: a batch's rows are written together with those of a small file, whose name the new file takes.

A plain directory has one change that every reader sees whole or not at all: a rename that replaces a file. So this is
how files are compacted here. There is no moment at which a row is in two files or in none, no file that a reader has
listed is removed, and a reader that has the old one open reads it to its end. The price is that rows are written again
until their file is large enough. Merging files that are there would need two changes, with a moment between them.

Each batch's rows stay in row groups of their own, one after the other. Spark remembers how long a file was when it
listed it, and reads the row groups whose middle lies within that; together with later rows, earlier ones would lie
beyond.

A committed file that is staged is renamed once, as a rename takes its source away. So a late
zombie finds no file that it could rename over one that has grown since.
"""

from dataclasses import dataclass, replace

import pyarrow as pa
import pyarrow.parquet

from tenure.limits.pipeline import GROWING_FILES_MAX
from tenure.pipeline.output.files import Files
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.values.manifest import Manifest, Output, digest


@dataclass(frozen=True, slots=True)
class SmallFile:
    output: Output
    groups: tuple[pa.Table, ...]
    """Rows of the file, by row group."""


def small_file(
    files: Files, layout: Layout, manifest: Manifest, side: str, directory: str, rows: pa.Table
) -> SmallFile | None:
    """Return a visible file of the lane to which these rows may be added; None if there is none.

    Readers own visible files: one that was removed or changed by others is not used.
    """
    taken = {output.final for output in manifest.outputs}
    for output in manifest.growing:
        if (output.side, output.final.rpartition("/")[0]) != (side, directory.rstrip("/")) or output.final in taken:
            continue
        try:
            data = files.read(f"{layout.directory(side)}/{output.final}")
        except FileNotFoundError:
            continue
        if digest(data) != output.digest:
            continue
        there = pyarrow.parquet.ParquetFile(pa.BufferReader(data))
        if there.schema_arrow.equals(rows.schema):
            return SmallFile(output, tuple(map(there.read_row_group, range(there.num_row_groups))))
    return None


def grown(manifest: Manifest, side: str, grow_to_bytes: int | None) -> Manifest:
    """Return the manifest with the files that may grow after it.

    These are small ones of this batch, and earlier ones that are still small.
    """
    written = [output for output in manifest.outputs if output.side == side]
    small = [output for output in written if output.size_bytes < (grow_to_bytes or 0)]
    replaced = {output.final for output in written}
    others = [
        output for output in manifest.growing if output.side != side or (grow_to_bytes and output.final not in replaced)
    ]
    return replace(manifest, growing=(*small, *others)[:GROWING_FILES_MAX])
