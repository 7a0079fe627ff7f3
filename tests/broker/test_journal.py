"""The journal's topic in trouble: no group ever notices."""

import json
from pathlib import Path

from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import DeleteTopicsRequest, DeleteTopicState, FetchPartition, FetchRequest, FetchTopic
from tenure.protocol.records import decode_records, read_batches
from tenure.protocol.types import PartitionId, TopicName
from tests.broker.test_groups import seated
from tests.broker.test_metrics import join_request
from tests.broker.wire import Wire
from tests.serving import serving

JOURNAL = TopicName("__tenure_journal")


def entries(wire: Wire) -> list[dict[str, object]]:
    """What the topic holds; waits a little for its first record."""
    partition = FetchPartition(partition=PartitionId(0), fetch_offset=0, partition_max_bytes=1 << 20)
    request = FetchRequest(
        max_wait_ms=100, min_bytes=1, max_bytes=1 << 20, topics=[FetchTopic(JOURNAL, b"", [partition])]
    )
    answer = wire.ask(request, 12).responses[0].partitions[0]
    if answer.error_code == ErrorCode.UNKNOWN_TOPIC_OR_PARTITION:
        return []
    assert answer.error_code == ErrorCode.NONE
    records = [record for batch in read_batches(answer.records or b"") for record in decode_records(batch)]
    return [json.loads(record.value or b"") for record in records]


def wait_for(wire: Wire, group: str, outcome: str) -> None:
    while not any(entry["group_id"] == group and entry.get("outcome") == outcome for entry in entries(wire)):
        pass


def test_topic__deleted_by_an_operator__made_anew_by_the_next_entry(tmp_path: Path) -> None:
    with serving(tmp_path) as broker, Wire(broker) as wire:
        seated(wire, "before")
        wait_for(wire, "before", "stable")
        deleted = wire.ask(DeleteTopicsRequest(topics=[DeleteTopicState(JOURNAL)]))
        assert deleted.responses[0].error_code == ErrorCode.NONE
        assert entries(wire) == []
        seated(wire, "after")
        wait_for(wire, "after", "stable")
        assert {entry["group_id"] for entry in entries(wire)} == {"after"}


def test_topic__cannot_be_written__said_once_and_groups_go_on(tmp_path: Path) -> None:
    with serving(tmp_path) as broker, Wire(broker) as wire:
        (tmp_path / "broker" / f"{JOURNAL}-0").write_text("in the way")
        for number in range(3):
            seated(wire, f"unharmed-{number}")
        broker.terminate()
        assert broker.log.count("the rebalance journal cannot be written, groups go on without it") == 1
        assert "a bug in the broker" not in broker.log


def test_stop__amid_a_rebalance__told_before_the_broker_ends(tmp_path: Path) -> None:
    with serving(tmp_path) as broker:
        with Wire(broker) as wire:
            member_id = seated(wire, "stopped")
            wire.ask(join_request("stopped", member_id))  # the leader joins again, and then brings no assignment
        broker.restart()
        with Wire(broker) as wire:
            wait_for(wire, "stopped", "resigned")
