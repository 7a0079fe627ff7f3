"""A host's own copies of state files: plain Arrow, which any process of the host maps into memory.

A copy can always be made again, so it is never synced and its loss costs nothing but time. It is named after the digest
of the file that it copies, so it is that file or it is not there; one that was torn does not open.
"""

import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa

from tenure.limits import (
    STATE_CACHE_BYTES_MAX,
    STATE_CACHE_FREE_SHARE,
    STATE_CACHE_IN_USE_S,
    STATE_CACHE_LOOK_SHARE,
)

COPY: Final = ".arrow"
DRAFT: Final = ".draft"

_put_bytes: dict[str, int] = {}
"""Into each cache, by this process, since it last looked through all of it."""


@dataclass(frozen=True, slots=True)
class StateCache:
    """Shared by the host's processes. Picklable; every failure of it is a miss.

    A lane's copies have a directory of their own, so that a run looks at no other lane's: whoever knows what the lane
    needs removes the others.
    """

    directory: str
    size_max_bytes: int = STATE_CACHE_BYTES_MAX

    @staticmethod
    def of_this_host() -> "StateCache":
        """Beside other temporary files, for this user and since this start of the machine: after a power failure the
        copies of before may be torn."""
        return StateCache(os.path.join(tempfile.gettempdir(), f"tenure-state-{os.getuid()}-{_boot()}"))

    def get(self, state_directory: str, digest: str) -> pa.Table | None:
        path = self.path(state_directory, digest)
        try:
            table = pa.ipc.open_file(pa.memory_map(path)).read_all()
            os.utime(path)
        except (OSError, pa.ArrowInvalid):
            return None
        return table

    def begin(self, state_directory: str, schema: pa.Schema) -> "Copy":
        return Copy(self, state_directory, schema)

    def put(self, state_directory: str, digest: str, table: pa.Table) -> pa.Table | None:
        """Keep a copy, and map it. None where there is no room for one."""
        copy = self.begin(state_directory, table.schema)
        for batch in table.to_batches():
            copy.write_batch(batch)
        return copy.finish(digest)

    def keep_only(self, state_directory: str, digests: Collection[str]) -> None:
        """Of this lane's copies, all others go. Whoever has one mapped keeps its bytes."""
        kept = {self.path(state_directory, digest) for digest in digests}
        for _, _, path in _files(self._lane(state_directory)):
            if path.endswith(COPY) and path not in kept:
                remove(path)

    def path(self, state_directory: str, digest: str) -> str:
        return os.path.join(self._lane(state_directory), f"{digest}{COPY}")

    def draft(self, state_directory: str) -> str:
        """A new file, for a copy that is not whole yet. Raises OSError."""
        os.makedirs(self.directory, mode=0o700, exist_ok=True)
        if os.stat(self.directory).st_uid != os.getuid():
            raise PermissionError(f"{self.directory} is another user's")
        lane = self._lane(state_directory)
        os.makedirs(lane, mode=0o700, exist_ok=True)
        descriptor, path = tempfile.mkstemp(DRAFT, dir=lane)
        os.close(descriptor)
        return path

    def _lane(self, state_directory: str) -> str:
        return os.path.join(self.directory, hashlib.sha256(state_directory.encode()).hexdigest()[:16])

    def make_room(self, newest: str) -> None:
        """What was used longest ago goes: while there is too much of what is not in use, or the disk is nearly full.

        To look through all lanes costs more than most runs do: it waits until what was put in meanwhile may matter.
        """
        put_bytes = _put_bytes.get(self.directory, self.size_max_bytes) + os.path.getsize(newest)
        if put_bytes < self.size_max_bytes * STATE_CACHE_LOOK_SHARE:
            _put_bytes[self.directory] = put_bytes
            return
        _put_bytes[self.directory] = 0
        lanes = _lanes(self.directory)
        files = sorted(file for lane in lanes for file in _files(lane))
        surplus = sum(size for _, size, _ in files) - self.size_max_bytes
        lacking = lacking_bytes(self.directory)
        unused_ns = time.time_ns() - int(STATE_CACHE_IN_USE_S * 1e9)
        for used_ns, size, path in files:
            if path != newest and (lacking > 0 or (surplus > 0 and used_ns < unused_ns)):
                remove(path)
                surplus -= size
                lacking -= size
        for lane in lanes:
            with suppress(OSError):  # Nearly all are not empty.
                os.rmdir(lane)


def _lanes(directory: str) -> list[str]:
    with suppress(OSError), os.scandir(directory) as entries:
        return [entry.path for entry in entries if entry.is_dir()]
    return []


def _files(lane: str) -> list[tuple[int, int, str]]:
    """When each was used last, its size and its path."""
    with suppress(OSError), os.scandir(lane) as entries:
        return [(entry.stat().st_mtime_ns, entry.stat().st_size, entry.path) for entry in entries]
    return []


class Copy:
    """A copy that is being written. Where that fails, there will be none, and nobody minds."""

    def __init__(self, cache: StateCache, state_directory: str, schema: pa.Schema) -> None:
        self._cache: Final = cache
        self._state_directory: Final = state_directory
        self._draft = ""
        self._writer: Any = None
        try:
            self._draft = cache.draft(state_directory)
            # To append: what was truncated and written again, ext4 begins to write to the disk when it is closed.
            self._file = pa.OSFile(self._draft, "ab")
            self._writer = pa.ipc.new_file(self._file, schema)
        except OSError:
            self.give_up()

    def write_batch(self, batch: pa.RecordBatch) -> None:
        if self._writer is None:
            return
        try:
            self._writer.write_batch(batch)
        except OSError:
            self.give_up()

    def finish(self, digest: str) -> pa.Table | None:
        """Mapped; None where there is no copy."""
        if self._writer is None:
            return None
        path = self._cache.path(self._state_directory, digest)
        try:
            self._writer.close()
            self._file.close()
            os.replace(self._draft, path)
            self._cache.make_room(path)
        except OSError:
            self.give_up()
            return None
        return self._cache.get(self._state_directory, digest)

    def give_up(self) -> None:
        self._writer = None
        remove(self._draft)


def remove(path: str) -> None:
    try:
        os.remove(path)
    except OSError:
        return


def lacking_bytes(directory: str) -> int:
    """How much more of the disk should be free; negative where enough is."""
    try:
        disk = shutil.disk_usage(directory)
    except OSError:
        return 0
    return int(disk.total * STATE_CACHE_FREE_SHARE) - disk.free


def _boot() -> str:
    try:
        with open("/proc/sys/kernel/random/boot_id") as file:
            return file.read().strip()
    except OSError:
        return "any"
