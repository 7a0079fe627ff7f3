"""Callbacks that raise no error, so that their callers can go on with the requests of other clients."""

import logging
from collections.abc import Callable
from functools import partial
from typing import Any

from tenure.coordinator.answers import Refused
from tenure.out_of_memory import is_out_of_memory
from tenure.protocol.errors import ErrorCode

log = logging.getLogger("tenure.broker")


def guarded(callback: Callable[..., None], handle_failure: Callable[[Exception], None]) -> Callable[..., None]:
    """Return a callback that runs `callback`, and passes an error of it to `handle_failure`."""
    return partial(_run, callback, handle_failure)


def _run(callback: Callable[..., None], handle_failure: Callable[[Exception], None], *answer: object) -> None:
    try:
        callback(*answer)
    except Exception as error:
        handle_failure(error)


def answering_failure(callback: Callable[..., None], then: Callable[[Any], None]) -> Callable[..., None]:
    """Return a callback that runs `callback`, and calls `then` with UNKNOWN_SERVER_ERROR if `callback` fails.

    `callback` must call `then` as its last action, and `then` must not raise an error. So `then` is called only once.
    """
    return guarded(callback, partial(_answer, then))


def _answer(then: Callable[[Any], None], error: Exception) -> None:
    cause = "out of memory" if is_out_of_memory(error) else "a bug in the broker, please report it"
    log.error(
        "a request of a producer failed and was answered with UNKNOWN_SERVER_ERROR: %s",
        cause,
        exc_info=error,
    )
    then(Refused(ErrorCode.UNKNOWN_SERVER_ERROR))
