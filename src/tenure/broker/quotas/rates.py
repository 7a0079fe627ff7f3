"""Rates over sliding windows, and token buckets, computed as in Apache Kafka (KIP-13, KIP-599)."""

from math import floor
from typing import Final, NamedTuple

from tenure.config_keys import INT32_MAX


class Windows(NamedTuple):
    """Number and length of the windows of a rate (`quota.window.num`, `quota.window.size.seconds`)."""

    number: int
    size_ms: int


class _Sample:
    """Start of one window, and the sum of the values recorded in it."""

    __slots__ = ("last_ms", "start_ms", "value")

    def __init__(self, now_ms: int) -> None:
        self.reset(now_ms)

    def reset(self, now_ms: int) -> None:
        self.value = 0.0
        self.start_ms = now_ms
        self.last_ms = now_ms


class Rate:
    """Units per second over the last windows.

    As in Kafka, the sum of the values is divided by at least the length of all windows but one, even if the first value
    was recorded just now. So a new client may begin with a burst.
    """

    __slots__ = ("_current", "_samples", "windows")

    def __init__(self, windows: Windows) -> None:
        self.windows: Final = windows
        self._samples: list[_Sample] = []
        """Ring of `windows.number + 1` samples. The oldest one is only partly within the windows."""
        self._current = 0

    def record(self, value: float, now_ms: int) -> None:
        if not self._samples:
            self._samples.append(_Sample(now_ms))
        sample = self._samples[self._current]
        if now_ms - sample.start_ms >= self.windows.size_ms:
            sample = self._next_sample(now_ms)
        sample.value += value
        sample.last_ms = now_ms

    def _next_sample(self, now_ms: int) -> _Sample:
        self._current = (self._current + 1) % (self.windows.number + 1)
        if self._current == len(self._samples):
            self._samples.append(_Sample(now_ms))
        else:
            self._samples[self._current].reset(now_ms)
        return self._samples[self._current]

    def per_second(self, now_ms: int) -> float:
        elapsed_ms = self.elapsed_ms(now_ms)
        return sum([sample.value for sample in self._samples]) / (elapsed_ms / 1000)

    def elapsed_ms(self, now_ms: int) -> int:
        """Return the time over which the rate is computed: at least all windows but one."""
        number, size_ms = self.windows
        for sample in self._samples:
            if now_ms - sample.last_ms >= number * size_ms:
                sample.reset(now_ms)
        elapsed_ms = now_ms - min([sample.start_ms for sample in self._samples], default=now_ms)
        missing = number - 1 - elapsed_ms // size_ms
        return max(elapsed_ms + missing * size_ms if missing > 0 else elapsed_ms, 1)

    def throttle_ms(self, bound: float, now_ms: int) -> int:
        """Return the time until the rate is down to its bound; 0 if it does not exceed the bound."""
        rate = self.per_second(now_ms)
        if rate <= bound:
            return 0
        return min(_rounded((rate - bound) / bound * self.elapsed_ms(now_ms)), INT32_MAX)


class TokenBucket:
    """Token bucket: tokens refill over time, up to a maximum. One operation may overdraw the bucket (KIP-599)."""

    __slots__ = ("_refilled_ms", "_tokens", "windows")

    def __init__(self, windows: Windows) -> None:
        self.windows: Final = windows
        self._tokens = 0.0
        self._refilled_ms: int | None = None
        """Time of the last refill; None before the first refill, when the bucket is full."""

    def record(self, value: float, bound: float, now_ms: int) -> None:
        """Take `value` tokens. `bound` is the number of tokens that are added per second."""
        self._tokens = min(self._burst(bound), self.tokens(bound, now_ms) - value)

    def tokens(self, bound: float, now_ms: int) -> float:
        """Return the present number of tokens; negative if the bucket is overdrawn."""
        burst = self._burst(bound)
        if self._refilled_ms is None:
            self._tokens = burst
        else:
            self._tokens = min(burst, self._tokens + bound * ((now_ms - self._refilled_ms) / 1000))
        self._refilled_ms = now_ms
        return self._tokens

    def throttle_ms(self, bound: float, now_ms: int) -> int:
        """Return the time until the bucket is no longer overdrawn."""
        tokens = self.tokens(bound, now_ms)
        return min(_rounded(-tokens / bound * 1000), INT32_MAX) if tokens < 0 else 0

    def _burst(self, bound: float) -> float:
        return self.windows.number * (self.windows.size_ms / 1000) * bound


def _rounded(value: float) -> int:
    """Round half up, as Java does."""
    return floor(value + 0.5)
