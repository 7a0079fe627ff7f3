"""What a consumer group subscribes to, and whether that has changed since anybody looked (rule 3.4, step 3)."""

from collections.abc import Iterable

from tenure.coordinator.groups.consumer.member import Member
from tenure.coordinator.metadata.topics import Topic, Topics
from tenure.protocol.types import TopicName


def topic_names(members: Iterable[Member]) -> set[TopicName]:
    return {name for member in members for name in member.subscribed_topic_names}


def existing(names: Iterable[TopicName], topics: Topics) -> list[Topic]:
    """In order of names; who subscribes to a topic that does not exist waits for it."""
    return [topic for name in sorted(names) if (topic := topics.named(name)) is not None]


def metadata_hash(members: Iterable[Member], topics: Topics) -> int:
    """64 bits that change when a subscribed topic comes, goes, or gets more partitions; 0: there are none.

    Kafka takes XXH3. The hashes of two coordinators are compared only when a group moves from one to the other, and
    then a different one costs a rebalance (rule 6.3).
    """
    found = existing(topic_names(members), topics)
    if not found:
        return 0
    from hashlib import blake2b  # no start pays for it

    seen = blake2b(digest_size=8)
    for topic in found:
        name = topic.name.encode("utf-8", "surrogatepass")
        seen.update(b"%d %s %s %d\n" % (len(name), name, topic.topic_id, topic.partitions))
    return int.from_bytes(seen.digest(), "big", signed=True)
