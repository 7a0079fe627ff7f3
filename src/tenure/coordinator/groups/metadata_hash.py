"""Hash of a group's topics, which changes when the topics change (rule 6.3).

The log contains the hash, so it must be computed as in Kafka: XXH3 with 64 bits, over little-endian numbers and UTF-16
text.
"""

from array import array
from collections.abc import Iterable
from functools import lru_cache
from struct import pack
from typing import Final

from tenure.coordinator.metadata.topics import Topic
from tenure.limits.coordinator import TOPIC_HASHES_KEPT
from tenure.protocol.types import TopicId, TopicName

_VERSION: Final = b"\0"
"""Version of Kafka's hash function for topics, which is part of the hashed bytes."""


def group_hash(topics: Iterable[Topic]) -> int:
    """Return the hash of the topics; 0 if there are none. The topics must be sorted by name."""
    hashes = [_topic_hash(topic.topic_id, topic.name, topic.partitions) for topic in topics]
    return _xxh3(b"".join(hashes)) if hashes else 0


@lru_cache(maxsize=TOPIC_HASHES_KEPT)
def _topic_hash(topic_id: TopicId, name: TopicName, partitions: int) -> bytes:
    """Return the hash of a topic. Its partitions have no racks, as in a cluster with one broker."""
    text = name.encode("utf-16-le")
    content = (
        _VERSION,
        topic_id[7::-1],
        topic_id[:7:-1],
        text,
        pack("<ii", len(text) // 2, partitions),
        array("i", range(partitions)).tobytes(),
    )
    return pack("<q", _xxh3(b"".join(content)))


def _xxh3(data: bytes) -> int:
    """Return the XXH3 hash as a signed 64-bit number."""
    from xxhash import xxh3_64_digest  # imported late, so that the start is faster

    return int.from_bytes(xxh3_64_digest(data), "big", signed=True)
