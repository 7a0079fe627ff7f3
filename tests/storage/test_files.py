"""Parts of files that a socket sends have the same bytes, even if the file is truncated or closed."""

import errno
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from tenure.limits.protocol import UNCOPIED_BYTES_MIN
from tenure.storage.files import LocalFile, LocalFilePart

CONTENT = os.urandom(3 * UNCOPIED_BYTES_MIN)
SIZE, POSITION = 2 * UNCOPIED_BYTES_MIN, 1_000


def file_and_part(path: Path) -> tuple[LocalFile, LocalFilePart]:
    file = LocalFile(str(path))
    file.append(CONTENT)
    part = file.part(SIZE, POSITION)
    assert isinstance(part, LocalFilePart)
    return file, part


def sent(part: LocalFilePart) -> bytes:
    """Return the bytes that arrive at the other end of a socket that accepts a few bytes at a time."""
    ours, theirs = socket.socketpair()
    received = bytearray()
    with ours, theirs:
        while len(received) < len(part):
            count = part.send_to(ours.fileno(), len(received), 10_000)
            received += theirs.recv(count, socket.MSG_WAITALL)
    return bytes(received)


@pytest.mark.parametrize("happens", [LocalFile.close, lambda file: file.truncate(SIZE + POSITION)])
def test_file_part__file_closed_or_truncated_before_it_is_sent__bytes_unchanged(
    tmp_path: Path, happens: Callable[[LocalFile], None]
) -> None:
    file, part = file_and_part(tmp_path / "log")
    os.unlink(tmp_path / "log")
    happens(file)
    assert len(part) == SIZE
    assert sent(part) == bytes(part) == CONTENT[POSITION : POSITION + SIZE]


def test_file_part__file_too_short__error(tmp_path: Path) -> None:
    file, part = file_and_part(tmp_path / "log")
    file.truncate(POSITION)
    with pytest.raises(OSError) as caught:
        sent(part)
    assert caught.value.errno == errno.EIO


def test_file_part__last_reference_dropped__file_closed(tmp_path: Path) -> None:
    file, part = file_and_part(tmp_path / "log")
    number = part._descriptor.number
    file.close()
    os.fstat(number)
    del part
    with pytest.raises(OSError):
        os.fstat(number)


def test_file_part__small_range__bytes_returned_instead_of_a_part(tmp_path: Path) -> None:
    file, _ = file_and_part(tmp_path / "log")
    assert file.part(100, POSITION) == CONTENT[POSITION : POSITION + 100]
