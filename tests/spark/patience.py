"""Quick starts of Python processes of Spark, and repeats of work that failed because a start took too long.

Spark waits 10 s for a Python process, and has no setting for that. A host that is busy with other tests may need more.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol, TypeVar

import pytest

T = TypeVar("T")

QUICK_PYTHON: Final = str(Path(__file__).with_name("quick_python"))
"""Directory in the import path of processes that import PySpark from its files."""

TRIES: Final = 12
TOO_LATE: Final = "Python worker failed to connect back"

repeats_slow_starts: Final = pytest.mark.repeats("Spark gives a Python process 10 s to start")


class Patiently(Protocol):
    """Do some work, and repeat it if a Python process started too late for Spark."""

    def __call__(self, work: Callable[[], T]) -> T: ...


@pytest.fixture
def patiently(repeated: Callable[[object], None]) -> Patiently:
    def work_patiently(work: Callable[[], T]) -> T:
        return repeat_slow_starts(work, repeated)

    return work_patiently


def repeat_slow_starts(work: Callable[[], T], note: Callable[[object], None] = lambda _: None) -> T:
    """Do some work, and repeat it while a Python process starts too late for Spark.

    Args:
        work: Work that can be repeated.
        note: Called before each repetition, with the reason.
    """
    for _ in range(TRIES - 1):
        try:
            return work()
        except Exception as error:
            if TOO_LATE not in str(error):
                raise
            note(TOO_LATE)
    return work()
