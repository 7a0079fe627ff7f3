"""Counts of the objects in the data directory of a stopped broker, of Tenure or Apache Kafka.

Nothing in the directory is changed. Records that follow damage in a log are not counted.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from tenure.coordinator.groups.records import OffsetsRead
from tenure.coordinator.metadata.shard import MetadataShard
from tenure.coordinator.metadata.state import MetadataSettings
from tenure.coordinator.metadata.topic_names import CONSUMER_OFFSETS, TRANSACTION_STATE
from tenure.coordinator.shard import LogRecord, TransactionalRecord
from tenure.protocol.batches import CorruptBatch, UnsupportedMagic, read_batches, verify_crc
from tenure.protocol.coordinator_logs.consumer_offsets import GroupMetadataKey, OffsetCommitKey
from tenure.protocol.types import BrokerId
from tenure.runtime.codecs import GroupsCodec, MetadataCodec
from tenure.runtime.host import Host, Replayed
from tenure.runtime.replay import UnreadableRecord, newest_records
from tenure.runtime.transactions_codec import TransactionsCodec
from tenure.storage.data_directory import node_id_of, topic_and_partition
from tenure.storage.files import DataFiles
from tenure.storage.log.segment import segment_name
from tenure.storage.recovery.apache_kafka import CLUSTER_METADATA
from tenure.storage.recovery.damage import Damage, find_log_damage
from tenure.storage.recovery.last_stop import PARTITION, base_offsets, read_last_stop
from tenure.storage.recovery.metadata_snapshot import SnapshotMissing, read_metadata


class Contents(NamedTuple):
    """Counts of the objects in a data directory, and the state in which the last broker left it."""

    last_broker: str
    was_clean: bool
    """True if the last broker has closed all logs."""
    features: Mapping[str, int]
    topics: int
    partitions: int
    """Number of partitions of all topics, with or without a directory: a partition that was never used has none."""
    log_bytes: int
    groups: int
    committed_offsets: int
    transactional_ids: int
    users: int
    acls: int
    quotas: int
    unreadable: list[str]
    """Name of each log that could not be read, with the reason. The records of these logs are not counted."""


def read_contents(files: DataFiles, path: str) -> Contents:
    """Count the objects in the data directory of a stopped broker. Raises OSError."""
    last_stop = read_last_stop(files, path)
    logs = partition_directories(files, path)
    metadata = _read_metadata(files, path)
    shard, topics = metadata.shard, list(metadata.shard.topics)
    unreadable = [f"{CLUSTER_METADATA}: {metadata.failure}"] if metadata.failure else []
    groups = _Groups()
    transactional_ids = 0
    for name in logs:
        topic, _ = topic_and_partition(name)
        try:
            if topic == CONSUMER_OFFSETS:
                groups.read(_undamaged(files, f"{path}/{name}"))
            elif topic == TRANSACTION_STATE:
                transactional_ids += _count_live(_undamaged(files, f"{path}/{name}"))
        except UnreadableRecord as reason:
            unreadable.append(f"{name}: {reason}")
    return Contents(
        "Apache Kafka" if last_stop.was_apache_kafka else "Tenure",
        last_stop.was_clean,
        dict(sorted(shard.features.items())),
        len(topics),
        sum([topic.partitions for topic in topics]),
        sum([_log_bytes(files, f"{path}/{name}") for name in logs]),
        len(groups.ids),
        groups.committed_offsets,
        transactional_ids,
        len({user for user, _ in shard.scram_credentials}),
        len(shard.acls),
        len(shard.quotas),
        unreadable,
    )


def partition_directories(files: DataFiles, path: str) -> list[str]:
    return [name for name in files.listdir(path) if PARTITION.fullmatch(name) and os.path.isdir(f"{path}/{name}")]


def find_damaged_records(files: DataFiles, path: str) -> Iterator[Damage]:
    """Read every record batch of all logs except the metadata log, and yield the damage. Raises OSError."""
    was_clean = read_last_stop(files, path).was_clean
    for name in partition_directories(files, path):
        if name != CLUSTER_METADATA:
            yield from find_log_damage(files, f"{path}/{name}", was_clean=was_clean)


def _read_metadata(files: DataFiles, path: str) -> Replayed[MetadataShard]:
    settings = MetadataSettings(BrokerId(node_id_of(files, path)))
    host = Host(lambda: MetadataShard(settings, os.urandom), MetadataCodec())
    if not files.exists(f"{path}/{CLUSTER_METADATA}"):
        return Replayed(host.shard, "its directory is missing")
    try:
        return host.replay([_until_damage(chunk) for chunk in read_metadata(files, path)])
    except SnapshotMissing as reason:
        return Replayed(host.shard, str(reason))


class _Groups:
    """Groups and committed offsets in the logs that were read so far."""

    def __init__(self) -> None:
        self.ids: set[str] = set()
        self.committed_offsets = 0

    def read(self, chunks: Iterable[bytes]) -> None:
        """Count the groups and offsets in one partition of `__consumer_offsets`. Raises UnreadableRecord."""
        for _, found in newest_records(chunks, GroupsCodec()):
            if isinstance(found, OffsetsRead):
                self.ids.add(found.group_id)
                self.committed_offsets += len(found.offsets)
            elif found.value is not None:
                key: Any = found.key
                self.ids.add(key.group if isinstance(key, OffsetCommitKey | GroupMetadataKey) else key.group_id)
                is_pending = isinstance(found, TransactionalRecord)
                self.committed_offsets += isinstance(key, OffsetCommitKey) and not is_pending


def _count_live(chunks: Iterable[bytes]) -> int:
    """Return the number of transactional ids in a partition of `__transaction_state`. Raises UnreadableRecord."""
    found = [record for _, record in newest_records(chunks, TransactionsCodec()) if isinstance(record, LogRecord)]
    return sum([record.value is not None for record in found])


def _log_bytes(files: DataFiles, directory: str) -> int:
    return sum([files.size(f"{directory}/{segment_name(offset)}.log") for offset in base_offsets(files, directory)])


def _undamaged(files: DataFiles, directory: str) -> Iterator[bytes]:
    """Yield the batches of each segment of a log, up to the first damaged one."""
    for offset in base_offsets(files, directory):
        yield _until_damage(files.read(f"{directory}/{segment_name(offset)}.log"))


def _until_damage(chunk: bytes) -> bytes:
    end = 0
    try:
        for batch in read_batches(chunk):
            verify_crc(batch)
            end += batch.size
    except (CorruptBatch, UnsupportedMagic):
        pass
    return chunk[:end]
