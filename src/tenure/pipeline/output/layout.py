"""Paths of a pipeline's files. Each file name contains the id of the manifest for which the file was written.

    <sink>/flights-3-00000000000000001000-00000000000000002000-<id>.parquet      visible: all rows are committed
    <sink>/_staged/<group>/flights-3/<id>-0.parquet                              not committed, or not renamed yet
    <late>/_staged/<group>/flights-3/<id>-1.parquet                              the same for a side output, in its sink
    <state>/<group>/flights-3/<id>.json                                          manifests
    <state>/<group>/flights-3/<id>.base.arrow, <id>.delta.arrow                  the lane's state
    <state>/<group>/flights-3/HEAD-<sequence>                                    pointer of the last published batch

Spark, pyarrow and most other readers of a directory skip names that begin with an underscore.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

from tenure.pipeline.values.lanes import Lane, Range
from tenure.protocol.types import GroupId

HEAD = "HEAD-"
MANIFEST = ".json"


@dataclass(frozen=True, slots=True)
class Layout:
    group: GroupId
    sink: str
    """Directory of the main output; the state directory if the sink has none, as for a database."""
    state: str
    sides: tuple[tuple[str, str], ...] = ()
    """Directory of each side output. Files are staged in it, because a rename must stay in one file system."""

    @staticmethod
    def of(group: GroupId, sink: str, state: str | None = None, sides: Mapping[str, str] | None = None) -> "Layout":
        """Return the layout of a pipeline's directories.

        An empty `sink` or side means that this output has no directory.
        """
        state = (state or f"{_trimmed(sink)}/_tenure").rstrip("/")
        named = tuple((side, _trimmed(directory or state)) for side, directory in (sides or {}).items())
        return Layout(group, _trimmed(sink or state), state, named)

    def directory(self, side: str) -> str:
        """Return the directory of an output. The name of the main output is ""."""
        return dict(self.sides)[side] if side else self.sink

    def publishes_by_rename(self, side: str) -> bool:
        """Return whether the output `side` is published by renaming staged files to visible ones."""
        return self.directory(side) != self.state

    def transactional_id(self, lane: Lane) -> str:
        """Return the transactional id of the producer that writes this lane's rows to topics."""
        return f"{self.group}-{lane.partition}"

    def state_directory(self, lane: Lane) -> str:
        return f"{self.state}/{_name(self.group)}/{lane}"

    def staged_directory(self, lane: Lane, side: str = "") -> str:
        return f"{self.directory(side)}/_staged/{_name(self.group)}/{lane}"

    def staged(self, lane: Lane, side: str, name: str) -> str:
        return f"{self.staged_directory(lane, side)}/{name}"

    def staged_directories(self, lane: Lane) -> list[str]:
        """Return the staging directories of all outputs, without duplicates."""
        return list(dict.fromkeys(self.staged_directory(lane, side) for side in ("", *dict(self.sides))))

    def manifest(self, lane: Lane, manifest_id: str) -> str:
        return f"{self.state_directory(lane)}/{manifest_id}{MANIFEST}"

    def head(self, lane: Lane, sequence: int) -> str:
        return f"{self.state_directory(lane)}/{HEAD}{sequence:012d}"


def final_name(lane: Lane, ranges: tuple[Range, ...], manifest_id: str, part: int, suffix: str) -> str:
    """Return the visible name of an output file. The id makes it unique, even if a range is processed twice.

    Leading underscores of topics such as `__consumer_offsets` are removed, because readers would skip the file.
    """
    first = ranges[0]
    which = "" if part == 0 else f"-{part}"
    return f"{str(lane).lstrip('._')}-{first.start_offset:020d}-{first.end_offset:020d}-{manifest_id}{which}{suffix}"


def _trimmed(directory: str) -> str:
    return directory.rstrip("/") or "/"


def _name(group: str) -> str:
    """Return a file name for the group id, which may be `..` or contain `/`."""
    return quote(group, safe="").replace(".", "%2E") if group.startswith((".", "_")) else quote(group, safe="")
