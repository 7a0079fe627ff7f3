"""Forecast of the cost of restarts, for the present group and with a change."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from tenure.client.values import TopicPartition
from tenure.limits.whatif import SEATS_MAX
from tenure.whatif.bounce import ALL, NONE, ONE, Bounce
from tenure.whatif.group import SimulatedGroup
from tenure.whatif.history import History, StepKind
from tenure.whatif.outcome import Outcome, outcome_of
from tenure.whatif.situation import GroupChange, GroupSeat, Situation, WhatIfError

NO_CHANGE: Final = GroupChange()


@dataclass(frozen=True, slots=True)
class Forecast:
    """Cost of restarts before and after a change."""

    situation: Situation
    restarts: Bounce | History
    before: Outcome
    change: GroupChange | None = None
    after: Outcome | None = None
    """Cost with the change; None without a change."""

    def as_json(self) -> dict[str, Any]:
        """Return the forecast as JSON values."""
        situation = self.situation
        return {
            "group": situation.group_id,
            "protocol": situation.group_protocol,
            "members": len(situation.seats),
            "static_members": situation.static_members,
            "partitions": sum(situation.partitions.values()),
            "restarts": self.restarts.description,
            "change": None if self.change is None else self.change.description,
            "before": self.before.as_json(),
            "after": None if self.after is None else self.after.as_json(),
        }


def forecast(
    situation: Situation, restarts: Bounce | History | None = None, change: GroupChange | None = None, *, seed: int = 1
) -> Forecast:
    """Forecast the cost of restarts in virtual time, for the present group and with a change.

    Args:
        situation: The group: from `described.describe`, from `audited.AuditedGroups`, or created by a program.
        restarts: Restarts, or a history to replay; None for a rolling restart in which each member is down for 20 s.
        change: The change; None forecasts only the present group.
        seed: Seed of all random values, such as the times at which members start and poll. The same seed gives the
            same forecast.

    Raises:
        WhatIfError: The group or the change cannot be simulated.
    """
    restarts = restarts or Bounce()
    situation.check()
    before = simulate(situation, restarts, seed=seed)
    if change is None:
        return Forecast(situation, restarts, before)
    return Forecast(situation, restarts, before, change, simulate(situation, restarts, change, seed=seed))


def simulate(
    situation: Situation, restarts: Bounce | History, change: GroupChange = NO_CHANGE, *, seed: int = 1
) -> Outcome:
    """Simulate the restarts of a group after a change. Members are added or removed first. Raises WhatIfError."""
    changed = change.applied_to(situation)
    count = len(changed.seats) + change.members
    if not 1 <= count <= SEATS_MAX:
        raise WhatIfError(f"A group of {count} members cannot be simulated: it needs 1 to {SEATS_MAX:,}.")
    group = SimulatedGroup(changed, seed)
    group.start_all()
    group.pass_part_of_heartbeat()
    group.timeline.begin()
    seats = _resize(group, changed, change.members)
    if isinstance(restarts, History):
        _replay(group, restarts, change)
    else:
        for _ in range(restarts.times):
            _restart(group, restarts, seats)
    is_stable = group.run_until_stable()
    partitions = [TopicPartition(name, at) for name, number in changed.partitions.items() for at in range(number)]
    return outcome_of(group.timeline, partitions, group.clock_ms, is_stable=is_stable)


def _resize(group: SimulatedGroup, situation: Situation, added: int) -> list[GroupSeat]:
    """Start `added` members, or stop members if `added` is negative. Return the resulting seats."""
    seats = list(situation.seats)
    for seat in seats[added:] if added < 0 else ():
        group.stop(seat)
    if added < 0:
        seats = seats[:added]
    for number in range(1, added + 1):
        seats.append(_new_seat(situation.seats, number))
        group.start(seats[-1])
    if added:
        group.run_until_stable()
    return seats


def _new_seat(seats: Sequence[GroupSeat], number: int) -> GroupSeat:
    """Return a new seat with the topics of the last seat.

    The ids of the new seat begin with those of the last seat, so they sort after the ids of all other seats.
    """
    last, name = seats[-1], f"{seats[-1].name}_added-{number}"
    has_own_client_id = len({seat.client_id for seat in seats}) > 1
    return GroupSeat(
        name,
        last.topics,
        None if last.group_instance_id is None else f"{last.group_instance_id}_added-{number}",
        f"{last.client_id}_added-{number}" if has_own_client_id else last.client_id,
    )


def _restart(group: SimulatedGroup, bounce: Bounce, seats: list[GroupSeat]) -> None:
    """Restart processes as `bounce` describes."""
    if bounce.kind == NONE:
        return
    if bounce.kind == ALL:
        steps = [seats]
    else:
        steps = [[seat] for seat in (seats[:1] if bounce.kind == ONE else seats)]
    for step in steps:
        for seat in step:
            group.stop(seat, crash=bounce.crash)
        group.run_until(group.clock_ms + bounce.down_ms)
        for seat in step:
            group.start(seat)
        if bounce.wait_ms is None:
            group.run_until_stable()
            group.pass_part_of_heartbeat()
        else:
            group.run_until(group.clock_ms + bounce.wait_ms)


def _replay(group: SimulatedGroup, history: History, change: GroupChange) -> None:
    """Replay the starts and ends of processes at their times."""
    if not history.steps:
        return
    offset_ms = group.clock_ms - history.steps[0].at_ms
    for step in history.steps:
        group.run_until(step.at_ms + offset_ms)
        seat = change.seat_of(step.seat)
        if step.kind is StepKind.START:
            group.start(seat)
        else:
            group.stop(seat, crash=step.kind is StepKind.KILL)
