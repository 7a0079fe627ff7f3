"""Part of the report about one group."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tenure.admin.times import duration_text
from tenure.audit.report.group_data import GroupData
from tenure.charts.chart import Chart


class ReplayCost(NamedTuple):
    """Cost of the rebalances in a simulation that replays the history of a group."""

    rebalances: int
    moved: int
    """Number of times that a partition got another owner."""
    paused_ms: int
    """Sum of the pauses of all partitions."""


class AdvisedChange(NamedTuple):
    """Change of a group, with the cost of the group's history without and with it."""

    aim: str
    """Cost that the change reduces most, such as `fewer moves`."""
    change: str
    before: ReplayCost
    after: ReplayCost

    @property
    def phrase(self) -> str:
        """Change and costs as a part of a sentence."""
        before, after = self.before, self.after
        return (
            f"for {self.aim}, {self.change} ({after.moved:,} instead of {before.moved:,} moved partitions,"
            f" {duration_text(after.paused_ms)} instead of {duration_text(before.paused_ms)} of pauses,"
            f" {after.rebalances:,} instead of {before.rebalances:,} rebalances)"
        )


@dataclass(frozen=True, slots=True)
class Advice:
    """Recommended changes for a group, from the what-if analysis."""

    changes: Sequence[AdvisedChange]
    steps: int
    """Number of starts and ends of members that were replayed."""

    @property
    def sentence(self) -> str:
        """Advice as text for a reader."""
        return (
            f"What would have helped: {'; '.join(change.phrase for change in self.changes)}. These are forecasts from a"
            f" replay of the last {self.steps:,} starts and ends of members."
        )

    def rows(self, group: str) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of the table of advice."""
        for change in self.changes:
            yield (group, change.aim, change.change, self.steps, *change.before, *change.after)


@dataclass(frozen=True, slots=True)
class GroupReport:
    """Part of the report about one group: its data, charts and advice."""

    data: GroupData
    charts: list[Chart]
    advice: Advice | None
