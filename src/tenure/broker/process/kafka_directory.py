"""Check of a data directory that Apache Kafka has used: the start is refused if Tenure cannot serve all of it.

The check reads the metadata log and its snapshot, and changes nothing. `forced_start` changes the log.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Final, NamedTuple

from tenure.broker.config.start_error import StartError
from tenure.broker.process.forced_start import is_interrupted
from tenure.coordinator.metadata.configs import TOPIC_RESOURCE
from tenure.coordinator.metadata.features import READABLE_LEVELS
from tenure.coordinator.metadata.topic_names import SHARE_GROUP_STATE
from tenure.coordinator.metadata.transaction import MetadataTransaction
from tenure.limits.broker import UNSUPPORTED_OBJECTS_NAMED_MAX
from tenure.protocol.batches import CorruptBatch, UnsupportedMagic, decode_records, read_batches
from tenure.protocol.coordinator_logs.cluster_metadata import UnknownRecord, decode_record
from tenure.protocol.generated.cluster_metadata import (
    BrokerRegistrationChangeRecord,
    ConfigRecord,
    FeatureLevelRecord,
    PartitionChangeRecord,
    PartitionRecord,
    RegisterBrokerRecord,
    RemoveTopicRecord,
    TopicRecord,
    UnregisterBrokerRecord,
)
from tenure.protocol.message import MalformedMessage, Message
from tenure.protocol.types import BrokerId, PartitionId, TopicId
from tenure.storage.data_directory import partition_directory, topic_and_partition
from tenure.storage.files import DataFiles
from tenure.storage.recovery import apache_kafka
from tenure.storage.recovery.metadata_snapshot import SnapshotMissing, read_metadata

_TIERED: Final = "remote.storage.enable"
_WITHOUT_EFFECT: Final = frozenset({21})
"""Types of records that are skipped. Apache Kafka 3.4 to 3.9 begins each log with a ZkMigrationStateRecord (21), which
4.x skips, too."""


class Unsupported(NamedTuple):
    """Objects in a data directory that Tenure cannot serve."""

    named: list[str]
    """Description of each object."""
    blocking: list[str]
    """Descriptions of the objects that prevent a start even with `--force`, because they cannot be set aside."""
    lost: list[str]
    """Descriptions of missing or damaged data, each with the remedy. `blocking` contains them, too."""
    changes: list[Message]
    """Records for the metadata log that set aside all objects except those in `blocking`."""
    has_lost_metadata: bool = False
    """True if the metadata log is missing or damaged. Other unsupported objects are then unknown."""

    @property
    def remedy(self) -> str:
        """Advice for the user about objects that are not lost: one sentence without a final dot."""
        if self.blocking:
            return "Keep Apache Kafka on this directory"
        return "Remove them with Apache Kafka's tools, or set them aside with `tenure serve --force`"


def check_kafka_directory(files: DataFiles, path: str, node_id: int, *, force: bool = False) -> Unsupported | None:
    """Return the objects to be set aside; None if Tenure can serve the whole directory.

    Raises:
        StartError: The directory has objects of Apache Kafka that Tenure cannot serve. With `force`: objects that
            cannot be set aside.
    """
    found = unsupported_objects(files, path, node_id)
    if not found.named:
        return None
    refused = found.lost or (found.blocking if force else found.named)
    if not refused:
        return found
    objects = "; ".join(refused[:UNSUPPORTED_OBJECTS_NAMED_MAX])
    if (more := len(refused) - UNSUPPORTED_OBJECTS_NAMED_MAX) > 0:
        objects += f"; and {more} more"
    if found.lost:
        raise StartError(f"data directory {path} lacks data of Apache Kafka: {objects}. Nothing was changed")
    unforced = ", and that --force cannot set aside" if force else ""
    raise StartError(
        f"data directory {path} has objects of Apache Kafka that Tenure cannot serve{unforced}: {objects}. "
        f"Nothing was changed. {found.remedy}"
    )


def unsupported_objects(files: DataFiles, path: str, node_id: int) -> Unsupported:
    """Find the objects that Tenure cannot serve; none if Apache Kafka has not used the directory."""
    if apache_kafka.lacks_metadata_log(files, path):
        return _lost_metadata(
            f"the metadata log ({apache_kafka.CLUSTER_METADATA}): name the directory of log.dirs that has it, or move "
            "it here if it is in metadata.log.dir"
        )
    if apache_kafka.was_only_formatted(files, path):
        formatted = (
            "the metadata log, because the directory was only formatted: start Apache Kafka on it once, or name an "
            "empty directory"
        )
        return Unsupported([formatted], [formatted], [formatted], [])
    if not apache_kafka.has_run(files, path) and not is_interrupted(files, path):
        return Unsupported([], [], [], [])
    try:
        missing = apache_kafka.missing_directories(files, path)
        return _ClusterState(node_id, set(files.listdir(path)), missing).unsupported(metadata_records(files, path))
    except SnapshotMissing as reason:
        return _lost_metadata(f"the metadata log: {reason}")


def _lost_metadata(description: str) -> Unsupported:
    return Unsupported([description], [description], [description], [], has_lost_metadata=True)


def metadata_records(files: DataFiles, path: str) -> Iterator[object]:
    """Yield all metadata records: those of the snapshot if the log does not begin at offset 0, then those of the log.

    The part of a file after damage is skipped.
    """
    for chunk in read_metadata(files, path):
        yield from _records(chunk)


class _ClusterState:
    """State of a cluster, as far as the check needs it, from all records of the metadata log."""

    def __init__(self, node_id: int, directories: Collection[str], missing: Mapping[str, int]) -> None:
        self._node_id: Final = BrokerId(node_id)
        self._directories: Final = directories
        self._missing: Final = missing
        """End offset of each log whose directory is missing, by the directory's name."""
        self._log_directories = 1
        self._unknown: set[str] = set()
        self._features: dict[str, int] = {}
        self._brokers: dict[BrokerId, int] = {}
        """Broker epoch of each registered broker, by broker id."""
        self._topics: dict[TopicId, str] = {}
        self._replicas: dict[tuple[TopicId, PartitionId], list[BrokerId]] = {}
        self._in_sync: dict[tuple[TopicId, PartitionId], list[BrokerId]] = {}
        self._tiered: set[str] = set()

    def unsupported(self, records: Iterator[object]) -> Unsupported:
        """Apply all records, and return the objects that Tenure cannot serve."""
        transaction = MetadataTransaction(self._apply)
        for record in records:
            transaction.apply(record)
        lost = sorted(self._lost())
        blocking = [*lost, *sorted(self._blocking())]
        others = {broker: epoch for broker, epoch in self._brokers.items() if broker != self._node_id}
        elsewhere = {
            place: replicas
            for place, replicas in self._replicas.items()
            if place[0] in self._topics and replicas != [self._node_id]
        }
        unserved = {topic_id: why for topic_id, name in self._topics.items() if (why := self._why_unserved(name))}
        named = [
            *blocking,
            *(f"broker {broker}" for broker in others),
            *(f"partition {self._topics[at[0]]}-{at[1]} with the replicas {on}" for at, on in elsewhere.items()),
            *unserved.values(),
        ]
        set_aside = unserved.keys() | {place[0] for place in elsewhere if not self._is_complete_here(place)}
        changes: list[Message] = [UnregisterBrokerRecord(broker, epoch) for broker, epoch in sorted(others.items())]
        changes += [RemoveTopicRecord(topic_id) for topic_id in sorted(set_aside)]
        changes += [self._only_replica(*place) for place in sorted(elsewhere) if place[0] not in set_aside]
        return Unsupported(sorted(named), blocking, lost, changes)

    def _blocking(self) -> Iterator[str]:
        """Yield the record types, features and log directories that prevent a start even with `--force`, as text."""
        yield from self._unknown
        for name, level in self._features.items():
            lowest, highest = READABLE_LEVELS.get(name, (0, 0))
            if not lowest <= level <= highest:
                yield f"feature {name} at level {level} (supported: {lowest} to {highest})"
        if self._log_directories > 1:
            yield f"broker {self._node_id} with {self._log_directories} log directories (supported: one)"

    def _lost(self) -> Iterator[str]:
        """Yield a description of each partition whose log had records, but whose directory is missing."""
        topics = set(self._topics.values())
        for directory, end in self._missing.items():
            if topic_and_partition(directory)[0] in topics:
                yield (
                    f"the directory of partition {directory}, which had records up to offset {end - 1}: "
                    "restore it from a backup"
                )

    def _why_unserved(self, name: str) -> str:
        if name in self._tiered:
            return f"topic {name} with tiered storage"
        return "share groups" if name == SHARE_GROUP_STATE else ""

    def _is_complete_here(self, place: tuple[TopicId, PartitionId]) -> bool:
        """Return whether this node's replica has all committed records: it is in sync, and its directory exists."""
        directory = partition_directory(self._topics[place[0]], place[1])
        return self._node_id in self._in_sync[place] and directory in self._directories

    def _only_replica(self, topic_id: TopicId, partition: PartitionId) -> PartitionChangeRecord:
        """Return the record that makes the replica of this node the only one."""
        own = [self._node_id]
        return PartitionChangeRecord(partition, topic_id, isr=own, leader=own[0], replicas=own, directories=[bytes(16)])

    def _apply(self, record: object) -> None:
        match record:
            case UnknownRecord() if record.type not in _WITHOUT_EFFECT:
                self._unknown.add(f"record type {record.type}, version {record.version}, of the metadata log")
            case FeatureLevelRecord():
                self._features[record.name] = record.feature_level
            case RegisterBrokerRecord():
                self._brokers[record.broker_id] = record.broker_epoch
                self._count_log_directories(record)
            case BrokerRegistrationChangeRecord() if record.log_dirs:
                self._count_log_directories(record)
            case UnregisterBrokerRecord():
                self._brokers.pop(record.broker_id, None)
            case TopicRecord():
                self._topics[record.topic_id] = record.name
            case RemoveTopicRecord():
                self._topics.pop(record.topic_id, None)
            case PartitionRecord():
                self._replicas[record.topic_id, record.partition_id] = list(record.replicas)
                self._in_sync[record.topic_id, record.partition_id] = list(record.isr)
            case PartitionChangeRecord():
                if record.replicas is not None:
                    self._replicas[record.topic_id, record.partition_id] = list(record.replicas)
                if record.isr is not None:
                    self._in_sync[record.topic_id, record.partition_id] = list(record.isr)
            case ConfigRecord() if record.resource_type == TOPIC_RESOURCE and record.name == _TIERED:
                (self._tiered.add if record.value == "true" else self._tiered.discard)(record.resource_name)

    def _count_log_directories(self, record: RegisterBrokerRecord | BrokerRegistrationChangeRecord) -> None:
        if record.broker_id == self._node_id:
            self._log_directories = len(record.log_dirs)


def _records(chunk: bytes) -> Iterator[object]:
    """Yield the records before the first damaged batch. Damage is reported later, when the broker opens the log."""
    try:
        for batch in read_batches(chunk):
            if not batch.is_control:
                yield from [decode_record(record.value) for record in decode_records(batch) if record.value]
    except (CorruptBatch, UnsupportedMagic, MalformedMessage):
        return
