"""Disk in memory. A crash may cut unsynced data at any byte, and the disk fails on request."""

import errno
from collections.abc import Callable

from tenure.storage.memory import MemoryFile, MemoryFiles


class _File(MemoryFile):
    __slots__ = ("_disk", "synced_bytes")

    def __init__(self, disk: "Disk") -> None:
        super().__init__()
        self._disk = disk
        self.synced_bytes = 0

    def append(self, data: bytes | bytearray) -> None:
        if self._disk.is_full:
            raise OSError(errno.ENOSPC, "No space left on device")
        super().append(data)

    def truncate(self, size: int) -> None:
        super().truncate(size)
        self.synced_bytes = min(self.synced_bytes, size)

    def sync(self) -> None:
        if self._disk.next_sync_fails:
            self._disk.next_sync_fails = False
            raise OSError(errno.EIO, "Input/output error")
        self.synced_bytes = self.size


class Disk(MemoryFiles):
    """Disk on which names and directories are durable at once; tests of storage cover their loss."""

    def __init__(self) -> None:
        super().__init__()
        self.is_full = False
        self.next_sync_fails = False

    def open(self, path: str) -> MemoryFile:
        return self._files.setdefault(path, _File(self))

    def write(self, path: str, data: bytes, *, sync: bool) -> None:  # noqa: ARG002
        self._files[path] = file = _File(self)
        file.content += data
        file.synced_bytes = len(data)

    def crash(self, kept: Callable[[int, int], int]) -> None:
        """Lose unsynced data; `kept(a, b)` draws how many bytes remain of a file with `a` synced bytes of `b`."""
        self.is_full = self.next_sync_fails = False
        for file in self._files.values():
            if isinstance(file, _File) and file.synced_bytes < file.size:
                file.truncate(kept(file.synced_bytes, file.size))
