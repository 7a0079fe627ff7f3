"""Partitions that do not exist, of a request about offsets (rules 2.13, 2.14 and 2.17).

They are refused whatever the state of their group is, also while its shard loads.
"""

from tenure.coordinator.metadata.topics import Topic
from tenure.protocol.errors import ErrorCode
from tenure.protocol.types import PartitionId


def why_unknown(topic: Topic | None, partition: PartitionId, *, by_id: bool = False) -> ErrorCode | None:
    """Return why the partition is refused, None if it exists. `by_id`: the request names topics by id."""
    if topic is None and by_id:
        return ErrorCode.UNKNOWN_TOPIC_ID
    if topic is None or not 0 <= partition < topic.partitions:
        return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    return None
