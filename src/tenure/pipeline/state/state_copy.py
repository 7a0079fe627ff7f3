"""File format of a host's copy of a state file: an Arrow file, followed by a checksum.

The checksum (CRC-32C) covers the checksums of all pieces of the Arrow file, and the digest of the original state file.
It detects accidents: bytes that the disk lost, an edited file, a copy with the name of another copy. It cannot detect
an attack, because a user who can write a copy can also write its checksum. Permissions of the directory exclude other
users. The pieces are checked in parallel, because this takes most of the time of a restart with a large state.

A process checks a copy before its first use, and again after its inode, modification time or size has changed. A shared
mark "checked" for all processes of the host would be cheaper, but unsafe: copies are never synced, so the disk may lose
bytes after the check, without a change of time or size.
"""

import io
import mmap
import os
import struct
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, BinaryIO, Final

import google_crc32c
import pyarrow as pa

from tenure.limits.pipeline import CHECKED_COPIES_MAX, STATE_BATCH_BYTES

MARK: Final = b"CRC2"
TRAILER: Final = struct.Struct(f">{len(MARK)}sI")

_checked: set[tuple[str, int, int, int]] = set()
"""Copies that this process has checked: digest, inode, modification time, size."""


class DamagedCopy(Exception):
    """The content of a copy is not the expected one."""


class CopyWriter(io.RawIOBase):
    """File object to which Arrow writes a copy."""

    def __init__(self, file: BinaryIO) -> None:
        self._file: Final = file
        self._crcs: Final[list[int]] = []
        """Checksum of each piece of the Arrow file. A piece has STATE_BATCH_BYTES, the last one may have less."""
        self._size_bytes = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._file.write(data)
        left = pa.py_buffer(data)
        while left.size:
            begun = self._size_bytes % STATE_BATCH_BYTES
            part = left[: STATE_BATCH_BYTES - begun]
            self._crcs.append(google_crc32c.extend(self._crcs.pop() if begun else 0, part))
            self._size_bytes += part.size
            left = left[part.size :]
        return len(data)

    def tell(self) -> int:
        return self._size_bytes

    def seal(self, digest: str) -> None:
        """Add the checksum, and mark the copy as checked for this process, which has just written its bytes."""
        self._file.write(_trailer(self._crcs, digest))
        self._file.flush()
        _remember(digest, os.fstat(self._file.fileno()))


def map_copy(descriptor: int, digest: str) -> pa.Table:
    """Check an open copy, and return its table, mapped into memory.

    Raises:
        DamagedCopy: The file is not a copy of the state file with this digest.
        OSError: The file cannot be mapped.
    """
    found = os.fstat(descriptor)
    if found.st_size < TRAILER.size:
        raise DamagedCopy(f"the copy is truncated to {found.st_size} bytes")
    whole = pa.py_buffer(mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ))
    arrow = whole.slice(0, found.st_size - TRAILER.size)
    if _key(digest, found) not in _checked:
        _check(arrow, whole.slice(len(arrow)), digest)
        _remember(digest, found)
    return pa.ipc.open_file(arrow).read_all()


def _check(arrow: pa.Buffer, trailer: pa.Buffer, digest: str) -> None:
    pieces = (arrow[start : start + STATE_BATCH_BYTES] for start in range(0, arrow.size, STATE_BATCH_BYTES))
    with ThreadPoolExecutor(thread_name_prefix="tenure-check") as threads:
        expected = _trailer(threads.map(google_crc32c.value, pieces), digest)
    if trailer.to_pybytes() != expected:
        raise DamagedCopy("the checksum is wrong")


def _trailer(crcs: Iterable[int], digest: str) -> bytes:
    """Return the end of a copy. `crcs` are the checksums of the pieces of its Arrow file."""
    covered = b"".join(crc.to_bytes(4, "big") for crc in crcs) + digest.encode()
    return TRAILER.pack(MARK, google_crc32c.value(covered))


def _remember(digest: str, found: os.stat_result) -> None:
    if len(_checked) >= CHECKED_COPIES_MAX:
        _checked.clear()
    _checked.add(_key(digest, found))


def _key(digest: str, found: os.stat_result) -> tuple[str, int, int, int]:
    return digest, found.st_ino, found.st_mtime_ns, found.st_size
