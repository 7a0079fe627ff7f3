"""Topics that a consumer group subscribes to, and a hash that shows whether they have changed (rule 3.4, step 3).

A member wants the topics that it names, and those that its regular expression was resolved to (rule 3.8).
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Final, TypeAlias

from tenure.coordinator.groups.consumer.member import Member
from tenure.coordinator.metadata.topics import Topic, Topics
from tenure.protocol.consumer_offsets import ConsumerGroupRegularExpressionValue
from tenure.protocol.types import TopicName

Regexes: TypeAlias = Mapping[str, ConsumerGroupRegularExpressionValue]
"""Regular expressions and what they were resolved to."""


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
    """Return the existing topics in order of names. Subscribers of a missing topic wait for it."""
    return [topic for name in sorted(names) if (topic := topics.named(name)) is not None]


def metadata_hash(members: Iterable[Member], topics: Topics, regexes: Regexes = NO_REGEXES) -> int:
    """64 bits that change when a subscribed topic comes, goes, or gets more partitions; 0: there are none.

    Kafka takes XXH3. The hashes of two coordinators are compared only when a group moves from one to the other, and
    then a different one costs a rebalance (rule 6.3).
    """
    found = existing(topic_names(members, regexes), topics)
    if not found:
        return 0
    from hashlib import blake2b  # no start pays for it

    seen = blake2b(digest_size=8)
    for topic in found:
        name = topic.name.encode("utf-8", "surrogatepass")
        seen.update(b"%d %s %s %d\n" % (len(name), name, topic.topic_id, topic.partitions))
    return int.from_bytes(seen.digest(), "big", signed=True)
