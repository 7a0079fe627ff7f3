"""Exit statuses of `tenure` and of pipelines. `docs/exit-status.md` describes them for users."""

from enum import IntEnum
from typing import Final


class ExitStatus(IntEnum):
    """Exit status of a command or a pipeline. For systemd: `RestartPreventExitStatus=2 3 4`."""

    DONE = 0
    FAILED = 1
    """A broker, a disk, Spark or a worker failed, so a restart may help; or a check found something."""
    MISUSED = 2
    FENCED = 3
    """Another application has taken over the members. After a restart, both applications would fence each other."""
    NEEDS_OPERATOR = 4
    """A restarted pipeline would stop for the same reason: the user has to decide or to repair something."""
    INTERRUPTED = 130


NO_RESTART: Final = frozenset({ExitStatus.DONE, ExitStatus.MISUSED, ExitStatus.FENCED, ExitStatus.NEEDS_OPERATOR})
"""Statuses after which a supervisor does not restart a pipeline."""
