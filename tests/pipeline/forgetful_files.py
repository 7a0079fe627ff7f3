"""Files in memory that forget at a crash every name that its directory was not synced for.

Bytes are safe from `write` on, as the interface promises; names are not. A rename is two changes, in two directories,
each of which survives or not on its own.
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
        """The disk: nothing can be written."""

    def crash(self, random: Random | None = None) -> None:
        """Power fails. Each unsynced name is lost; or, with `random`, perhaps: disks write when they like."""
        names = set(self.now) | set(self.safe)
        changed = [name for name in sorted(names) if self.now.get(name) is not self.safe.get(name)]
        for name in changed:
            if random is not None and random.random() < 0.5:
                self._make_safe(name)
        self.now = dict(self.safe)

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
        return sorted(path.rpartition("/")[2] for path in self.now if dirname(path) == directory)

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
        return True

    def remove(self, path: str) -> bool:
        self.before_removal(path)
        return self.now.pop(path, None) is not None

    def _make_safe(self, path: str) -> None:
        if path in self.now:
            self.safe[path] = self.now[path]
        else:
            self.safe.pop(path, None)
