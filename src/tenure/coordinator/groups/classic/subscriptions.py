"""Topics to which a classic group subscribes (rule 2.17). Known only for groups of protocol type "consumer".

The subscriptions are those at the start of the present generation; changes since then are ignored.
"""

from typing import Final

from tenure.coordinator.groups.classic.group import ClassicGroup
from tenure.protocol.consumer_protocol import decode_topics
from tenure.protocol.message import MalformedMessage
from tenure.protocol.types import TopicName

CONSUMER: Final = "consumer"


def subscribed_topics(group: ClassicGroup) -> frozenset[TopicName] | None:
    """Return the subscribed topics.

    None before the first generation, and if the metadata of a member is not a subscription.
    """
    if group.protocol_type != CONSUMER or group.subscriptions is None:
        return None
    topics: set[TopicName] = set()
    try:
        for metadata in set(group.subscriptions):  # members of one application usually have the same metadata
            topics.update(decode_topics(metadata))
    except MalformedMessage:
        return None
    return frozenset(topics)


def is_subscribed(group: ClassicGroup, topics: frozenset[TopicName] | None, topic: TopicName) -> bool:
    """Return whether the group subscribes to a topic.

    `topics` are the subscribed topics. If they are unknown (None), the group may subscribe to any topic.
    """
    return group.protocol_type == CONSUMER if topics is None else topic in topics
