"""Compacted logs of Tenure are readable by Apache Kafka's tools, and those of Apache Kafka by Tenure."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from confluent_kafka import Consumer, KafkaException, Producer, TopicPartition

from tenure.coordinator.groups.settings import GroupSettings
from tenure.coordinator.groups.shard import GroupsShard
from tenure.coordinator.shard import Now
from tenure.protocol.batches import Batch, decode_records, read_batches
from tenure.protocol.messages import OffsetFetchRequest, OffsetFetchRequestGroup
from tenure.runtime.codecs import GroupsCodec
from tenure.runtime.host import Host, HostState
from tenure.storage.data_directory import DataDirectory
from tenure.storage.log.partition import Partition
from tenure.storage.log.settings import Durability, LogSettings
from tests.apache_kafka import ApacheKafka, apache_kafka, java
from tests.broker.logs.test_compaction import FREQUENT_COMPACTION, wait_until_compacted
from tests.consumer_offsets import log_of
from tests.oracle.classic_requests import TOPIC, Group
from tests.oracle.conftest import prepare, require_kafka
from tests.oracle.side import PATIENCE_S, Session, Side, setting
from tests.oracle.test_transactions import TransactionHistory
from tests.serving import serving
from tests.wire import Wire

pytestmark = pytest.mark.oracle

GROUPS = ("compacted", "gone", "static")
LONG_METADATA = "m" * 3_000
KAFKA_FREQUENT_COMPACTION = {
    "offsets.topic.segment.bytes": str(1 << 20),
    "log.cleaner.backoff.ms": "100",
    "log.cleaner.min.cleanable.ratio": "0.01",
    "log.cleaner.delete.retention.ms": "100000",
    "transaction.state.log.num.partitions": "1",
}

Positions = dict[tuple[str, int], int]


def write_many_commits(session: Session, commits: int) -> None:
    """Write many commits of one group that fill segments, a deleted group, and a static member."""
    static = Group(session, "static", {"A": "a"})
    static.stabilize("A")
    gone = Group(session, "gone")
    gone.commit("A", {0: 1}, generation=-1, member_id="")
    gone.delete()
    compacted = Group(session, "compacted")
    for n in range(commits):
        compacted.commit("A", {n % 4: n}, generation=-1, member_id="", metadata=LONG_METADATA)
        if n % 50 == 0:
            static.commit("A", {0: n})


def committed(host: str, port: int, group_ids: tuple[str, ...]) -> dict[str, Positions]:
    with Wire(host, port) as wire:
        asked = [OffsetFetchRequestGroup(group_id=group_id, topics=None) for group_id in group_ids]
        answer = wire.ask(OffsetFetchRequest(groups=asked), 9)
    return {
        group.group_id: {
            (topic.name, part.partition_index): part.committed_offset
            for topic in group.topics
            for part in topic.partitions
        }
        for group in answer.groups
    }


def loaded(partition: Partition) -> Host[GroupsShard]:
    chunks, offset = [], partition.log_start_offset
    while data := partition.read(offset, 1 << 20):
        chunks.append(data)
        offset = list(read_batches(data))[-1].last_offset + 1
    host = Host(lambda: GroupsShard(GroupSettings(), bytes), GroupsCodec())
    host.load(chunks, Now(0, 0))
    assert host.state is HostState.ACTIVE, host.failure
    return host


def positions_of(host: Host[GroupsShard], group_id: str) -> Positions:
    found = host.shard.digest()[1].get(group_id, {})  # type: ignore[call-overload]
    return {partition: value.offset for partition, value in found.items()}


# --- logs of Tenure, read by Apache Kafka's tools ---------------------------------------------------------------------


def test_log_compacted_by_tenure__read_by_kafkas_tools__every_batch_index_entry_and_record_valid(
    tmp_path: Path,
) -> None:
    require_kafka()
    with serving(tmp_path, *FREQUENT_COMPACTION) as broker:
        prepare(broker.host, broker.port)
        with Side("tenure", broker.host, broker.port) as side:
            write_many_commits(side.session(), 200)
        wait_until_compacted(broker, "__consumer_offsets-0", 2)
        expected = committed(broker.host, broker.port, GROUPS)
        assert broker.terminate() == 0
    assert broker.data_directory is not None
    directory = broker.data_directory / "__consumer_offsets-0"
    logs = sorted(directory.glob("*.log"))
    text = dump(logs, "--deep-iteration", "--print-data-log", "--skip-record-metadata")
    assert text.count("Log starting offset: ") == len(logs)
    assert "isvalid: false" not in text
    assert not re.search("(?i)exception|corrupt|mismatch", text), text[-2_000:]
    indexes = [file for kind in ("index", "timeindex") for file in directory.glob(f"*.{kind}") if file.stat().st_size]
    assert dump(indexes, "--index-sanity-check").count("passed sanity check") == len(indexes) > 0
    assert not re.search("(?i)mismatch|not found|exception", dump(indexes, "--verify-index-only"))
    assert "deleteHorizonMs: OptionalLong[" in dump(logs), "the tombstones of the deleted group"
    records = dump(logs, "--offsets-decoder")
    assert newest_offsets(records, "compacted") == expected["compacted"]
    assert '"group":"static"' in records
    assert records.count('"group":"compacted"') < 200


def newest_offsets(text: str, group: str) -> Positions:
    key = rf'"group":"{group}","topic":"([^"]+)","partition":(\d+)'
    pattern = key + r'\}\} payload: \{"version":"?\d+"?,"data":\{"offset":(\d+)'
    found = {(topic, int(partition)): int(offset) for topic, partition, offset in re.findall(pattern, text)}
    assert found, text[-1_500:]
    return found


def dump(files: Sequence[Path], *options: str) -> str:
    """Return the output of Kafka's dump tool for all files, from one Java process."""
    return java("org.apache.kafka.tools.DumpLogSegments", "--files", ",".join(map(str, files)), *options)


# --- logs of Apache Kafka, loaded by Tenure ---------------------------------------------------------------------------


def test_directory_compacted_by_kafka__loaded_by_tenure__same_committed_offsets(
    tmp_path: Path,
) -> None:
    require_kafka()
    group_ids = (*GROUPS, "transactional", "modern")
    with apache_kafka(tmp_path / "kafka", settings=KAFKA_FREQUENT_COMPACTION) as broker:
        prepare(broker.host, broker.port)
        with Side("kafka", broker.host, broker.port) as side:
            commit_in_transaction(broker.address, "commit", 11)
            commit_in_transaction(broker.address, "abort", 99)
            commit_as_modern_member(broker.address)
            write_many_commits(side.session(), 450)
        wait_until_kafka_has_cleaned(broker)
        commit_in_transaction(broker.address, "neither", 98)  # Apache Kafka compacts nothing after an open one
        expected = committed(broker.host, broker.port, group_ids)
    assert expected["transactional"] == {(TOPIC, 0): 11, (TOPIC, 1): 12}
    assert expected["modern"] == {(TOPIC, 0): 21}
    directory = DataDirectory.open(str(tmp_path / "ours"))
    shutil.copytree(broker.log_directory / "__consumer_offsets-0", tmp_path / "ours" / "__consumer_offsets-0")
    settings = LogSettings(deletes=False, compacts=True)
    partition = Partition.open(directory, "__consumer_offsets-0", settings, durability=Durability.OS)
    assert partition.truncation is None
    host = loaded(partition)
    assert {group_id: positions_of(host, group_id) for group_id in group_ids} == expected
    partition.close()
    directory.close()


def commit_in_transaction(address: str, end: str, offset: int) -> None:
    producer = Producer({"bootstrap.servers": address, "transactional.id": f"to-{end}"})
    consumer = Consumer({"bootstrap.servers": address, "group.id": "transactional"})
    producer.init_transactions(PATIENCE_S)
    producer.begin_transaction()
    positions = [TopicPartition(TOPIC, 0, offset), TopicPartition(TOPIC, 1, offset + 1)]
    producer.send_offsets_to_transaction(positions, consumer.consumer_group_metadata(), PATIENCE_S)
    if end == "commit":
        producer.commit_transaction(PATIENCE_S)
    elif end == "abort":
        producer.abort_transaction(PATIENCE_S)
    consumer.close()


def commit_as_modern_member(address: str) -> None:
    consumer = Consumer({"bootstrap.servers": address, "group.id": "modern", "group.protocol": "consumer"})
    consumer.subscribe([TOPIC])
    deadline = time.monotonic() + PATIENCE_S
    while True:
        consumer.poll(0.2)
        try:
            consumer.commit(offsets=[TopicPartition(TOPIC, 0, 21)], asynchronous=False)
            break
        except KafkaException:
            assert time.monotonic() < deadline
    consumer.close()


def wait_until_kafka_has_cleaned(broker: ApacheKafka) -> None:
    checkpoint = broker.log_directory / "cleaner-offset-checkpoint"
    deadline = time.monotonic() + PATIENCE_S
    while not re.search(r"__consumer_offsets 0 [1-9]", checkpoint.read_text() if checkpoint.exists() else ""):
        assert time.monotonic() < deadline, "Apache Kafka did not compact its log"
        time.sleep(0.1)


# --- transactions, compacted by both brokers --------------------------------------------------------------------------

COMPACTED = {
    "cleanup.policy": "compact",
    "segment.bytes": str(1 << 20),
    "min.cleanable.dirty.ratio": "0.01",
    "delete.retention.ms": "0",
}
HALF_A_SEGMENT = bytes(600_000)


def test_compacted_transactions__on_both_brokers__same_records_after_each_compaction(
    kafka: Side, tmp_path: Path
) -> None:
    with setting(kafka, "log.cleaner.backoff.ms", "100"):
        theirs = records_after_compactions(kafka)
    with serving(tmp_path, *FREQUENT_COMPACTION, "transaction.state.log.num.partitions=1") as broker:
        prepare(broker.host, broker.port)
        with Side("tenure", broker.host, broker.port) as side:
            ours = records_after_compactions(side)
    assert len(theirs) == 4
    assert theirs == ours


def records_after_compactions(side: Side) -> list[list[str]]:
    """Return the records that remain of the same transactions after one, two, three and four compactions."""
    history = TransactionHistory(side.session(), "compacted", COMPACTED)
    write_transactions(history)
    fillers = [history.write_plain(b"filler", HALF_A_SEGMENT) for _ in range(2)]
    passes = [remaining_batches(history, removed_offset=0)]
    for _ in range(3):
        fillers.append(history.write_plain(b"filler", HALF_A_SEGMENT))
        passes.append(remaining_batches(history, removed_offset=fillers[-3]))
    return passes


def write_transactions(history: TransactionHistory) -> None:
    """Write transactions of both versions: an outdated record, then aborted records and tombstones."""
    history.write_plain(b"a", b"outdated")
    history.init()
    history.produce(0, entry=(b"a", b"void"))
    history.produce(1, entry=(b"void", b"void"))
    history.end(commit=False)
    history.wait_for_markers()
    history.produce(0, entry=(b"a", b"outdated"))
    history.produce(1, entry=(b"b", b"kept"))
    history.end(commit=True)
    history.wait_for_markers()
    history.add(3, 0)
    history.produce(0, version=11, entry=(b"a", b"outdated"))
    history.end(commit=True, version=4)
    history.wait_for_markers()
    history.add(3, 0)
    history.produce(1, version=11, entry=(b"a", None))
    history.produce(2, version=11, entry=(b"c", b"kept"))
    history.end(commit=True, version=4)
    history.wait_for_markers()
    history.add(3, 0)
    history.produce(3, version=11, entry=(b"c", b"void"))
    history.end(commit=False, version=4)
    history.wait_for_markers()


def remaining_batches(history: TransactionHistory, removed_offset: int) -> list[str]:
    """Return the batches once the record at an offset is removed.

    Only Tenure keeps empty batches without a producer.
    """
    deadline = time.monotonic() + PATIENCE_S
    while removed_offset in {record.offset for batch in batches_of(history) for record in decode_records(batch)}:
        assert time.monotonic() < deadline, f"{history.session.side.name} did not compact its log"
        time.sleep(0.1)
    return [
        f"{batch.base_offset}-{batch.last_offset} epoch {batch.producer_epoch} sequence {batch.base_sequence} "
        f"control {batch.is_control} horizon {batch.delete_horizon_ms is not None} "
        f"{[(record.offset, record.key, (record.value or b'')[:9]) for record in decode_records(batch)]}"
        for batch in batches_of(
            history
        )  # a second read: the first one may have mixed segments from before and after the compaction
        if batch.count or batch.producer_id >= 0
    ]


def batches_of(history: TransactionHistory) -> list[Batch]:
    side = history.session.side
    return list(read_batches(log_of(side.host, side.port, history.topic)))
