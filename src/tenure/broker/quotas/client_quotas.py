"""Quotas of users and client ids: which one applies to a client, and how long it throttles (KIP-13, KIP-55, KIP-599).

Nothing here reads the clock: callers pass the time. Depending on the quota that applies, a rate is measured for a user,
a client id, or a client id of a user (`RateKey`). If a quota changes, the measured rate is kept, as in Kafka.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Final, NamedTuple, TypeAlias

from tenure.broker.quotas.rates import Rate, TokenBucket, Windows
from tenure.coordinator.metadata.commands import Entity
from tenure.coordinator.metadata.quotas import CLIENT_ID, USER
from tenure.limits.broker import QUOTA_CLIENTS_MAX

RateKey: TypeAlias = "tuple[str, str]"
"""(user, client id) of the clients that share a measured rate; "" stands for any user, or for any client id."""


class QuotaKind(StrEnum):
    """Kinds of client quotas, with their keys in AlterClientQuotas."""

    PRODUCE = "producer_byte_rate"
    FETCH = "consumer_byte_rate"
    REQUEST = "request_percentage"
    MUTATION = "controller_mutation_rate"


class RateQuota(NamedTuple):
    """One quota that applies to a client: its bound per second, and the measured rate."""

    bound: float
    used: Rate


class MutationQuota(NamedTuple):
    """Quota on the number of created and deleted partitions: its bound per second, and the token bucket."""

    bound: float
    used: TokenBucket


class EffectiveQuotas(NamedTuple):
    """All quotas that apply to one client; None means unlimited."""

    produce: RateQuota | None
    fetch: RateQuota | None
    request: RateQuota | None
    mutation: MutationQuota | None


class ClientQuotas:
    def __init__(self, windows: Windows, mutation_windows: Windows) -> None:
        self._windows: Final = windows
        self._mutation_windows: Final = mutation_windows
        self._stored: Mapping[Entity, Mapping[str, float]] = {}
        self._clients: dict[RateKey, EffectiveQuotas] = {}
        """Quotas by (user, client id), the oldest entry first."""
        self._rates: dict[tuple[QuotaKind, RateKey], Rate] = {}
        """Measured rates, the oldest entry first. Invariant: at most QUOTA_CLIENTS_MAX entries, as in `_buckets`."""
        self._buckets: dict[RateKey, TokenBucket] = {}
        self.is_active = False
        """True if any quota is set."""
        self.throttled: Final[Counter[QuotaKind]] = Counter()
        """Number of throttled requests by kind of quota."""
        self.throttled_ms: Final[Counter[QuotaKind]] = Counter()
        """Sum of throttle times by kind of quota."""

    def reload(self, stored: Mapping[Entity, Mapping[str, float]]) -> None:
        """Replace all quotas after a change. Measured rates are kept."""
        self._stored = dict(stored)
        self._clients.clear()
        self.is_active = any(kind in (USER, CLIENT_ID) for entity in stored for kind, _ in entity)

    def of(self, user: str, client_id: str) -> EffectiveQuotas:
        """Return the quotas that apply to a client."""
        client = user, client_id
        found = self._clients.get(client)
        if found is None:
            _make_room(self._clients)
            found = self._clients[client] = EffectiveQuotas(
                self._rate_quota(QuotaKind.PRODUCE, client),
                self._rate_quota(QuotaKind.FETCH, client),
                self._rate_quota(QuotaKind.REQUEST, client),
                self._mutation_quota(client),
            )
        return found

    def throttle_ms(self, kind: QuotaKind, quota: RateQuota | None, value: float, now_ms: int) -> int:
        """Record `value` for a quota, and return for how long the client is throttled, in ms.

        `value` has the unit of the quota, for example bytes. As in Kafka, the throttle time of request quotas is at
        most one window; that of other quotas has no limit.
        """
        if quota is None:
            return 0
        quota.used.record(value, now_ms)
        throttle_ms = quota.used.throttle_ms(quota.bound, now_ms)
        return min(throttle_ms, self._windows.size_ms) if kind is QuotaKind.REQUEST else throttle_ms

    def mutate(self, quota: MutationQuota, partitions: float, now_ms: int, *, is_strict: bool) -> tuple[bool, int]:
        """Record created or deleted partitions. Return whether they are accepted, and the throttle time (KIP-599).

        With `is_strict`, partitions are refused while the token bucket is overdrawn. Without it, they are always
        accepted, and the client is throttled while the bucket is overdrawn.
        """
        bound, bucket = quota
        if is_strict:
            throttle_ms = bucket.throttle_ms(bound, now_ms)
            if bucket.tokens(bound, now_ms) < 0:
                return False, throttle_ms
            bucket.record(partitions, bound, now_ms)
            return True, 0
        bucket.record(partitions, bound, now_ms)
        return True, bucket.throttle_ms(bound, now_ms)

    def most_bytes_at_once(self, quota: RateQuota | None) -> float:
        """Return how many bytes a client that has not fetched for a while may fetch at once without being throttled."""
        if quota is None:
            return float("inf")
        return quota.bound * (self._windows.number - 1) * (self._windows.size_ms / 1000)

    def count(self, kind: QuotaKind, throttle_ms: int) -> None:
        """Count a throttled request and its throttle time, for metrics."""
        self.throttled[kind] += 1
        self.throttled_ms[kind] += throttle_ms

    # --- which quota applies ------------------------------------------------------------------------------------------

    def _rate_quota(self, kind: QuotaKind, client: RateKey) -> RateQuota | None:
        found = self._found(kind, client)
        if found is None:
            return None
        bound, rate_key = found
        rate = self._rates.get((kind, rate_key))
        if rate is None:
            _make_room(self._rates)
            rate = self._rates[kind, rate_key] = Rate(self._windows)
        return RateQuota(bound, rate)

    def _mutation_quota(self, client: RateKey) -> MutationQuota | None:
        found = self._found(QuotaKind.MUTATION, client)
        if found is None:
            return None
        bound, rate_key = found
        bucket = self._buckets.get(rate_key)
        if bucket is None:
            _make_room(self._buckets)
            bucket = self._buckets[rate_key] = TokenBucket(self._mutation_windows)
        return MutationQuota(bound, bucket)

    def _found(self, kind: QuotaKind, client: RateKey) -> tuple[float, RateKey] | None:
        for entity, rate_key in _precedence(*client):
            bound = self._stored.get(entity, {}).get(kind.value)
            if bound is not None:
                return bound, rate_key
        return None


def _precedence(user: str, client_id: str) -> Iterator[tuple[Entity, RateKey]]:
    """Yield (entity, rate key) for each entity whose quota may apply to a client, in order of precedence.

    The first entity that has a quota decides. As in Kafka, only quotas of users apply to a client without a client id.
    """
    client_names = (client_id, None) if client_id else ()
    for user_name in (user, None):
        for client_name in client_names:
            yield ((CLIENT_ID, client_name), (USER, user_name)), (user, client_id)
        yield ((USER, user_name),), (user, "")
    for client_name in client_names:
        yield ((CLIENT_ID, client_name),), ("", client_id)


def _make_room(
    kept: dict[RateKey, EffectiveQuotas] | dict[tuple[QuotaKind, RateKey], Rate] | dict[RateKey, TokenBucket],
) -> None:
    """Remove the oldest entry if the dictionary is full: clients can send any number of client ids."""
    if len(kept) >= QUOTA_CLIENTS_MAX:
        oldest = next(iter(kept))
        del kept[oldest]  # type: ignore[arg-type]
