"""Durations as Spark users write them: "10 minutes", "1 hour 30 minutes", or a timedelta."""

import re
from datetime import timedelta
from typing import Final, TypeAlias

from tenure.pipeline.errors import PipelineConfigError

Duration: TypeAlias = str | timedelta

UNITS_US: Final = {
    "microsecond": 1,
    "millisecond": 1_000,
    "second": 1_000_000,
    "minute": 60_000_000,
    "hour": 3_600_000_000,
    "day": 86_400_000_000,
    "week": 7 * 86_400_000_000,
}

PART: Final = re.compile(r"(\d+)\s+([a-z]+?)s?\b\s*")


def microseconds(duration: Duration, name: str, *, least_us: int = 1) -> int:
    """Return a duration in microseconds.

    Args:
        duration: Text such as "10 minutes", or a timedelta.
        name: Name of the duration, for error messages.
        least_us: Minimum in microseconds.

    Raises:
        PipelineConfigError: The duration cannot be parsed, or is too short.
    """
    found = _microseconds(duration)
    if found is None:
        raise PipelineConfigError(f"{name} has the invalid duration '{duration}': write it like '10 minutes'.")
    if found < least_us:
        least = "longer than 0" if least_us == 1 else f"at least {least_us / 1_000_000:g} s"
        raise PipelineConfigError(f"{name} is '{duration}': it must be {least}.")
    return found


def _microseconds(duration: object) -> int | None:
    if isinstance(duration, timedelta):
        return duration // timedelta(microseconds=1)
    if not isinstance(duration, str):
        return None
    text, at, total = duration.strip().lower().removeprefix("interval").strip(), 0, 0
    while at < len(text):
        part = PART.match(text, at)
        if part is None or part[2] not in UNITS_US:
            return None
        total += int(part[1]) * UNITS_US[part[2]]
        at = part.end()
    return total if text else None
