"""HEAD files: HEAD-<sequence> in the state directory contains the pointer of a lane's last published batch.

The group's committed offset determines the position of a lane. If the group's offsets have expired or were reset, the
HEAD file shows the position before that. A HEAD file is written after all output of its manifest is visible. So a
manifest with a higher sequence than the newest HEAD file may have unpublished output.
"""

from typing import Final, TypeAlias

from tenure.pipeline.errors import Code, PipelineStopped, state_damaged, state_missing
from tenure.pipeline.output.files import Files
from tenure.pipeline.output.layout import HEAD, MANIFEST, Layout
from tenure.pipeline.values.lanes import Lane
from tenure.pipeline.values.manifest import BadManifest, BadPointer, Manifest, Pointer, decode, parse_pointer

Head: TypeAlias = tuple[Pointer, Manifest]

ATTEMPTS: Final = 5
"""Number of attempts to read a lane whose pipeline is running: the pipeline may sweep old files between the read of a
HEAD and the read of the files that it names."""


def write_head(files: Files, layout: Layout, manifest: Manifest, pointer: Pointer) -> None:
    files.write(layout.head(manifest.lane, manifest.sequence), f"{pointer}\n".encode())
    files.sync_directory(layout.state_directory(manifest.lane))


def head_sequence(files: Files, layout: Layout, lane: Lane) -> int:
    """Return the sequence of the lane's newest HEAD file; 0 if there is none."""
    return max((_sequence(name) for name in files.names(layout.state_directory(lane))), default=0)


def read_head(files: Files, layout: Layout, lane: Lane) -> Head | None:
    """Return the newest HEAD and its manifest; None if no batch of the lane was published.

    Raises:
        PipelineStopped: The newest HEAD or its manifest is missing or damaged (STATE_MISSING, STATE_DAMAGED). An older
            HEAD is not used instead, because it has an earlier position.
    """
    for attempt in range(ATTEMPTS):
        sequence = head_sequence(files, layout, lane)
        try:
            if sequence:
                return _follow(files, layout, lane, sequence)
            _check_unpublished(files, layout, lane)
            break
        except PipelineStopped:
            has_gone_on = head_sequence(files, layout, lane) != sequence
            if attempt == ATTEMPTS - 1 or not has_gone_on:
                raise
    return None


def _follow(files: Files, layout: Layout, lane: Lane, sequence: int) -> Head:
    head = layout.head(lane, sequence)
    try:
        pointer = parse_pointer(files.read(head).decode().strip())
    except FileNotFoundError:
        raise state_missing(lane, head) from None
    except (UnicodeDecodeError, BadPointer):
        raise state_damaged(lane, head) from None
    if pointer is None:
        raise state_damaged(lane, head)
    path = layout.manifest(lane, pointer.manifest_id)
    try:
        return pointer, decode(files.read(path), pointer)
    except FileNotFoundError:
        raise state_missing(lane, path) from None
    except BadManifest:
        raise state_damaged(lane, path) from None


def _check_unpublished(files: Files, layout: Layout, lane: Lane) -> None:
    """Raise STATE_MISSING if a manifest shows that the lane had a HEAD file. Call this if it has none."""
    directory = layout.state_directory(lane)
    for name in files.names(directory):
        if name.endswith(MANIFEST) and _was_published(files, layout, f"{directory}/{name}", lane):
            raise PipelineStopped(
                Code.STATE_MISSING,
                f"the state directory of lane {lane} has manifests but no HEAD file ({directory}): restore the"
                " file, or start the pipeline, which writes the file again if the group still has committed offsets;"
                ' with on_disagreement="trust-offsets", it continues from the committed offset with empty state',
                lane,
            )


def _was_published(files: Files, layout: Layout, path: str, lane: Lane) -> bool:
    """Return whether the manifest shows that a batch of the lane was published.

    If the manifest names a previous manifest, the batch of the previous one was published before this batch was
    planned. If an output file of this batch is no longer staged, this batch was published, at least in part.
    """
    try:
        manifest = decode(files.read(path))
    except FileNotFoundError:  # The pipeline has swept the manifest meanwhile.
        return False
    except BadManifest:
        raise state_damaged(lane, path) from None
    visible = [output for output in manifest.outputs if layout.publishes_by_rename(output.side)]
    return manifest.previous is not None or any(
        files.size(layout.staged(lane, output.side, output.staged)) is None for output in visible
    )


def _sequence(name: str) -> int:
    number = name.removeprefix(HEAD)
    return int(number) if name.startswith(HEAD) and number.isdecimal() else 0
