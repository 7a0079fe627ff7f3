"""Ownership of partitions or tasks by a member, and their revocation under two protocols (rule 7.4, KIP-429).

    EAGER        before a join, the member revokes all partitions
    COOPERATIVE  before a join, the member revokes the partitions of topics that it has unsubscribed from. After the
                 sync, it revokes all partitions that are not assigned to it again. Then it joins once more, so that
                 other members can own these partitions

Work on a revoked partition can be committed until the user acknowledges the revocation or a deadline passes.
"""

from enum import Enum, auto
from typing import Any, Final, Generic, NamedTuple, TypeVar

Unit = TypeVar("Unit", bound=tuple[Any, ...])
"""A `TopicPartition`, or a task in its role."""


class RebalanceProtocol(Enum):
    EAGER = auto()
    COOPERATIVE = auto()


class AssignmentChange(NamedTuple, Generic[Unit]):
    """Units (partitions or tasks) that an assignment revokes, and units that it adds."""

    revoked: tuple[Unit, ...]
    added: tuple[Unit, ...]


class Ownership(Generic[Unit]):
    """Partitions or tasks that one member owns, and those that it has to revoke."""

    def __init__(self, protocol: RebalanceProtocol, revocation_timeout_ms: int) -> None:
        self.protocol: Final = protocol
        self.owned: tuple[Unit, ...] = ()
        """Assigned partitions or tasks in order, including those that are being revoked."""
        self.revocation_deadline_ms: int | None = None
        """Deadline of the revocation. Invariant: None unless a revocation waits for its acknowledgement."""
        self.assigned: tuple[Unit, ...] | None = None
        """The last assignment, which is kept after the member loses it; None before the first one."""
        self._revocation_timeout_ms: Final = revocation_timeout_ms
        self._revoking: frozenset[Unit] = frozenset()
        """Units that are being revoked. Invariant: a part of `owned`; empty unless a revocation is pending."""

    def claims(self) -> tuple[Unit, ...]:
        """Return the partitions to claim in JoinGroup.

        Under the eager protocol there are none, because the member revokes all partitions before the join.
        """
        return self.owned if self.protocol is RebalanceProtocol.COOPERATIVE else ()

    def revoke_before_join(self, unsubscribed: tuple[Unit, ...], now_ms: int) -> tuple[Unit, ...]:
        """Start to revoke the partitions that the protocol revokes before a join, and return them.

        `unsubscribed` are the owned partitions of topics that are no longer subscribed.
        """
        return self._revoke(self.owned if self.protocol is RebalanceProtocol.EAGER else unsubscribed, now_ms)

    def assign(self, assigned: tuple[Unit, ...], now_ms: int) -> AssignmentChange[Unit]:
        """Apply an assignment, and return the units that it revokes and adds.

        A unit that is not assigned any more stays owned until its revocation ends.
        """
        self.assigned = assigned
        before = frozenset(self.owned)
        added = tuple(unit for unit in assigned if unit not in before)
        lacking = before.difference(assigned)
        self.owned = tuple(sorted({*assigned, *lacking}))
        return AssignmentChange(self._revoke(tuple(sorted(lacking)), now_ms), added)

    def resume(self, units: tuple[Unit, ...]) -> None:
        """Store `units` as the last assignment. Under the cooperative protocol, the member also owns them."""
        self.assigned = units
        self.owned = units if self.protocol is RebalanceProtocol.COOPERATIVE else ()

    def release(self, units: frozenset[Unit]) -> None:
        """Remove units without a revocation."""
        self.owned = tuple(unit for unit in self.owned if unit not in units)

    def end_revocation(self) -> None:
        """End the revocation: remove the revoked units."""
        self.owned = tuple(unit for unit in self.owned if unit not in self._revoking)
        self._revoking = frozenset()
        self.revocation_deadline_ms = None

    def lose(self) -> tuple[Unit, ...]:
        """Remove and return all units. None of them can be committed any more."""
        lost = self.owned
        self.owned = ()
        self.end_revocation()
        return lost

    def _revoke(self, partitions: tuple[Unit, ...], now_ms: int) -> tuple[Unit, ...]:
        if partitions:
            self._revoking |= frozenset(partitions)
            self.revocation_deadline_ms = now_ms + self._revocation_timeout_ms
        return partitions
