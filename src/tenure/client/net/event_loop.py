"""Event loop of the blocking clients: one daemon thread per process, started on first use.

All socket work runs on this loop, so heartbeats continue while a caller's thread computes or sleeps for minutes. A
forked child (Spark forks its Python workers) inherits the loop object but not the thread. Therefore it starts its own
loop.
"""

import asyncio
import os
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None


def client_loop() -> asyncio.AbstractEventLoop:
    """Return the client's event loop; the first call starts its thread."""
    global _loop
    with _lock:
        if _loop is None:
            _loop = asyncio.new_event_loop()
            threading.Thread(target=_loop.run_forever, name="tenure-client", daemon=True).start()
        return _loop


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on the client's loop and return its result. Ctrl-C cancels it."""
    future = asyncio.run_coroutine_threadsafe(coroutine, client_loop())
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


def _forget_after_fork() -> None:
    global _loop, _lock
    _loop = None
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_forget_after_fork)
