"""Topics that a group consumes (rule 2.17). The coordinator can read them only for groups of type "consumer".

The subscriptions are those at the start of the present generation; later ones are ignored.
"""

from typing import Final

from tenure.coordinator.groups.classic.group import ClassicGroup
from tenure.protocol.consumer_protocol import decode_topics
from tenure.protocol.message import MalformedMessage
from tenure.protocol.types import TopicName

CONSUMER: Final = "consumer"


def subscribed_topics(group: ClassicGroup) -> frozenset[TopicName] | None:
    """Return the topics; None if there was no generation yet or a member's metadata is no subscription."""
    if group.protocol_type != CONSUMER or group.subscriptions is None:
        return None
    topics: set[TopicName] = set()
    try:
        for metadata in set(group.subscriptions):  # members of one application say the same
            topics.update(decode_topics(metadata))
    except MalformedMessage:
        return None
    return frozenset(topics)


def is_subscribed(group: ClassicGroup, topics: frozenset[TopicName] | None, topic: TopicName) -> bool:
    """Return whether the group consumes the topic.

    `topics` are its subscriptions; if they are unknown, it may consume any topic.
    """
    return group.protocol_type == CONSUMER if topics is None else topic in topics
