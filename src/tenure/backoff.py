"""Exponential backoff between retries, for clients, pipelines and supervisors."""

from typing import Final, NamedTuple

from tenure.limits.client import (
    RETRY_BACKOFF_MAX_MS,
    RETRY_BACKOFF_MS,
    TRANSACTION_BACKOFF_MAX_MS,
    TRANSACTION_BACKOFF_MS,
)
from tenure.limits.pipeline import LANE_BACKOFF_MAX_S, LANE_BACKOFF_S
from tenure.limits.spark import RESTART_PAUSE_MAX_S, RESTART_PAUSE_S


class BackoffBounds(NamedTuple):
    """First and longest delay between retries, in seconds."""

    first_s: float
    max_s: float


REQUEST: Final = BackoffBounds(RETRY_BACKOFF_MS / 1000, RETRY_BACKOFF_MAX_MS / 1000)
"""Bounds for requests of a client."""
TRANSACTION_MARKERS: Final = BackoffBounds(TRANSACTION_BACKOFF_MS / 1000, TRANSACTION_BACKOFF_MAX_MS / 1000)
"""Bounds for requests of a producer while its coordinator still writes the markers of the previous transaction."""
LANE: Final = BackoffBounds(LANE_BACKOFF_S, LANE_BACKOFF_MAX_S)
"""Bounds for a lane or a member of a pipeline after a failure."""
RESTART: Final = BackoffBounds(RESTART_PAUSE_S, RESTART_PAUSE_MAX_S)
"""Bounds for restarts of a crashed application."""


class Backoff:
    """Delays of one retried operation. Each delay is twice the one before, up to the upper bound."""

    def __init__(self, bounds: BackoffBounds) -> None:
        self.retries = 0
        """Number of delays since the last reset."""
        self._bounds: Final = bounds
        self._next_s = bounds.first_s

    def next_s(self) -> float:
        """Return the seconds to wait before the next retry."""
        delay_s = self._next_s
        self._next_s = min(2 * delay_s, self._bounds.max_s)
        self.retries += 1
        return delay_s

    def reset(self) -> None:
        """Start again with the first delay, after a success."""
        self.retries = 0
        self._next_s = self._bounds.first_s
