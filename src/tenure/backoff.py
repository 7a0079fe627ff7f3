"""Exponential backoff between retries, for clients, pipelines and supervisors."""

from typing import Final


class Backoff:
    """Delays of one operation that is retried: they double from `first_s` up to `max_s`."""

    def __init__(self, first_s: float, max_s: float) -> None:
        self.retries = 0
        """Delays since the last reset."""
        self._first_s: Final = first_s
        self._max_s: Final = max_s
        self._next_s = first_s

    def next_s(self) -> float:
        """Return the seconds to wait before the next retry."""
        delay_s = self._next_s
        self._next_s = min(2 * delay_s, self._max_s)
        self.retries += 1
        return delay_s

    def reset(self) -> None:
        """Start again with `first_s`, after a success."""
        self.retries = 0
        self._next_s = self._first_s
