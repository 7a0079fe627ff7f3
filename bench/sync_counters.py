"""Syncs of a broker and the commits that they make durable, from its metrics."""

from __future__ import annotations

import urllib.request
from typing import Final, NamedTuple

SYNCS: Final = "tenure_log_sync_seconds_count"
SYNC_SECONDS: Final = "tenure_log_sync_seconds_sum"
REQUESTS: Final = "tenure_requests_total"
COMMITS: Final = ('api="OffsetCommit"', 'api="TxnOffsetCommit"')


class SyncCounters(NamedTuple):
    """Counters of a broker since its start, or their increase."""

    commits: float
    syncs: float
    seconds: float

    @classmethod
    def of(cls, metrics: str) -> SyncCounters:
        """Read the counters from the address of a broker's metrics."""
        with urllib.request.urlopen(f"http://{metrics}/metrics") as page:
            lines = page.read().decode().splitlines()
        values = [line.rsplit(" ", 1) for line in lines if not line.startswith("#")]
        commits = sum(
            float(value) for name, value in values if name.startswith(REQUESTS) and any(of in name for of in COMMITS)
        )
        of_name = dict(values)
        return cls(commits, float(of_name[SYNCS]), float(of_name[SYNC_SECONDS]))

    def since(self, earlier: SyncCounters) -> str:
        """Return the increase as a sentence."""
        commits, syncs, seconds = (now - before for now, before in zip(self, earlier, strict=True))
        return f"{commits / syncs:.1f} commits per sync, each {seconds / syncs * 1e3:.2f} ms"
