"""Compaction in a running broker: under load, across kill -9, and for topics of clients."""

import random
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tenure.protocol.batches import decode_records, encode_batch, read_batches
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
)
from tenure.protocol.records import Record
from tenure.protocol.types import GroupId, PartitionId
from tests.broker.handlers.test_records import Topic
from tests.broker.handlers.test_topics import create
from tests.broker.wire import Wire
from tests.serving import Serving, serving

FREQUENT_COMPACTION = (
    "offsets.topic.num.partitions=1",
    "offsets.topic.segment.bytes=20000",
    "log.cleaner.backoff.ms=20",
    "log.cleaner.min.cleanable.ratio=0.1",
    "group.initial.rebalance.delay.ms=0",
)
PARTITIONS = 5
WRITERS = 3
KILLS = 4
PATIENCE_S = 60.0


@pytest.fixture
def compacting(tmp_path: Path) -> Iterator[Serving]:
    with serving(tmp_path, *FREQUENT_COMPACTION, "num.partitions=1") as broker:
        yield broker


def commit(topic: Topic, group_id: str, offsets: dict[int, int]) -> None:
    parts = [OffsetCommitRequestPartition(PartitionId(p), offset, -1, "") for p, offset in offsets.items()]
    request = OffsetCommitRequest(
        GroupId(group_id), topics=[OffsetCommitRequestTopic(topic.name, topic.topic_id, parts)]
    )
    answer = topic.wire.ask(request)
    assert {part.error_code for part in answer.topics[0].partitions} == {ErrorCode.NONE}


def committed(wire: Wire, group_id: str) -> dict[int, int]:
    request = OffsetFetchRequest(groups=[OffsetFetchRequestGroup(GroupId(group_id), topics=None)])
    topics = wire.ask(request).groups[0].topics
    return {part.partition_index: part.committed_offset for part in topics[0].partitions} if topics else {}


def wait_until_compacted(broker: Serving, name: str, times: int = 1) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while broker.log.count(f"{name} is compacted up to") < times:
        assert time.monotonic() < deadline, broker.log[-2_000:]
        time.sleep(0.02)


@pytest.mark.long
def test_consumer_offsets__compacted_under_load_and_killed__no_acknowledged_commit_lost(
    compacting: Serving,
) -> None:
    seed = random.randrange(1 << 30)
    print("seed", seed)
    drawn = random.Random(seed)
    with Wire(compacting) as wire:
        create(wire, "t", PARTITIONS)
    acknowledged: dict[str, dict[int, int]] = {f"g{n}": {} for n in range(WRITERS)}
    asked = dict.fromkeys(acknowledged, 0)
    position = 0

    def write(group_id: str, first: int) -> None:
        try:
            with Wire(compacting) as wire:
                topic = Topic(wire, "t")
                for n in range(first, first + 100_000):
                    offsets, asked[group_id] = {n % PARTITIONS: n}, n
                    commit(topic, group_id, offsets)
                    acknowledged[group_id] |= offsets
        except OSError:
            pass  # the broker was killed

    for life in range(KILLS):
        writers = [threading.Thread(target=write, args=(group_id, position + 1)) for group_id in acknowledged]
        for writer in writers:
            writer.start()
        before = compacting.log.count("is compacted up to")
        wait_until_compacted(compacting, "__consumer_offsets-0", before + 1)
        time.sleep(drawn.random() * 0.3)
        compacting.kill()
        for writer in writers:
            writer.join()
        compacting.restart()
        with Wire(compacting) as wire:
            for group_id, offsets in acknowledged.items():
                found = committed(wire, group_id)
                for partition, offset in offsets.items():
                    assert offset <= found[partition] <= asked[group_id], (life, group_id, partition)
        position = max(max(offsets.values(), default=0) for offsets in acknowledged.values()) + PARTITIONS
    assert position > 20 * KILLS, "the broker was killed before it had done much"


def test_topic__cleanup_policy_compact__newest_record_of_each_key_and_tombstones_stay(compacting: Serving) -> None:
    with Wire(compacting) as wire:
        configs = {"cleanup_policy": "compact", "segment_bytes": "1048576", "min_cleanable_dirty_ratio": "0.01"}
        create(wire, "t", 1, **configs)
        topic = Topic(wire, "t")
        keyless = encode_batch([Record(0, 0, None, b"x")])
        assert topic.produce(keyless).error_code == ErrorCode.INVALID_RECORD
        now_ms = time.time_ns() // 1_000_000
        for n in range(30):
            records = [Record(0, now_ms, b"k%d" % (i % 7), (b"%d" % n).ljust(1000)) for i in range(40)]
            assert topic.produce(encode_batch([*records, Record(0, now_ms, b"gone", None)])).error_code == 0
        wait_until_compacted(compacting, "t-0")
        found: list[Record] = []
        offset = 0
        while data := topic.fetch(offset).records:
            for batch in read_batches(data):
                found += decode_records(batch)
                offset = batch.last_offset + 1
    assert offset == 30 * 41
    assert not [record for record in found if record.offset < 20 * 41], "a segment holds 24 of the batches"
    assert found[-1].value is None


def test_restart__clean_stop_after_a_compaction__cleaner_checkpoint_written_and_commits_kept(
    compacting: Serving, tmp_path: Path
) -> None:
    with Wire(compacting) as wire:
        create(wire, "t", PARTITIONS)
        topic = Topic(wire, "t")
        for n in range(400):
            commit(topic, "g", {n % PARTITIONS: n})
    wait_until_compacted(compacting, "__consumer_offsets-0")
    compacting.terminate()
    text = (tmp_path / "broker" / "cleaner-offset-checkpoint").read_text()
    assert text.startswith("0\n1\n__consumer_offsets 0 ")
    compacting.start()
    with Wire(compacting) as wire:
        assert committed(wire, "g") == {p: 395 + p for p in range(PARTITIONS)}
