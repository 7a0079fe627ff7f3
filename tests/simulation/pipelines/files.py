"""Store in memory that loses unsynced names at a power failure, and the slow view of it that a process has.

Bytes are durable from `write` on, as the interface promises; names are not. A rename changes two directories, and
survives completely or not at all, as in journaling file systems: a sync of either directory makes it durable.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from posixpath import dirname
from random import Random
from typing import BinaryIO

Removal = Callable[[str], None]


class ForgetfulFiles:
    def __init__(self) -> None:
        self.now: dict[str, bytes] = {}
        self.safe: dict[str, bytes] = {}
        self.before_removal: Removal = lambda _: None
        self.full = False
        """True if nothing can be written, because the disk is full."""
        self._renamed: dict[str, str] = {}
        """Old and new names of renamed files whose directories were not synced since, in both directions."""

    def crash(self, random: Random | None = None) -> None:
        """Lose unsynced names, as at a power failure: all of them, or with `random` some."""
        names = set(self.now) | set(self.safe)
        changed = [name for name in sorted(names) if self.now.get(name) is not self.safe.get(name)]
        for name in changed:
            if random is not None and random.random() < 0.5:
                self._make_safe(name)
        self.now = dict(self.safe)
        self._renamed.clear()

    def write(self, path: str, data: bytes | memoryview) -> None:
        if self.full:
            raise OSError(28, "No space left on device", path)
        self.now[path] = bytes(data)

    @contextmanager
    def create(self, path: str) -> Iterator[BinaryIO]:
        yield (draft := BytesIO())
        self.write(path, draft.getvalue())

    def open(self, path: str) -> BinaryIO:
        return BytesIO(self.read(path))

    def read(self, path: str) -> bytes:
        try:
            return self.now[path]
        except KeyError:
            raise FileNotFoundError(path) from None

    def size(self, path: str) -> int | None:
        return len(self.now[path]) if path in self.now else None

    def names(self, directory: str) -> list[str]:
        below = f"{directory}/"
        return sorted({path[len(below) :].partition("/")[0] for path in self.now if path.startswith(below)})

    def make_directory(self, directory: str) -> None:
        pass

    def sync_directory(self, directory: str) -> None:
        for path in {*self.now, *self.safe}:
            if dirname(path) == directory:
                self._make_safe(path)

    def rename(self, source: str, target: str) -> bool:
        if source not in self.now:
            return False
        self.now[target] = self.now.pop(source)
        self._renamed |= {source: target, target: source}
        return True

    def remove(self, path: str) -> bool:
        self.before_removal(path)
        return self.now.pop(path, None) is not None

    def _make_safe(self, path: str) -> None:
        if path in self.now:
            self.safe[path] = self.now[path]
        else:
            self.safe.pop(path, None)
        other = self._renamed.pop(path, None)
        if other is not None:
            self._renamed.pop(other, None)
            self._make_safe(other)


class SlowFiles:
    """Access of one process to the store. Each operation takes time, in which any fault may happen to any process."""

    def __init__(self, store: ForgetfulFiles, pass_time: Callable[[str], None]) -> None:
        self.store = store
        self.pass_time = pass_time

    def write(self, path: str, data: bytes | memoryview) -> None:
        """Write a file. If the process dies meanwhile, half of it remains under another name."""
        unfinished = f"{path}.unfinished"
        self.store.write(unfinished, data[: len(data) // 2])
        self.pass_time("write")
        self.store.now.pop(unfinished, None)
        self.store.write(path, data)
        self.pass_time("written")

    @contextmanager
    def create(self, path: str) -> Iterator[BinaryIO]:
        yield (draft := BytesIO())
        self.write(path, draft.getvalue())

    def open(self, path: str) -> BinaryIO:
        return BytesIO(self.read(path))

    def read(self, path: str) -> bytes:
        self.pass_time("read")
        return self.store.read(path)

    def size(self, path: str) -> int | None:
        return self.store.size(path)

    def names(self, directory: str) -> list[str]:
        self.pass_time("list")
        return self.store.names(directory)

    def make_directory(self, directory: str) -> None:
        self.store.make_directory(directory)

    def sync_directory(self, directory: str) -> None:
        self.pass_time("sync")
        self.store.sync_directory(directory)
        self.pass_time("synced")

    def rename(self, source: str, target: str) -> bool:
        self.pass_time("rename")
        renamed = self.store.rename(source, target)
        self.pass_time("renamed")
        return renamed

    def remove(self, path: str) -> bool:
        self.pass_time("remove")
        return self.store.remove(path)
