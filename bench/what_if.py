"""Forecasts of one week of deployments: 40 members, 200 partitions, two rolling restarts on each working day.

Both columns of a forecast are computed: the group as it is, and with static members. Time between deployments costs
nothing.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from bench.figures import Figure, Sample
from tenure.whatif import Bounce, GroupChange, GroupSeat, Situation, forecast

MEMBERS: Final = 40
PARTITIONS: Final = 200
DEPLOYMENTS: Final = 10
PROMISED_S: Final = 10.0


def measure(directory: Path, quick: bool) -> Iterable[Figure]:
    """Yield the time of a forecast for each kind of group."""
    del directory
    for protocol, assignor in (("classic", "range"), ("classic", "cooperative-sticky"), ("consumer", "uniform")):
        took_s = _forecast_s(protocol, assignor, 1 if quick else DEPLOYMENTS)
        times = 1 if quick else DEPLOYMENTS
        yield Figure(
            f"what-if, {MEMBERS} members x {PARTITIONS} partitions, {times} deployments, {assignor}",
            "s",
            Sample.of([took_s]),
            PROMISED_S,
            less_is_better=True,
        )


def _forecast_s(protocol: str, assignor: str, times: int) -> float:
    seats = tuple(
        GroupSeat(f"member-{number:02}", ("t",), client_id=f"member-{number:02}") for number in range(MEMBERS)
    )
    situation = Situation(
        "week",
        seats,
        {"t": PARTITIONS},
        protocol,
        assignors=(assignor,) if protocol == "classic" else ("range",),
        server_assignor=assignor if protocol == "consumer" else None,
    )
    began_s = time.perf_counter()
    found = forecast(situation, Bounce("rolling", down_ms=20_000, times=times), GroupChange(static=True))
    assert found.after is not None
    assert found.before.rebalances >= 2 * MEMBERS * times
    assert found.after.rebalances == 0
    return time.perf_counter() - began_s
