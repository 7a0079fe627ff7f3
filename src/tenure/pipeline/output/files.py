"""Access of a pipeline to files: local ones here, those of a store in `fsspec_files`.

Exactly-once processing on a disk that may lose power needs two guarantees. Bytes written with `write` are durable once
the directory is synced. A rename is durable once both directories are synced. Therefore a name is stored in a manifest
or pointer only after `sync_directory`. File names are unique, except the name of a HEAD file, which may be written a
second time. Therefore a HEAD file is written atomically. After a crash, an unsynced rename is either complete or
undone, as in every journalling file system: a committed file always has one of its two names.

Paths are strings with `/`. A missing directory counts as empty.
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
        """Create or replace a file and sync its bytes. Its name is durable after `sync_directory`."""

    def create(self, path: str) -> AbstractContextManager[BinaryIO]:
        """Open a new file for writing, for content that may be larger than memory.

        The file exists once the `with` block has ended without an error.
        """

    def read(self, path: str) -> bytes:
        """Return the content of a file. Raises FileNotFoundError."""

    def open(self, path: str) -> AbstractContextManager[BinaryIO]:
        """Open a file for sequential reading. Raises FileNotFoundError."""

    def size(self, path: str) -> int | None:
        """Return the size in bytes; None if the file does not exist."""

    def names(self, directory: str) -> list[str]: ...

    def make_directory(self, directory: str) -> None:
        """Create a directory and its parents, and sync them. Does nothing if the directory exists."""

    def sync_directory(self, directory: str) -> None: ...

    def rename(self, source: str, target: str) -> bool:
        """Move a file to another directory or name. Durable after `sync_directory` of both directories.

        Returns False if `source` does not exist, because repeating a rename is not an error.
        """

    def remove(self, path: str) -> bool:
        """Remove a file. Return False if it does not exist."""


class LocalFiles:
    """Local or mounted POSIX file system. Picklable, without state."""

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
                if (size_bytes := file.tell()) >= STORE_BLOCK_BYTES:
                    forget(file, 0, size_bytes)  # The copy of a state on this host needs the memory (`state_cache.py`).
            os.replace(unfinished, path)
        except BaseException:
            self.remove(unfinished)  # The disk may be full: free the space of the incomplete file.
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
    """Local file that is read once, without staying in the system's page cache.

    The part that has been read is removed from the page cache, so that its memory can be used for the results.
    Otherwise reading a file of one gigabyte would occupy two gigabytes.
    """

    def __init__(self, path: str) -> None:
        super().__init__(io.FileIO(path))
        self._read_bytes = self._forgotten_bytes = 0

    def read(self, size: int | None = -1, /) -> bytes:
        data = super().read(size)
        self._read_bytes += len(data)  # `tell` would also count bytes that the reader skipped with `seek`.
        unneeded_bytes = self._read_bytes - self._forgotten_bytes
        if unneeded_bytes >= STORE_BLOCK_BYTES:
            forget(self, self._forgotten_bytes, unneeded_bytes)
            self._forgotten_bytes += unneeded_bytes
        return data


def forget(file: BinaryIO, start: int, size_bytes: int) -> None:
    """Remove a part of a file from the page cache, if the system can do that."""
    if hasattr(os, "posix_fadvise"):
        with suppress(OSError):
            os.posix_fadvise(file.fileno(), start, size_bytes, os.POSIX_FADV_DONTNEED)


def is_url(path: str) -> bool:
    """Return whether the path is the URL of a store. All hosts see the same content of a store.

    False for a local path, and for a URL that begins with `file://`: both name a directory of this host.
    """
    return "://" in path and not path.startswith(LOCAL)


def absolute(path: str) -> str:
    """Return the absolute path of a directory, because tasks may have another working directory. URLs are unchanged."""
    if is_url(path):
        return path.rstrip("/")
    return os.path.abspath(unquote(urlsplit(path).path) if path.startswith(LOCAL) else path)


LOCAL: Final = "file://"
