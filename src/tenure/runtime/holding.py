"""Replies that wait for the log.

A bundle holds the replies of one turn's groups until that turn's batch is durable. A group is bound to the newest
bundle that holds a record of it; its later replies, reads and heartbeats included, join that bundle. A step whose
command has no group (scope None) binds all groups at once.
"""

from collections.abc import Sequence

from tenure.coordinator.shard import Reply


class Bundle:
    __slots__ = ("last_offset", "replies", "scopes")

    def __init__(self) -> None:
        self.replies: list[Reply] = []
        self.scopes: list[str] = []
        """Groups whose newest bundle this may be."""
        self.last_offset = -1


class Holding:
    """Bundles are appended, and become durable, in the order in which they were opened."""

    __slots__ = ("_appended", "_newest_of", "_newest_of_all", "_open", "is_empty")

    def __init__(self) -> None:
        self.is_empty = True
        """No group is bound: every reply may leave."""
        self._open: Bundle | None = None
        """Bundle of the turn whose batch is not appended yet."""
        self._appended: list[Bundle] = []
        self._newest_of: dict[str, Bundle] = {}
        self._newest_of_all: Bundle | None = None
        """Binds every group that has no newer bundle of its own."""

    def hold(self, scope: str | None) -> None:
        """Note that a record of this group is part of the turn's batch."""
        bundle = self._open
        if bundle is None:
            bundle = self._open = Bundle()
            self.is_empty = False
        if scope is None:
            self._newest_of.clear()
            self._newest_of_all = bundle
        elif self._newest_of.get(scope) is not bundle:
            self._newest_of[scope] = bundle
            bundle.scopes.append(scope)

    def add(self, scope: str | None, replies: Sequence[Reply], free: list[Reply]) -> None:
        """Add replies to the bundle that binds the group, or to `free` if there is none."""
        if scope is None:
            bundle = self._open or (self._appended[-1] if self._appended else None)
        else:
            bundle = self._newest_of.get(scope, self._newest_of_all)
        (free if bundle is None else bundle.replies).extend(replies)

    def appended(self, last_offset: int) -> None:
        if self._open is not None:
            self._open.last_offset = last_offset
            self._appended.append(self._open)
            self._open = None

    def release(self, offset: int, free: list[Reply]) -> None:
        """Everything below `offset` is durable."""
        while self._appended and self._appended[0].last_offset < offset:
            bundle = self._appended.pop(0)
            free.extend(bundle.replies)
            self._unbind(bundle)

    def give_up_open(self) -> list[Reply]:
        """Return the replies of the turn whose batch will not be appended."""
        bundle, self._open = self._open, None
        if bundle is None:
            return []
        self._unbind(bundle)
        return bundle.replies

    def give_up(self) -> list[Reply]:
        """Return the replies of the open turn or, if it is over, of all turns whose batches are not durable."""
        if self._open is not None:
            return self.give_up_open()
        bundles, self._appended = self._appended, []
        for bundle in bundles:
            self._unbind(bundle)
        return [reply for bundle in bundles for reply in bundle.replies]

    def _unbind(self, bundle: Bundle) -> None:
        for scope in bundle.scopes:
            if self._newest_of.get(scope) is bundle:
                del self._newest_of[scope]
        if self._newest_of_all is bundle:
            self._newest_of_all = None
        self.is_empty = self._open is None and not self._appended
