"""Page of one group: owners of partitions over time, members, committed offsets and journal."""

from collections.abc import Mapping
from typing import Final

from tenure.admin.group_description import MemberDescription
from tenure.limits.web import ROWS_MAX
from tenure.web.observation.cluster_watch import ClusterWatch, ObservedGroup
from tenure.web.observation.journal_watch import JournalWatch
from tenure.web.pages import group_charts
from tenure.web.pages.page import NotFound
from tenure.web.parts import Part, Parts, data_part
from tenure.web.templates import macro


class GroupPage:
    """Page of one group."""

    path = "/group"
    template = "group.html"
    is_live = True

    def __init__(self, watch: ClusterWatch, journal: JournalWatch, *, changes_allowed: bool) -> None:
        self._watch: Final = watch
        self._journal: Final = journal
        self._changes_allowed: Final = changes_allowed

    def title(self, query: Mapping[str, str]) -> str:
        return f"Group {query.get('id', '')}"

    def parts(self, query: Mapping[str, str]) -> Parts:
        group_id = query.get("id", "")
        group = self._watch.view(group_id)
        if group is None:
            raise NotFound(f"Group '{group_id}' does not exist.")
        is_reachable = not self._watch.observations.problem
        entries = self._journal.entries(group_id, is_reachable=is_reachable)
        html = [
            Part("facts", "summary", macro("_group.html", "facts", group)),
            Part(
                "members",
                "members-card",
                macro("_group.html", "members", group_id, _members(group), self._changes_allowed),
            ),
            Part("positions", "positions-card", macro("_group.html", "positions", *_positions(group))),
            Part("journal", "journal-card", macro("_group.html", "journal", entries)),
        ]
        return [*html, *(data_part(name, "data", value) for name, value in group_charts.data(group).items())]


def _members(group: ObservedGroup) -> list[tuple[MemberDescription, int | None]]:
    """Return each member with the lag of its partitions; None if no lag is known."""
    description = group.description
    if description is None:
        return []
    return [(member, _lag(group, member)) for member in description.members]


def _lag(group: ObservedGroup, member: MemberDescription) -> int | None:
    known = [
        position.lag for position in group.positions if position.member == member.name and position.lag is not None
    ]
    return sum(known) if known else None


def _positions(group: ObservedGroup) -> tuple[object, int]:
    """Return the committed offsets of the partitions with the largest lags, and the number of others."""
    ordered = sorted(group.positions, key=lambda position: (-(position.lag or 0), position.partition))
    return ordered[:ROWS_MAX], max(0, len(ordered) - ROWS_MAX)
