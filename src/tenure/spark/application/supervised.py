"""Application under a supervisor (`operations/supervisor.py`): it ends when its standard input ends."""

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Final

RESTARTS: Final = "TENURE_PIPELINE_RESTARTS"
"""Environment variable of a supervised application: the number of crashes before it."""

STANDARD_INPUT: Final = 0


def restarts_of_this() -> int | None:
    """Return the number of crashes before this application; None if nothing supervises it. Removes the variable."""
    restarts = os.environ.pop(RESTARTS, None)
    return None if restarts is None else int(restarts)


def stop_when_input_ends(stop: Callable[[], object]) -> None:
    """Call `stop` when standard input ends. Watches it in a background thread."""

    def watch() -> None:
        with suppress(OSError):
            while os.read(STANDARD_INPUT, 1):
                pass
        stop()

    threading.Thread(target=watch, name="tenure-supervisor", daemon=True).start()
