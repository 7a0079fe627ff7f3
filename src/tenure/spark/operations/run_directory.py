"""Where the running applications of a host are found: one directory for each user, with a control socket of each.

Nobody else may look into it: whoever reaches a socket may stop a pipeline. A socket tells by itself whether its process
still lives, so nothing is ever believed because a file lies there, and what dead processes left is removed in passing.
"""

import itertools
import os
import stat
import tempfile
from pathlib import Path
from typing import Final

VARIABLE: Final = "TENURE_RUN_DIRECTORY"
SUFFIX: Final = ".sock"
SOCKET_PATH_BYTES_MAX: Final = 103
"""What every system takes for the path of a socket: Linux 107, macOS 103."""

_numbers = itertools.count(1)


class NoRunDirectory(OSError):
    """It cannot be made, or is not this user's alone."""


def run_directory() -> Path:
    """Made where it is not there. Raises `NoRunDirectory`."""
    chosen = os.environ.get(VARIABLE)
    directory = Path(chosen) if chosen else Path(tempfile.gettempdir()) / f"tenure-{os.getuid()}"
    try:
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = directory.stat()
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise NoRunDirectory(
            f"the run directory {directory} cannot be made ({why}): set {VARIABLE} to one that can"
        ) from None
    if found.st_uid != os.getuid() or stat.S_IMODE(found.st_mode) & 0o077:
        raise NoRunDirectory(
            f"the run directory {directory} is open to others: make it yours alone (chmod 700), or set {VARIABLE} to"
            " one that is"
        )
    return directory


def new_socket_path() -> Path:
    path = run_directory() / f"{os.getpid()}-{next(_numbers)}{SUFFIX}"
    if len(os.fsencode(path)) > SOCKET_PATH_BYTES_MAX:
        raise NoRunDirectory(
            f"the run directory {path.parent} has too long a name for a socket in it: set {VARIABLE} to a shorter one"
        )
    return path


def socket_paths() -> list[Path]:
    return sorted(run_directory().glob(f"*{SUFFIX}"))
