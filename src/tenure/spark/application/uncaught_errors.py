"""Exit status of a Python program that runs a pipeline and does not catch its error.

`spark-submit` and other supervisors read the exit status of the program, and `Pipeline.run` is often its last line.
Therefore an uncaught error of a pipeline is printed as one sentence, with the exit status of `tenure pipeline run`,
instead of a traceback with status 1.
"""

import sys
from collections.abc import Callable
from functools import wraps
from types import TracebackType
from typing import Final, ParamSpec, TypeVar

from tenure.pipeline.errors import PipelineConfigError, PipelineStopped

P = ParamSpec("P")
T = TypeVar("T")

Hook = Callable[[type[BaseException], BaseException, TracebackType | None], object]


class ExitWithStatus:
    """Hook for uncaught exceptions (`sys.excepthook`)."""

    def __init__(self, otherwise: Hook) -> None:
        self.otherwise: Final = otherwise

    def __call__(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if not isinstance(error, PipelineConfigError | PipelineStopped):
            self.otherwise(kind, error, trace)
            return
        print(f"tenure: {error}", file=sys.stderr)
        raise SystemExit(error.exit_status)


def exits_with_status(run: Callable[P, T]) -> Callable[P, T]:
    """Decorate a function: after its first call, uncaught pipeline errors end the program with their exit status."""

    @wraps(run)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> T:
        is_interactive = hasattr(sys, "ps1")  # An error must not end an interactive session.
        if not is_interactive and not isinstance(sys.excepthook, ExitWithStatus):
            sys.excepthook = ExitWithStatus(sys.excepthook)
        return run(*args, **kwargs)

    return wrapped
