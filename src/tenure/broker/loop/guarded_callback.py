"""Callback that raises no error, so that its caller can go on with the requests of other clients."""

from collections.abc import Callable
from functools import partial


def guarded(callback: Callable[..., None], handle_failure: Callable[[Exception], None]) -> Callable[..., None]:
    """Return a callback that runs `callback`, and passes an error of it to `handle_failure`."""
    return partial(_run, callback, handle_failure)


def _run(callback: Callable[..., None], handle_failure: Callable[[Exception], None], *answer: object) -> None:
    try:
        callback(*answer)
    except Exception as error:
        handle_failure(error)
