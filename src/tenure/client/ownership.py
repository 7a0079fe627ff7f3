"""Which partitions a member has, and which of them it is about to give up: two rebalance protocols (rule 7.4, KIP-429).

    EAGER        a rebalance revokes everything before the member joins; what the member is assigned then is new
    COOPERATIVE  a rebalance revokes only what is no longer subscribed to; what the member is not assigned again it
                 gives up after the sync, and then joins once more, so that somebody else can have it

To revoke is to hold: work on a partition may still be committed until the user acknowledges, or the deadline passes.
"""

from collections.abc import Collection
from enum import Enum, auto
from typing import Final, NamedTuple

from tenure.client.values import TopicPartition


class RebalanceProtocol(Enum):
    EAGER = auto()
    COOPERATIVE = auto()


class Change(NamedTuple):
    revoked: tuple[TopicPartition, ...]
    added: tuple[TopicPartition, ...]


class Ownership:
    def __init__(self, protocol: RebalanceProtocol, hold_ms: int) -> None:
        self.protocol: Final = protocol
        self.partitions: tuple[TopicPartition, ...] = ()
        """What is assigned and not yet given up, in order; what is being revoked is among it."""
        self.hold_until_ms: int | None = None
        """Invariant: None unless something is being revoked and that is not acknowledged."""
        self.assigned: tuple[TopicPartition, ...] | None = None
        """What was assigned last, whether it is still there or not; None before the first assignment."""
        self._hold_ms: Final = hold_ms
        self._revoking: frozenset[TopicPartition] = frozenset()
        """Invariant: part of `partitions`; empty unless held."""

    def claims(self) -> tuple[TopicPartition, ...]:
        """What the member says it owns when it joins: an eager one has given up everything by then."""
        return self.partitions if self.protocol is RebalanceProtocol.COOPERATIVE else ()

    def revoke_before_join(self, topics: Collection[str], now_ms: int) -> tuple[TopicPartition, ...]:
        if self.protocol is RebalanceProtocol.EAGER:
            return self._revoke(self.partitions, now_ms)
        return self._revoke(tuple(owned for owned in self.partitions if owned.topic not in topics), now_ms)

    def assign(self, assigned: tuple[TopicPartition, ...], now_ms: int) -> Change:
        """What the sync brought. What is revoked by it stays until the hold ends."""
        self.assigned = assigned
        before = frozenset(self.partitions)
        added = tuple(partition for partition in assigned if partition not in before)
        lacking = before.difference(assigned)
        self.partitions = tuple(sorted({*assigned, *lacking}))
        return Change(self._revoke(tuple(sorted(lacking)), now_ms), added)

    def end_hold(self) -> None:
        self.partitions = tuple(owned for owned in self.partitions if owned not in self._revoking)
        self._revoking = frozenset()
        self.hold_until_ms = None

    def lose(self) -> tuple[TopicPartition, ...]:
        """Everything, at once: nothing of it can be committed any more."""
        lost = self.partitions
        self.partitions = ()
        self.end_hold()
        return lost

    def _revoke(self, partitions: tuple[TopicPartition, ...], now_ms: int) -> tuple[TopicPartition, ...]:
        if partitions:
            self._revoking |= frozenset(partitions)
            self.hold_until_ms = now_ms + self._hold_ms
        return partitions
