"""Advice for the report of an audit: the change with the greatest effect for a group, with figures."""

from collections.abc import Callable
from typing import Final

from tenure.audit.audit_directory import AuditDirectory
from tenure.audit.report.group_data import GroupData
from tenure.audit.report.group_report import Advice, AdvisedChange, ReplayCost
from tenure.client.group.subscriptions import COOPERATIVE_STICKY
from tenure.limits.whatif import ADVISED_GROUPS_MAX, ADVISED_STEPS_MAX, ADVISED_WORK_MAX
from tenure.protocol.special_values import CLASSIC, CONSUMER
from tenure.whatif.audited import AuditedGroups
from tenure.whatif.outcome import Outcome
from tenure.whatif.restart_cost import simulate
from tenure.whatif.situation import GroupChange, Situation, WhatIfError

BETTER: Final = 0.9
"""Maximum cost after an advised change, as a fraction of the cost before."""

AIMS: Final[dict[str, Callable[[Outcome], tuple[int, int]]]] = {
    "fewer moves": lambda outcome: (outcome.moved, outcome.total_pause_ms),
    "shorter pauses": lambda outcome: (outcome.total_pause_ms, outcome.moved),
}
"""Aims of a change. For each aim, a function returns the cost that the change should reduce, and a second cost that
decides between changes with the same first cost.

Aims may conflict: static members cause fewer moves and longer pauses.
"""


def advisor(directory: AuditDirectory) -> Callable[[GroupData], Advice | None]:
    """Return a function that recommends a change for a group of an audit.

    The first call reads the tables. After ADVISED_GROUPS_MAX calls the function returns None.
    """
    audited: list[AuditedGroups] = []
    requested: list[str] = []

    def advise(data: GroupData) -> Advice | None:
        requested.append(data.group)
        if len(requested) > ADVISED_GROUPS_MAX:
            return None
        if not audited:
            audited.append(AuditedGroups(directory))
        try:
            return advice_for(audited[0], data.group, max(data.row["members"], 1))
        except WhatIfError:
            return None

    return advise


def advice_for(audited: AuditedGroups, group_id: str, members: int) -> Advice | None:
    """Return the advice for a group; None if no change reduces a cost enough (`BETTER`). Raises WhatIfError."""
    situation, history = audited.group(group_id, min(ADVISED_STEPS_MAX, ADVISED_WORK_MAX // members))
    if not history.steps:
        return None
    before = simulate(situation, history)
    tried = [(change, simulate(situation, history, change)) for change in changes_for(situation)]
    found = []
    for aim, cost in AIMS.items():
        best = min(tried, key=lambda each: cost(each[1]), default=None)
        if best is not None and cost(best[1])[0] < BETTER * cost(before)[0]:
            found.append(AdvisedChange(aim, best[0].description, cost_of(before), cost_of(best[1])))
    return Advice(found, len(history.steps)) if found else None


def changes_for(situation: Situation) -> list[GroupChange]:
    """Return the changes to simulate. Of several equally good changes, the first one is recommended."""
    changes = []
    if situation.group_protocol == CLASSIC and situation.assignors != (COOPERATIVE_STICKY,):
        changes.append(GroupChange(assignor=COOPERATIVE_STICKY))
    is_dynamic = situation.static_members < len(situation.seats)
    if is_dynamic:
        changes.append(GroupChange(static=True))
    if situation.group_protocol == CLASSIC:
        changes.append(GroupChange(protocol=CONSUMER))
        if is_dynamic:
            changes.append(GroupChange(static=True, protocol=CONSUMER))
    return changes


def cost_of(outcome: Outcome) -> ReplayCost:
    """Return the cost of a replay: its rebalances, moves and total pause."""
    return ReplayCost(outcome.rebalances, outcome.moved, outcome.total_pause_ms)
