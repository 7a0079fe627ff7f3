"""Files in memory, for the durability mode `memory`."""

import os
from collections.abc import Callable

from tenure.protocol.message import MessagePart


class MemoryFile:
    __slots__ = ("content",)

    def __init__(self) -> None:
        self.content = bytearray()

    @property
    def size(self) -> int:
        return len(self.content)

    def append(self, data: bytes | bytearray) -> None:
        self.content += data

    def pread(self, size: int, position: int) -> bytes:
        with memoryview(self.content) as content:
            return bytes(content[position : position + size])

    def part(self, size: int, position: int) -> MessagePart:
        return self.pread(size, position)

    def is_cached(self, size: int, position: int) -> bool:  # noqa: ARG002
        return True

    def truncate(self, size: int) -> None:
        del self.content[size:]

    def sync(self) -> None:
        pass

    def close(self) -> None:
        pass


class MemoryFiles:
    """`DataFiles` in memory: contents by name, and the directories that exist."""

    def __init__(self) -> None:
        self._files: dict[str, MemoryFile] = {}
        self._directories: set[str] = set()

    def open(self, path: str) -> MemoryFile:
        return self._files.setdefault(path, MemoryFile())

    def read(self, path: str) -> bytes:
        if path not in self._files:
            raise FileNotFoundError(path)
        return bytes(self._files[path].content)

    def write(self, path: str, data: bytes, *, sync: bool) -> None:  # noqa: ARG002
        self._files[path] = file = MemoryFile()
        file.append(data)

    def rename(self, old: str, new: str) -> None:
        for path in [path for path in list(self._files) if path == old or path.startswith(old + "/")]:
            self._files[new + path[len(old) :]] = self._files.pop(path)
        if old in self._directories:
            self._directories.remove(old)
            self._directories.add(new)

    def remove(self, path: str) -> None:
        if self._files.pop(path, None) is None:
            raise FileNotFoundError(path)

    def mkdir(self, path: str) -> None:
        self._directories.add(path)

    def rmdir(self, path: str) -> None:
        self._directories.remove(path)

    def listdir(self, path: str) -> list[str]:
        names = [name for name in (*self._files, *self._directories) if os.path.dirname(name) == path]
        return sorted(os.path.basename(name) for name in names)

    def exists(self, path: str) -> bool:
        return path in self._files or path in self._directories

    def size(self, path: str) -> int:
        return len(self.read(path))

    def volume_bytes(self, path: str) -> tuple[int, int] | None:  # noqa: ARG002
        return None

    def sync_directory(self, path: str) -> None:
        pass

    def lock(self, path: str) -> Callable[[], None]:  # noqa: ARG002
        return lambda: None
