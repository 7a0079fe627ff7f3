"""Interface between storage and a file system.

It is as small as possible, so that a test can replace the implementation: memory, a disk that is full, or a file system
that forgets at a crash whatever was not synced, names included. POSIX promises that a file's bytes survive after the
file was synced, and its name after its *directory* was synced: two promises, two calls.
"""

import errno
import fcntl
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol

from tenure.limits.protocol import UNCOPIED_BYTES_MIN
from tenure.limits.storage import READ_AHEAD_BYTES
from tenure.protocol.message import Piece
from tenure.storage.errors import DirectoryInUse

_NO_WAIT: Final = getattr(os, "RWF_NOWAIT", 0)
"""Linux fails a read that would have to wait for the disk; elsewhere there is no such flag."""

_FILE_MODE: Final = 0o600
_DIRECTORY_MODE: Final = 0o700
"""Records and committed offsets belong to the broker's user. The umask can only take away from this."""


_LOCK_FILE: Final = ".lock"
_LOCKS_UNSUPPORTED: Final = (errno.EBADF, errno.EINVAL, errno.ENOLCK, errno.EOPNOTSUPP)


class File(Protocol):
    """One open file. Positions are in bytes."""

    @property
    def size(self) -> int: ...

    def append(self, data: bytes | bytearray) -> None:
        """Append data. If it raises OSError, a part may have been written: `truncate` back."""

    def pread(self, size: int, position: int) -> bytes:
        """Return the bytes at a position; less than `size` at the end of the file."""

    def part(self, size: int, position: int) -> Piece:
        """Return the bytes, left in the file if a socket can send them from there.

        It remains readable after the file was closed or removed.
        """

    def is_cached(self, size: int, position: int) -> bool:
        """Return whether `pread` would find these bytes in memory; True if that cannot be determined."""

    def truncate(self, size: int) -> None: ...

    def sync(self) -> None:
        """Make the bytes durable, but not the name."""

    def close(self) -> None: ...


class DataFiles(Protocol):
    """Operations on names. Missing files raise FileNotFoundError, as in Python."""

    def open(self, path: str) -> File:
        """Open a file for reading and appending; create it if it is missing."""

    def read(self, path: str) -> bytes: ...

    def write(self, path: str, data: bytes, *, sync: bool) -> None:
        """Replace a small file as a whole: readers see the old bytes or the new ones, after a crash too if synced."""

    def rename(self, old: str, new: str) -> None: ...

    def remove(self, path: str) -> None: ...

    def mkdir(self, path: str) -> None:
        """Create a directory unless it exists."""

    def rmdir(self, path: str) -> None: ...

    def listdir(self, path: str) -> list[str]:
        """Return the names in a directory, sorted."""

    def exists(self, path: str) -> bool: ...

    def size(self, path: str) -> int: ...

    def volume_bytes(self, path: str) -> tuple[int, int] | None:
        """Return size and free space, for this user, of the volume with the path; None if there is no volume."""

    def sync_directory(self, path: str) -> None:
        """Make the names in the directory durable, with their creations, renames and removals."""

    def lock(self, path: str) -> Callable[[], None]:
        """Lock the directory for this process, or raise `DirectoryInUse`; return the function that unlocks it."""


def parent(path: str) -> str:
    return os.path.dirname(path) or "."


class _Descriptor:
    """Open file of the system, closed with its last reference."""

    __slots__ = ("number",)

    def __init__(self, path: str, flags: int) -> None:
        self.number = -1
        self.number = os.open(path, flags | os.O_CLOEXEC, _FILE_MODE)

    def __del__(self) -> None:
        if self.number >= 0:
            os.close(self.number)


class LocalFilePart:
    """A `protocol.message.FilePart`."""

    __slots__ = ("_descriptor", "_position", "_size")

    def __init__(self, descriptor: _Descriptor, size: int, position: int) -> None:
        self._descriptor: Final = descriptor
        self._size: Final = size
        self._position: Final = position

    def __len__(self) -> int:
        return self._size

    def __bytes__(self) -> bytes:
        return os.pread(self._descriptor.number, self._size, self._position)

    def read(self, skipped: int, size_max: int) -> bytes:
        size = min(self._size - skipped, size_max)
        data = os.pread(self._descriptor.number, size, self._position + skipped)
        if not data:
            raise OSError(errno.EIO, "the file is shorter than it was")
        return data

    def send_to(self, descriptor: int, skipped: int, size_max: int) -> int:
        size = min(self._size - skipped, size_max)
        sent = os.sendfile(descriptor, self._descriptor.number, self._position + skipped, size)
        if not sent:
            raise OSError(errno.EIO, "the file is shorter than it was")
        return sent


class LocalFile:
    __slots__ = ("_descriptor", "_owner", "size")

    def __init__(self, path: str, flags: int = os.O_RDWR | os.O_CREAT | os.O_APPEND) -> None:
        self._owner: _Descriptor | None = _Descriptor(path, flags)
        self._descriptor = self._owner.number
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

    def part(self, size: int, position: int) -> Piece:
        if self._owner is None or size < UNCOPIED_BYTES_MIN:
            return self.pread(size, position)
        return LocalFilePart(self._owner, size, position)

    def is_cached(self, size: int, position: int) -> bool:
        """Check one byte of each stretch without waiting for the disk.

        Return True if the kernel or file system does not support this check.
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
        """Close the file once its parts are sent, too. A later read fails."""
        self._owner = None
        self._descriptor = -1


class LocalDataFiles:
    """Files on the local disk."""

    def open(self, path: str) -> LocalFile:
        return LocalFile(path)

    def read(self, path: str) -> bytes:
        with open(path, "rb") as file:
            return file.read()

    def write(self, path: str, data: bytes, *, sync: bool) -> None:
        temporary = path + ".tmp"
        with open(temporary, "wb", opener=_create_private) as file:
            _copy_mode(path, file.fileno())
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
        os.makedirs(path, _DIRECTORY_MODE, exist_ok=True)

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
        """Lock Kafka's lock file and the directory itself; both locks end with the process.

        The lock on the directory remains when the lock file is deleted or replaced.
        """
        descriptors: list[int] = []
        try:
            descriptors.append(_open_lock_file(path))
            _lock(descriptors[0], fcntl.LOCK_EX)
            descriptors.append(os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))
            _maybe_lock(descriptors[1], fcntl.LOCK_EX)
        except BlockingIOError:
            holder = _holder(descriptors[0])
            _close(descriptors)
            raise DirectoryInUse(
                f"data directory {path} is in use by {holder}: stop that process, or name another directory"
            ) from None
        except OSError:
            _close(descriptors)
            raise
        os.ftruncate(descriptors[0], 0)
        os.pwrite(descriptors[0], b"%d\n" % os.getpid(), 0)
        return lambda: _close(descriptors)


class ReadOnlyFiles(LocalDataFiles):
    """The disk, for reading: `open` fails for a file that is missing, and nothing can be appended."""

    def open(self, path: str) -> LocalFile:
        return LocalFile(path, os.O_RDONLY)

    def lock(self, path: str) -> Callable[[], None]:
        """Lock the directory for this process without changing it."""
        descriptors: list[int] = []
        try:
            for each in (os.path.join(path, _LOCK_FILE), path):
                with suppress(FileNotFoundError):
                    descriptors.append(os.open(each, os.O_RDONLY | os.O_CLOEXEC))
                    _maybe_lock(descriptors[-1], fcntl.LOCK_SH)
        except BlockingIOError:
            holder = _holder(descriptors[0])
            _close(descriptors)
            raise DirectoryInUse(f"data directory {path} is in use by {holder}: stop that process first") from None
        except OSError:
            _close(descriptors)
            raise
        return lambda: _close(descriptors)


def _create_private(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_CLOEXEC, _FILE_MODE)


def _copy_mode(path: str, descriptor: int) -> None:
    """Give a new file the permissions of the file that it will replace, if there is one."""
    with suppress(FileNotFoundError):
        os.fchmod(descriptor, stat.S_IMODE(os.stat(path).st_mode))


def _open_lock_file(directory: str) -> int:
    return os.open(os.path.join(directory, _LOCK_FILE), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, _FILE_MODE)


def _lock(descriptor: int, kind: int) -> None:
    """Raise BlockingIOError when another process holds the lock."""
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except PermissionError as error:  # some systems report a held lock as EACCES
        raise BlockingIOError(errno.EAGAIN, error.strerror) from None


def _maybe_lock(descriptor: int, kind: int) -> None:
    """Lock a directory, except where the file system (NFS) locks only files that are open for writing."""
    try:
        _lock(descriptor, kind)
    except BlockingIOError:
        raise
    except OSError as error:
        if error.errno not in _LOCKS_UNSUPPORTED:
            raise


def _holder(lock_file: int) -> str:
    """Return the process that the lock file names. Another broker's lock file may have been deleted: ours is empty."""
    with suppress(IsADirectoryError):
        process = os.pread(lock_file, 32, 0).decode("ascii", "replace").strip()
        return f"process {process}" if process else "another process"
    return "another process"


def _close(descriptors: list[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)
