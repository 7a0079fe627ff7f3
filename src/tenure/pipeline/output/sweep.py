"""Removal of files that no future commit can name.

Only a lane's owner removes files. The age of a file plays no role.

A commit can name a file as long as the file's writer is not fenced. So the owner first lists the lane's files. Then it
plans and commits a batch with the same identity as at the time of the listing. If this commit is accepted, no later
commit can name the listed files, for two reasons:

- The accepted commit proves that this identity was not fenced after the listing. Each listed file was written under
  this identity or an older one (an older generation, or an older member id of the same seat). Older identities are
  fenced for ever, because neither a generation nor a member id is used again.
- If this identity wrote a listed file and did not commit it, it has given up the batch of the file: a lane has one
  batch at a time, and the listing is made between two batches. A task of that batch may still run, but no manifest
  names the files that it writes.

Files of the previous manifest need no listing. They are removed unless the new manifest also names them. Among these
files are the staged files of a sink without a directory, such as a database, which has stored their rows. In a
directory, staged files were renamed when they were published.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from tenure.pipeline.output.files import Files
from tenure.pipeline.output.layout import Layout
from tenure.pipeline.values.lanes import Lane, Writer
from tenure.pipeline.values.manifest import Manifest, Output


@dataclass(frozen=True, slots=True)
class Listing:
    """Files in a lane's directories, which `writer` listed between two batches."""

    writer: Writer
    paths: frozenset[str]


def list_lane(files: Files, layout: Layout, lane: Lane, writer: Writer) -> Listing:
    directories = (layout.state_directory(lane), *layout.staged_directories(lane))
    return Listing(writer, frozenset(f"{at}/{name}" for at in directories for name in files.names(at)))


def removable(layout: Layout, committed: Manifest, superseded: Manifest | None, listing: Listing | None) -> list[str]:
    """Return the paths that no later commit can name, after `committed` was accepted and published.

    `superseded` is the manifest before `committed`. `listing` is used only if it was made under the identity of the
    commit. Files of an unfinished snapshot are kept.
    """
    paths: set[str] = set()
    if superseded is not None:
        paths |= _beside_state(layout, superseded)
        paths |= _staged(
            layout, superseded, (out for out in superseded.outputs if not layout.publishes_by_rename(out.side))
        )
    if listing is not None and listing.writer == committed.writer:
        paths |= listing.paths
    paths -= _beside_state(layout, committed) | _staged(layout, committed, committed.outputs)
    awaited = f"{layout.state_directory(committed.lane)}/{committed.state.awaits}.snapshot."
    return sorted(path for path in paths if not path.startswith(awaited))


def remove(files: Files, paths: Iterable[str]) -> list[str]:
    """Remove files, and return those that existed. No sync: a file that reappears after a crash is removed later."""
    return [path for path in paths if files.remove(path)]


def _beside_state(layout: Layout, manifest: Manifest) -> set[str]:
    directory = layout.state_directory(manifest.lane)
    names = {f"{directory}/{name}" for name in manifest.state_names | manifest.state.awaited_names}
    return names | {layout.head(manifest.lane, manifest.sequence)}


def _staged(layout: Layout, manifest: Manifest, outputs: Iterable[Output]) -> set[str]:
    return {layout.staged(manifest.lane, output.side, output.staged) for output in outputs}
