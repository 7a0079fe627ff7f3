"""Request of a client while quotas are set: its time is measured, and its connection is muted if a quota is exceeded.

The response is sent at once and contains the throttle time; the next request begins after that time (KIP-219). Kafka
counts the time of its threads. Tenure has one event loop, and counts the time for which the request occupies it.
"""

from collections.abc import Iterable, Iterator
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any, Final

from tenure.broker.quotas.client_quotas import ClientQuotas, QuotaKind
from tenure.broker.requests.context import Context
from tenure.broker.requests.request import Request
from tenure.limits.broker import ANSWERED_AT_ONCE_MAX
from tenure.protocol.apis import ApiKey
from tenure.protocol.dialect import Dialect
from tenure.protocol.message import replace

if TYPE_CHECKING:
    from tenure.broker.requests.steps import Steps
    from tenure.broker.server.connection import Connection
    from tenure.protocol.message import Message

PERCENT_PER_NS: Final = 100 / 1e9
"""Percent per nanosecond of work, for request quotas: one second of work in a second is 100 percent."""
UNMETERED: Final = frozenset({ApiKey.SASL_HANDSHAKE, ApiKey.SASL_AUTHENTICATE, ApiKey.WRITE_TXN_MARKERS})


class MeteredRequest(Request):
    __slots__ = (
        "_context",
        "_effective_quotas",
        "_is_charged",
        "_quotas",
        "_size_bytes",
        "_spent_ns",
        "_started_ns",
        "_worst",
    )

    def __init__(
        self,
        context: Context,
        connection: "Connection",
        dialect: Dialect,
        correlation_id: int,
        client_id: str | None,
        size_bytes: int,
        started_ns: int,
    ) -> None:
        super().__init__(connection, dialect, correlation_id, client_id)
        self._context: Final = context
        self._quotas: Final[ClientQuotas] = context.client_quotas
        self._effective_quotas: Final = self._quotas.of(connection.principal.name, client_id or "")
        self._size_bytes: Final = size_bytes
        """Size of the request's frame."""
        self._spent_ns = 0
        self._started_ns = started_ns
        """Time at which the current piece of work began; 0 between pieces."""
        self._worst: tuple[int, QuotaKind] = 0, QuotaKind.REQUEST
        """Longest throttle time of all quotas, in ms, and the quota's kind."""
        self._is_charged = False

    # --- measured time ------------------------------------------------------------------------------------------------

    def timed(self, steps: "Steps | None") -> "Steps | None":
        """Return the remaining steps of the request, with a measurement of each step's time; None without steps.

        Call this at the end of the first piece of work: it also ends the measurement of that piece.
        """
        self._pause()
        return None if steps is None else self._timed(steps)

    def _timed(self, steps: Iterable[Any]) -> Iterator[Any]:
        self._started_ns = perf_counter_ns()
        for step in steps:
            self._pause()
            yield step
            self._started_ns = perf_counter_ns()
        self._pause()

    def _pause(self) -> None:
        if self._started_ns:
            self._spent_ns += perf_counter_ns() - self._started_ns
            self._started_ns = 0

    def go_on(self, steps: Iterable[None], entries: int = ANSWERED_AT_ONCE_MAX + 1) -> None:
        super().go_on(self._timed(steps), entries)

    # --- quotas -------------------------------------------------------------------------------------------------------

    def fetch_bytes_max(self, requested: int) -> int:
        return int(min(requested, self._quotas.most_bytes_at_once(self._effective_quotas.fetch)))

    def throttles_fetch(self, size_bytes: int) -> bool:
        self._charge()
        quota, now_ms = self._effective_quotas.fetch, self._now_ms()
        self._exceed(QuotaKind.FETCH, self._quotas.throttle_ms(QuotaKind.FETCH, quota, size_bytes, now_ms))
        is_throttled = self._worst[0] > 0
        if is_throttled and quota is not None:
            quota.used.record(-size_bytes, now_ms)  # these bytes are not sent
        return is_throttled

    def may_mutate(self, partitions: int, *, is_strict: bool) -> bool:
        quota = self._effective_quotas.mutation
        if quota is None or not partitions:
            return True
        is_accepted, throttle_ms = self._quotas.mutate(quota, partitions, self._now_ms(), is_strict=is_strict)
        self._exceed(QuotaKind.MUTATION, throttle_ms)
        return is_accepted

    def _now_ms(self) -> int:
        return self._context.clock.tick_ms()

    def _exceed(self, kind: QuotaKind, throttle_ms: int) -> None:
        if throttle_ms > self._worst[0]:
            self._worst = throttle_ms, kind

    def _charge(self) -> None:
        """Count the bytes and the time of the request for the client's quotas, unless they are counted already."""
        if self._is_charged or self.api_key in UNMETERED:
            return
        self._is_charged = True
        self._charge_size()
        quota = self._effective_quotas.request
        if quota is None:
            return
        working_ns = perf_counter_ns() - self._started_ns if self._started_ns else 0
        percent = (self._spent_ns + working_ns) * PERCENT_PER_NS
        throttle_ms = self._quotas.throttle_ms(QuotaKind.REQUEST, quota, percent, self._now_ms())
        self._exceed(QuotaKind.REQUEST, throttle_ms)

    def _charge_size(self) -> None:
        if self.api_key == ApiKey.PRODUCE:
            quotas, quota = self._quotas, self._effective_quotas.produce
            throttle_ms = quotas.throttle_ms(QuotaKind.PRODUCE, quota, self._size_bytes, self._now_ms())
            self._exceed(QuotaKind.PRODUCE, throttle_ms)

    # --- response -----------------------------------------------------------------------------------------------------

    def answer(self, response: "Message") -> None:
        super().answer(self._throttled(response))
        self._mute()

    def _encode_in_steps(self, response: "Message") -> Iterator[None]:
        yield from Request._encode_in_steps(self, self._throttled(response))
        self._mute()

    def answer_nothing(self) -> None:
        """End a Produce with acks=0. As in Kafka, only its bytes count for quotas."""
        self._charge_size()
        super().answer_nothing()
        self._mute()

    def _throttled(self, response: "Message") -> "Message":
        """Return a copy of the response with the throttle time; messages are immutable."""
        self._charge()
        throttle_ms = self._worst[0]
        if not throttle_ms or not hasattr(response, "throttle_time_ms"):
            return response
        return replace(response, throttle_time_ms=throttle_ms)

    def _mute(self) -> None:
        throttle_ms, kind = self._worst
        if throttle_ms:
            self._quotas.count(kind, throttle_ms)
            self.connection.mute(throttle_ms / 1000)
