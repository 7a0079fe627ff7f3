"""Replacement of segments by a compacted one, such that after a crash either the old ones or the new one exist.

    1  The new segment is written as `<base>.log.cleaned`, with its indexes, and synced.
    2  Its files are renamed to `.swap`, the log file last, and the directory is synced. From now on, a crash is
       repaired by finishing the swap.
    3  The files of all old segments except the first one are removed, and the directory is synced.
    4  The new files are renamed to the names of the first old segment, and the directory is synced.

The suffixes are Kafka's. A crash may interrupt a step between any two renames or removals. If the next start finds a
`.cleaned` file, step 2 is incomplete, so all new files with its base offset are removed. For every other `.swap` file,
the swap is finished from step 3 on. The offset of the last batch in the new segment shows which old segments it
replaces, because compaction always keeps the last batch (see `compaction`).
"""

from collections.abc import Sequence
from typing import Final

from tenure.storage.files import DataFiles
from tenure.storage.log.segment import INDEXES, Segment, segment_name

CLEANED: Final = ".cleaned"
SWAP: Final = ".swap"
_KINDS: Final = (*INDEXES, ".log")
"""Suffixes of all files of a segment; that of the log file is the last."""


class SwapUnfinished(OSError):
    """The disk failed between steps 2 and 4 of a swap."""


def begin(files: DataFiles, directory: str, base_offset: int, index_interval_bytes: int) -> Segment:
    discard(files, directory, base_offset)
    return Segment(files, directory, base_offset, index_interval_bytes, CLEANED)


def replace(files: DataFiles, directory: str, old: Sequence[Segment], new: Segment) -> None:
    """Replace the segments `old` by `new` on disk. Blocks until the replacement is synced.

    A reader that has an old segment open can continue to read it.

    Raises:
        SwapUnfinished: The disk has failed after step 2. A restart or `Partition.restore` finishes the swap.
        OSError: The disk has failed earlier. The old segments are unchanged.
    """
    for segment in old:
        segment.load_indexes()  # from now on other segments may use the file names
    try:
        new.sync()
        new.write_indexes()
        files.sync_directory(directory)
        new.rename_files(SWAP)
        files.sync_directory(directory)
    except OSError:
        discard(files, directory, new.base_offset)
        raise
    try:
        for segment in reversed(old[1:]):
            segment.unlink()
        files.sync_directory(directory)
        new.rename_files("")
        files.sync_directory(directory)
    except OSError as error:
        raise SwapUnfinished(error.errno, error.strerror) from error


def finish(files: DataFiles, directory: str, index_interval_bytes: int) -> None:
    """Finish or discard swaps that a crash has interrupted. Call it before the segments are opened."""
    names = files.listdir(directory)
    cleaned = {int(name[:20]) for name in names if name.endswith(CLEANED) and name[:20].isdigit()}
    for base_offset in sorted(cleaned):
        discard(files, directory, base_offset)
    swapped = {int(name[:20]) for name in names if name.endswith(SWAP) and name[:20].isdigit()}
    for base_offset in sorted(swapped - cleaned):
        _finish(files, directory, base_offset, index_interval_bytes)


def discard(files: DataFiles, directory: str, base_offset: int) -> None:
    """Remove all new files of a swap. Call it only before step 3.

    `.cleaned` files are removed last, because their existence makes `finish` ignore the `.swap` files.
    """
    stem = f"{directory}/{segment_name(base_offset)}"
    for suffix in (SWAP, CLEANED):
        found = [path for kind in _KINDS if files.exists(path := f"{stem}{kind}{suffix}")]
        for path in found:
            files.remove(path)
        if found:
            files.sync_directory(directory)


def _finish(files: DataFiles, directory: str, base_offset: int, index_interval_bytes: int) -> None:
    stem = f"{directory}/{segment_name(base_offset)}"
    if files.exists(f"{stem}.log{SWAP}"):
        swapped = Segment(files, directory, base_offset, index_interval_bytes, SWAP)
        end_offset = max([header.last_offset + 1 for _, header in swapped.headers(0)], default=base_offset)
        swapped.close()
        for name in files.listdir(directory):
            if name.endswith(_KINDS) and name[:20].isdigit() and base_offset < int(name[:20]) < end_offset:
                files.remove(f"{directory}/{name}")
        files.sync_directory(directory)
    for kind in _KINDS:
        if files.exists(f"{stem}{kind}{SWAP}"):
            files.rename(f"{stem}{kind}{SWAP}", f"{stem}{kind}")
    files.sync_directory(directory)
