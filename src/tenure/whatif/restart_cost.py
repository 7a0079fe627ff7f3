"""Forecast of the cost of restarts, as a group is and with a change."""

from dataclasses import dataclass, replace
from typing import Any

from tenure.client.values import TopicPartition
from tenure.limits.whatif import SEATS_MAX
from tenure.whatif.bounce import ALL, NONE, ONE, Bounce
from tenure.whatif.group import SimulatedGroup
from tenure.whatif.outcome import Outcome, outcome_of
from tenure.whatif.situation import GroupChange, GroupSeat, Situation, WhatIfError


@dataclass(frozen=True, slots=True)
class Forecast:
    """Cost of restarts before and after a change."""

    situation: Situation
    bounce: Bounce
    before: Outcome
    change: GroupChange | None = None
    after: Outcome | None = None
    """None without a change."""

    def as_json(self) -> dict[str, Any]:
        """Return the forecast for programs."""
        situation = self.situation
        return {
            "group": situation.group_id,
            "protocol": situation.group_protocol,
            "members": len(situation.seats),
            "static_members": situation.static_members,
            "partitions": sum(situation.partitions.values()),
            "restarts": self.bounce.words,
            "change": None if self.change is None else self.change.words,
            "before": self.before.as_json(),
            "after": None if self.after is None else self.after.as_json(),
        }


def forecast(
    situation: Situation, bounce: Bounce | None = None, change: GroupChange | None = None, *, seed: int = 1
) -> Forecast:
    """Forecast the cost of restarts in virtual time, as the group is and with a change.

    Args:
        situation: The group: `described` and `audited` make one, or a program does.
        bounce: Restarts; None for a rolling restart in which each member is down for 20 s.
        change: What would be different; None forecasts the present group only.
        seed: Seed of the random order and phases of members. The same seed gives the same forecast.

    Raises:
        WhatIfError: The group or the change cannot be simulated.
    """
    bounce = bounce or Bounce()
    situation.check()
    before = _cost(situation, bounce, 0, seed)
    if change is None:
        return Forecast(situation, bounce, before)
    return Forecast(
        situation, bounce, before, change, _cost(change.applied_to(situation), bounce, change.members, seed)
    )


def _cost(situation: Situation, bounce: Bounce, added: int, seed: int) -> Outcome:
    """Simulate the restarts of a group. Members are added or removed before."""
    count = len(situation.seats) + added
    if not 1 <= count <= SEATS_MAX:
        raise WhatIfError(f"A group of {count} members cannot be simulated: it needs 1 to {SEATS_MAX:,}.")
    group = SimulatedGroup(situation, seed)
    group.start_all()
    group.ledger.begin()
    seats = _resize(group, situation, added)
    _restart(group, bounce, seats)
    is_stable = group.settle()
    partitions = [TopicPartition(name, at) for name, number in situation.partitions.items() for at in range(number)]
    return outcome_of(group.ledger, partitions, group.agenda.now_ms, is_stable=is_stable)


def _resize(group: SimulatedGroup, situation: Situation, added: int) -> list[GroupSeat]:
    """Start or stop members, and return the seats afterwards."""
    seats = list(situation.seats)
    for seat in seats[added:] if added < 0 else ():
        group.stop(seat)
    if added < 0:
        seats = seats[:added]
    for number in range(1, added + 1):
        name = f"added-{number}"
        seats.append(replace(seats[0], name=name, group_instance_id=seats[0].group_instance_id and name))
        group.start(seats[-1])
    if added:
        group.settle()
    return seats


def _restart(group: SimulatedGroup, bounce: Bounce, seats: list[GroupSeat]) -> None:
    """Restart seats as `bounce` says."""
    if bounce.kind == NONE:
        return
    if bounce.kind == ALL:
        steps = [seats]
    else:
        steps = [[seat] for seat in (seats[:1] if bounce.kind == ONE else seats)]
    for step in steps:
        for seat in step:
            group.stop(seat, crash=bounce.crash)
        group.run_for(bounce.down_ms)
        for seat in step:
            group.start(seat)
        if bounce.wait_ms is None:
            group.settle()
        else:
            group.run_for(bounce.wait_ms)
