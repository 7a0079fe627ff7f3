"""Spark waits 10 s for a Python process that it has started, and cannot be told to wait longer. A machine that is busy
with other tests may need more: then it is tried again, as a user would."""

from collections.abc import Callable
from typing import Final, TypeVar

T = TypeVar("T")

TRIES: Final = 12
TOO_LATE: Final = "Python worker failed to connect back"


def patiently(work: Callable[[], T]) -> T:
    for _ in range(TRIES - 1):
        try:
            return work()
        except Exception as error:
            if TOO_LATE not in str(error):
                raise
    return work()
