"""Replies that wait until the log is durable.

`TurnReplies` has the replies that wait until the batch of one turn is durable. A reply of a group, even to a read or a
heartbeat, waits for the newest batch that has a record of the group. A command that concerns no single group has the
scope None. After such a command, the replies of all groups wait for its batch.
"""

from collections.abc import Sequence

from tenure.coordinator.shard import Reply


class TurnReplies:
    __slots__ = ("last_offset", "replies", "scopes")

    def __init__(self) -> None:
        self.replies: list[Reply] = []
        self.scopes: list[str] = []
        """Groups whose later replies wait for this turn."""
        self.last_offset = -1


class HeldReplies:
    """Replies that wait until the batch of their turn is durable.

    Batches are appended and become durable in the order of the turns.
    """

    __slots__ = ("_appended", "_newest_of", "_newest_of_all", "_open", "is_empty")

    def __init__(self) -> None:
        self.is_empty = True
        """True if no replies wait, so that any reply may be sent at once."""
        self._open: TurnReplies | None = None
        """Replies of the present turn, whose batch is not appended yet."""
        self._appended: list[TurnReplies] = []
        self._newest_of: dict[str, TurnReplies] = {}
        self._newest_of_all: TurnReplies | None = None
        """Turn of the latest command with scope None. Replies of groups that are not in `_newest_of` wait for it."""

    def hold(self, scope: str | None, replies: Sequence[Reply]) -> None:
        """Add replies of a command with records, so that they wait for the batch of this turn.

        `scope` is the group, or None for a command that concerns no single group.
        """
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
        """Add replies of a command without records.

        The replies wait for the newest batch that has a record of the group `scope`; with scope None, for the newest
        batch of all. If this batch is durable already, or if there is no such batch, the replies are added to `free`.
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
        """Stop holding the replies whose batches are durable, and append them to `free`.

        The batches that end below `offset` are durable.
        """
        while self._appended and self._appended[0].last_offset < offset:
            held = self._appended.pop(0)
            free.extend(held.replies)
            self._unbind(held)

    def take_open(self) -> list[Reply]:
        """Remove and return the replies of the present turn, because the batch of this turn will not be appended."""
        held, self._open = self._open, None
        if held is None:
            return []
        self._unbind(held)
        return held.replies

    def take_lost(self) -> list[Reply]:
        """Remove and return replies that cannot be sent, because an append or a sync has failed.

        During a turn, these are the replies of this turn. Between turns, they are those of all turns that are not
        durable.
        """
        if self._open is not None:
            return self.take_open()
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
