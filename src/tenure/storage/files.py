"""Interface of storage to a file system.

The interface is small, so that tests can replace the implementation: by memory, by a full disk, or by a file system
that loses all unsynced bytes and file names in a crash. According to POSIX, a sync of a file makes its bytes durable,
and a sync of its *directory* makes its name durable. So there are two calls, `File.sync` and `sync_directory`.
"""

import errno
import fcntl
import os
import stat
import struct
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol

from tenure.limits.protocol import UNCOPIED_BYTES_MIN
from tenure.limits.storage import READ_AHEAD_BYTES
from tenure.protocol.message import MessagePart
from tenure.storage.errors import DirectoryInUse

_NO_WAIT: Final = getattr(os, "RWF_NOWAIT", 0)
"""Flag with which a read on Linux fails instead of waiting for the disk; 0 on other systems."""

_FILE_MODE: Final = 0o600
_DIRECTORY_MODE: Final = 0o700
"""Permissions of new directories: only the broker's user may read records. The umask can remove further ones."""


_LOCK_FILE: Final = ".lock"
_LOCKS_UNSUPPORTED: Final = (errno.EBADF, errno.EINVAL, errno.ENOLCK, errno.EOPNOTSUPP)
_SET_RANGE_LOCK: Final[int | None] = getattr(fcntl, "F_OFD_SETLK", None)
"""Command of `fcntl` that locks a range of bytes for an open file description; None where the system has none."""
_GET_RANGE_LOCK: Final[int | None] = getattr(fcntl, "F_OFD_GETLK", None)
"""Command of `fcntl` that returns a lock of another process; None where the system has none."""
_RANGE_LOCK: Final = struct.Struct("hhqqi4x")
"""C's `struct flock`: kind, origin, first byte, number of bytes (0 is the whole file), process (0 for this command)."""


class File(Protocol):
    """Interface of an open file. Positions are in bytes."""

    @property
    def size(self) -> int: ...

    def append(self, data: bytes | bytearray) -> None:
        """Append data. After OSError a part may have been written: call `truncate` to remove it."""

    def pread(self, size: int, position: int) -> bytes:
        """Return up to `size` bytes at a position; fewer at the end of the file."""

    def part(self, size: int, position: int) -> MessagePart:
        """Return a part of the file for a response. A large part is not read, so that `sendfile` can send it.

        The part stays readable after the file was closed or removed.
        """

    def is_cached(self, size: int, position: int) -> bool:
        """Return whether the bytes are in memory, so that `pread` need not wait for the disk; True if unknown."""

    def truncate(self, size: int) -> None: ...

    def sync(self) -> None:
        """Make the bytes of the file durable, but not its name."""

    def close(self) -> None: ...


class DataFiles(Protocol):
    """Interface to operations on paths. A missing file raises FileNotFoundError, as in Python."""

    def open(self, path: str) -> File:
        """Open a file for reading and appending; create it if it does not exist."""

    def read(self, path: str) -> bytes: ...

    def write(self, path: str, data: bytes, *, sync: bool) -> None:
        """Replace a small file as a whole, so that readers see either all old or all new bytes.

        With `sync`, that is also true after a crash.
        """

    def rename(self, old: str, new: str) -> None: ...

    def remove(self, path: str) -> None: ...

    def mkdir(self, path: str) -> None:
        """Create a directory, unless it exists."""

    def rmdir(self, path: str) -> None: ...

    def listdir(self, path: str) -> list[str]:
        """Return the names in a directory, sorted."""

    def exists(self, path: str) -> bool: ...

    def size(self, path: str) -> int: ...

    def volume_bytes(self, path: str) -> tuple[int, int] | None:
        """Return (size, free space for this user) in bytes of the volume of a path; None if there is no volume."""

    def sync_directory(self, path: str) -> None:
        """Make creations, renames and removals in the directory durable."""

    def lock(self, path: str) -> Callable[[], None]:
        """Lock a directory for this process, and return a function that unlocks it. Raises `DirectoryInUse`."""


def parent(path: str) -> str:
    return os.path.dirname(path) or "."


class _Descriptor:
    """File descriptor that is closed when its last reference is gone."""

    __slots__ = ("number",)

    def __init__(self, path: str, flags: int) -> None:
        self.number = -1
        self.number = os.open(path, flags | os.O_CLOEXEC, _FILE_MODE)

    def __del__(self) -> None:
        if self.number >= 0:
            os.close(self.number)


class LocalFilePart:
    """Range of a local file; implements `protocol.message.FilePart`."""

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
            raise OSError(errno.EIO, "the file has become shorter")
        return data

    def send_to(self, descriptor: int, skipped: int, size_max: int) -> int:
        size = min(self._size - skipped, size_max)
        sent = os.sendfile(descriptor, self._descriptor.number, self._position + skipped, size)
        if not sent:
            raise OSError(errno.EIO, "the file has become shorter")
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
        while written < len(data):  # a write to a nearly full disk is partial; only the next one raises
            more = os.write(self._descriptor, memoryview(data)[written:])
            written += more
            self.size += more

    def pread(self, size: int, position: int) -> bytes:
        return os.pread(self._descriptor, size, position)

    def part(self, size: int, position: int) -> MessagePart:
        if self._owner is None or size < UNCOPIED_BYTES_MIN:
            return self.pread(size, position)
        return LocalFilePart(self._owner, size, position)

    def is_cached(self, size: int, position: int) -> bool:
        """Return whether the bytes are in the page cache; True if the kernel or file system cannot tell.

        Only one byte per READ_AHEAD_BYTES is checked, because the kernel reads that many bytes together.
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
        """Close the file. Later reads fail, but parts of the file that were returned before stay readable."""
        self._owner = None
        self._descriptor = -1


class LocalDataFiles:
    """`DataFiles` on the local disk."""

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
        """Lock Kafka's lock file, and the directory itself. Both locks end with the process.

        The lock on the directory stays in force if the lock file is deleted or replaced.
        """
        descriptors: list[int] = []
        try:
            descriptors.append(_open_lock_file(path))
            _lock_like_java(descriptors[0], exclusive=True)
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
    """`DataFiles` on the local disk for reading: `open` does not create files, and appends fail."""

    def open(self, path: str) -> LocalFile:
        return LocalFile(path, os.O_RDONLY)

    def lock(self, path: str) -> Callable[[], None]:
        """Lock the directory for this process without creating a file."""
        descriptors: list[int] = []
        try:
            with suppress(FileNotFoundError):
                descriptors.append(os.open(os.path.join(path, _LOCK_FILE), os.O_RDONLY | os.O_CLOEXEC))
                _lock_like_java(descriptors[-1], exclusive=False)
            with suppress(FileNotFoundError):
                descriptors.append(os.open(path, os.O_RDONLY | os.O_CLOEXEC))
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
    """Give a new file the permissions of the file that it will replace, if that file exists."""
    with suppress(FileNotFoundError):
        os.fchmod(descriptor, stat.S_IMODE(os.stat(path).st_mode))


def _open_lock_file(directory: str) -> int:
    return os.open(os.path.join(directory, _LOCK_FILE), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, _FILE_MODE)


def _lock_like_java(descriptor: int, *, exclusive: bool) -> None:
    """Lock a file for this process. Raises BlockingIOError if Apache Kafka or another Tenure process has locked it.

    Java locks ranges of bytes with `fcntl`. `flock` does not see these locks. This function locks the open file
    description, which conflicts with Java's locks. The lock ends when the description is closed.
    """
    kind = fcntl.F_WRLCK if exclusive else fcntl.F_RDLCK
    try:
        if _SET_RANGE_LOCK is not None:
            fcntl.fcntl(descriptor, _SET_RANGE_LOCK, _RANGE_LOCK.pack(kind, os.SEEK_SET, 0, 0, 0))
            return
    except PermissionError as error:  # some systems report a held lock as EACCES
        raise BlockingIOError(errno.EAGAIN, error.strerror) from None
    except OSError as error:
        if error.errno not in _LOCKS_UNSUPPORTED:
            raise
    _lock(descriptor, fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH)


def _lock(descriptor: int, kind: int) -> None:
    """Lock a file. Raises BlockingIOError if another process has locked it."""
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except PermissionError as error:  # some systems report a held lock as EACCES
        raise BlockingIOError(errno.EAGAIN, error.strerror) from None


def _maybe_lock(descriptor: int, kind: int) -> None:
    """Lock a directory; do nothing on a file system (NFS) that locks only files open for writing."""
    try:
        _lock(descriptor, kind)
    except BlockingIOError:
        raise
    except OSError as error:
        if error.errno not in _LOCKS_UNSUPPORTED:
            raise


def _holder(lock_file: int) -> str:
    """Return a text with the id of the process that has locked the file, or "another process" if it is not known.

    The operating system returns the id if Java holds the lock. A broker of Tenure writes its id into the file.
    """
    with suppress(OSError):
        if _GET_RANGE_LOCK is not None:
            wanted = _RANGE_LOCK.pack(fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
            *_, process_id = _RANGE_LOCK.unpack(fcntl.fcntl(lock_file, _GET_RANGE_LOCK, wanted))
            if process_id > 0:
                return f"process {process_id}"
    with suppress(IsADirectoryError):
        process = os.pread(lock_file, 32, 0).decode("ascii", "replace").strip()
        return f"process {process}" if process else "another process"
    return "another process"


def _close(descriptors: list[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)
