"""Topics to which a consumer group subscribes, and a hash that changes when they change (rule 3.4, step 3).

A member subscribes to topics by name, and to those that match its regular expression (rule 3.8).
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Final, TypeAlias

from tenure.coordinator.groups.consumer.member import Member
from tenure.coordinator.groups.metadata_hash import group_hash
from tenure.coordinator.metadata.topics import Topic, Topics
from tenure.protocol.coordinator_logs.consumer_offsets import ConsumerGroupRegularExpressionValue
from tenure.protocol.types import TopicName

Regexes: TypeAlias = Mapping[str, ConsumerGroupRegularExpressionValue]
"""Matching topics by regular expression."""


NO_REGEXES: Final[Regexes] = {}


def names_of(member: Member, regexes: Regexes) -> Collection[TopicName]:
    resolved = regexes.get(member.subscribed_topic_regex)
    return member.subscribed_topic_names if resolved is None else {*member.subscribed_topic_names, *resolved.topics}


def topic_names(members: Iterable[Member], regexes: Regexes) -> set[TopicName]:
    patterns = set()
    names: set[TopicName] = set()
    for member in members:
        names.update(member.subscribed_topic_names)
        patterns.add(member.subscribed_topic_regex)
    return names.union(*(regexes[pattern].topics for pattern in patterns if pattern in regexes))


def existing(names: Iterable[TopicName], topics: Topics) -> list[Topic]:
    """Return the topics that have one of the names, sorted by name. Leaves out names without a topic."""
    return [topic for name in sorted(names) if (topic := topics.named(name)) is not None]


def metadata_hash(members: Iterable[Member], topics: Topics, regexes: Regexes = NO_REGEXES) -> int:
    """Return a hash of the subscribed topics that exist; 0 if there are none.

    The hash changes when a topic is created or deleted or gets more partitions. Kafka computes the same hash, so a
    group that moves between Tenure and Kafka does not rebalance (rule 6.3).
    """
    return group_hash(existing(topic_names(members, regexes), topics))
