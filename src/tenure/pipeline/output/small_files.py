"""Growing files: a batch's rows are written together with the rows of a small file, whose name the new file gets.

A plain directory has only one atomic change: a rename that replaces a file. Therefore files are compacted by
replacement. At every moment each row is in exactly one file. No file that a reader has listed disappears, and a reader
that has the old file open can read it to the end. The cost is that rows are written again until their file is large
enough. Merging existing files would need two changes, and a reader could run between them.

The rows of each batch keep their own row groups, in the order of the batches. Spark stores the file's length when it
lists the file, and reads the row groups whose middle lies within this length. In a merged row group, rows that were
visible before could lie beyond it.

A staged file that is committed is renamed only once, because the rename removes its source. So a zombie that is late
has no file with which it could overwrite a newer growing file.
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
    """Return a visible file of the lane to which these rows can be added; None if there is none.

    A file that a reader has removed or changed is not used, because visible files belong to their readers.
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
    """Return the manifest with the list of files that may grow in later batches.

    These are small files of this batch, and earlier ones that are still small.
    """
    written = [output for output in manifest.outputs if output.side == side]
    small = [output for output in written if output.size_bytes < (grow_to_bytes or 0)]
    replaced = {output.final for output in written}
    others = [
        output for output in manifest.growing if output.side != side or (grow_to_bytes and output.final not in replaced)
    ]
    return replace(manifest, growing=(*small, *others)[:GROWING_FILES_MAX])
