"""Cache of state files on one host: uncompressed copies that every process of the user maps into memory.

A lost copy costs only the time to make it again. Therefore copies are never synced, and every failure of the cache
counts as a miss. The name of a copy contains the digest of the state file. A copy is checked before its first use
(`state_copy.py`). The cache works only in a directory that belongs to this user alone.
"""

import hashlib
import logging
import os
import secrets
import tempfile
import threading
import time
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import BinaryIO, Final, NamedTuple

import pyarrow as pa

from tenure.limits.pipeline import (
    STATE_CACHE_BYTES_MAX,
    STATE_CACHE_FREE_SHARE,
    STATE_CACHE_IN_USE_S,
    STATE_CACHE_LOOK_SHARE,
)
from tenure.pipeline.output.private_directory import FLAGS, open_private_directory
from tenure.pipeline.state.state_copy import CopyWriter, DamagedCopy, map_copy

log: Final = logging.getLogger("tenure.pipeline")

COPY: Final = ".arrow"
DRAFT: Final = ".draft"

_opening: Final = threading.Lock()
_roots: Final[dict[str, int]] = {}
"""Descriptors of the cache directories that this process has checked. They stay open: another thread may use one."""

_refused: Final[set[str]] = set()
"""Cache directories that this process has warned about."""

_put_bytes: Final[dict[str, int]] = {}
"""Bytes that this process has added to each cache since it last listed the whole cache (`make_room`)."""


@dataclass(frozen=True, slots=True)
class StateCache:
    """Cached copies of state files, with one directory per lane. Picklable."""

    directory: str
    size_max_bytes: int = STATE_CACHE_BYTES_MAX

    @staticmethod
    def of_this_host() -> "StateCache":
        """Return the user's cache. It is valid until the next boot, because a power failure may damage copies."""
        return StateCache(os.path.join(tempfile.gettempdir(), f"tenure-state-{os.getuid()}-{_boot()}"))

    def is_usable(self) -> bool:
        """Return whether the cache directory belongs to this user alone. If not, log one warning per process."""
        try:
            self.root()
        except OSError as error:
            if self.directory not in _refused:
                _refused.add(self.directory)
                log.warning(
                    "state cache is disabled (%s): every batch reads state from the state directory. To enable the"
                    " cache, remove %s, or set TMPDIR to a directory of this user",
                    error,
                    self.directory,
                )
            return False
        return True

    def root(self) -> int:
        """Return the descriptor of the checked cache directory. Raises OSError."""
        with _opening:
            descriptor = _roots.get(self.directory)
            if descriptor is None or not os.fstat(descriptor).st_nlink:  # Not opened yet, or removed since then.
                descriptor = _roots[self.directory] = open_private_directory(self.directory)
            return descriptor

    def get(self, state_directory: str, digest: str) -> pa.Table | None:
        """Return the memory-mapped copy of a state file; None if there is no valid copy. A damaged copy is removed."""
        name = copy_name(state_directory, digest)
        try:
            root = self.root()
            descriptor = os.open(name, os.O_RDONLY | os.O_NOFOLLOW, dir_fd=root)
        except OSError:
            return None
        try:
            table = map_copy(descriptor, digest)
            # The access time stores the last use. The modification time stays: a change would mean a changed copy.
            os.utime(descriptor, ns=(time.time_ns(), os.fstat(descriptor).st_mtime_ns))
        except (DamagedCopy, pa.ArrowInvalid) as error:
            log.warning(
                "state cache: removed the damaged file %s/%s (%s), its data is read from the state directory instead",
                self.directory,
                name,
                error,
            )
            remove(root, name)
            return None
        except OSError:
            return None
        finally:
            os.close(descriptor)
        return table

    def begin(self, state_directory: str, schema: pa.Schema) -> "Copy":
        """Create a file for the copy of a state file. The caller writes the rows into the result, batch by batch."""
        return Copy(self, state_directory, schema)

    def put(self, state_directory: str, digest: str, table: pa.Table) -> pa.Table | None:
        """Write a copy, and return it memory-mapped; None if the disk has no space for it."""
        copy = self.begin(state_directory, table.schema)
        for batch in table.to_batches():
            copy.write_batch(batch)
        return copy.finish(digest)

    def keep_only(self, state_directory: str, digests: Collection[str]) -> None:
        """Remove the lane's copies except those of `digests`. Tables mapped from a removed copy stay readable."""
        kept = {copy_name(state_directory, digest) for digest in digests}
        with suppress(OSError):
            root = self.root()
            for file in _files(root, _lane(state_directory)):
                if file.name.endswith(COPY) and file.name not in kept:
                    remove(root, file.name)

    def discard(self, state_directory: str, digests: Collection[str]) -> None:
        """Remove the copies of this lane's state files with these digests."""
        with suppress(OSError):
            root = self.root()
            for digest in digests:
                remove(root, copy_name(state_directory, digest))

    def make_room(self, newest: str) -> None:
        """Remove the least recently used copies if the cache is larger than its limit, or the disk is nearly full.

        If the disk has enough free space, copies that were used in the last STATE_CACHE_IN_USE_S seconds are kept. The
        copy `newest` is always kept.

        Most calls do nothing, because listing the whole cache takes longer than most batches. The cache is listed in
        the first call, and each time this process has added the share STATE_CACHE_LOOK_SHARE of the size limit.
        """
        root = self.root()
        put_bytes = _put_bytes.get(self.directory, self.size_max_bytes) + os.stat(newest, dir_fd=root).st_size
        if put_bytes < self.size_max_bytes * STATE_CACHE_LOOK_SHARE:
            _put_bytes[self.directory] = put_bytes
            return
        _put_bytes[self.directory] = 0
        lanes = _lanes(root)
        files = sorted(file for lane in lanes for file in _files(root, lane))
        surplus = sum(file.size_bytes for file in files) - self.size_max_bytes
        lacking = lacking_bytes(root)
        unused_ns = time.time_ns() - int(STATE_CACHE_IN_USE_S * 1e9)
        for file in files:
            if file.name != newest and (lacking > 0 or (surplus > 0 and file.used_ns < unused_ns)):
                remove(root, file.name)
                surplus -= file.size_bytes
                lacking -= file.size_bytes
        for lane in lanes:
            with suppress(OSError):  # The call fails for most directories, because they still contain copies.
                os.rmdir(lane, dir_fd=root)


class Copy:
    """Copy that is being written. If writing fails, the cache has no copy of this file."""

    def __init__(self, cache: StateCache, state_directory: str, schema: pa.Schema) -> None:
        self._cache: Final = cache
        self._state_directory: Final = state_directory
        self._draft: Final = f"{_lane(state_directory)}/{secrets.token_hex(8)}{DRAFT}"
        self._file: BinaryIO | None = None
        try:
            self._root = cache.root()
            with suppress(FileExistsError):
                os.mkdir(_lane(state_directory), 0o700, dir_fd=self._root)
            self._file = _create(self._root, self._draft)
            self._out = CopyWriter(self._file)
            self._writer = pa.ipc.new_file(self._out, schema)
        except OSError:
            self.give_up()

    def write_batch(self, batch: pa.RecordBatch) -> None:
        if self._file is None:
            return
        try:
            self._writer.write_batch(batch)
        except OSError:
            self.give_up()

    def finish(self, digest: str) -> pa.Table | None:
        """Make the copy valid, and return it memory-mapped; None if writing failed."""
        if self._file is None:
            return None
        name = copy_name(self._state_directory, digest)
        try:
            self._writer.close()
            self._out.seal(digest)
            self._file.close()
            os.rename(self._draft, name, src_dir_fd=self._root, dst_dir_fd=self._root)
            self._cache.make_room(name)
        except OSError:
            self.give_up()
            return None
        return self._cache.get(self._state_directory, digest)

    def give_up(self) -> None:
        """Remove the incomplete copy. May be called more than once."""
        if self._file is None:
            return
        with suppress(OSError):  # Closing writes buffered bytes, and the disk may be full.
            self._file.close()
        self._file = None
        remove(self._root, self._draft)


class _File(NamedTuple):
    used_ns: int
    size_bytes: int
    name: str
    """Path of the copy, relative to the cache directory."""


def copy_name(state_directory: str, digest: str) -> str:
    """Return the path of a copy, relative to the cache directory."""
    return f"{_lane(state_directory)}/{digest}{COPY}"


def _lane(state_directory: str) -> str:
    return hashlib.sha256(state_directory.encode()).hexdigest()[:16]


def _create(root: int, name: str) -> BinaryIO:
    return os.fdopen(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600, dir_fd=root), "wb")


def _lanes(root: int) -> list[str]:
    with os.scandir(root) as entries:
        return [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]


def _files(root: int, lane: str) -> Iterator[_File]:
    with suppress(OSError):
        descriptor = os.open(lane, FLAGS, dir_fd=root)
        try:
            with os.scandir(descriptor) as entries:
                for entry in entries:
                    with suppress(FileNotFoundError):  # Another process may have removed the copy.
                        found = entry.stat(follow_symlinks=False)
                        yield _File(found.st_atime_ns, found.st_size, f"{lane}/{entry.name}")
        finally:
            os.close(descriptor)


def remove(root: int, name: str) -> None:
    with suppress(OSError):
        os.unlink(name, dir_fd=root)


def lacking_bytes(root: int) -> int:
    """Return how many more bytes of the disk must be free; negative if more bytes are free than required.

    The cache must leave STATE_CACHE_FREE_SHARE of the disk free. `root` is the descriptor of the cache directory.
    """
    try:
        disk = os.fstatvfs(root)
    except OSError:
        return 0
    return int(disk.f_blocks * disk.f_frsize * STATE_CACHE_FREE_SHARE) - disk.f_bavail * disk.f_frsize


def _boot() -> str:
    try:
        with open("/proc/sys/kernel/random/boot_id") as file:
            return file.read().strip()
    except OSError:
        return "any"
