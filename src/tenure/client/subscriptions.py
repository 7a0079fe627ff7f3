"""What a member tells its leader of itself, and what the leader reads in it (rules 7.6 and 7.7).

The subscription's own fields say it all since version 2. Before that, and with `sticky` always, what a member owned and
in which generation stands in the user data, in the assignor's own words:

    sticky              what it owned, then the generation; null before the first assignment. Version 0 of it had no
                        generation, and no version number tells the two apart
    cooperative-sticky  the generation; what it owns stands in the subscription

Behind Kafka's bytes ours say who holds the seat, because the coordinator goes on naming the client and the host that
took a static seat first (rule 2.6.2), while it keeps the newest subscription. Kafka's readers stop before that.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Final, NamedTuple

from tenure.client.values import TopicPartition
from tenure.protocol.codec import decode_prefix, encode
from tenure.protocol.consumer_protocol import NEWEST, Subscription, decode_subscription, encode_subscription
from tenure.protocol.consumer_protocol import TopicPartition as OfTopic
from tenure.protocol.generated.consumer_protocol import CooperativeStickyAssignorUserData, StickyAssignorUserData
from tenure.protocol.message import MalformedMessage
from tenure.protocol.types import GenerationId, PartitionId, TopicName

STICKY: Final = "sticky"
COOPERATIVE_STICKY: Final = "cooperative-sticky"

NO_GENERATION: Final = -1
HOLDER_PREFIX: Final = b"held by "


class Claim(NamedTuple):
    """What a member says that it owns, since the generation in which it was last assigned something."""

    owned: Sequence[OfTopic]
    generation_id: int


NO_CLAIM: Final = Claim((), NO_GENERATION)


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
    """What a member offers under one protocol when it joins.

    `owned` is what it still has: nothing, if it is eager and has revoked all (rule 7.4). `assigned` is what it had
    until then, which only `sticky` wants to know; None before its first assignment.
    """
    user_data = _user_data(protocol_name, assigned, generation_id)
    if holder:
        user_data = (user_data or b"") + HOLDER_PREFIX + holder.encode()
    told = Subscription(
        topics=[TopicName(topic) for topic in sorted(topics)],
        user_data=user_data,
        owned_partitions=by_topic(owned),
        generation_id=GenerationId(generation_id),
        rack_id=rack_id or None,
    )
    return encode_subscription(told, version)


def _user_data(protocol_name: str, assigned: Sequence[TopicPartition] | None, generation_id: int) -> bytes | None:
    generation = GenerationId(generation_id)
    if protocol_name == COOPERATIVE_STICKY:
        return encode(CooperativeStickyAssignorUserData(generation), 0)
    if protocol_name == STICKY and assigned is not None:
        return encode(StickyAssignorUserData(by_topic(assigned), generation), 1)
    return None


def by_topic(partitions: Sequence[TopicPartition]) -> list[OfTopic]:
    return [
        OfTopic(TopicName(topic), [PartitionId(of.partition) for of in of_topic])
        for topic, of_topic in groupby(sorted(partitions), key=lambda of: of.topic)
    ]


def holder_of(metadata: bytes) -> str | None:
    """Who holds the seat that this subscription is of; None for a member of another make."""
    try:
        user_data = decode_subscription(metadata).user_data or b""
    except MalformedMessage:
        return None
    _, prefix, holder = user_data.partition(HOLDER_PREFIX)
    return holder.decode(errors="replace") if prefix else None


def claim_of(protocol_name: str, subscription: Subscription) -> Claim:
    """What a member of this subscription claims under a protocol; a negative generation counts as none."""
    if protocol_name == STICKY:
        return _sticky_claim(subscription.user_data)
    if protocol_name == COOPERATIVE_STICKY:
        generation_id: int = subscription.generation_id
        if generation_id < 0:
            generation_id = _generation(subscription.user_data)
        return Claim(subscription.owned_partitions, max(generation_id, NO_GENERATION))
    return Claim(subscription.owned_partitions, max(subscription.generation_id, NO_GENERATION))


def _sticky_claim(user_data: bytes | None) -> Claim:
    """An eager member has revoked everything before it joins, so `owned_partitions` says nothing (rule 7.7)."""
    for version in (1, 0):
        try:
            told, _ = decode_prefix(StickyAssignorUserData, version, user_data or b"")
        except MalformedMessage:
            continue
        return Claim(told.previous_assignment, max(told.generation, NO_GENERATION))
    return NO_CLAIM


def _generation(user_data: bytes | None) -> int:
    try:
        return decode_prefix(CooperativeStickyAssignorUserData, 0, user_data or b"")[0].generation
    except MalformedMessage:
        return NO_GENERATION
