"""Removal of files that no future commit can name.

Only a lane's owner sweeps. It does not use the age of files.

A file may still be named as long as its writer can pass the fence. So the owner lists the lane's files first, and
removes them only after a commit of its own, planned under the identity that it listed under, has been accepted:

- The commit proves that this identity held the seat after the listing. Each file of the listing was written under an
  identity that existed before. That is an older generation, an older member id of this very seat, or this identity
  itself; a later one would have fenced the commit. The older ones are fenced for good, since neither a generation nor a
  member id comes back.
- What this identity wrote itself and has not committed, it has given up: a lane has one batch at a time, and the
  listing is made between two batches. Attempts of a task that are still running write files that no later manifest
  names.

What a commit supersedes needs no listing: files of the manifest before, unless the new one names them too. Its output
was renamed, or handed over by a sink that has no directory; then it lies where it was staged.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from tenure.pipeline.output.files import Files
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.values.lanes import Lane, Writer
from tenure.pipeline.values.manifest import Manifest, Output


@dataclass(frozen=True, slots=True)
class Listing:
    """Files in a lane's directories between two of its batches, listed by `writer`."""

    writer: Writer
    paths: frozenset[str]


def list_lane(files: Files, layout: Layout, lane: Lane, writer: Writer) -> Listing:
    directories = (layout.state_directory(lane), *layout.staged_directories(lane))
    return Listing(writer, frozenset(f"{at}/{name}" for at in directories for name in files.names(at)))


def removable(layout: Layout, committed: Manifest, superseded: Manifest | None, listing: Listing | None) -> list[str]:
    """Return the paths that no commit can name once `committed` was accepted and published: its HEAD exists.

    A listing under another identity than that of the commit is ignored. Files of a snapshot that is still being written
    stay.
    """
    paths: set[str] = set()
    if superseded is not None:
        paths |= _beside_state(layout, superseded)
        paths |= _staged(layout, superseded, (out for out in superseded.outputs if not layout.is_visible(out.side)))
    if listing is not None and listing.writer == committed.writer:
        paths |= listing.paths
    paths -= _beside_state(layout, committed) | _staged(layout, committed, committed.outputs)
    awaited = f"{layout.state_directory(committed.lane)}/{committed.state.awaits}.snapshot."
    return sorted(path for path in paths if not path.startswith(awaited))


def remove(files: Files, paths: Iterable[str]) -> list[str]:
    """Remove files, and return those that existed. Not synced: a file that a crash restores is swept later."""
    return [path for path in paths if files.remove(path)]


def _beside_state(layout: Layout, manifest: Manifest) -> set[str]:
    directory = layout.state_directory(manifest.lane)
    names = {f"{directory}/{name}" for name in manifest.state_names | manifest.state.awaited_names}
    return names | {layout.head(manifest.lane, manifest.sequence)}


def _staged(layout: Layout, manifest: Manifest, outputs: Iterable[Output]) -> set[str]:
    return {layout.staged(manifest.lane, output.side, output.staged) for output in outputs}
