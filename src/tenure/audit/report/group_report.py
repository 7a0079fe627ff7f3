"""Part of the report about one group."""

from dataclasses import dataclass

from tenure.audit.report.group_data import GroupData
from tenure.charts.chart import Chart


@dataclass(frozen=True, slots=True)
class Advice:
    """Recommended change for a group with its effect, from the what-if analysis."""

    sentence: str


@dataclass(frozen=True, slots=True)
class GroupReport:
    """Part of the report about one group."""

    data: GroupData
    charts: list[Chart]
    advice: Advice | None
