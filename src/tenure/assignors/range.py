"""The range assignor (rule 7.9).

Each topic is dealt by itself: its subscribers, in member order, get contiguous blocks of equal size, and the first
`partitions mod subscribers` of them get one more. Co-partitioned topics with the same subscribers are therefore dealt
alike, which is what makes lanes possible.

Rack-awareness (KIP-881) is not here yet: racks are ignored, as Kafka does where replicas or members name none.
"""

from collections.abc import Sequence


def block_bounds(partitions: int, subscribers: int) -> list[int]:
    """Where each subscriber's block begins; the last entry is `partitions`."""
    quota, extra = divmod(partitions, subscribers)
    return [position * quota + min(position, extra) for position in range(subscribers + 1)]


def assign(partition_counts: Sequence[int], subscriptions: Sequence[Sequence[int]]) -> list[list[int]]:
    """The owner of each partition of each topic, as the index of a member; -1 where nobody subscribes.

    `partition_counts` is by topic, `subscriptions` by member, in member order: the topics that the member wants.
    """
    subscribers: list[list[int]] = [[] for _ in partition_counts]
    for member, topics in enumerate(subscriptions):
        for topic in topics:
            subscribers[topic].append(member)
    return [_owners(count, members) for count, members in zip(partition_counts, subscribers, strict=True)]


def _owners(partitions: int, subscribers: Sequence[int]) -> list[int]:
    if not subscribers:
        return [-1] * partitions
    bounds = block_bounds(partitions, len(subscribers))
    owners: list[int] = []
    for position, member in enumerate(subscribers):
        owners += [member] * (bounds[position + 1] - bounds[position])
    return owners
