"""Recognition of modules that executors lack, in the errors of Spark jobs."""

import re
from typing import Final

MISSING: Final = re.compile(r"ModuleNotFoundError: No module named '([^']+)'")


def missing_module(summary: str) -> str | None:
    """Return the name of the module that a task could not import; None if the error has another cause.

    Args:
        summary: Error of a job in one line. Spark passes on only the text of a task's exception.
    """
    found = MISSING.match(summary)
    return None if found is None else found[1]
