"""Thread that describes the groups of a cluster repeatedly.

Every round describes the groups that a page shows, and the groups whose state has changed. The rest of a round is
limited in time: it describes some of the other groups, in turn. Therefore 1,000 groups cost the broker no more than
100.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from tenure.admin import Admin
from tenure.admin.group_description import GroupDescription
from tenure.admin.groups import GroupListing, GroupPosition
from tenure.client.errors import ClientError, RequestRefused
from tenure.limits.web import FIRST_ROUND_BUDGET_S, HISTORY_MS, ROUND_BUDGET_S, ROUND_INTERVAL_S, VIEWED_S
from tenure.protocol.errors import ErrorCode
from tenure.web.observation.group_history import GroupHistory

LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ObservedGroup:
    """Last description of a group, with its history."""

    listing: GroupListing
    history: GroupHistory
    at_ms: int = 0
    """Unix time of the description in ms; 0 before the first one."""
    description: GroupDescription | None = None
    positions: tuple[GroupPosition, ...] = ()
    problem: str = ""
    """Reason why the group could not be described."""

    @property
    def lag(self) -> int | None:
        """Lag summed over all partitions whose lag is known; None if no lag is known."""
        known = [position.lag for position in self.positions if position.lag is not None]
        return sum(known) if known else None


@dataclass(frozen=True, slots=True)
class Observations:
    """All groups of a cluster, each as it was last observed. Each round creates new objects of this class."""

    groups: Mapping[str, ObservedGroup] = field(default_factory=dict)
    """Groups by id, sorted by id."""
    problem: str = "The cluster has not been observed yet."
    """Reason why the cluster does not answer; empty if it answers."""
    problem_since_ms: int = 0
    """Unix time in ms at which the cluster stopped answering; 0 while it answers."""


class ClusterWatch:
    """Repeated description of all groups, in its own thread, until `close`.

    Args:
        admin: Connections to the cluster.
        clock: Function that returns the Unix time in s.
    """

    def __init__(self, admin: Admin, clock: Callable[[], float] = time.time) -> None:
        self.observations = Observations()
        """Latest observations. A reader takes this object once and uses it as a whole."""
        self._admin: Final = admin
        self._clock: Final = clock
        self._viewed: Final[dict[str, float]] = {}
        self._histories: Final[dict[str, GroupHistory]] = {}
        """Histories by group. A group is missing from the list while its coordinator starts, and keeps its history."""
        self._closed: Final = threading.Event()
        self._thread: Final = threading.Thread(target=self._run, name="tenure-web-watch", daemon=True)

    def start(self) -> None:
        """Start the thread that describes the groups."""
        self._thread.start()

    def close(self) -> None:
        """End the thread after its present query."""
        self._closed.set()
        self._thread.join()

    def view(self, group_id: str) -> ObservedGroup | None:
        """Return a group for a page; None if it does not exist. For the next VIEWED_S, each round describes the group.

        Raises:
            ClientError: The group was not observed yet, and the query whether it exists failed.
        """
        self._viewed[group_id] = self._clock() + VIEWED_S
        return self.observations.groups.get(group_id) or self._new(group_id)

    def _new(self, group_id: str) -> ObservedGroup | None:
        """Find a group that was created after the last round; None if it does not exist."""
        try:
            return ObservedGroup(self._admin.find_group(group_id), GroupHistory(self._now_ms()))
        except RequestRefused as error:
            if error.error_code is ErrorCode.GROUP_ID_NOT_FOUND:
                return None
            raise

    def _run(self) -> None:
        while not self._closed.is_set():
            try:
                self.observe()
            except Exception as error:  # otherwise the pages would show old data without an error
                LOG.exception(
                    "dashboard: the groups of the cluster could not be queried, next try in %g s", ROUND_INTERVAL_S
                )
                self._fail(f"Unexpected error: {error}")
            self._closed.wait(ROUND_INTERVAL_S)

    def observe(self) -> None:
        """Run one round: list all groups, then describe those of `_queue`, until the round's time is over."""
        try:
            listings = self._admin.list_groups()
        except ClientError as error:
            self._fail(str(error))
            return
        before = self.observations
        groups = {listing.group_id: self._listed(listing, before.groups) for listing in listings}
        self._forget_histories(groups)
        self._publish(groups)
        is_new = any(not group.at_ms for group in groups.values())
        ends_at = time.monotonic() + (FIRST_ROUND_BUDGET_S if is_new else ROUND_BUDGET_S)
        for group_id, must in self._queue(before.groups, groups):
            if self._closed.is_set() or (not must and time.monotonic() > ends_at):
                break
            groups[group_id] = self._described(groups[group_id])
        self._publish(groups)

    def _listed(self, listing: GroupListing, before: Mapping[str, ObservedGroup]) -> ObservedGroup:
        known = before.get(listing.group_id)
        if known is None:
            return ObservedGroup(listing, self._histories.setdefault(listing.group_id, GroupHistory(self._now_ms())))
        if known.listing == listing:
            return known
        return ObservedGroup(listing, known.history, known.at_ms, known.description, known.positions, known.problem)

    def _forget_histories(self, groups: Mapping[str, ObservedGroup]) -> None:
        """Remove the histories of groups that have been missing for longer than a history covers."""
        oldest_ms = self._now_ms() - HISTORY_MS
        for group_id in self._histories.keys() - groups.keys():
            if self._histories[group_id].observed_ms < oldest_ms:
                del self._histories[group_id]

    def _queue(
        self, before: Mapping[str, ObservedGroup], groups: Mapping[str, ObservedGroup]
    ) -> Iterable[tuple[str, bool]]:
        """Return the groups to describe next, with True for those that this round must describe."""
        now = self._clock()
        for group_id in [each for each, until in list(self._viewed.items()) if until < now]:
            del self._viewed[group_id]
        changed = {
            group_id
            for group_id, group in groups.items()
            if group_id in before and before[group_id].listing != group.listing
        }
        first = [group_id for group_id in groups if group_id in changed or group_id in self._viewed]
        others = sorted(groups.keys() - set(first), key=lambda group_id: groups[group_id].at_ms)
        return [(group_id, True) for group_id in first] + [(group_id, False) for group_id in others]

    def _described(self, group: ObservedGroup) -> ObservedGroup:
        listing, history = group.listing, group.history
        if not listing.is_describable:
            problem = f"Groups of type {listing.group_type} are not supported."
            return ObservedGroup(listing, history, self._now_ms(), problem=problem)
        try:
            (description,) = self._admin.describe_groups([listing.group_id])
            positions = tuple(self._admin.group_positions(description))
        except RequestRefused as error:
            if error.error_code is ErrorCode.GROUP_ID_NOT_FOUND:  # deleted after it was listed
                return group
            return ObservedGroup(listing, history, self._now_ms(), problem=str(error))
        except ClientError as error:
            return ObservedGroup(listing, history, self._now_ms(), problem=str(error))
        at_ms = self._now_ms()
        observed = ObservedGroup(listing._replace(state=description.state), history, at_ms, description, positions)
        history.observe(at_ms, description, observed.lag)
        return observed

    def _publish(self, groups: Mapping[str, ObservedGroup]) -> None:
        self.observations = Observations(dict(groups), problem="")

    def _fail(self, problem: str) -> None:
        before = self.observations
        since_ms = before.problem_since_ms if before.problem else 0
        self.observations = Observations(before.groups, problem, since_ms or self._now_ms())

    def _now_ms(self) -> int:
        return int(self._clock() * 1000)
