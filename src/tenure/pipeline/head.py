"""HEAD-<sequence>: the pointer once more, beside the state.

The group's committed offset decides; the HEAD is a witness. It is written when everything of its manifest is visible,
so a manifest whose sequence is above the HEAD's may still have output to publish. And where the group's offsets
expired or were reset, it tells what they were.
"""

from tenure.pipeline.files import Files
from tenure.pipeline.lanes import Lane
from tenure.pipeline.layout import HEAD, Layout
from tenure.pipeline.manifest import BadManifest, BadPointer, Manifest, Pointer, decode, parse_pointer


def write_head(files: Files, layout: Layout, manifest: Manifest, pointer: Pointer) -> None:
    files.write(layout.head(manifest.lane, manifest.sequence), f"{pointer}\n".encode())
    files.sync_directory(layout.state_directory(manifest.lane))


def head_sequence(files: Files, layout: Layout, lane: Lane) -> int:
    """The highest; 0 where there is none."""
    return max((_sequence(name) for name in files.names(layout.state_directory(lane))), default=0)


def read_head(files: Files, layout: Layout, lane: Lane) -> tuple[Pointer, Manifest] | None:
    """The newest HEAD whose manifest can be read."""
    sequences = {_sequence(name) for name in files.names(layout.state_directory(lane))} - {0}
    for sequence in sorted(sequences, reverse=True):
        try:
            pointer = parse_pointer(files.read(layout.head(lane, sequence)).decode().strip())
            if pointer is not None:
                return pointer, decode(files.read(layout.manifest(lane, pointer.manifest_id)), pointer)
        except (FileNotFoundError, UnicodeDecodeError, BadPointer, BadManifest):
            continue
    return None


def _sequence(name: str) -> int:
    number = name.removeprefix(HEAD)
    return int(number) if name.startswith(HEAD) and number.isdecimal() else 0
