"""Claims of all members of a group, decoded from their subscriptions (rules 7.7 and 7.8).

A subscription of version 2 or later has fields for the claim. Earlier versions have the claim's generation in the user
data. With `sticky`, the owned partitions are also in the user data (see `subscriptions.py`).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from tenure.client.group.subscriptions import COOPERATIVE_STICKY, STICKY
from tenure.client.values import TopicLayout, TopicPartition
from tenure.protocol.columnar.parallel_reader import Counts, ParallelReader, TopicPartitions
from tenure.protocol.consumer_protocol import decode_subscription
from tenure.protocol.message import MalformedMessage
from tenure.protocol.special_values import NO_GENERATION

OWNED_SINCE, GENERATION_SINCE, RACK_SINCE = 1, 2, 3
"""Versions of the subscription format in which these fields were added: owned partitions, generation, rack."""


class GroupClaims(NamedTuple):
    """Claims and racks of members. Members are numbered in the order of their subscriptions."""

    owned: TopicPartitions
    """Claimed partitions of all members."""
    generations: Counts
    """Generation of each member's claim, or NO_GENERATION."""
    rack_ids: list[str | None]

    @property
    def members(self) -> Counts:
        """Index of the claiming member, for each claimed partition."""
        return self.owned.messages


def decode_claims(protocol_name: str, subscriptions: Sequence[bytes], sizes_of_topics: Counts) -> GroupClaims:
    """Decode claims. Raises MalformedMessage.

    Args:
        protocol_name: Name of the assignor.
        subscriptions: Subscription of each member.
        sizes_of_topics: Size of the encoded topics in each subscription.
    """
    reader = ParallelReader.of(subscriptions)
    versions = reader.int16()
    reader.skip(sizes_of_topics)
    user_data = reader.nullable_bytes()
    owned = reader.topic_partitions(versions >= OWNED_SINCE)
    generations = reader.int32(versions >= GENERATION_SINCE, NO_GENERATION)
    rack_ids = reader.nullable_strings(versions >= RACK_SINCE)
    for member in np.flatnonzero(~reader.is_valid).tolist():
        decode_subscription(subscriptions[member])
        raise MalformedMessage(f"Subscription of {len(subscriptions[member])} bytes ends too early")
    if protocol_name == STICKY:
        owned = user_data.topic_partitions()
        owned = owned.of(user_data.is_valid)
        has_claim = user_data.is_valid.copy()
        generations = user_data.int32()
        generations = np.where(has_claim & user_data.is_valid, generations, NO_GENERATION)
    elif protocol_name == COOPERATIVE_STICKY:
        in_user_data = user_data.int32()
        in_user_data = np.where(user_data.is_valid, in_user_data, NO_GENERATION)
        generations = np.where(generations < 0, in_user_data, generations)
    return GroupClaims(owned, np.maximum(generations, NO_GENERATION), rack_ids)


def invalid_or_repeated_claims(
    claims: GroupClaims, topics: Mapping[str, TopicLayout]
) -> Iterator[tuple[int, TopicPartition]]:
    """Yield (member, partition) of claims of partitions that do not exist, or that are claimed more than once."""
    owned = claims.owned
    names = [name.decode(errors="replace") for name in owned.names]
    no_limit = np.iinfo(np.int64).max
    counts = np.array([topics[name].partitions if name in topics else no_limit for name in names], np.int64)
    is_missing = (owned.partitions < 0) | (owned.partitions >= counts[owned.topics])
    keys = owned.topics * 2**32 + owned.partitions
    ascending = np.sort(keys)
    repeated = ascending[1:][ascending[1:] == ascending[:-1]]
    for row in np.flatnonzero(is_missing | np.isin(keys, repeated)).tolist():
        name, partition = names[owned.topics[row]], int(owned.partitions[row])
        yield int(claims.members[row]), TopicPartition(name, partition)
