"""Each broker reads the other's log (rule 6.3).

Tenure's codec writes Apache Kafka's records byte for byte, and Kafka's tools read Tenure's directory.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from tenure.broker.config.key_values import STANDARD_AUTHORIZER
from tenure.protocol.batches import encode_batch
from tenure.protocol.coordinator_logs.consumer_offsets import UnknownRecord, decode_record, encode_key, encode_value
from tenure.protocol.messages import (
    AlterClientQuotasEntity,
    AlterClientQuotasEntry,
    AlterClientQuotasRequest,
    CreatableTopic,
    CreateTopicsRequest,
    OpData,
)
from tests.apache_kafka import java
from tests.consumer_offsets import group_of, records_of
from tests.metadata_shell import assert_metadata_shell_shows
from tests.oracle.classic_requests import Group
from tests.oracle.conftest import SETTINGS, prepare, require_kafka
from tests.oracle.consumer_requests import Consumers
from tests.oracle.side import Session, Side
from tests.oracle.streams_requests import Streams
from tests.oracle.test_exchanged_directories import create_acls, create_users
from tests.oracle.test_topics_and_records import RECORDS, produced
from tests.oracle.test_transactions import TransactionHistory
from tests.serving import Serving, serving
from tests.wire import Wire

pytestmark = pytest.mark.oracle

BATCHES = 40
TOMBSTONE = -1
SMALL_AND_AUTHORIZED = (
    *(f"{key}={value}" for key, value in SETTINGS.items()),
    "log.index.interval.bytes=200",
    f"authorizer.class.name={STANDARD_AUTHORIZER}",
    "super.users=User:ANONYMOUS",
)
SHOWN_BY_THE_SHELL = {
    "/image/topics/byName/written/0",
    "/image/configs/TOPIC:__consumer_offsets/cleanup.policy",
    "/image/features/finalized_streams.version",
    "/image/producerIds/nextProducerId",
    "/image/scram/SCRAM-SHA-256/user-0",
    "/image/acls/byId/",
    "/image/clientQuotas/",
}
SLOW_CLIENT = AlterClientQuotasRequest(
    [AlterClientQuotasEntry([AlterClientQuotasEntity("client-id", "slow")], [OpData("producer_byte_rate", 1e6)])]
)
DUMPED = (".log", ".index", ".timeindex", ".txnindex", ".snapshot")
"""Files of a partition that Kafka's tool reads. A snapshot is one of producers."""
TYPES_OF_GROUP_RECORDS = {1, 2, 3, 5, 6, 7, 8, 17, 19, 20, 21, 22, 23}
TYPES_OF_METADATA_RECORDS = {
    "FEATURE_LEVEL", "TOPIC", "PARTITION", "CONFIG", "PRODUCER_IDS", "USER_SCRAM_CREDENTIAL", "ACCESS_CONTROL_ENTRY",
    "CLIENT_QUOTA",
}  # fmt: skip


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


def test_data_directory_of_tenure__read_by_kafkas_tools__every_record_and_file_understood(tmp_path: Path) -> None:
    require_kafka()
    with serving(tmp_path, *SMALL_AND_AUTHORIZED) as broker:
        prepare(broker.host, broker.port)
        fill(broker)
        assert broker.terminate() == 0
    assert broker.data_directory is not None
    data = broker.data_directory
    written = dump(data, "written-0", "--print-data-log")
    assert len(re.findall(r"payload: v\d", written)) == BATCHES * len(RECORDS)
    assert written.count("isvalid: true") == BATCHES
    sanity = dump(data, "written-0", "--index-sanity-check", suffixes=(".index", ".timeindex"))
    assert sanity.count("passed sanity check") == 2
    paid = dump(data, "paid-topic-0", "--print-data-log")
    assert re.search(r"producerId: \d+ firstOffset: 0 lastOffset: 1 lastStableOffset: 2", paid), paid
    assert re.search(
        r"producerId: \d+ producerEpoch: 1 coordinatorEpoch: 0 currentTxnFirstOffset: OptionalLong.empty", paid
    )
    groups = dump(data, "__consumer_offsets-0", "--offsets-decoder")
    assert set(map(int, re.findall(r'key: \{"type":"(\d+)"', groups))) >= TYPES_OF_GROUP_RECORDS
    assert re.search(r'"transactionalId":"paid"', dump(data, "__transaction_state-0", "--transaction-log-decoder"))
    metadata = dump(data, "__cluster_metadata-0", "--cluster-metadata-decoder")
    assert set(re.findall(r'payload: \{"type":"(\w+)_RECORD"', metadata)) >= TYPES_OF_METADATA_RECORDS
    (log,) = (data / "__cluster_metadata-0").glob("*.log")
    assert_metadata_shell_shows(log, SHOWN_BY_THE_SHELL)


def fill(broker: Serving) -> None:
    """Write records, groups of each kind, an aborted transaction, a user, an ACL, a quota and configs of a group."""
    with Side("tenure", broker.host, broker.port) as side:
        session = side.session()
        topic = CreatableTopic(name="written", num_partitions=1, replication_factor=1)
        session.ask("A", CreateTopicsRequest(topics=[topic], timeout_ms=10_000), 7)
        side.wait_for_topic("oracle")
        for _ in range(BATCHES):
            answer = session.ask("A", produced("written", 0, encode_batch(RECORDS)), 12)
            assert answer.responses[0].partition_responses[0].error_code == 0
        write_some_of_everything(session, "logged")
        Consumers(session, "consumers").stabilize_consumers("B")
        Streams(session, "streams").stabilize_streams("C")
        payer = TransactionHistory(session, "paid")
        payer.init()
        payer.produce(0)
        payer.end(commit=False)
        payer.wait_for_markers()
        with Wire(broker.host, broker.port) as wire:
            create_users(random.Random(1), wire)
            create_acls(random.Random(1), wire)
            assert wire.ask(SLOW_CLIENT, 1).entries[0].error_code == 0


def dump(data: Path, directory: str, *options: str, suffixes: Sequence[str] = DUMPED) -> str:
    """Return what Kafka's dump tool prints for the files of a partition. It understands each record."""
    files = sorted(file for file in (data / directory).iterdir() if file.suffix in suffixes)
    command = ["--files", ",".join(map(str, files)), "--deep-iteration", *options]
    printed = java("org.apache.kafka.tools.DumpLogSegments", *command)
    assert not re.search("(?i)isvalid: false|could not|corrupt|mismatch|exception|unknown", printed), printed
    assert printed.count("Dumping ") == len(files)
    records = len(re.findall(r"^\| offset: ", printed, re.MULTILINE))
    assert records == len(
        re.findall(r"^\| offset: .* (?:key|payload|endTxnMarker): (?!null)", printed, re.MULTILINE)
    ), printed
    return printed
