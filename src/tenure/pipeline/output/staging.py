"""Staging of the results of a batch.

Files with unique names are made durable first, and the manifest that lists them second. Two callers use this module:
the task of a bundle, and the driver of a pipeline with `transform`, for the files that Spark has written.
"""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version

import pyarrow as pa

from tenure.pipeline.errors import BadFunction
from tenure.pipeline.output.files import Files
from tenure.pipeline.output.layout import Layout, final_name
from tenure.pipeline.output.parquet_files import SUFFIX, ParquetFiles
from tenure.pipeline.output.partitioning import directory_of
from tenure.pipeline.output.small_files import small_file, with_growing_files
from tenure.pipeline.values.manifest import Manifest, Output, Pointer, StateFile, digest, encode
from tenure.pipeline.values.plan import Bundle, LanePlan
from tenure.pipeline.values.stager import Staged


def begin_manifest(layout: Layout, bundle: Bundle, plan: LanePlan, manifest_id: str) -> Manifest:
    """Return the initial manifest of a lane's batch: without output, with the state before the batch."""
    return Manifest(
        id=manifest_id,
        group=layout.group,
        lane=plan.lane,
        sequence=plan.sequence,
        ranges=plan.ranges,
        partition_count=plan.partition_count,
        writer=bundle.writer,
        run_id=bundle.run_id,
        state=plan.state,
        previous=None if plan.previous is None else str(plan.previous),
        version=installed_version(),
        first=plan.line,
        growing=plan.growing,
    )


def prepare(files: Files, layout: Layout, manifest: Manifest) -> None:
    """Create the lane's directories."""
    for directory in (layout.state_directory(manifest.lane), *layout.staged_directories(manifest.lane)):
        files.make_directory(directory)


def check_declared(outputs: Iterable[str], sinks: Iterable[str]) -> None:
    if unknown := sorted(set(outputs) - set(sinks)):
        known = ", ".join(repr(side) for side in sinks if side) or "none"
        raise BadFunction(
            f"the function returned rows for the unknown side output '{unknown[0]}' (known: {known}):"
            f" declare it with side={{'{unknown[0]}': …}}"
        )


def stage_rows(
    files: Files, layout: Layout, manifest: Manifest, side: str, sink: ParquetFiles, rows: pa.Table
) -> Manifest:
    """Write the rows of an output into one file, or into one file for each partition value of its sink.

    Returns the manifest with these files.
    """
    for values, part in sink.split(rows):
        directory = directory_of(values)
        small = small_file(files, layout, manifest, side, directory, part) if sink.grow_to_bytes else None
        if small is None:
            data = memoryview(sink.encode(part))
            manifest = stage_output(files, layout, manifest, data, len(part), side, directory)
        else:
            data = memoryview(sink.encode(*small.groups, part))
            manifest = stage_output(files, layout, manifest, data, len(part), side, directory, small.output)
    return with_growing_files(manifest, side, sink.grow_to_bytes)


def stage_output(
    files: Files,
    layout: Layout,
    manifest: Manifest,
    data: bytes | memoryview,
    rows: int,
    side: str = "",
    directory: str = "",
    instead_of: Output | None = None,
) -> Manifest:
    """Write a staged file, and return the manifest with this file.

    Publishing moves the file to `directory`, below the sink. If a visible file is given as `instead_of`, publishing
    replaces it by the new file. `data` then contains the rows of both, and `rows` is the number of new rows.
    """
    part = len(manifest.outputs)
    final = f"{directory}{final_name(manifest.lane, manifest.ranges, manifest.id, part, SUFFIX)}"
    output = Output(
        staged=f"{manifest.id}-{part}{SUFFIX}",
        final=final if instead_of is None else instead_of.final,
        size_bytes=len(data),
        rows=rows,
        digest=digest(data),
        side=side,
        earlier_rows=0 if instead_of is None else instead_of.earlier_rows + instead_of.rows,
    )
    files.write(layout.staged(manifest.lane, side, output.staged), data)
    return replace(manifest, outputs=(*manifest.outputs, output))


def stage_beside_state(
    files: Files, layout: Layout, manifest: Manifest, kind: str, data: bytes | memoryview, rows: int
) -> StateFile:
    """Write a file to the lane's state directory, and return its entry for the manifest.

    `kind` is "delta" for state, or "letters" for bad records.
    """
    file = StateFile(f"{manifest.id}.{kind}.arrow", len(data), rows, digest(data))
    files.write(f"{layout.state_directory(manifest.lane)}/{file.name}", data)
    return file


def seal(files: Files, layout: Layout, manifest: Manifest) -> Staged:
    """Sync the staged files, then write and sync the manifest that lists them. After that the batch can be committed.

    Because of this order, a manifest never exists before its staged files, even after a power failure. So if the staged
    files are missing, the batch was published (`head_file.py`).
    """
    for directory in sorted({layout.staged_directory(manifest.lane, output.side) for output in manifest.outputs}):
        files.sync_directory(directory)
    data = encode(manifest)
    files.write(layout.manifest(manifest.lane, manifest.id), data)
    files.sync_directory(layout.state_directory(manifest.lane))
    return Staged(manifest, Pointer(manifest.id, digest(data)))


@cache
def installed_version() -> str:
    """Return Tenure's version; empty if Tenure is not installed as a package. Cached, because it takes milliseconds."""
    try:
        return version("tenure")
    except PackageNotFoundError:
        return ""
