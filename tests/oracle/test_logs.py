"""Each broker reads the other's log (rule 6.3).

Tenure's codec writes Apache Kafka's records byte for byte, and Kafka's tools read Tenure's directory.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tenure.protocol.batches import encode_batch
from tenure.protocol.coordinator_logs.consumer_offsets import UnknownRecord, decode_record, encode_key, encode_value
from tenure.protocol.messages import CreatableTopic, CreateTopicsRequest
from tests.apache_kafka import java
from tests.consumer_offsets import group_of, records_of
from tests.oracle.classic_requests import Group
from tests.oracle.conftest import require_kafka, wait_for_coordinator
from tests.oracle.side import Session, Side
from tests.oracle.test_topics_and_records import RECORDS, produced
from tests.serving import Serving, serving

pytestmark = pytest.mark.oracle

BATCHES = 40
TOMBSTONE = -1


def write_some_of_everything(session: Session, group_id: str) -> None:
    """Write empty, joined and left groups, offsets with and without expiry, and tombstones."""
    group = Group(session, group_id, {"A": "a", "B": "b"})
    group.stabilize("A", "B")
    group.commit("A", {0: 1, 1: 2}, metadata="ümlaut", leader_epoch=3)
    group.leave("admin", [("", "a"), ("", "b")])
    group.commit("A", {0: 5}, version=4, generation=-1, member_id="", retention_ms=3_600_000)
    group.delete()


def kinds_and_versions(side: Side, group_id: str) -> list[tuple[int, int]]:
    """Return (record type, value version) of a group's records in order, after encoding each again."""
    found = []
    for record in records_of(side.host, side.port):
        assert record.key is not None
        read = decode_record(record.key, record.value)
        assert not isinstance(read, UnknownRecord)
        key, value = read
        assert encode_key(key) == record.key
        version = TOMBSTONE if record.value is None else int.from_bytes(record.value[:2], "big")
        if value is not None:
            assert encode_value(value, version) == record.value
        if group_of(key) == group_id:
            found.append((key.KEY, version))
    return found


def test_consumer_offsets_log__records_of_either_broker_decoded_and_encoded_by_tenure__same_bytes(
    kafka: Side, tenure: Side
) -> None:
    written = []
    for side in (kafka, tenure):
        session = side.session()
        write_some_of_everything(session, "logged")
        session.close()
        written.append(kinds_and_versions(side, "logged"))
    assert {(1, 4), (1, 1), (1, TOMBSTONE), (2, 3), (2, TOMBSTONE)} <= set(written[0])
    assert written[1] == written[0]


def test_data_directory_of_tenure__read_by_kafkas_tools__every_record_and_index_entry_found(tmp_path: Path) -> None:
    require_kafka()
    with serving(tmp_path, "offsets.topic.num.partitions=1", "log.index.interval.bytes=200") as broker:
        wait_for_coordinator(broker.host, broker.port)
        fill(broker)
        assert broker.terminate() == 0
    assert broker.data_directory is not None
    data = broker.data_directory / "written-0"
    text = dump(data / "00000000000000000000.log", "--deep-iteration", "--print-data-log")
    assert len(re.findall(r"payload: v\d", text)) == BATCHES * len(RECORDS)
    assert text.count("isvalid: true") == BATCHES
    for index in ("index", "timeindex"):
        text = dump(data / f"00000000000000000000.{index}", "--index-sanity-check")
        assert "passed sanity check" in text
    text = dump(broker.data_directory / "__consumer_offsets-0" / "00000000000000000000.log", "--offsets-decoder")
    assert re.search(r'"group":"logged"', text), text[-2_000:]
    assert "isvalid: false" not in text
    text = dump(
        broker.data_directory / "__cluster_metadata-0" / "00000000000000000000.log", "--cluster-metadata-decoder"
    )
    assert re.search(r'"type":"TOPIC_RECORD".*"name":"written"', text), text[-2_000:]


def fill(broker: Serving) -> None:
    with Side("tenure", broker.host, broker.port) as side:
        session = side.session()
        topic = CreatableTopic(name="written", num_partitions=1, replication_factor=1)
        oracle = CreatableTopic(name="oracle", num_partitions=2, replication_factor=1)
        session.ask("A", CreateTopicsRequest(topics=[topic, oracle], timeout_ms=10_000), 7)
        for _ in range(BATCHES):
            answer = session.ask("A", produced("written", 0, encode_batch(RECORDS)), 12)
            assert answer.responses[0].partition_responses[0].error_code == 0
        write_some_of_everything(session, "logged")


def dump(file: Path, *options: str) -> str:
    return java("org.apache.kafka.tools.DumpLogSegments", "--files", str(file), *options)
