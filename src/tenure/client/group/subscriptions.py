"""Subscription of a member: encoded for JoinGroup, decoded by the leader (rules 7.6 and 7.7).

A subscription of version 2 or later has fields for all information. In earlier versions, and always with `sticky`, the
owned partitions and their generation are in the user data, in the format of the assignor:

    sticky              owned partitions, then the generation. The user data is null before the first assignment.
                        Version 0 of this format has no generation. The bytes contain no version number
    cooperative-sticky  the generation; the owned partitions are in the subscription

Tenure appends a description of the member's process to the user data. A fenced member reads the description of its
successor from the subscription, because the coordinator stores the newest subscription of a static member. The client
id and host that the coordinator reports are still those of the first process (rule 2.6.2). Kafka's parsers ignore
trailing bytes.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from tenure.client.values import TopicPartition
from tenure.protocol.codec import encode
from tenure.protocol.consumer_protocol import NEWEST, Subscription, decode_subscription, encode_subscription
from tenure.protocol.consumer_protocol import TopicPartition as OfTopic
from tenure.protocol.generated.consumer_protocol import CooperativeStickyAssignorUserData, StickyAssignorUserData
from tenure.protocol.message import MalformedMessage
from tenure.protocol.special_values import NO_GENERATION
from tenure.protocol.types import GenerationId, PartitionId, TopicName

STICKY: Final = "sticky"
COOPERATIVE_STICKY: Final = "cooperative-sticky"

HOLDER_PREFIX: Final = b"held by "


def subscription(
    protocol_name: str,
    topics: Sequence[str],
    owned: Sequence[TopicPartition] = (),
    generation_id: int = NO_GENERATION,
    *,
    assigned: Sequence[TopicPartition] | None = None,
    rack_id: str | None = None,
    holder: str = "",
    version: int = NEWEST,
) -> bytes:
    """Encode a member's subscription for one assignor.

    Args:
        protocol_name: Name of the assignor.
        topics: Subscribed topics.
        owned: Partitions that the member still owns; none for an eager member, which has revoked all (rule 7.4).
        generation_id: Generation in which `owned` was assigned.
        assigned: The last assignment, which only `sticky` sends; None before the first one.
        rack_id: Kafka's `client.rack`.
        holder: Description of this process. If this process fences another member, that member reads the description.
        version: Version of the subscription.
    """
    user_data = _user_data(protocol_name, assigned, generation_id)
    if holder:
        user_data = (user_data or b"") + HOLDER_PREFIX + holder.encode()
    fields = Subscription(
        topics=[TopicName(topic) for topic in sorted(topics)],
        user_data=user_data,
        owned_partitions=by_topic(owned),
        generation_id=GenerationId(generation_id),
        rack_id=rack_id or None,
    )
    return encode_subscription(fields, version)


def _user_data(protocol_name: str, assigned: Sequence[TopicPartition] | None, generation_id: int) -> bytes | None:
    generation = GenerationId(generation_id)
    if protocol_name == COOPERATIVE_STICKY:
        return encode(CooperativeStickyAssignorUserData(generation), 0)
    if protocol_name == STICKY and assigned is not None:
        return encode(StickyAssignorUserData(by_topic(assigned), generation), 1)
    return None


def by_topic(partitions: Sequence[TopicPartition]) -> list[OfTopic]:
    """Return the sorted partitions, grouped by topic."""
    return [
        OfTopic(TopicName(topic), [PartitionId(partition.partition) for partition in of_topic])
        for topic, of_topic in groupby(sorted(partitions), key=lambda partition: partition.topic)
    ]


def holder_of(metadata: bytes) -> str | None:
    """Return the process description in a subscription; None if the subscription is not from a Tenure client."""
    try:
        user_data = decode_subscription(metadata).user_data or b""
    except MalformedMessage:
        return None
    _, prefix, holder = user_data.partition(HOLDER_PREFIX)
    return holder.decode(errors="replace") if prefix else None
