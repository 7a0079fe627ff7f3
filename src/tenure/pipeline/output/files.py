"""Access of a pipeline to files: local ones here, those of a store in `fsspec_files`.

Exactly-once processing on a disk that may lose power needs two guarantees. Bytes that `write` has written are durable
once the directory was synced, too; a rename is durable once both directories were synced. So a name is stored elsewhere
(in a manifest or pointer) only after `sync_directory`. Names are unique, except that of a HEAD, which is therefore
written atomically. An unsynced rename survives a crash completely or not at all, as in every journalling file system: a
committed file always has one of its two names.

Paths are strings with `/`; a missing directory counts as empty.
"""

import io
import os
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import BinaryIO, Final, Protocol
from urllib.parse import unquote, urlsplit

from tenure.limits.pipeline import STORE_BLOCK_BYTES


class Files(Protocol):
    def write(self, path: str, data: bytes | memoryview) -> None:
        """Create or replace the whole file and sync its bytes; its name is durable after `sync_directory`."""

    def create(self, path: str) -> AbstractContextManager[BinaryIO]:
        """Write a file that is too large for memory: it exists once the block has ended without an error."""

    def read(self, path: str) -> bytes:
        """Return the content of a file. Raises FileNotFoundError."""

    def open(self, path: str) -> AbstractContextManager[BinaryIO]:
        """Open a file for sequential reading. Raises FileNotFoundError."""

    def size(self, path: str) -> int | None:
        """Return the size in bytes; None if there is no such file."""

    def names(self, directory: str) -> list[str]: ...

    def make_directory(self, directory: str) -> None:
        """Create a directory and its parents durably, if it does not exist."""

    def sync_directory(self, directory: str) -> None: ...

    def rename(self, source: str, target: str) -> bool:
        """Move a file to another directory's name.

        False when `source` is not there (any more): a rename that was done before is no error. Durable after
        `sync_directory` of both.
        """

    def remove(self, path: str) -> bool:
        """Remove a file. Return False if there was none."""


class LocalFiles:
    """A local or mounted POSIX file system. Picklable, without state."""

    def write(self, path: str, data: bytes | memoryview) -> None:
        with self.create(path) as file:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(file.fileno(), rest) :]

    @contextmanager
    def create(self, path: str) -> Iterator[BinaryIO]:
        unfinished = f"{path}.unfinished-{os.getpid()}-{threading.get_ident()}"
        try:
            with open(unfinished, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(unfinished, path)
        except BaseException:
            self.remove(unfinished)  # The disk is full: leave it what it has.
            raise

    def read(self, path: str) -> bytes:
        with open(path, "rb") as file:
            return file.read()

    def open(self, path: str) -> BinaryIO:
        return ReadOnce(path)

    def size(self, path: str) -> int | None:
        try:
            return os.stat(path).st_size
        except FileNotFoundError:
            return None

    def names(self, directory: str) -> list[str]:
        try:
            return sorted(os.listdir(directory))
        except FileNotFoundError:
            return []

    def make_directory(self, directory: str) -> None:
        if os.path.isdir(directory):
            return
        parent = os.path.dirname(os.path.abspath(directory))
        self.make_directory(parent)
        os.makedirs(directory, exist_ok=True)
        self.sync_directory(parent)

    def sync_directory(self, directory: str) -> None:
        descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def rename(self, source: str, target: str) -> bool:
        try:
            os.rename(source, target)
        except FileNotFoundError:
            return False
        return True

    def remove(self, path: str) -> bool:
        try:
            os.remove(path)
        except FileNotFoundError:
            return False
        return True


class ReadOnce(io.BufferedReader):
    """Local file that is read once.

    The memory in which the system keeps its content is freed as it is read, for the results. A copy of a gigabyte would
    need two, and new memory takes more time than the copy.
    """

    def __init__(self, path: str) -> None:
        super().__init__(io.FileIO(path))
        self._read_bytes = self._forgotten_bytes = 0

    def read(self, size: int | None = -1, /) -> bytes:
        data = super().read(size)
        self._read_bytes += len(data)  # Not `tell`: who only wants a file's end has not read what is before it.
        unneeded_bytes = self._read_bytes - self._forgotten_bytes
        if unneeded_bytes >= STORE_BLOCK_BYTES and FORGETS:
            with suppress(OSError):
                os.posix_fadvise(self.fileno(), self._forgotten_bytes, unneeded_bytes, os.POSIX_FADV_DONTNEED)
            self._forgotten_bytes += unneeded_bytes
        return data


FORGETS: Final = hasattr(os, "posix_fadvise")
"""True if the system can drop a file from its cache; not every system can."""


def is_url(place: str) -> bool:
    """Return whether the place is the same on every host. A path or `file://` names a directory of the local host."""
    return "://" in place and not place.startswith(LOCAL)


def absolute(place: str) -> str:
    """Return the absolute path of a directory, because tasks may have another working directory. URLs stay."""
    if is_url(place):
        return place.rstrip("/")
    return os.path.abspath(unquote(urlsplit(place).path) if place.startswith(LOCAL) else place)


LOCAL: Final = "file://"
