"""Which topics a group consumes (rule 2.17): of the groups of type "consumer" alone the coordinator can read it.

What counts is what the members said when the present generation began, not what they have said since.
"""

from typing import Final

from tenure.coordinator.groups.classic.group import ClassicGroup
from tenure.protocol.consumer_protocol import decode_subscription
from tenure.protocol.message import MalformedMessage
from tenure.protocol.types import TopicName

CONSUMER: Final = "consumer"


def subscribed_topics(group: ClassicGroup) -> frozenset[TopicName] | None:
    """None: nobody can tell, because there was no generation yet or a member's metadata is no subscription."""
    if group.protocol_type != CONSUMER or group.subscriptions is None:
        return None
    topics: set[TopicName] = set()
    try:
        for metadata in set(group.subscriptions):  # members of one application say the same
            topics.update(decode_subscription(metadata).topics)
    except MalformedMessage:
        return None
    return frozenset(topics)


def is_subscribed(group: ClassicGroup, topics: frozenset[TopicName] | None, topic: TopicName) -> bool:
    """`topics` are the group's subscribed ones; a consumer group of which nobody can tell may consume everything."""
    return group.protocol_type == CONSUMER if topics is None else topic in topics
