"""The one event loop of a process that blocking callers share: a daemon thread, started when first needed.

Everything that touches sockets runs here, so a caller's thread may compute or sleep for minutes and heartbeats go on.
A forked child (Spark forks its Python workers) inherits the object but not the thread, and starts a loop of its own.
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
    global _loop
    with _lock:
        if _loop is None:
            _loop = asyncio.new_event_loop()
            threading.Thread(target=_loop.run_forever, name="tenure-client", daemon=True).start()
        return _loop


def run(coroutine: Coroutine[Any, Any, T]) -> T:
    """Block until the coroutine, run on the client's loop, has ended. Ctrl-C cancels it."""
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
