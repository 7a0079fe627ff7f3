"""Start on a data directory on which Apache Kafka has run: refused if Tenure cannot serve a part of it.

The check reads the metadata log and its snapshot, and changes nothing.
"""

from collections.abc import Iterator
from typing import Final

from tenure.broker.config.start_error import StartError
from tenure.broker.features import READABLE
from tenure.coordinator.metadata.configs import TOPIC_RESOURCE
from tenure.coordinator.metadata.transaction import MetadataTransaction
from tenure.limits.broker import UNSUPPORTED_OBJECTS_NAMED_MAX
from tenure.protocol.batches import CorruptBatch, UnsupportedMagic, decode_records, read_batches
from tenure.protocol.coordinator_logs.cluster_metadata import UnknownRecord, decode_record
from tenure.protocol.generated.cluster_metadata import (
    ConfigRecord,
    FeatureLevelRecord,
    PartitionChangeRecord,
    PartitionRecord,
    RegisterBrokerRecord,
    RemoveTopicRecord,
    TopicRecord,
    UnregisterBrokerRecord,
)
from tenure.protocol.message import MalformedMessage
from tenure.protocol.types import TopicId
from tenure.storage.files import DataFiles
from tenure.storage.recovery import apache_kafka
from tenure.storage.recovery.metadata_snapshot import SnapshotMissing, read_metadata

_SHARE_GROUP_STATE: Final = "__share_group_state"
_TIERED: Final = "remote.storage.enable"


def check_takeover(files: DataFiles, path: str, node_id: int) -> None:
    """Raise StartError if Apache Kafka has run on the directory, and Tenure cannot serve what it left."""
    unsupported = find_unsupported(files, path, node_id)
    if unsupported:
        named = "; ".join(unsupported[:UNSUPPORTED_OBJECTS_NAMED_MAX])
        more = len(unsupported) - UNSUPPORTED_OBJECTS_NAMED_MAX
        raise StartError(
            f"data directory {path} was used by Apache Kafka and has objects that Tenure cannot serve: {named}"
            + (f"; and {more} more" if more > 0 else "")
            + ". Nothing was changed. Remove them with Apache Kafka's tools, or keep Apache Kafka on this directory"
        )


def find_unsupported(files: DataFiles, path: str, node_id: int) -> list[str]:
    """Describe what Apache Kafka left in the directory and Tenure cannot serve; nothing if it has not run there."""
    if not apache_kafka.has_run(files, path):
        return []
    try:
        return sorted(_Survey(node_id).unsupported(metadata_records(files, path)))
    except SnapshotMissing as reason:
        return [f"the metadata log: {reason}"]


def metadata_records(files: DataFiles, path: str) -> Iterator[object]:
    """Yield the records of the metadata log, and of its snapshot if the log does not reach back, up to damage."""
    for chunk in read_metadata(files, path):
        yield from _records(chunk)


class _Survey:
    """Objects of a cluster that matter for a takeover, as the metadata log leaves them."""

    def __init__(self, node_id: int) -> None:
        self._node_id = node_id
        self._unknown: set[str] = set()
        self._features: dict[str, int] = {}
        self._brokers: set[int] = set()
        self._topics: dict[TopicId, str] = {}
        self._replicas: dict[tuple[TopicId, int], list[int]] = {}
        self._tiered: set[str] = set()

    def unsupported(self, records: Iterator[object]) -> Iterator[str]:
        """Yield one description per object that Tenure cannot serve."""
        transaction = MetadataTransaction(self._apply)
        for record in records:
            transaction.apply(record)
        yield from self._unknown
        for name, level in self._features.items():
            lowest, highest = READABLE.get(name, (0, 0))
            if not lowest <= level <= highest:
                yield f"feature {name} at level {level} (supported: {lowest} to {highest})"
        yield from (f"broker {each}" for each in self._brokers - {self._node_id})
        for (topic_id, partition), replicas in self._replicas.items():
            if topic_id in self._topics and replicas != [self._node_id]:
                yield f"partition {self._topics[topic_id]}-{partition} with the replicas {replicas}"
        for name in self._topics.values():
            if name in self._tiered:
                yield f"topic {name} with tiered storage"
            elif name == _SHARE_GROUP_STATE:
                yield "share groups"

    def _apply(self, record: object) -> None:
        match record:
            case UnknownRecord():
                self._unknown.add(f"record type {record.type}, version {record.version}, of the metadata log")
            case FeatureLevelRecord():
                self._features[record.name] = record.feature_level
            case RegisterBrokerRecord():
                self._brokers.add(record.broker_id)
            case UnregisterBrokerRecord():
                self._brokers.discard(record.broker_id)
            case TopicRecord():
                self._topics[record.topic_id] = record.name
            case RemoveTopicRecord():
                self._topics.pop(record.topic_id, None)
            case PartitionRecord():
                self._replicas[record.topic_id, record.partition_id] = list(record.replicas)
            case PartitionChangeRecord() if record.replicas is not None:
                self._replicas[record.topic_id, record.partition_id] = list(record.replicas)
            case ConfigRecord() if record.resource_type == TOPIC_RESOURCE and record.name == _TIERED:
                (self._tiered.add if record.value == "true" else self._tiered.discard)(record.resource_name)


def _records(chunk: bytes) -> Iterator[object]:
    """Yield the records up to the first damage, which the start itself reports."""
    try:
        for batch in read_batches(chunk):
            if not batch.is_control:
                yield from [decode_record(record.value) for record in decode_records(batch) if record.value]
    except (CorruptBatch, UnsupportedMagic, MalformedMessage):
        return
