"""Positions of an audit, and the fence between the processes that write them.

An audit commits no offsets to the cluster that it reads (decision 22), so it stores its positions beside its tables.
On a disk, a lock on a file is the fence: the system releases it when the process ends for any reason. A store has no
locks. There, each commit creates the next file of a numbered sequence, which fails if another process has created it.
"""

import fcntl
import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple, Protocol
from uuid import uuid4

from tenure.audit.audit_directory import STATE_DIRECTORY, AuditDirectory
from tenure.pipeline.output.files import LocalFiles
from tenure.pipeline.output.fsspec_files import FsspecFiles
from tenure.pipeline.values.membership import CommitAnswer, CommitOutcome, MemberFenced
from tenure.values import OffsetAndMetadata, TopicPartition

POSITIONS: Final = "positions.json"
NUMBERED: Final = "positions"
LOCK: Final = "lock"
KEPT: Final = 2
"""Number of files of the sequence that are kept: the newest, and the one before, which a process may be reading."""

Offsets = Mapping[TopicPartition, OffsetAndMetadata]


class AuditPositions(Protocol):
    """Interface to the stored positions of an audit. One thread calls all methods."""

    def acquire(self) -> None:
        """Make this process the only writer of the positions: later writes by the previous writer are refused.

        Raises:
            MemberFenced: Another process writes the positions.
        """

    def read(self) -> Offsets:
        """Return all positions. Call this after `acquire`."""

    def write(self, offsets: Offsets) -> CommitAnswer:
        """Add these positions to the stored ones, all or nothing."""

    def release(self) -> None:
        """Let another process write the positions."""


def positions_in(directory: AuditDirectory) -> AuditPositions:
    """Return the access to an audit's positions: a locked file on a disk, or numbered objects in a store."""
    if directory.is_url:
        return NumberedPositions(directory)
    return LockedPositions(Path(directory.path(STATE_DIRECTORY)))


class LockedPositions:
    """Positions in a local file, which is written atomically by the process that holds a lock."""

    def __init__(self, directory: Path) -> None:
        self._directory: Final = directory
        self._lock: BinaryIO | None = None

    def acquire(self) -> None:
        """Acquire the lock, unless this process has it."""
        if self._lock is not None:
            return
        self._directory.mkdir(parents=True, exist_ok=True)
        lock = (self._directory / LOCK).open("wb")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            raise MemberFenced(
                f"another process writes to {self._directory.parent}: stop it, or use another directory"
            ) from None
        self._lock = lock

    def read(self) -> Offsets:
        try:
            return decode_offsets(json.loads((self._directory / POSITIONS).read_bytes()))
        except FileNotFoundError:
            return {}

    def write(self, offsets: Offsets) -> CommitAnswer:
        assert self._lock is not None
        files, file = LocalFiles(), self._directory / POSITIONS
        try:
            files.write(str(file), json.dumps(encode_offsets({**self.read(), **offsets}), indent=0).encode())
            files.sync_directory(str(self._directory))
        except OSError as error:
            return CommitAnswer(CommitOutcome.UNKNOWN, f"{file} cannot be written: {error}")
        return CommitAnswer(CommitOutcome.ACCEPTED)

    def release(self) -> None:
        """Release the lock."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None


class Content(NamedTuple):
    """Content of one numbered object: the positions of the audit, and the process that wrote them."""

    writer: str
    """Random id of the process that wrote the object."""
    offsets: Offsets


class NumberedPositions:
    """Positions in a sequence of numbered objects of a store. The newest object has all positions.

    Each commit creates the next object. When a process starts, it also creates the next object, with the same positions
    and its own id as the writer. The next commit of an earlier process then fails, and that process ends. So the
    process that starts last takes over.
    """

    def __init__(self, directory: AuditDirectory) -> None:
        self._place: Final = directory.location
        self._directory: Final = directory.path(STATE_DIRECTORY, NUMBERED)
        self._files: Final = FsspecFiles(directory.location.partition("://")[0], directory.storage_options or {})
        self._writer: Final = uuid4().hex
        self._number = 0
        """Number of the newest object that this process wrote; 0 before its first `acquire`."""
        self._offsets: Offsets = {}

    def acquire(self) -> None:
        """Create the next object with the positions of the newest one."""
        self._files.make_directory(self._directory)
        while True:
            newest = max(self._numbers(), default=0)
            try:
                content = self._content(newest) if newest else Content("", {})
            except FileNotFoundError:  # Another process has removed it after the listing.
                continue
            if self._number and content.writer != self._writer:
                raise MemberFenced(self._reason)
            if self._create(newest + 1, content.offsets):
                return

    def read(self) -> Offsets:
        return self._offsets

    def write(self, offsets: Offsets) -> CommitAnswer:
        try:
            is_newest = self._create(self._number + 1, {**self._offsets, **offsets})
        except OSError as error:
            return CommitAnswer(CommitOutcome.UNKNOWN, f"{self._directory} cannot be written: {error}")
        if not is_newest:
            return CommitAnswer(CommitOutcome.FENCED, self._reason)
        return CommitAnswer(CommitOutcome.ACCEPTED)

    def release(self) -> None:
        """Do nothing: the next process takes over in any case."""

    @property
    def _reason(self) -> str:
        return f"another process has taken over {self._place}: use another directory for each audit"

    def _create(self, number: int, offsets: Offsets) -> bool:
        """Create the object `number`. Return True if this process wrote the object, and it is the newest one."""
        content = Content(self._writer, offsets)
        data = json.dumps([content.writer, encode_offsets(offsets)]).encode()
        if not self._files.write_new(self._path(number), data) and self._content(number) != content:
            return False  # If the contents are equal, this process wrote it: the store's client repeated the request.
        numbers = self._numbers()
        if max(numbers) != number:  # A newer object exists, and this number was free because old objects are removed.
            return False
        self._number, self._offsets = number, offsets
        with suppress(OSError):  # The next commit removes the old objects that remain.
            for old in numbers[:-KEPT]:
                self._files.remove(self._path(old))
        return True

    def _content(self, number: int) -> Content:
        writer, rows = json.loads(self._files.read(self._path(number)))
        return Content(writer, decode_offsets(rows))

    def _numbers(self) -> list[int]:
        return sorted(int(name.removesuffix(".json")) for name in self._files.names(self._directory) if "." in name)

    def _path(self, number: int) -> str:
        return f"{self._directory}/{number:012}.json"


def encode_offsets(offsets: Offsets) -> list[list[object]]:
    """Return positions as JSON values."""
    return [[*partition, *at] for partition, at in sorted(offsets.items())]


def decode_offsets(rows: list[list[object]]) -> Offsets:
    """Return the positions from the JSON values that `encode_offsets` has returned."""
    return {TopicPartition(topic, number): OffsetAndMetadata(*at) for topic, number, *at in rows}  # type: ignore[arg-type]
