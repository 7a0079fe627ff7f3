"""Callbacks of a consumer for assigned, revoked and lost partitions (rule 7.4)."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeAlias

from tenure.client.values import Assigned, Event, Lost, Revoked, TopicPartition

RebalanceCallback: TypeAlias = Callable[[list[TopicPartition]], Any]


class Listener(NamedTuple):
    """Rebalance callbacks of the user; None where there is none."""

    on_assigned: RebalanceCallback | None = None
    on_revoked: RebalanceCallback | None = None
    on_lost: RebalanceCallback | None = None


def callbacks_for(listener: Listener, event: Event) -> Iterator[tuple[RebalanceCallback, list[TopicPartition]]]:
    """Yield the callback for an event with its partitions; yield nothing if the user has no such callback.

    An empty assignment is also reported, because it shows that the rebalance is complete.
    """
    match event:
        case Assigned(added=added) if listener.on_assigned is not None:
            yield listener.on_assigned, list(added)
        case Revoked(partitions) if listener.on_revoked is not None:
            yield listener.on_revoked, list(partitions)
        case Lost(partitions) if listener.on_lost is not None:
            yield listener.on_lost, list(partitions)
