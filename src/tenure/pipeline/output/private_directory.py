"""Directories that only this user can access, below directories in which all users can write."""

import errno
import os
import stat
from contextlib import suppress

FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW


class NotPrivate(PermissionError):
    """Another user has, or may have had, access to the directory."""


def open_private_directory(path: str) -> int:
    """Open the directory and return its descriptor. A missing directory is created with mode 0700.

    Open files relative to this descriptor. They are then in the checked directory, even if another user replaces the
    path.

    Raises:
        NotPrivate: The path is a link or a file, or another user owns the directory or has access to it.
        OSError: The directory cannot be created or opened.
    """
    with suppress(FileExistsError):
        os.mkdir(path, 0o700)
    try:
        descriptor = os.open(path, FLAGS)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            raise NotPrivate(f"path {path} is a symbolic link or a file, not a directory: remove it") from None
        raise
    try:
        _check(path, os.fstat(descriptor))
    except NotPrivate:
        os.close(descriptor)
        raise
    return descriptor


def _check(path: str, found: os.stat_result) -> None:
    if found.st_uid != os.getuid():
        raise NotPrivate(f"directory {path} belongs to another user (uid {found.st_uid}): ask that user to remove it")
    if mode := stat.S_IMODE(found.st_mode) & 0o077:
        raise NotPrivate(f"directory {path} is open to other users (mode bits {mode:03o}): run chmod 700 on it")
