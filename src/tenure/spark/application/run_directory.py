"""Run directory: the place of the control sockets of this user's running applications on this host.

Only this user has access, because a user with access to a socket can stop the pipeline. A socket file may belong to a
dead process: only a successful connection shows that the process is alive. Files of dead processes are removed when
they are found.
"""

import itertools
import os
import tempfile
from pathlib import Path
from typing import Final

from tenure.pipeline.output.private_directory import NotPrivate, open_private_directory

DIRECTORY_VARIABLE: Final = "TENURE_RUN_DIRECTORY"
SUFFIX: Final = ".sock"
SOCKET_PATH_BYTES_MAX: Final = 103
"""Longest path of a socket on all systems: Linux 107, macOS 103."""

_numbers = itertools.count(1)


class NoRunDirectory(OSError):
    """The run directory cannot be created, or other users can access it."""


def run_directory() -> Path:
    """Return the run directory. If it is missing, create it.

    Raises:
        NoRunDirectory: It cannot be created, or other users can access it.
    """
    chosen = os.environ.get(DIRECTORY_VARIABLE)
    directory = Path(chosen).resolve() if chosen else Path(tempfile.gettempdir()) / f"tenure-{os.getuid()}"
    try:
        directory.parent.mkdir(parents=True, exist_ok=True)
        os.close(open_private_directory(str(directory)))
    except NotPrivate as error:
        raise NoRunDirectory(
            f"the run directory cannot be used: {error}, or set {DIRECTORY_VARIABLE} to another directory"
        ) from None
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise NoRunDirectory(
            f"the run directory {directory} cannot be created ({why}): set {DIRECTORY_VARIABLE} to another directory"
        ) from None
    return directory


def new_socket_path() -> Path:
    """Return an unused path for a control socket of this process. Raises `NoRunDirectory`."""
    path = run_directory() / f"{os.getpid()}-{next(_numbers)}{SUFFIX}"
    if len(os.fsencode(path)) > SOCKET_PATH_BYTES_MAX:
        raise NoRunDirectory(
            f"the path of the run directory {path.parent} is too long for a socket: set {DIRECTORY_VARIABLE} to a"
            " shorter path"
        )
    return path


def socket_paths() -> list[Path]:
    """Return the paths of all control sockets of this user."""
    return sorted(run_directory().glob(f"*{SUFFIX}"))
