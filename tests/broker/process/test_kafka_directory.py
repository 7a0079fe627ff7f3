"""Directories of Apache Kafka with objects that Tenure cannot serve: the start is refused and changes nothing."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from tenure.broker.config.start_error import StartError
from tenure.broker.process.kafka_directory import check_kafka_directory
from tenure.protocol.batches import encode_batch
from tenure.protocol.coordinator_logs import cluster_metadata
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
from tenure.protocol.message import Message
from tenure.protocol.records import Record
from tenure.storage.data_directory import DataDirectory
from tenure.storage.errors import DirectoryUnusable
from tenure.storage.files import LocalDataFiles

pytestmark = pytest.mark.long

ID = bytes(range(16))
TOPIC = TopicRecord("orders", ID)
PARTITION = PartitionRecord(0, ID, replicas=[1], isr=[1], leader=1)
TIERED = ConfigRecord(2, "orders", "remote.storage.enable", "true")
UNKNOWN = b"\x01\xc8\x01\x00"
"""Record of an unknown type: frame version 1, record type 200, version 0."""
ZK_MIGRATION_STATE = b"\x01\x15\x00\x00\x00"
"""First record of each log of Apache Kafka 3.4 to 3.9."""
LATER = b"\x01\x02\x63\x00"
"""Record of a topic, version 99."""


def directory(path: Path, records: Sequence[Message | bytes], snapshot: Sequence[Message] = ()) -> str:
    """Write the metadata log of a node of Apache Kafka; with a snapshot, the log begins at offset 10."""
    log = path / "__cluster_metadata-0"
    log.mkdir()
    (log / "quorum-state").write_text("{}")
    (log / f"{10 if snapshot else 0:020}.log").write_bytes(batch(records, 10 if snapshot else 0))
    if snapshot:
        (log / f"{10:020}-{1:010}.checkpoint").write_bytes(batch(snapshot, 0) + footer(len(snapshot)))
    return str(path)


def batch(records: Sequence[Message | bytes], base_offset: int) -> bytes:
    values = [each if isinstance(each, bytes) else cluster_metadata.encode_record(each) for each in records]
    rows = [Record(base_offset + number, 0, None, value) for number, value in enumerate(values)]
    return encode_batch(rows, base_offset=base_offset)


def footer(offset: int) -> bytes:
    """Return the control batch at the end of a snapshot."""
    return encode_batch([Record(offset, 0, b"\0\0\0\4", bytes(3))], base_offset=offset, is_control=True)


def contents(path: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in path.rglob("*") if file.is_file()}


@pytest.mark.parametrize(
    ("records", "named"),
    [
        ([TOPIC, PartitionRecord(0, ID, replicas=[1, 2])], r"partition orders-0 with the replicas \[1, 2\]"),
        ([TOPIC, PARTITION, PartitionChangeRecord(0, ID, replicas=[3])], r"partition orders-0 with the replicas \[3\]"),
        ([RegisterBrokerRecord(1), RegisterBrokerRecord(2)], "broker 2"),
        ([TOPIC, PARTITION, TIERED], "topic orders with tiered storage"),
        ([TopicRecord("__share_group_state", ID)], "share groups"),
        ([FeatureLevelRecord("metadata.version", 34)], r"feature metadata.version at level 34 \(supported: 7 to 33\)"),
        ([FeatureLevelRecord("warp.version", 1)], r"feature warp.version at level 1 \(supported: 0 to 0\)"),
        ([UNKNOWN], "record type 200, version 0, of the metadata log"),
        ([LATER], "record type 2, version 99, of the metadata log"),
        ([RegisterBrokerRecord(1, log_dirs=[ID, ID[::-1]])], r"broker 1 with 2 log directories \(supported: one\)"),
        (
            [RegisterBrokerRecord(1, log_dirs=[ID]), BrokerRegistrationChangeRecord(1, log_dirs=[ID, ID[::-1]])],
            "broker 1 with 2 log directories",
        ),
    ],
)
def test_kafka_directory__unsupported_object_in_the_metadata_log__error_names_it(
    records: list[Message | bytes], named: str, tmp_path: Path
) -> None:
    path = directory(tmp_path, records)
    before = contents(tmp_path)
    with pytest.raises(
        StartError, match=f"has objects of Apache Kafka that Tenure cannot serve: {named}.*. Nothing was changed"
    ):
        check_kafka_directory(LocalDataFiles(), path, 1)
    assert contents(tmp_path) == before


@pytest.mark.parametrize(
    "records",
    [
        [FeatureLevelRecord("metadata.version", 33), TOPIC, PARTITION, RegisterBrokerRecord(1)],
        [TOPIC, PartitionRecord(0, ID, replicas=[1, 2]), RemoveTopicRecord(ID)],
        [RegisterBrokerRecord(2), UnregisterBrokerRecord(2)],
        [TOPIC, PARTITION, TIERED, ConfigRecord(2, "orders", "remote.storage.enable", None)],
        [RegisterBrokerRecord(1, log_dirs=[ID, ID[::-1]]), BrokerRegistrationChangeRecord(1, log_dirs=[ID])],
        [ZK_MIGRATION_STATE, TOPIC, PARTITION],
    ],
)
def test_kafka_directory__unsupported_objects_removed_again_or_without_effect__accepted(
    records: list[Message | bytes], tmp_path: Path
) -> None:
    check_kafka_directory(LocalDataFiles(), directory(tmp_path, records), 1)


def test_kafka_directory__unsupported_object_in_a_snapshot__error_names_it(tmp_path: Path) -> None:
    path = directory(tmp_path, [PARTITION], snapshot=[TopicRecord("__share_group_state", ID)])
    with pytest.raises(StartError, match="share groups"):
        check_kafka_directory(LocalDataFiles(), path, 1)


def test_kafka_directory__apache_kafka_never_ran__metadata_log_not_checked(tmp_path: Path) -> None:
    path = directory(tmp_path, [UNKNOWN])
    (tmp_path / "__cluster_metadata-0" / "quorum-state").unlink()
    check_kafka_directory(LocalDataFiles(), path, 1)


def test_kafka_directory__snapshot_is_missing__error_names_it(tmp_path: Path) -> None:
    path = directory(tmp_path, [PARTITION], snapshot=[TOPIC])
    next((tmp_path / "__cluster_metadata-0").glob("*.checkpoint")).unlink()
    with pytest.raises(StartError, match=r"begins at offset 10, and .* has no snapshot"):
        check_kafka_directory(LocalDataFiles(), path, 1)


@pytest.mark.parametrize("cut_bytes", [1, 20, len(footer(1)), 10_000])
def test_kafka_directory__snapshot_is_truncated__error_names_it_and_nothing_changed(
    cut_bytes: int, tmp_path: Path
) -> None:
    path = directory(tmp_path, [PARTITION], snapshot=[TOPIC])
    (snapshot,) = (tmp_path / "__cluster_metadata-0").glob("*.checkpoint")
    snapshot.write_bytes(snapshot.read_bytes()[:-cut_bytes])
    before = contents(tmp_path)
    with pytest.raises(StartError, match=f"the snapshot {snapshot} is damaged: restore it from a backup"):
        check_kafka_directory(LocalDataFiles(), path, 1)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("checkpoint", ["replication-offset-checkpoint", "recovery-point-offset-checkpoint"])
def test_kafka_directory__directory_of_a_partition_is_missing__refused_if_it_had_records(
    checkpoint: str, tmp_path: Path
) -> None:
    path = directory(tmp_path, [TOPIC, PARTITION, PartitionRecord(1, ID, replicas=[1])])
    (tmp_path / checkpoint).write_text("0\n4\norders 0 7\norders 1 0\ndeleted 0 5\ninvoices 0 9\n")
    with pytest.raises(
        StartError,
        match=r"lacks data of Apache Kafka: the directory of partition orders-0, .* up to offset 6: rest",
    ):
        check_kafka_directory(LocalDataFiles(), path, 1)
    (tmp_path / "orders-0").mkdir()
    check_kafka_directory(LocalDataFiles(), path, 1)


@pytest.mark.parametrize("written", ["bootstrap.checkpoint", f"__cluster_metadata-0/{0:020}-{0:010}.checkpoint"])
def test_kafka_directory__formatted_and_never_started__refused_until_a_log_exists(written: str, tmp_path: Path) -> None:
    """Refuse the start, because the file may have users (`format --add-scram`), which Tenure does not read."""
    (tmp_path / "__cluster_metadata-0").mkdir()
    (tmp_path / written).write_bytes(batch([TOPIC], 0))
    with pytest.raises(
        StartError, match="lacks data of Apache Kafka: the metadata log, because the directory was only"
    ):
        check_kafka_directory(LocalDataFiles(), str(tmp_path), 1)
    (tmp_path / "__cluster_metadata-0" / f"{0:020}.log").touch()
    check_kafka_directory(LocalDataFiles(), str(tmp_path), 1)


def test_kafka_directory__metadata_log_is_in_another_directory__refused_and_nothing_changed(tmp_path: Path) -> None:
    """Refuse the start (`log.dirs` or `metadata.log.dir` was set), which would set all partitions aside."""
    (tmp_path / "orders-0").mkdir()
    (tmp_path / "meta.properties").write_text("version=1\ncluster.id=c\nnode.id=1\n")
    (tmp_path / "replication-offset-checkpoint").write_text("0\n1\norders 0 7\n")
    before = contents(tmp_path)
    with pytest.raises(StartError, match=r"lacks data of Apache Kafka: the metadata log .*: name the directory"):
        check_kafka_directory(LocalDataFiles(), str(tmp_path), 1, force=True)
    assert contents(tmp_path) == before


@pytest.mark.parametrize(
    ("properties", "why"),
    [
        ("version=1\ncluster.id=c\nnode.id=7\n", "belongs to node 7, not to node 1: set node.id=7"),
        ("version=2\ncluster.id=c\nnode.id=1\n", "has meta.properties of version 2, which a later version"),
        ("version=0\ncluster.id=c\nbroker.id=1\n", "belongs to a version of Apache Kafka without KRaft"),
    ],
)
def test_kafka_directory__meta_properties_of_another_node_or_version__refused(
    properties: str, why: str, tmp_path: Path
) -> None:
    path = directory(tmp_path, [TOPIC])
    (tmp_path / "meta.properties").write_text(properties)
    before = contents(tmp_path)
    with pytest.raises(DirectoryUnusable, match=why):
        DataDirectory.open(path, node_id=1)
    assert {file: held for file, held in contents(tmp_path).items() if file.name != ".lock"} == before


# --- with --force -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("records", "changes"),
    [
        ([RegisterBrokerRecord(1), RegisterBrokerRecord(2, broker_epoch=7)], ["UnregisterBrokerRecord"]),
        ([TOPIC, PARTITION, TIERED], ["RemoveTopicRecord"]),
        ([TopicRecord("__share_group_state", ID)], ["RemoveTopicRecord"]),
        ([TOPIC, PartitionRecord(0, ID, replicas=[1, 2], isr=[2, 1])], ["PartitionChangeRecord"]),
        ([TOPIC, PartitionRecord(0, ID, replicas=[1, 2], isr=[2])], ["RemoveTopicRecord"]),
        ([TOPIC, PartitionRecord(1, ID, replicas=[1, 2], isr=[2, 1])], ["RemoveTopicRecord"]),
        ([TOPIC, PARTITION, PartitionRecord(1, ID, replicas=[2], isr=[2])], ["RemoveTopicRecord"]),
    ],
)
def test_forced_start__unsupported_object__set_aside(
    records: list[Message], changes: list[str], tmp_path: Path
) -> None:
    """This node has a directory for partition 0 only."""
    (tmp_path / "orders-0").mkdir()
    found = check_kafka_directory(LocalDataFiles(), directory(tmp_path, records), 1, force=True)
    assert found is not None
    assert [type(change).__name__ for change in found.changes] == changes
    assert found.blocking == []


@pytest.mark.parametrize("record", [FeatureLevelRecord("metadata.version", 34), UNKNOWN])
def test_forced_start__metadata_of_a_later_kafka_version__refused(record: Message | bytes, tmp_path: Path) -> None:
    path = directory(tmp_path, [RegisterBrokerRecord(2), record])
    with pytest.raises(StartError, match=r"and that --force cannot set aside: (feature|record type)"):
        check_kafka_directory(LocalDataFiles(), path, 1, force=True)
