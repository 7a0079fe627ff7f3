"""Times and durations: parsers of the formats of Kafka's tools, and durations as text."""

import re
from datetime import UTC, datetime, timedelta
from typing import Final

_ISO: Final = re.compile(
    r"P(?!$)(?:(?P<days>\d+)D)?(?:T(?=\d)(?:(?P<hours>\d+)H)?(?:(?P<minutes>\d+)M)?(?:(?P<seconds>\d+(?:\.\d{1,3})?)S)?)?"
)
_SHORT: Final = re.compile(r"(?P<number>\d+)(?P<unit>ms|s|m|h|d)")
_UNIT_MS: Final = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}


def parse_duration_ms(text: str) -> int:
    """Parse `P7D`, `PT1H30M`, `90s`, `500ms` or `2h` into ms. Raises ValueError."""
    short = _SHORT.fullmatch(text)
    if short is not None:
        return int(short["number"]) * _UNIT_MS[short["unit"]]
    iso = _ISO.fullmatch(text.upper())
    if iso is None:
        raise ValueError(f"Invalid duration {text!r}: write it as PT1H30M or P7D, or as 90s, 2h, 7d")
    parts = {name: float(value) for name, value in iso.groupdict().items() if value}
    try:
        return round(timedelta(**parts) / timedelta(milliseconds=1))
    except OverflowError:
        raise ValueError(f"Invalid duration {text!r}: it is too long") from None


def parse_datetime_ms(text: str) -> int:
    """Parse an ISO 8601 time into Unix ms; a time without a zone is UTC, as in Kafka's tools. Raises ValueError."""
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(
            f"Invalid time {text!r}: write it as 2026-01-31T18:30:00.000, optionally with +02:00"
        ) from None
    return round((time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp() * 1_000)


def duration_text(ms: int) -> str:
    """Return a duration as text, such as `3.1 s`, `5.7 min` or `6.9 days`."""
    if ms < 120_000:
        return f"{ms / 1000:.1f} s"
    if ms < 7_200_000:
        return f"{ms / 60_000:,.1f} min"
    return f"{ms / 3_600_000:,.1f} h" if ms < 172_800_000 else f"{ms / 86_400_000:,.1f} days"
