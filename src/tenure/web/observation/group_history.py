"""Last hour of one group: owners of its partitions, rebalances and lag. No I/O."""

from collections import deque
from collections.abc import Sequence
from threading import Lock
from typing import Final, NamedTuple

from tenure.admin.group_description import GroupDescription
from tenure.client.values import TopicPartition
from tenure.limits.web import HISTORY_MS, LAG_SAMPLE_INTERVAL_MS, LAG_SAMPLES_MAX, SPANS_MAX, TREND_MS


class Span(NamedTuple):
    """Interval in which a member owned a partition."""

    partition: TopicPartition
    owner: str
    """Instance id, or member id without one."""
    member_id: str
    from_ms: int
    to_ms: int | None
    """Time at which the member lost the partition; None while it owns it."""


class LagSample(NamedTuple):
    """Lag of a group, summed over its partitions."""

    at_ms: int
    records: int


class GroupHistory:
    """Observations of one group, oldest first. They begin when the dashboard starts: Kafka reports no history.

    Kafka does not report the generation of a classic group. Therefore a rebalance between two observations is missed if
    it changes neither members nor partitions. Thread-safe: one thread observes, and others read for pages.
    """

    def __init__(self, began_ms: int) -> None:
        self.began_ms: Final = began_ms
        self.observed_ms = began_ms
        """Time of the last observation."""
        self._lock: Final = Lock()
        self._lag: deque[LagSample] = deque(maxlen=LAG_SAMPLES_MAX)
        self._ended: deque[Span] = deque(maxlen=SPANS_MAX)
        self._owned: dict[TopicPartition, Span] = {}
        self._rebalances: deque[int] = deque()
        """Time of each observed rebalance."""
        self._last: GroupDescription | None = None

    def observe(self, at_ms: int, group: GroupDescription, lag: int | None) -> None:
        """Add the present description and lag of the group."""
        with self._lock:
            self.observed_ms = at_ms
            if self._last is not None:
                self._rebalances.extend([at_ms] * _rebalances_between(self._last, group))
            self._last = group
            self._change_owners(at_ms, group)
            if lag is not None and (not self._lag or at_ms - self._lag[-1].at_ms >= LAG_SAMPLE_INTERVAL_MS):
                self._lag.append(LagSample(at_ms, lag))
            self._forget(at_ms - HISTORY_MS)

    def counted_since_ms(self, now_ms: int) -> int:
        """Return the time since which rebalances are counted: an hour ago, or the start of this history if later."""
        return max(self.began_ms, now_ms - HISTORY_MS)

    def rebalances(self, now_ms: int) -> int:
        """Return the number of rebalances since `counted_since_ms`."""
        with self._lock:
            return sum(at_ms > now_ms - HISTORY_MS for at_ms in self._rebalances)

    @property
    def last_rebalance_ms(self) -> int | None:
        """Time of the last observed rebalance; None if none was observed."""
        with self._lock:
            return self._rebalances[-1] if self._rebalances else None

    @property
    def spans(self) -> Sequence[Span]:
        """Intervals of ownership, ended ones first."""
        with self._lock:
            return [*self._ended, *self._owned.values()]

    @property
    def lag(self) -> Sequence[LagSample]:
        """Samples of the lag, oldest first."""
        with self._lock:
            return list(self._lag)

    def lag_trend(self) -> float | None:
        """Return the change of the lag in records per minute, over the last TREND_MS.

        Return None if the samples cover less than half of this period.
        """
        samples = self.lag
        if not samples:
            return None
        last = samples[-1]
        first = next(sample for sample in samples if sample.at_ms >= last.at_ms - TREND_MS)
        elapsed_ms = last.at_ms - first.at_ms
        return None if elapsed_ms < TREND_MS / 2 else (last.records - first.records) * 60_000 / elapsed_ms

    def _change_owners(self, at_ms: int, group: GroupDescription) -> None:
        owners = {partition: member for member in group.members for partition in member.partitions}
        for partition, span in list(self._owned.items()):
            member = owners.get(partition)
            if member is None or (member.name, member.member_id) != (span.owner, span.member_id):
                self._ended.append(span._replace(to_ms=at_ms))
                del self._owned[partition]
        for partition, member in owners.items():
            if partition not in self._owned:
                self._owned[partition] = Span(partition, member.name, member.member_id, at_ms, None)

    def _forget(self, before_ms: int) -> None:
        while self._ended and (self._ended[0].to_ms or 0) < before_ms:
            self._ended.popleft()
        while self._rebalances and self._rebalances[0] < before_ms:
            self._rebalances.popleft()
        while self._lag and self._lag[0].at_ms < before_ms:
            self._lag.popleft()


def _rebalances_between(before: GroupDescription, after: GroupDescription) -> int:
    """Return the minimum number of rebalances between two descriptions."""
    if before.group_epoch is not None and after.group_epoch is not None:
        return max(0, after.group_epoch - before.group_epoch)
    return int(after.state == "Stable" and _membership(before) != _membership(after))


def _membership(group: GroupDescription) -> dict[str, tuple[TopicPartition, ...]]:
    return {member.member_id: member.partitions for member in group.members}
