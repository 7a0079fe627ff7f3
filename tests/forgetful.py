"""Simulated disk. A crash loses all unsynced bytes, and all unsynced creations, renames and removals of names.

`kill -9` keeps the page cache, so it proves little. POSIX promises only this: the bytes of a file survive once the file
was synced, and a name in a directory (created, moved or removed) once the directory was synced. `ForgetfulDisk` keeps
two states, the one that processes see and the one on the disk. A crash leaves the second.
"""

import errno
import os
from collections.abc import Callable

from tenure.storage.errors import DirectoryInUse


class Inode:
    """Content of a file, which may have several names."""

    def __init__(self, content: bytes = b"") -> None:
        self.content = bytearray(content)
        self.synced = content


class Directory:
    def __init__(self, entries: "dict[str, Inode | Directory] | None" = None) -> None:
        self.entries = entries if entries is not None else {}
        self.synced = dict(self.entries)


class ForgetfulDisk:
    def __init__(self, root: Directory | None = None) -> None:
        self.root = root or Directory()
        self.free_bytes: int | None = None
        """Free bytes of the disk; None if there is no limit."""
        self.fails_to_sync = False
        self.syncs_until_failure: int | None = None
        """Number of syncs that succeed before all later ones fail; None if none fails."""
        self.fails_to_truncate = False
        self.syncs = 0

    def crash(self, kept_bytes: Callable[[int], int] = lambda _: 0, *, names_survive: bool = False) -> "ForgetfulDisk":
        """Return the disk after a crash, as the next start finds it. The old object must not be used any more.

        Disks may keep more than they promise: the first `kept_bytes(tail)` bytes of each file's unsynced tail, and with
        `names_survive` unsynced names, without the bytes of their files.
        """
        return ForgetfulDisk(_after_crash(self.root, kept_bytes, names_survive))

    def find(self, path: str) -> Inode | Directory:
        node: Inode | Directory = self.root
        for part in _parts(path):
            if not isinstance(node, Directory) or part not in node.entries:
                raise FileNotFoundError(errno.ENOENT, "no such file or directory", path)
            node = node.entries[part]
        return node

    def directory(self, path: str) -> Directory:
        node = self.find(path)
        if not isinstance(node, Directory):
            raise NotADirectoryError(errno.ENOTDIR, "not a directory", path)
        return node

    def file(self, path: str) -> Inode:
        node = self.find(path)
        if not isinstance(node, Inode):
            raise IsADirectoryError(errno.EISDIR, "is a directory", path)
        return node

    def parent_and_name(self, path: str) -> tuple[Directory, str]:
        """Return the directory that a path is in, and its name there."""
        head, _, name = path.rstrip("/").rpartition("/")
        return self.directory(head), name

    def reserve_bytes(self, size: int) -> int:
        """Reserve up to `size` free bytes; return the number of reserved bytes."""
        if self.free_bytes is None:
            return size
        taken = min(size, self.free_bytes)
        self.free_bytes -= taken
        return taken

    def sync_file(self, inode: Inode) -> None:
        self.count_sync()
        inode.synced = bytes(inode.content)

    def sync_directory(self, path: str) -> None:
        self.count_sync()
        directory = self.directory(path)
        directory.synced = dict(directory.entries)

    def count_sync(self) -> None:
        """Count a sync. Raises OSError if the disk is to fail now."""
        self.syncs += 1
        if self.syncs_until_failure is not None:
            self.syncs_until_failure -= 1
        if self.fails_to_sync or (self.syncs_until_failure is not None and self.syncs_until_failure < 0):
            raise OSError(errno.EIO, "input/output error")


def _parts(path: str) -> list[str]:
    return [part for part in path.split("/") if part not in ("", ".")]


def _after_crash(node: Directory, kept_bytes: Callable[[int], int], names_survive: bool) -> Directory:
    entries: dict[str, Inode | Directory] = {}
    for name, child in (node.entries if names_survive else node.synced).items():
        if isinstance(child, Directory):
            entries[name] = _after_crash(child, kept_bytes, names_survive)
        else:
            entries[name] = Inode(_surviving(child, kept_bytes))
    return Directory(entries)


def _surviving(inode: Inode, kept_bytes: Callable[[int], int]) -> bytes:
    tail = len(inode.content) - len(inode.synced)
    if tail <= 0 or inode.content[: len(inode.synced)] != inode.synced:
        return inode.synced  # an unsynced truncation is lost, too
    return bytes(inode.content[: len(inode.synced) + kept_bytes(tail)])


class ForgetfulFile:
    """`tenure.storage.files.File` on a forgetful disk."""

    def __init__(self, disk: ForgetfulDisk, inode: Inode) -> None:
        self._disk = disk
        self._inode = inode

    @property
    def size(self) -> int:
        return len(self._inode.content)

    def append(self, data: bytes | bytearray) -> None:
        taken = self._disk.reserve_bytes(len(data))
        self._inode.content += data[:taken]
        if taken < len(data):
            raise OSError(errno.ENOSPC, "no space left on device")

    def pread(self, size: int, position: int) -> bytes:
        return bytes(self._inode.content[position : position + size])

    def part(self, size: int, position: int) -> bytes:
        return self.pread(size, position)

    def is_cached(self, size: int, position: int) -> bool:  # noqa: ARG002
        return True

    def truncate(self, size: int) -> None:
        if self._disk.fails_to_truncate:
            raise OSError(errno.EIO, "input/output error")
        del self._inode.content[size:]

    def sync(self) -> None:
        self._disk.sync_file(self._inode)

    def close(self) -> None:
        pass


class ForgetfulFiles:
    """`tenure.storage.files.Files` on a forgetful disk."""

    def __init__(self, disk: ForgetfulDisk) -> None:
        self.disk = disk
        self._locked: set[str] = set()

    def open(self, path: str) -> ForgetfulFile:
        directory, name = self.disk.parent_and_name(path)
        directory.entries.setdefault(name, Inode())
        return ForgetfulFile(self.disk, self.disk.file(path))

    def read(self, path: str) -> bytes:
        return bytes(self.disk.file(path).content)

    def write(self, path: str, data: bytes, *, sync: bool) -> None:
        if self.disk.reserve_bytes(len(data)) < len(data):
            raise OSError(errno.ENOSPC, "no space left on device")
        directory, name = self.disk.parent_and_name(path)
        inode = Inode()
        inode.content += data
        if sync:
            self.disk.sync_file(inode)
        directory.entries[name] = inode
        if sync:
            self.disk.sync_directory(os.path.dirname(path))

    def rename(self, old: str, new: str) -> None:
        node = self.disk.find(old)
        source, name = self.disk.parent_and_name(old)
        target, new_name = self.disk.parent_and_name(new)
        del source.entries[name]
        target.entries[new_name] = node

    def remove(self, path: str) -> None:
        self.disk.file(path)
        directory, name = self.disk.parent_and_name(path)
        del directory.entries[name]

    def mkdir(self, path: str) -> None:
        directory = self.disk.root
        for part in _parts(path):
            child = directory.entries.setdefault(part, Directory())
            assert isinstance(child, Directory)
            directory = child

    def rmdir(self, path: str) -> None:
        if self.disk.directory(path).entries:
            raise OSError(errno.ENOTEMPTY, "directory not empty", path)
        directory, name = self.disk.parent_and_name(path)
        del directory.entries[name]

    def listdir(self, path: str) -> list[str]:
        return sorted(self.disk.directory(path).entries)

    def exists(self, path: str) -> bool:
        try:
            self.disk.find(path)
        except FileNotFoundError:
            return False
        return True

    def size(self, path: str) -> int:
        return len(self.read(path))

    def volume_bytes(self, path: str) -> tuple[int, int] | None:  # noqa: ARG002
        return None

    def sync_directory(self, path: str) -> None:
        self.disk.sync_directory(path)

    def lock(self, path: str) -> Callable[[], None]:
        self.disk.directory(path)
        if path in self._locked:
            raise DirectoryInUse(f"{path} is in use")
        self._locked.add(path)
        return lambda: self._locked.discard(path)
