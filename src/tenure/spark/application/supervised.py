"""The application's side of its supervisor (`operations/supervisor.py`): it ends when its standard input does."""

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Final

RESTARTS: Final = "TENURE_PIPELINE_RESTARTS"
"""In the application's environment: how many crashes came before it."""

STANDARD_INPUT: Final = 0


def restarts_of_this() -> int | None:
    """None: nobody supervises this application. What it starts itself is not told."""
    told = os.environ.pop(RESTARTS, None)
    return None if told is None else int(told)


def stop_when_input_ends(stop: Callable[[], object]) -> None:
    """In a thread, for as long as the application runs."""

    def watch() -> None:
        with suppress(OSError):
            while os.read(STANDARD_INPUT, 1):
                pass
        stop()

    threading.Thread(target=watch, name="tenure-supervisor", daemon=True).start()
