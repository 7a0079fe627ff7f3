"""Publishing of committed output. All steps are idempotent.

A task stages durable files for every sink. After a commit that names them, the sink's publisher makes their rows
visible: by renaming files in a directory, or by a transaction of a database. The owner of the lane finishes the
publications of an earlier owner, before it plans the next batch. A fenced owner may do the same work at the same time.
Therefore a publisher publishes only the output that its manifest lists. It does nothing if this batch, or a later batch
of the lane, is already published.
"""

from collections.abc import Mapping, Sequence
from typing import Final, Protocol

import pyarrow as pa
import pyarrow.parquet

from tenure.pipeline.errors import Code, PipelineStopped
from tenure.pipeline.output.files import Files
from tenure.pipeline.output.head_file import head_sequence, write_head
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.values.manifest import Manifest, Output, Pointer
from tenure.pipeline.values.stager import DeadLetters
from tenure.plural import format_count


class Publisher(Protocol):
    """Publisher of one sink. The owner of a lane calls it in the driver, from several threads for different lanes."""

    def publish(self, files: Files, layout: Layout, manifest: Manifest, outputs: Sequence[Output]) -> list[str]:
        """Make the rows of the committed `manifest` for this sink visible. `outputs` may be empty.

        Returns:
            Paths of the visible files, or one text such as "12 rows of flights" for a sink that stores rows.

        Raises:
            SinkFailed: The sink failed temporarily.
            PipelineStopped: A person has to fix the cause before a retry can succeed.

        After an error the method is called again, perhaps by another process.
        """

    def close(self) -> None:
        """Close connections and other resources of the sink."""


Publishers = Mapping[str, Publisher]
"""Publishers by the name of their output; "" is the main output."""


class DirectoryPublisher:
    """Publisher of a directory, which renames committed files to their visible names."""

    def publish(self, files: Files, layout: Layout, manifest: Manifest, outputs: Sequence[Output]) -> list[str]:
        return rename_into(files, layout, manifest, outputs)

    def close(self) -> None:
        """Do nothing: a directory has no open resources."""


DIRECTORY: Final[Publishers] = {"": DirectoryPublisher()}


def publish(
    files: Files,
    layout: Layout,
    manifest: Manifest,
    pointer: Pointer,
    dead_letters: DeadLetters | None = None,
    publishers: Publishers = DIRECTORY,
) -> list[str]:
    """Publish all outputs of a committed manifest, and write its HEAD file last.

    Returns:
        Paths of the published files. For a sink that stores rows, one text for all rows, such as "12 rows of flights".

    Raises:
        SinkFailed: A sink failed; a retry may succeed.
        PipelineStopped: A person has to fix the cause before a retry can succeed.
    """
    _check_declared(manifest, publishers)
    try:
        visible = _published(files, layout, manifest, publishers)
    except PipelineStopped as stopped:
        if stopped.code is Code.OUTPUT_MISSING and head_sequence(files, layout, manifest.lane) >= manifest.sequence:
            return []  # The lane's next owner has published this batch, or a later one, and swept the staged files.
        raise
    if manifest.dead_letters is not None:
        if dead_letters is None:
            raise _nowhere_to_send(manifest)
        directory = layout.state_directory(manifest.lane)
        dead_letters.send(manifest, files.read(f"{directory}/{manifest.dead_letters.name}"))
    write_head(files, layout, manifest, pointer)
    return visible


def _published(files: Files, layout: Layout, manifest: Manifest, publishers: Publishers) -> list[str]:
    visible: list[str] = []
    for side, publisher in publishers.items():
        outputs = [output for output in manifest.outputs if output.side == side]
        visible += publisher.publish(files, layout, manifest, outputs)
    return visible


def rename_into(files: Files, layout: Layout, manifest: Manifest, outputs: Sequence[Output]) -> list[str]:
    """Rename staged files to their visible names, and sync. Return the new paths.

    Raises PipelineStopped with OUTPUT_MISSING if a file is gone.
    """
    paths = [_rename(files, layout, manifest, output) for output in outputs]
    changed = {path.rpartition("/")[0] for path in paths}
    staged = {layout.staged_directory(manifest.lane, output.side) for output in outputs}
    for directory in (*sorted(changed), *sorted(staged)):
        files.sync_directory(directory)
    return paths


def _rename(files: Files, layout: Layout, manifest: Manifest, output: Output) -> str:
    staged = layout.staged(manifest.lane, output.side, output.staged)
    final = f"{layout.directory(output.side)}/{output.final}"
    if "/" in output.final:
        files.make_directory(final.rpartition("/")[0])
    if not files.rename(staged, final):
        size = files.size(final)
        # A smaller file with this name is the growing file that the staged file had to replace.
        if size is None or (output.earlier_rows and size < output.size_bytes):
            raise output_missing(manifest, output, staged)
    return final


def staged_rows(files: Files, layout: Layout, manifest: Manifest, outputs: Sequence[Output]) -> pa.Table:
    """Return the staged rows of all these outputs as one table, for a sink that writes rows instead of files.

    Raises PipelineStopped with OUTPUT_MISSING if a staged file is gone.
    """
    tables = [_staged_rows(files, layout, manifest, output) for output in outputs]
    return pa.concat_tables(tables, promote_options="default")


def rows_text(outputs: Sequence[Output]) -> str:
    """Return the number of rows of these outputs as text: "12 rows"."""
    return format_count(sum(output.rows for output in outputs), "row")


def _staged_rows(files: Files, layout: Layout, manifest: Manifest, output: Output) -> pa.Table:
    staged = layout.staged(manifest.lane, output.side, output.staged)
    try:
        return pyarrow.parquet.read_table(pa.BufferReader(files.read(staged)))
    except FileNotFoundError:
        raise output_missing(manifest, output, staged) from None


def output_missing(manifest: Manifest, output: Output, staged: str) -> PipelineStopped:
    return PipelineStopped(
        Code.OUTPUT_MISSING,
        f"the committed output file {output.final} of lane {manifest.lane} is missing, also where it was staged"
        f" ({staged}): restore it, or reset the group to an offset before its records and run once with"
        ' on_disagreement="trust-offsets"',
        manifest.lane,
    )


def _check_declared(manifest: Manifest, publishers: Publishers) -> None:
    unknown = sorted({output.side for output in manifest.outputs} - set(publishers))
    if unknown:
        raise PipelineStopped(
            Code.OUTPUT_UNDECLARED,
            f"rows of lane {manifest.lane} for the side output '{unknown[0]}' are committed but not published yet:"
            " run the pipeline once with that output declared",
            manifest.lane,
        )


def _nowhere_to_send(manifest: Manifest) -> PipelineStopped:
    return PipelineStopped(
        Code.DEAD_LETTERS_UNSENT,
        f"{manifest.bad_records} bad records of lane {manifest.lane} are committed but not sent to a dead-letter"
        " topic yet: run the pipeline once with that topic set",
        manifest.lane,
    )
