"""Whom a consumer tells of its partitions, and of which (rule 7.4)."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeAlias

from tenure.client.values import Assigned, Event, Lost, Revoked, TopicPartition

Told: TypeAlias = Callable[[list[TopicPartition]], Any]


class Listener(NamedTuple):
    on_assigned: Told | None = None
    on_revoked: Told | None = None
    on_lost: Told | None = None


def to_tell(listener: Listener, event: Event) -> Iterator[tuple[Told, list[TopicPartition]]]:
    """What was assigned is told even if it is nothing new: a rebalance is over."""
    match event:
        case Assigned(added=added) if listener.on_assigned is not None:
            yield listener.on_assigned, list(added)
        case Revoked(partitions) if listener.on_revoked is not None:
            yield listener.on_revoked, list(partitions)
        case Lost(partitions) if listener.on_lost is not None:
            yield listener.on_lost, list(partitions)
