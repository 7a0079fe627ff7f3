"""Growing files: small files that are replaced by larger ones, so that small batches do not leave many small files.

A batch writes one new file with the rows of a small visible file and its own rows. Publishing renames the new file to
the name of the small one. Such a rename is the only atomic change of a plain directory. At every moment each row is in
exactly one file. No file that a reader has listed disappears, and a reader that has the old file open can read it to
the end. The cost is that rows are written again until their file is large enough. Merging existing files would need two
changes, and a reader could run between them.

The rows of each batch keep their own row groups, in the order of the batches. Spark stores the file's length when it
lists the file. Later it reads the row groups whose middle lies within this length, perhaps from a larger file with the
same name. If row groups were merged, the middle of the merged group could lie beyond the old length, and Spark would
miss rows that were visible when it listed the file.

A committed file is renamed only once, because the rename removes the staged file. So a late zombie has no staged file
with which it could overwrite a newer growing file.
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


def with_growing_files(manifest: Manifest, side: str, grow_to_bytes: int | None) -> Manifest:
    """Return the manifest with the list of files to which later batches may add rows.

    The list has the small files of this batch, and the small files of earlier batches that this batch did not replace.
    """
    written = [output for output in manifest.outputs if output.side == side]
    small = [output for output in written if output.size_bytes < (grow_to_bytes or 0)]
    replaced = {output.final for output in written}
    others = [
        output for output in manifest.growing if output.side != side or (grow_to_bytes and output.final not in replaced)
    ]
    return replace(manifest, growing=(*small, *others)[:GROWING_FILES_MAX])
