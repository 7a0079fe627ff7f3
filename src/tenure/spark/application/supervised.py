"""Link to a supervisor (`operations/supervisor.py`): a supervised application ends when its standard input ends."""

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Final

RESTARTS_VARIABLE: Final = "TENURE_PIPELINE_RESTARTS"
"""Environment variable of a supervised application: the number of crashes before its present start."""

STANDARD_INPUT: Final = 0


def crashes_before_this_start() -> int | None:
    """Return how often this application has crashed and was restarted; None without a supervisor.

    Removes the environment variable `RESTARTS_VARIABLE`, so that child processes do not inherit it.
    """
    restarts = os.environ.pop(RESTARTS_VARIABLE, None)
    return None if restarts is None else int(restarts)


def stop_when_input_ends(stop: Callable[[], object]) -> None:
    """Start a background thread that reads standard input, and calls `stop` at its end."""

    def watch() -> None:
        with suppress(OSError):
            while os.read(STANDARD_INPUT, 1):
                pass
        stop()

    threading.Thread(target=watch, name="tenure-supervisor", daemon=True).start()
