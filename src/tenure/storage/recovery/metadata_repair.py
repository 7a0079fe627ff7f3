"""Damage in `__cluster_metadata-0`, which prevents a start, and its repair.

Damaged bytes are set aside. Later records are kept, unless they belong to a topic whose creation is lost. Such a topic
is created again if it has partition directories, because these show its name, its id and the number of its partitions.
Its configs are lost, so it gets unlimited retention. Producer ids are not used twice.
"""

from collections.abc import Iterator, Mapping
from time import time_ns
from typing import Final

from tenure.limits.storage import PRODUCER_IDS_SKIPPED
from tenure.plural import format_count
from tenure.protocol.batches import decode_records, encode_batch
from tenure.protocol.coordinator_logs.cluster_metadata import decode_record, encode_record
from tenure.protocol.generated.cluster_metadata import (
    ConfigRecord,
    PartitionRecord,
    ProducerIdsRecord,
    RemoveTopicRecord,
    TopicRecord,
)
from tenure.protocol.message import Message
from tenure.protocol.records import Record
from tenure.protocol.types import BrokerId, PartitionId, ProducerId, TopicId, TopicName
from tenure.storage.data_directory import DataDirectory, topic_and_partition
from tenure.storage.log.partition import Partition
from tenure.storage.log.segment import Segment
from tenure.storage.log.settings import Durability, LogSettings
from tenure.storage.recovery.damage import damaged_segments
from tenure.storage.recovery.damage_copies import set_damage_aside
from tenure.storage.recovery.inventory import Entry
from tenure.storage.recovery.inventory_check import INDEX_INTERVAL_BYTES

NAME: Final = "__cluster_metadata-0"

_BATCH_BYTES_MAX: Final = 2**31 - 1
_COORDINATORS: Final = ("__consumer_offsets", "__transaction_state")
_COORDINATOR_PARTITIONS: Final = 50
"""Kafka's default number of partitions of a coordinator's topic.

Only partitions in use have directories, so the directories do not show this number. But it decides to which partition a
group belongs.
"""
_TOPIC: Final = 2
"""Kafka's resource type of topic configs."""


class KnownMetadata:
    """Topics and ids that are known from the records read so far. A repair needs no other state."""

    def __init__(self) -> None:
        self.topics: dict[TopicId, TopicName] = {}
        self.removed: set[TopicId] = set()
        self.next_producer_id = ProducerId(0)
        self.broker_id = BrokerId(1)


def repair_metadata(directory: DataDirectory) -> str:
    """Set damaged bytes aside, and return a sentence that says what was done. Raises OSError and `StorageError`."""
    settings = LogSettings(max_message_bytes=_BATCH_BYTES_MAX, deletes=False)
    has_damage = False
    for segment, damages in damaged_segments(
        directory.files, f"{directory.path}/{NAME}", was_clean=directory.was_clean
    ):
        directory.inventory.remove_segments(NAME, [], changed=segment.base_offset)
        has_damage = True
        set_damage_aside(directory.files, f"{directory.path}/{NAME}", segment, damages, INDEX_INTERVAL_BYTES).close()
    partition = Partition.open(directory, NAME, settings, durability=Durability.FSYNC)
    known = KnownMetadata()
    dropped = sum([_keep_applicable(directory, segment, known) for segment in partition.segments.all])
    partition.close()
    partition = Partition.open(directory, NAME, settings, durability=Durability.FSYNC)
    lost = _lost_topics(directory.inventory.entries, known)
    records = [record for topic_id, (name, count) in lost.items() for record in _topic_records(name, topic_id, count)]
    next_producer_id = ProducerId(known.next_producer_id + PRODUCER_IDS_SKIPPED)
    records.append(ProducerIdsRecord(known.broker_id, -1, next_producer_id))
    batch = encode_batch([Record(0, time_ns() // 1_000_000, None, encode_record(record)) for record in records])
    partition.append(batch, now_ms=0, is_own=True)
    partition.close()
    made = ", ".join(f"{name} with {format_count(count, 'partition')}" for name, count in sorted(lost.values()))
    done = ["damaged bytes are beside the log, under names that contain .damaged"] if has_damage else []
    done += [f"{format_count(dropped, 'record')} after them belonged to topics that are lost"] if dropped else []
    done += [f"topics are created again from their directories, without settings: {made}"] if made else []
    return "; ".join(done)


def _keep_applicable(directory: DataDirectory, segment: Segment, known: KnownMetadata) -> int:
    """Rewrite a segment without the records of unknown topics. Return the number of dropped records."""
    content, dropped = bytearray(), 0
    for position, header in segment.headers(0):
        batch = segment.whole(position, header)
        kept = [record for record in decode_records(batch) if _maybe_apply(record, known)]
        dropped += batch.count - len(kept)
        if len(kept) == batch.count:
            content += batch.raw
        elif kept:
            content += encode_batch(
                kept, base_offset=batch.base_offset, partition_leader_epoch=batch.partition_leader_epoch
            )
    if dropped:
        log = f"{segment.stem}.log"
        directory.files.write(f"{log}.damaged", directory.files.read(log), sync=True)
        directory.inventory.remove_segments(NAME, [], changed=segment.base_offset)
        directory.files.write(log, bytes(content), sync=True)
    return dropped


def _maybe_apply(record: Record, known: KnownMetadata) -> bool:
    """Apply a record to `known`. Return False if it contradicts earlier records."""
    message = decode_record(record.value or b"")
    match message:
        case TopicRecord():
            known.topics[message.topic_id] = message.name
        case RemoveTopicRecord():
            known.removed.add(message.topic_id)
            return known.topics.pop(message.topic_id, None) is not None
        case PartitionRecord():
            return message.topic_id in known.topics
        case ProducerIdsRecord():
            known.broker_id, known.next_producer_id = message.broker_id, message.next_producer_id
    return True


def _lost_topics(entries: Mapping[str, Entry], known: KnownMetadata) -> dict[TopicId, tuple[TopicName, int]]:
    """Return name and number of partitions, by topic id, of topics with directories whose creation is lost."""
    lost: dict[TopicId, tuple[TopicName, int]] = {}
    for directory, entry in entries.items():
        name, partition = topic_and_partition(directory)
        topic_id = entry.topic_id
        if topic_id is None or topic_id in known.topics or topic_id in known.removed or name in known.topics.values():
            continue
        at_least = _COORDINATOR_PARTITIONS if name in _COORDINATORS else 0
        lost[topic_id] = TopicName(name), max(partition + 1, at_least, lost.get(topic_id, ("", 0))[1])
    return lost


def _topic_records(name: TopicName, topic_id: TopicId, partitions: int) -> Iterator[Message]:
    yield TopicRecord(name, topic_id)
    for partition in range(partitions):
        yield PartitionRecord(
            PartitionId(partition),
            topic_id,
            replicas=[BrokerId(1)],
            isr=[BrokerId(1)],
            leader=BrokerId(1),
            leader_epoch=0,
            partition_epoch=0,
            directories=[bytes(16)],
        )
    settings = (
        {"cleanup.policy": "compact"} if name in _COORDINATORS else {"retention.ms": "-1", "retention.bytes": "-1"}
    )
    for key, value in settings.items():
        yield ConfigRecord(_TOPIC, name, key, value)
