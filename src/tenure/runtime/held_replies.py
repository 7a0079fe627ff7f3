"""Replies that wait for the log.

`TurnReplies` are the replies of one turn's groups until that turn's batch is durable. A group is bound to the newest of
them that holds a record of the group; its later replies, reads and heartbeats included, join these. A step whose
command has no group (scope None) binds all groups at once.
"""

from collections.abc import Sequence

from tenure.coordinator.shard import Reply


class TurnReplies:
    __slots__ = ("last_offset", "replies", "scopes")

    def __init__(self) -> None:
        self.replies: list[Reply] = []
        self.scopes: list[str] = []
        """Groups for which no newer replies may wait."""
        self.last_offset = -1


class HeldReplies:
    """Held replies of all turns. Their batches are appended, and become durable, in the order of the turns."""

    __slots__ = ("_appended", "_newest_of", "_newest_of_all", "_open", "is_empty")

    def __init__(self) -> None:
        self.is_empty = True
        """No group is bound: every reply may leave."""
        self._open: TurnReplies | None = None
        """Replies of the turn whose batch is not appended yet."""
        self._appended: list[TurnReplies] = []
        self._newest_of: dict[str, TurnReplies] = {}
        self._newest_of_all: TurnReplies | None = None
        """Binds every group that has no newer ones of its own."""

    def hold(self, scope: str | None, replies: Sequence[Reply]) -> None:
        """Add replies of a step that has a record of this group in the turn's batch."""
        held = self._open
        if held is None:
            held = self._open = TurnReplies()
            self.is_empty = False
        if scope is None:
            self._newest_of.clear()
            self._newest_of_all = held
        elif self._newest_of.get(scope) is not held:
            self._newest_of[scope] = held
            held.scopes.append(scope)
        held.replies.extend(replies)

    def add(self, scope: str | None, replies: Sequence[Reply], free: list[Reply]) -> None:
        """Add the replies of a step without records.

        They wait for the newest records of the group; without such records they are added to `free`.
        """
        if scope is None:
            held = self._open or (self._appended[-1] if self._appended else None)
        else:
            held = self._newest_of.get(scope, self._newest_of_all)
        (free if held is None else held.replies).extend(replies)

    def appended(self, last_offset: int) -> None:
        if self._open is not None:
            self._open.last_offset = last_offset
            self._appended.append(self._open)
            self._open = None

    def release(self, offset: int, free: list[Reply]) -> None:
        """Everything below `offset` is durable."""
        while self._appended and self._appended[0].last_offset < offset:
            held = self._appended.pop(0)
            free.extend(held.replies)
            self._unbind(held)

    def give_up_open(self) -> list[Reply]:
        """Return the replies of the turn whose batch will not be appended."""
        held, self._open = self._open, None
        if held is None:
            return []
        self._unbind(held)
        return held.replies

    def give_up(self) -> list[Reply]:
        """Return the replies of the open turn or, if it is over, of all turns whose batches are not durable."""
        if self._open is not None:
            return self.give_up_open()
        batches, self._appended = self._appended, []
        for held in batches:
            self._unbind(held)
        return [reply for held in batches for reply in held.replies]

    def _unbind(self, held: TurnReplies) -> None:
        for scope in held.scopes:
            if self._newest_of.get(scope) is held:
                del self._newest_of[scope]
        if self._newest_of_all is held:
            self._newest_of_all = None
        self.is_empty = self._open is None and not self._appended
