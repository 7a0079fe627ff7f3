"""The one door between storage and a file system.

It is as small as storage can live with, so that a test can put something else behind it: memory, a disk that is full,
or a file system that forgets at a crash whatever was not synced, names included. POSIX promises that a file's bytes
survive after the file was synced, and its name after its *directory* was synced: two promises, two calls.
"""

import errno
import fcntl
import os
from collections.abc import Callable
from typing import Final, Protocol

from tenure.limits import READ_AHEAD_BYTES
from tenure.storage.errors import DirectoryInUse

_NO_WAIT: Final = getattr(os, "RWF_NOWAIT", 0)
"""Linux fails a read that would have to wait for the disk; elsewhere there is no such flag."""


class File(Protocol):
    """One open file. Positions are in bytes."""

    @property
    def size(self) -> int: ...

    def append(self, data: bytes | bytearray) -> None:
        """Writes at the end; when it raises OSError a part may have been written: `truncate` back."""

    def pread(self, size: int, position: int) -> bytes:
        """What lies there; less than `size` at the end of the file."""

    def is_cached(self, size: int, position: int) -> bool:
        """Whether `pread` would find this in memory, as far as anybody can tell; yes where nobody can."""

    def truncate(self, size: int) -> None: ...

    def sync(self) -> None:
        """Returns when the bytes, not the name, survive a crash."""

    def close(self) -> None: ...


class Files(Protocol):
    """Operations on names. Missing files raise FileNotFoundError, as in Python."""

    def open(self, path: str) -> File:
        """For reading and appending; created when missing."""

    def read(self, path: str) -> bytes: ...

    def write(self, path: str, data: bytes, *, sync: bool) -> None:
        """Replaces a small file as a whole: readers see the old bytes or the new ones, after a crash too if synced."""

    def rename(self, old: str, new: str) -> None: ...

    def remove(self, path: str) -> None: ...

    def mkdir(self, path: str) -> None:
        """Does nothing when it is there."""

    def rmdir(self, path: str) -> None: ...

    def listdir(self, path: str) -> list[str]:
        """Sorted names."""

    def exists(self, path: str) -> bool: ...

    def size(self, path: str) -> int: ...

    def volume_bytes(self, path: str) -> tuple[int, int] | None:
        """Of the volume that holds the path: in all, and free for this user; None where there is no such thing."""

    def sync_directory(self, path: str) -> None:
        """Returns when the names in the directory, with their creations, renames and removals, survive a crash."""

    def lock(self, path: str) -> Callable[[], None]:
        """Takes the directory for this process, or raises `DirectoryInUse`; the result releases it."""


def parent(path: str) -> str:
    return os.path.dirname(path) or "."


class LocalFile:
    __slots__ = ("_descriptor", "size")

    def __init__(self, path: str) -> None:
        self._descriptor = -1
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        self.size = os.fstat(self._descriptor).st_size

    def append(self, data: bytes | bytearray) -> None:
        written = os.write(self._descriptor, data)
        self.size += written
        while written < len(data):  # a full disk takes a part first and says so at the next write
            more = os.write(self._descriptor, memoryview(data)[written:])
            written += more
            self.size += more

    def pread(self, size: int, position: int) -> bytes:
        return os.pread(self._descriptor, size, position)

    def is_cached(self, size: int, position: int) -> bool:
        """Asks for a byte of every stretch, and not to wait for it. A kernel or file system that cannot be asked so is
        taken to have everything.
        """
        if not _NO_WAIT:
            return True
        byte = bytearray(1)
        try:
            for at in (*range(position, position + size, READ_AHEAD_BYTES), max(position, position + size - 1)):
                os.preadv(self._descriptor, (byte,), at, _NO_WAIT)
        except BlockingIOError:
            return False
        except OSError:
            return True
        return True

    def truncate(self, size: int) -> None:
        os.ftruncate(self._descriptor, size)
        self.size = size

    def sync(self) -> None:
        os.fdatasync(self._descriptor)

    def close(self) -> None:
        os.close(self._descriptor)
        self._descriptor = -1  # a late read must fail, not read what gets this number next

    def __del__(self) -> None:
        """A file whose segment was replaced closes when its last reader lets go of it."""
        if self._descriptor >= 0:
            self.close()


class LocalFiles:
    """The disk."""

    def open(self, path: str) -> LocalFile:
        return LocalFile(path)

    def read(self, path: str) -> bytes:
        with open(path, "rb") as file:
            return file.read()

    def write(self, path: str, data: bytes, *, sync: bool) -> None:
        temporary = path + ".tmp"
        with open(temporary, "wb") as file:
            file.write(data)
            if sync:
                file.flush()
                os.fsync(file.fileno())
        os.replace(temporary, path)
        if sync:
            self.sync_directory(parent(path))

    def rename(self, old: str, new: str) -> None:
        os.rename(old, new)

    def remove(self, path: str) -> None:
        os.remove(path)

    def mkdir(self, path: str) -> None:
        os.makedirs(path, exist_ok=True)

    def rmdir(self, path: str) -> None:
        os.rmdir(path)

    def listdir(self, path: str) -> list[str]:
        return sorted(os.listdir(path))

    def exists(self, path: str) -> bool:
        return os.path.exists(path)

    def size(self, path: str) -> int:
        return os.stat(path).st_size

    def volume_bytes(self, path: str) -> tuple[int, int] | None:
        volume = os.statvfs(path)
        return volume.f_blocks * volume.f_frsize, volume.f_bavail * volume.f_frsize

    def sync_directory(self, path: str) -> None:
        descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def lock(self, path: str) -> Callable[[], None]:
        """flock, in Kafka's own lock file: it ends with the process, however that ends."""
        descriptor = os.open(os.path.join(path, ".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.pread(descriptor, 32, 0).decode("ascii", "replace").strip() or "unknown"
            os.close(descriptor)
            if error.errno not in (errno.EAGAIN, errno.EACCES):
                raise
            raise DirectoryInUse(
                f"data directory {path} is in use by process {holder}: stop that process, or name another directory"
            ) from None
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, b"%d\n" % os.getpid(), 0)
        return lambda: os.close(descriptor)
