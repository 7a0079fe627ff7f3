"""Partitions of a member and their revocation under the two rebalance protocols (rule 7.4, KIP-429).

    EAGER        a rebalance revokes all partitions before the member joins
    COOPERATIVE  a rebalance revokes unsubscribed topics before the join, and after the sync all partitions that are not
                 assigned again; then the member joins once more, so that other members can own them

Work on a revoked partition can be committed until the user acknowledges the revocation or a deadline passes.
"""

from collections.abc import Collection
from enum import Enum, auto
from typing import Final, NamedTuple

from tenure.client.values import TopicPartition


class RebalanceProtocol(Enum):
    EAGER = auto()
    COOPERATIVE = auto()


class Change(NamedTuple):
    """Difference between two assignments."""

    revoked: tuple[TopicPartition, ...]
    added: tuple[TopicPartition, ...]


class Ownership:
    """Partitions of one member."""

    def __init__(self, protocol: RebalanceProtocol, hold_ms: int) -> None:
        self.protocol: Final = protocol
        self.partitions: tuple[TopicPartition, ...] = ()
        """Assigned partitions in order, including those that are being revoked."""
        self.hold_until_ms: int | None = None
        """Deadline of the revocation. Invariant: None unless a revocation waits for its acknowledgement."""
        self.assigned: tuple[TopicPartition, ...] | None = None
        """The last assignment, also after it is lost; None before the first one."""
        self._hold_ms: Final = hold_ms
        self._revoking: frozenset[TopicPartition] = frozenset()
        """Invariant: a part of `partitions`; empty unless a revocation is pending."""

    def claims(self) -> tuple[TopicPartition, ...]:
        """Return the partitions to claim in JoinGroup; none for an eager member, which has revoked all."""
        return self.partitions if self.protocol is RebalanceProtocol.COOPERATIVE else ()

    def revoke_before_join(self, topics: Collection[str], now_ms: int) -> tuple[TopicPartition, ...]:
        """Revoke what has to be revoked before a join, and return it."""
        if self.protocol is RebalanceProtocol.EAGER:
            return self._revoke(self.partitions, now_ms)
        return self._revoke(tuple(owned for owned in self.partitions if owned.topic not in topics), now_ms)

    def assign(self, assigned: tuple[TopicPartition, ...], now_ms: int) -> Change:
        """Apply an assignment. Partitions that it revokes stay until the revocation ends."""
        self.assigned = assigned
        before = frozenset(self.partitions)
        added = tuple(partition for partition in assigned if partition not in before)
        lacking = before.difference(assigned)
        self.partitions = tuple(sorted({*assigned, *lacking}))
        return Change(self._revoke(tuple(sorted(lacking)), now_ms), added)

    def end_hold(self) -> None:
        """End the revocation: remove the revoked partitions."""
        self.partitions = tuple(owned for owned in self.partitions if owned not in self._revoking)
        self._revoking = frozenset()
        self.hold_until_ms = None

    def lose(self) -> tuple[TopicPartition, ...]:
        """Remove and return all partitions; none of them can be committed any more."""
        lost = self.partitions
        self.partitions = ()
        self.end_hold()
        return lost

    def _revoke(self, partitions: tuple[TopicPartition, ...], now_ms: int) -> tuple[TopicPartition, ...]:
        if partitions:
            self._revoking |= frozenset(partitions)
            self.hold_until_ms = now_ms + self._hold_ms
        return partitions
