"""Calibration of the what-if analysis: forecasts beside groups of librdkafka clients on Apache Kafka.

    python -m tests.whatif.calibration                  # twelve scenarios, about 15 minutes; a quiet machine
    python -m tests.whatif.calibration range-static     # some of them

Rebalances and moved partitions must be equal, and pauses must differ by at most 20 % (or 100 ms, the resolution). A
pause depends on how far the other members are from their next heartbeats. So both sides are means: of several groups,
which run at the same time in small scenarios, and of the forecasts of several seeds. The spread of the forecasts shows
how many groups are needed: with fewer, an exact forecast would differ by chance. All members of a group send heartbeats
at nearly the same time, in step since the group became stable. A script that stops the first member a fixed time later
would stop it in the same part of this interval in each group. So the groups begin at evenly spread times between two
heartbeats, and so do the members of a rolling restart.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from math import ceil
from pathlib import Path
from typing import Final

from tenure.admin import Admin
from tenure.whatif import Bounce, ClientTiming, GroupChange, GroupSeat, Outcome, Situation, forecast
from tenure.whatif.group import START_MS
from tenure.whatif.outcome import percentile
from tests.apache_kafka import apache_kafka
from tests.whatif.real_group import MEMBERS_PER_PROCESS, Measured, RealGroup, Writer

HEARTBEAT_MS: Final = 1_000
SESSION_MS: Final = 6_500
"""No multiple of the heartbeat interval. Otherwise the session of a killed member would end just when the others send
heartbeats, and by chance they would notice it now or an interval later."""
INITIAL_DELAY_MS: Final = 500
SETTINGS: Final = {
    "offsets.topic.num.partitions": "1",
    "group.initial.rebalance.delay.ms": str(INITIAL_DELAY_MS),
    "group.min.session.timeout.ms": "1000",
    "group.consumer.min.session.timeout.ms": "1000",
    "group.consumer.session.timeout.ms": str(SESSION_MS),
    "group.consumer.min.heartbeat.interval.ms": "500",
    "group.consumer.heartbeat.interval.ms": str(HEARTBEAT_MS),
    "log.cleaner.enable": "false",
}
TIMING: Final = ClientTiming(poll_interval_ms=0)
"""The clients wait in `poll`."""
SEEDS: Final = range(1, 41)
GROUPS_MIN: Final = 3
GROUPS_MAX: Final = 12
STANDARD_ERRORS: Final = 3
"""Standard errors of the mean of all groups that have to be smaller than the tolerance."""
MEMBERS_AT_ONCE: Final = 20
"""Number of members of all groups that run at the same time."""
TOLERANCE: Final = 0.2
RESOLUTION_MS: Final = 100
"""Interval between two records of a partition, in the largest scenario."""


@dataclass(frozen=True)
class Scenario:
    """Restarts of a group of some kind."""

    name: str
    protocol: str
    assignor: str
    static: bool
    members: int
    partitions: int
    bounce: Bounce
    added: int = 0
    session_ms: int = SESSION_MS
    waits: bool = False
    """True if a member restarts only after the group is stable without it."""
    phase_ms: int = 0
    """Part of a heartbeat interval that passes before the first member stops."""

    @property
    def topic(self) -> str:
        return f"topic-{self.name}"

    @property
    def situation(self) -> Situation:
        return Situation(
            self.name,
            tuple(self.member(number) for number in range(self.members)),
            {self.topic: self.partitions},
            self.protocol,
            assignors=(self.assignor,) if self.protocol == "classic" else ("range",),
            server_assignor=self.assignor if self.protocol == "consumer" else None,
            session_timeout_ms=self.session_ms,
            heartbeat_interval_ms=HEARTBEAT_MS,
            group_initial_rebalance_delay_ms=INITIAL_DELAY_MS,
            timing=TIMING,
        )

    def member(self, number: int) -> GroupSeat:
        name = f"member-{number:02}"
        return GroupSeat(name, (self.topic,), name if self.static else None, client_id=name)


def rolling(members: int) -> Bounce:
    """Return a rolling restart. Its members restart at evenly spread times between two heartbeats."""
    return Bounce("rolling", down_ms=3_000, wait_ms=5_000 + HEARTBEAT_MS // members)


KILL: Final = Bounce("one", down_ms=12_500, wait_ms=8_000, crash=True)
SHORT_KILL: Final = Bounce("one", down_ms=2_500, wait_ms=8_000, crash=True)
SCALE: Final = Bounce("none", wait_ms=8_000)

SCENARIOS: Final = (
    Scenario("range-dynamic", "classic", "range", False, 3, 12, rolling(3)),
    Scenario("range-static", "classic", "range", True, 3, 12, rolling(3)),
    Scenario("range-kill", "classic", "range", False, 6, 24, KILL),
    Scenario("roundrobin-scale-out", "classic", "roundrobin", False, 20, 40, SCALE, added=4),
    Scenario("cooperative-dynamic", "classic", "cooperative-sticky", False, 4, 16, rolling(4)),
    Scenario("cooperative-static", "classic", "cooperative-sticky", True, 4, 16, rolling(4)),
    Scenario("cooperative-static-kill", "classic", "cooperative-sticky", True, 6, 24, SHORT_KILL),
    Scenario("cooperative-scale-out", "classic", "cooperative-sticky", False, 10, 40, SCALE, added=2),
    Scenario("consumer-dynamic", "consumer", "uniform", False, 6, 24, rolling(6)),
    Scenario("consumer-static", "consumer", "uniform", True, 4, 16, rolling(4)),
    Scenario("consumer-kill", "consumer", "uniform", False, 10, 40, KILL),
    Scenario("consumer-scale-out", "consumer", "uniform", False, 40, 80, SCALE, added=4),
)


@dataclass(frozen=True)
class Comparison:
    """Forecast and measurement of one scenario."""

    scenario: Scenario
    rebalances: tuple[int, int]
    moved: tuple[int, int]
    median_ms: tuple[int, int]
    p99_ms: tuple[int, int]

    @property
    def failures(self) -> list[str]:
        """Return the figures that differ by more than the tolerance."""
        found = [name for name in ("rebalances", "moved") if len(set(getattr(self, name))) > 1]
        return found + [name for name in ("median_ms", "p99_ms") if not is_close(*getattr(self, name))]

    @property
    def row(self) -> str:
        """Return a line of the table."""
        cells = [f"{self.rebalances[0]} / {self.rebalances[1]}", f"{self.moved[0]} / {self.moved[1]}"]
        cells += [
            f"{forecast_ms / 1000:.2f} / {real_ms / 1000:.2f}" for forecast_ms, real_ms in (self.median_ms, self.p99_ms)
        ]
        verdict = "differs: " + ", ".join(self.failures) if self.failures else "equal"
        return f"{self.scenario.name:26}" + "".join(f"{cell:>16}" for cell in cells) + f"  {verdict}"


HEADING: Final = f"{'forecast / measured':26}" + "".join(
    f"{name:>16}" for name in ("rebalances", "moved", "median pause s", "p99 pause s")
)


def is_close(forecast_ms: int, real_ms: int) -> bool:
    """Return whether a pause is forecast well enough."""
    return abs(forecast_ms - real_ms) <= max(TOLERANCE * real_ms, RESOLUTION_MS)


def compare(scenario: Scenario, address: str, directory: Path, groups: int | None = None) -> Comparison:
    """Run a scenario with real clients in several groups, and forecast it."""
    at_once = max(MEMBERS_AT_ONCE // scenario.members, 1)
    outcomes = [forecast_of(scenario, seed) for seed in SEEDS]
    forecasts = [sorted(each.pause_ms.values()) for each in outcomes]
    groups = groups or ceil(groups_needed(forecasts) / at_once) * at_once
    names = [f"{scenario.name}-{number}" for number in range(groups)]
    plays = [replace(scenario, name=name, phase_ms=at * HEARTBEAT_MS // groups) for at, name in enumerate(names)]
    print(f"{scenario.name}: {groups} groups of {scenario.members} members", file=sys.stderr, flush=True)
    with ThreadPoolExecutor(at_once) as threads:
        measured = list(threads.map(lambda each: run_scenario(each, address, directory.with_name(each.name)), plays))
    real = [sorted(each.pause_ms.values()) for each in measured]

    def pause(percent: int) -> tuple[int, int]:
        expected, seen = (middle_mean([percentile(each, percent) for each in pauses]) for pauses in (forecasts, real))
        return round(expected), round(seen)

    return Comparison(
        scenario,
        (most_common(outcome.rebalances for outcome in outcomes), most_common(each.rebalances for each in measured)),
        (most_common(outcome.moved for outcome in outcomes), most_common(each.moved for each in measured)),
        pause(50),
        pause(99),
    )


def groups_needed(forecasts: list[list[int]]) -> int:
    """Return the number of groups whose mean pauses are exact enough to compare them with the forecasts."""
    needed = GROUPS_MIN
    for percent in (50, 99):
        pauses = [percentile(each, percent) for each in forecasts]
        low, _, high = statistics.quantiles(pauses)
        deviation = (high - low) / 1.35  # As of a normal distribution: outliers do not count.
        tolerance = max(TOLERANCE * middle_mean(pauses), RESOLUTION_MS)
        needed = max(needed, ceil((STANDARD_ERRORS * deviation / tolerance) ** 2))
    return min(needed, GROUPS_MAX)


def middle_mean(values: list[int]) -> float:
    """Return the mean without the lowest and the highest quarter.

    In some groups a heartbeat is sent just before the event of which its answer would inform the member. Their
    partitions pause for a heartbeat interval longer.
    """
    left_out = len(values) // 4
    return statistics.mean(sorted(values)[left_out : len(values) - left_out])


def most_common(values: object) -> int:
    """Return the most common value."""
    return Counter(values).most_common(1)[0][0]  # type: ignore[call-overload,no-any-return]


def forecast_of(scenario: Scenario, seed: int) -> Outcome:
    """Return the forecast of a scenario."""
    change = GroupChange(members=scenario.added)
    found = forecast(scenario.situation, scenario.bounce, change, seed=seed).after
    assert found is not None
    return found


def run_scenario(scenario: Scenario, address: str, directory: Path) -> Measured:
    """Run a scenario with librdkafka clients."""
    directory.mkdir()
    with Admin(address) as admin:
        admin.create_topics([scenario.topic], partitions=scenario.partitions)
    group = RealGroup(address, scenario.topic, scenario.situation, directory)
    try:
        with Writer(address, scenario.topic, scenario.partitions):
            return _run_scenario(scenario, group)
    finally:
        group.close()


def _run_scenario(scenario: Scenario, group: RealGroup) -> Measured:
    seats = scenario.situation.seats
    bounced = {"rolling": len(seats), "one": 1, "none": 0}[scenario.bounce.kind]
    alone, together = seats[:bounced], seats[bounced:]
    shares = [*((member,) for member in alone)]
    shares += [together[at : at + MEMBERS_PER_PROCESS] for at in range(0, len(together), MEMBERS_PER_PROCESS)]
    processes = [group.prepare(share, within_ms=START_MS) for share in shares]
    for share, process in zip(shares, processes, strict=True):
        group.start(share, process)
    group.settle(len(seats))
    new = [scenario.member(len(seats) + number) for number in range(scenario.added)]
    successors = [group.prepare((member,)) for member in alone]
    added = group.prepare(new) if new else None
    time.sleep(2 + scenario.phase_ms / 1000)
    group.begin()
    if added is not None:
        group.start(new, added)
    for member, successor in zip(alone, successors, strict=True):
        group.stop(member, crash=scenario.bounce.crash)
        if scenario.waits:
            group.settle(len(seats) - 1)
        else:
            time.sleep(scenario.bounce.down_ms / 1000)
        group.start((member,), successor)
        if scenario.waits:
            group.settle(len(seats))
        else:
            time.sleep((scenario.bounce.wait_ms or 0) / 1000)
    group.settle(len(seats) + scenario.added)
    time.sleep(1)
    return group.measured()


def main(names: list[str]) -> None:
    chosen = [scenario for scenario in SCENARIOS if not names or scenario.name in names]
    print(HEADING)
    failed = 0
    with tempfile.TemporaryDirectory() as scratch, apache_kafka(Path(scratch, "kafka"), settings=SETTINGS) as broker:
        for scenario in chosen:
            found = compare(scenario, broker.address, Path(scratch, scenario.name))
            failed += bool(found.failures)
            print(found.row, flush=True)
    print(f"{len(chosen) - failed} of {len(chosen)} scenarios are forecast well.")
    raise SystemExit(1 if failed else 0)


if __name__ == "__main__":
    main(sys.argv[1:])
