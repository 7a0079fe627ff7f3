"""Table of a forecast: one row for each cost, one column for the present group, and one with the change."""

from typing import Final

from tenure.plural import format_count
from tenure.whatif.bounce import Bounce
from tenure.whatif.history import History
from tenure.whatif.outcome import Outcome
from tenure.whatif.restart_cost import Forecast
from tenure.whatif.situation import Situation

AS_IS: Final = "as is"


def columns(found: Forecast) -> list[str]:
    """Return the column titles. The first title is empty."""
    return ["", AS_IS, *([] if found.change is None else [found.change.description])]


def rows(found: Forecast) -> list[list[str]]:
    """Return the rows. The first value of each row is the name of the cost."""
    outcomes = [found.before, *([] if found.after is None else [found.after])]
    return [[name, *cells] for name, cells in _costs(outcomes)]


def about(situation: Situation, restarts: Bounce | History) -> str:
    """Return a description of the simulated restarts: one sentence without a full stop."""
    static, members = situation.static_members, len(situation.seats)
    kind = "static" if static == members else "dynamic" if not static else f"{static} static"
    assignor = situation.assignors[0] if situation.group_protocol == "classic" else situation.server_assignor
    return (
        f"group {situation.group_id}: {situation.group_protocol} protocol, {assignor or 'uniform'}, "
        f"{format_count(members, 'member')} ({kind}), {format_count(sum(situation.partitions.values()), 'partition')}; "
        f"{restarts.description}"
    )


def _costs(outcomes: list[Outcome]) -> list[tuple[str, list[str]]]:
    return [
        ("rebalances", [f"{each.rebalances:,}" for each in outcomes]),
        ("partitions moved", [f"{each.moved:,}" for each in outcomes]),
        ("pause per partition, median", [_seconds(each.median_pause_ms) for each in outcomes]),
        ("pause per partition, p99", [_seconds(each.p99_pause_ms) for each in outcomes]),
        ("longest single pause", [_seconds(each.longest_pause_ms) for each in outcomes]),
        ("fenced members", [f"{each.fenced:,}" for each in outcomes]),
    ]


def _seconds(ms: int) -> str:
    return f"{ms / 1000:.1f} s"
