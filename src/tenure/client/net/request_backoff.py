"""Backoff between the retries of a request."""

from typing import Final

from tenure.backoff import Backoff
from tenure.limits import (
    RETRY_BACKOFF_MAX_MS,
    RETRY_BACKOFF_MS,
    TRANSACTION_BACKOFF_MAX_MS,
    TRANSACTION_BACKOFF_MS,
)
from tenure.protocol.errors import ErrorCode


def request_backoff() -> Backoff:
    """Return the backoff of a request with Kafka's `retry.backoff.ms` and `retry.backoff.max.ms`."""
    return Backoff(RETRY_BACKOFF_MS / 1000, RETRY_BACKOFF_MAX_MS / 1000)


class TransactionalBackoff:
    """Backoff of a request that is retried quickly while a coordinator still writes transaction markers."""

    def __init__(self) -> None:
        self._backoff: Final = request_backoff()
        self._markers: Final = Backoff(TRANSACTION_BACKOFF_MS / 1000, TRANSACTION_BACKOFF_MAX_MS / 1000)

    def next_s(self, error_code: ErrorCode | None) -> float:
        """Return the seconds to wait after this error code; None stands for no answer."""
        backoff = self._markers if error_code is ErrorCode.CONCURRENT_TRANSACTIONS else self._backoff
        return backoff.next_s()
