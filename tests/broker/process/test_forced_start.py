"""`tenure serve --force` on a directory of Apache Kafka with objects that Tenure cannot serve."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tenure.admin import Admin
from tenure.broker.config.start_error import StartError
from tenure.broker.process.forced_start import begin_forced_start, complete_forced_start
from tenure.broker.process.kafka_directory import check_kafka_directory
from tenure.client import Producer, read_arrow
from tenure.protocol.generated.cluster_metadata import ConfigRecord, PartitionChangeRecord, RegisterBrokerRecord
from tenure.protocol.message import Message
from tenure.storage.data_directory import DataDirectory
from tenure.storage.files import LocalDataFiles
from tests.interop.shared_directory import SharedDirectory
from tests.oracle.conftest import require_kafka
from tests.serving import Serving, serving

PARTITIONS = 2
RECORDS = 40


def add_to_metadata_log(data: Path, records: Sequence[Message]) -> None:
    """Add records to the metadata log, as a run of Apache Kafka does."""
    begin_forced_start(LocalDataFiles(), str(data))
    directory = DataDirectory.open(str(data))
    complete_forced_start(directory, records)
    directory.close()
    (data / "__cluster_metadata-0" / "quorum-state").write_text("{}")


def fill(broker: Serving) -> dict[str, bytes]:
    """Create the topics `replicated` and `tiered`, with records; return their ids."""
    with Admin(broker.address) as admin:
        admin.create_topics(["replicated", "tiered"], partitions=PARTITIONS)
        ids = {topic.topic: topic.topic_id for topic in admin.list_topics()}
    with Producer(broker.address) as producer:
        for number in range(RECORDS):
            producer.send("replicated", b"%d" % number, b"%d" % number)
            producer.send("tiered", b"%d" % number, b"%d" % number)
    return ids


def topics(broker: Serving) -> set[str]:
    with Admin(broker.address) as admin:
        return {topic.topic for topic in admin.list_topics() if not topic.is_internal}


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a directory whose metadata has a second broker, a topic with two replicas, and one with tiered storage."""
    with serving(tmp_path) as broker:
        ids = fill(broker)
        assert broker.terminate() == 0
    moved = [PartitionChangeRecord(number, ids["replicated"], replicas=[1, 2], isr=[1, 2]) for number in (0, 1)]
    tiered = ConfigRecord(2, "tiered", "remote.storage.enable", "true")
    add_to_metadata_log(tmp_path / "broker", [RegisterBrokerRecord(2), *moved, tiered])
    return tmp_path / "broker"


def test_serve_force__tiered_topic_and_other_brokers__logged_and_set_aside_and_not_deleted(data: Path) -> None:
    broker = Serving(data, (), ())
    with pytest.raises(
        AssertionError, match=r"topic tiered with tiered storage.* set them aside with `tenure serve --force`"
    ):
        broker.start()
    logs = {file.stat().st_ino for file in data.glob("tiered-*/*.log")}
    broker = Serving(data, (), ("--force",))
    broker.start()
    try:
        assert "that Tenure cannot serve: broker 2; partition replicated-0 with the" in broker.log
        assert topics(broker) == {"replicated"}
        assert len(read_arrow(broker.address, "replicated")) == RECORDS
        with Producer(broker.address) as producer:
            producer.send("replicated", b"k", b"one more")
        assert broker.terminate() == 0
    finally:
        if broker.is_running:
            broker.kill()
    assert {file.stat().st_ino for file in data.glob("tiered-*-stray/*.log")} == logs
    assert check_kafka_directory(LocalDataFiles(), str(data), 1) is None
    broker = Serving(data, (), ())
    broker.start()
    assert topics(broker) == {"replicated"}
    assert len(read_arrow(broker.address, "replicated")) == RECORDS + 1
    broker.kill()


def test_serve_force__interrupted_before_the_log_is_changed__start_without_force_refused(data: Path) -> None:
    begin_forced_start(LocalDataFiles(), str(data))
    DataDirectory.open(str(data)).close()
    with pytest.raises(StartError, match="broker 2"):
        check_kafka_directory(LocalDataFiles(), str(data), 1)
    found = check_kafka_directory(LocalDataFiles(), str(data), 1, force=True)
    assert found is not None


@pytest.mark.oracle
def test_serve_force__apache_kafka_started_afterwards__reads_the_remaining_topics(data: Path, tmp_path: Path) -> None:
    require_kafka()
    shared = SharedDirectory(tmp_path)
    forced = Serving(data, (), ("--force",))
    try:
        forced.start()
        assert forced.terminate() == 0
        (
            data / "__cluster_metadata-0" / "quorum-state"
        ).unlink()  # this file is from the test, and not from Apache Kafka
        shared.start_kafka()
        with Admin(shared.address) as admin:
            left = [topic for topic in admin.list_topics() if not topic.is_internal]
        assert [(topic.topic, [at.replicas for at in topic.partitions]) for topic in left] == [
            ("replicated", [(1,)] * PARTITIONS)
        ]
        assert len(read_arrow(shared.address, "replicated")) == RECORDS
    finally:
        shared.kill()
        if forced.is_running:
            forced.kill()
