"""The one way in which a pipeline touches files. Local here; a shared store is another class of the same shape.

Two promises make exactly-once possible on a disk that may lose power. What `write` returned from is on the disk as
soon as its directory was synced too; a rename is, as soon as both directories were. So a name is only ever handed on
(in a manifest, in a pointer) after `sync_directory`. Names are unique, except of a HEAD, whose writing is therefore
atomic as well.

Paths are strings with `/`; a directory that does not exist has no names in it.
"""

import os
from typing import Protocol


class Files(Protocol):
    def write(self, path: str, data: bytes | memoryview) -> None:
        """Create or replace the whole file and sync its bytes; its name is durable after `sync_directory`."""

    def read(self, path: str) -> bytes:
        """Raises FileNotFoundError."""

    def size(self, path: str) -> int | None:
        """In bytes; None where no such file is."""

    def names(self, directory: str) -> list[str]: ...

    def make_directory(self, directory: str) -> None:
        """With its parents, durable at once; nothing where it exists."""

    def sync_directory(self, directory: str) -> None: ...

    def rename(self, source: str, target: str) -> bool:
        """Move a file to another directory's name. False when `source` is not there (any more): a rename that was
        done before is no error. Durable after `sync_directory` of both."""

    def remove(self, path: str) -> bool:
        """False when it was not there."""


class LocalFiles:
    """A local or mounted POSIX file system. Picklable, without state."""

    def write(self, path: str, data: bytes | memoryview) -> None:
        unfinished = f"{path}.unfinished-{os.getpid()}"
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
            os.fsync(descriptor)
            os.replace(unfinished, path)
        except BaseException:
            self.remove(unfinished)  # The disk is full: leave it what it has.
            raise
        finally:
            os.close(descriptor)

    def read(self, path: str) -> bytes:
        with open(path, "rb") as file:
            return file.read()

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
