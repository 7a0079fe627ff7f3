"""How long to wait before asking again."""

from tenure.limits import (
    RETRY_BACKOFF_MAX_MS,
    RETRY_BACKOFF_MS,
    TRANSACTION_BACKOFF_MAX_MS,
    TRANSACTION_BACKOFF_MS,
)
from tenure.protocol.errors import ErrorCode


class Pauses:
    """Of one question. They grow, and are short while a transaction's markers are being written."""

    def __init__(self) -> None:
        self._next_ms = RETRY_BACKOFF_MS
        self._next_busy_ms = TRANSACTION_BACKOFF_MS

    def next_s(self, error_code: ErrorCode | None) -> float:
        """After this answer; None: after none."""
        if error_code is ErrorCode.CONCURRENT_TRANSACTIONS:
            pause_ms = self._next_busy_ms
            self._next_busy_ms = min(2 * pause_ms, TRANSACTION_BACKOFF_MAX_MS)
        else:
            pause_ms = self._next_ms
            self._next_ms = min(2 * pause_ms, RETRY_BACKOFF_MAX_MS)
        return pause_ms / 1000
