"""The page of all groups."""

from collections.abc import Iterable, Mapping
from typing import Final

from tenure.web.observation.cluster_watch import ClusterWatch, ObservedGroup
from tenure.web.parts import Part, Parts, element_id
from tenure.web.templates import macro


class GroupsPage:
    """Page of all groups, with the members, lag and rebalances of each."""

    path = "/"
    template = "groups.html"
    is_live = True

    def __init__(self, watch: ClusterWatch) -> None:
        self._watch: Final = watch
        self._rows: dict[str, tuple[ObservedGroup, Part]] = {}
        """Cache of the HTML rows by group id, each with the observation that it shows. Most groups do not change from
        one round to the next."""

    def title(self, query: Mapping[str, str]) -> str:  # noqa: ARG002
        return "Groups"

    def parts(self, query: Mapping[str, str]) -> Parts:  # noqa: ARG002
        groups = self._watch.observations.groups
        self._rows = {group_id: self._row(group_id, group) for group_id, group in groups.items()}
        return [figures(groups.values()), *(part for _, part in self._rows.values())]

    def _row(self, group_id: str, group: ObservedGroup) -> tuple[ObservedGroup, Part]:
        known = self._rows.get(group_id)
        if known is not None and known[0] is group:
            return known
        row_id = element_id("group", group_id)
        return group, Part(row_id, "groups", macro("_groups.html", "row", row_id, group))


def figures(groups: Iterable[ObservedGroup]) -> Part:
    """Return the key figures of the whole cluster."""
    described = [group for group in groups if group.description is not None]
    lags = [group.lag for group in described if group.lag is not None]
    shown = (
        ("groups", len(list(groups))),
        ("members", sum(len(group.description.members) for group in described if group.description)),
        ("records of lag", sum(lags) if lags else None),
        ("rebalances in the last hour", sum(group.history.rebalances(group.at_ms) for group in described)),
    )
    return Part("figures", "summary", macro("_page.html", "figures", shown))
