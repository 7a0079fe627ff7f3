"""State that survives a restart and `kill -9`."""

import resource
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tenure.protocol.batches import encode_batch, read_batches
from tenure.protocol.coordinator_logs.partition import partition_of
from tenure.protocol.errors import ErrorCode
from tenure.protocol.messages import (
    DeleteTopicsRequest,
    DeleteTopicState,
    InitProducerIdRequest,
    MetadataRequest,
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
    OffsetFetchRequest,
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopics,
)
from tenure.protocol.records import Record
from tenure.protocol.types import GroupId, PartitionId, TopicName
from tests.broker.handlers.test_records import Topic, batch, epoch_ends, values
from tests.broker.handlers.test_topics import create, described
from tests.broker.monitoring.test_metrics import readiness
from tests.broker.wire import Wire
from tests.serving import Serving, serving

pytestmark = pytest.mark.long

FSYNC = "tenure.data.durability=fsync"
SECOND_PARTITION = PartitionId(1)
PATIENCE_S = 60.0


@pytest.fixture
def durable(tmp_path: Path) -> Iterator[Serving]:
    with serving(tmp_path, FSYNC, "num.partitions=2") as broker:
        yield broker


def commit(topic: Topic, group_id: str, offset: int) -> int:
    part = OffsetCommitRequestPartition(SECOND_PARTITION, offset, -1, f"at {offset}")
    request = OffsetCommitRequest(
        GroupId(group_id), topics=[OffsetCommitRequestTopic(topic.name, topic.topic_id, [part])]
    )
    return int(topic.wire.ask(request).topics[0].partitions[0].error_code)


def committed(topic: Topic, group_id: str) -> tuple[int, str | None]:
    wanted = [OffsetFetchRequestTopics(topic.name, topic.topic_id, [SECOND_PARTITION])]
    request = OffsetFetchRequest(groups=[OffsetFetchRequestGroup(GroupId(group_id), topics=wanted)])
    found = topic.wire.ask(request).groups[0].topics[0].partitions[0]
    return found.committed_offset, found.metadata


@pytest.mark.parametrize("how", ["restart", "kill -9"])
def test_restart__after_stop_or_kill_9__topics_records_commits_and_ids_kept(durable: Serving, how: str) -> None:
    with Wire(durable) as wire:
        cluster_id = wire.ask(MetadataRequest([])).cluster_id
        create(wire, "made", 3, retention_ms="-1")
        create(wire, "gone")
        topic = Topic(wire, "t")
        producer_id = wire.ask(InitProducerIdRequest(None, 0), 5).producer_id
        topic.produce(batch("a", "b", producer=(producer_id, 0, 0)))
        assert commit(topic, "g", 1) == ErrorCode.NONE
    if how == "kill -9":
        durable.kill()
    durable.restart()
    with Wire(durable) as wire:
        assert wire.ask(MetadataRequest([])).cluster_id == cluster_id
        assert len(described(wire, "made").partitions) == 3
        again = Topic(wire, "t")
        assert again.topic_id == topic.topic_id
        assert [value for _, value in values(again.fetch(0).records)] == ["a", "b"]
        assert committed(again, "g") == (1, "at 1")
        retried = again.produce(batch("a", "b", producer=(producer_id, 0, 0)))
        assert (retried.error_code, retried.base_offset) == (0, 0)
        assert wire.ask(InitProducerIdRequest(None, 0), 5).producer_id > producer_id


def test_kill_9__under_load__every_acknowledged_record_and_commit_kept(durable: Serving) -> None:
    """Keep all acknowledged records and commits of four connections that write as fast as they are answered."""
    with Wire(durable) as wire:
        Topic(wire, "t")
    acknowledged: dict[int, int] = {}
    enough = threading.Barrier(5)

    def write(number: int) -> None:
        waited = False
        try:
            with Wire(durable) as wire:
                topic = Topic(wire, "t")
                for n in range(1, 100_000):
                    answer = topic.produce(batch(f"{number}:{n}"))
                    assert answer.error_code == commit(topic, f"g{number}", n) == ErrorCode.NONE
                    acknowledged[number] = n
                    if n == 20:
                        waited = True
                        enough.wait(PATIENCE_S)
        except OSError:
            assert waited, "the broker went away before it was killed"

    writers = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for writer in writers:
        writer.start()
    enough.wait(PATIENCE_S)
    durable.kill()
    for writer in writers:
        writer.join()
    durable.restart()

    with Wire(durable) as wire:
        topic = Topic(wire, "t")
        stored = [value for _, value in values(whole_log(topic))]
        for number, last in acknowledged.items():
            mine = [int(value.partition(":")[2]) for value in stored if value.startswith(f"{number}:")]
            assert last >= 20
            assert mine in (
                list(range(1, last + 1)),
                list(range(1, last + 2)),
            )  # the last record may be in the log without an answer
            assert committed(topic, f"g{number}")[0] in (last, last + 1)


def whole_log(topic: Topic) -> bytes:
    data, offset = b"", 0
    while records := topic.fetch(offset).records:
        data += records
        offset = values(records)[-1][0] + 1
    return data


def test_unclean_stop__logs_with_records__new_leader_epoch_after_the_restart(durable: Serving) -> None:
    with Wire(durable) as wire:
        Topic(wire, "t").produce(batch("a", "b"))
    durable.kill()
    durable.restart()
    with Wire(durable) as wire:
        topic = Topic(wire, "t")
        assert [p.leader_epoch for p in described(wire, "t").partitions] == [1, 0]  # nothing was written to the second
        assert epoch_ends(topic, [0, 1]) == [(0, 0, 2), (0, 1, 2)]
        topic.produce(batch("c"))
        assert epoch_ends(topic, [0, 1]) == [(0, 0, 2), (0, 1, 3)]


def test_power_failure__log_lost_all_its_records__old_leader_epoch_ends_at_offset_0(
    durable: Serving, tmp_path: Path
) -> None:
    """Report an error: the log is empty as if it was never written, and new records get offsets of lost ones."""
    with Wire(durable) as wire:
        Topic(wire, "t").produce(batch("a", "b"))
    durable.kill()
    (tmp_path / "broker" / "t-0" / f"{0:020d}.log").write_bytes(b"")
    (
        tmp_path / "broker" / "inventory"
    ).unlink()  # else the start is refused, because the inventory lists these records as synced
    (tmp_path / "broker" / ".boot").write_text("another life of the machine")
    durable.restart()
    with Wire(durable) as wire:
        topic = Topic(wire, "t")
        topic.produce(batch("c", "d", "e"))
        assert epoch_ends(topic, [0, 1]) == [(0, 0, 0), (0, 1, 3)]


def test_power_failure__log_ends_below_a_committed_offset__log_continues_at_that_offset(
    durable: Serving, tmp_path: Path
) -> None:
    """Continue at the committed offset: it was synced, but with durability `os` the records were not."""
    with Wire(durable) as wire:
        topic = Topic(wire, "t")
        topic.produce(batch("a"), partition=1)
        assert commit(topic, "g", 7) == ErrorCode.NONE
    durable.kill()
    (tmp_path / "broker" / ".boot").write_text("another life of the machine")
    durable.restart()
    assert "partition t-1 ends at offset 1, but a group has committed offset 7" in durable.log
    with Wire(durable) as wire:
        topic = Topic(wire, "t")
        assert topic.fetch(7, partition=1).error_code == ErrorCode.NONE
        assert topic.produce(batch("b"), partition=1).base_offset == 7
        assert values(topic.fetch(7, partition=1).records) == [(7, "b")]
        assert described(wire, "t").partitions[1].leader_epoch == 1


@pytest.mark.parametrize(("offset", "boot"), [(2**63 - 1, "another life of the machine"), (1_000_000, None)])
def test_unclean_stop__committed_offset_that_no_record_has__ignored(
    durable: Serving, tmp_path: Path, offset: int, boot: str | None
) -> None:
    """Ignore a committed offset that no record has.

    Some clients commit the largest possible offset; a log that continues after it has no offsets left. A crash of the
    broker alone, without the machine, loses no record that a client has read.
    """
    with Wire(durable) as wire:
        topic = Topic(wire, "t")
        topic.produce(batch("a"), partition=1)
        assert commit(topic, "g", offset) == ErrorCode.NONE
    durable.kill()
    if boot is not None:
        (tmp_path / "broker" / ".boot").write_text(boot)
    durable.restart()
    with Wire(durable) as wire:
        topic = Topic(wire, "t")
        assert topic.produce(batch("b"), partition=1).base_offset == 1
        assert committed(topic, "g")[0] == offset


def test_unclean_stop__topic_id_of_a_partition_damaged__reported_and_others_continue(
    durable: Serving, tmp_path: Path
) -> None:
    """Report a topic id that a flipped bit has changed, in a topic of records and in the topic of groups."""
    group_of = {partition_of(name, 50): name for name in (f"g{number}" for number in range(2_000))}
    with Wire(durable) as wire:
        topic = Topic(wire, "t")
        for partition in (0, 1):
            topic.produce(batch("kept"), partition=partition)
        for shard in (1, 2):
            assert commit(topic, group_of[shard], 1) == ErrorCode.NONE
    durable.kill()
    for directory in ("t-1", "__consumer_offsets-1"):
        file = tmp_path / "broker" / directory / "partition.metadata"
        before = file.read_text()
        file.write_text(before[:-10] + ("B" if before[-10] == "C" else "C") + before[-9:])
    durable.restart("tenure.metrics.listener=127.0.0.1:0")
    reasons = readiness(durable)[1].splitlines()
    assert [reason.partition(" (")[0] for reason in reasons] == [
        "logs that are not served because their files are unusable: 2"
    ]
    for directory in ("t-1", "__consumer_offsets-1"):
        assert durable.log.count(f"partition {directory} is not served: ") == 1
    with Wire(durable) as wire:
        topic = Topic(wire, "t")
        assert values(topic.fetch(0).records) == [(0, "kept")]
        assert topic.fetch(0, partition=1).error_code == ErrorCode.KAFKA_STORAGE_ERROR
        assert topic.produce(batch("b"), partition=1).error_code == ErrorCode.KAFKA_STORAGE_ERROR
        assert commit(topic, group_of[1], 1) == ErrorCode.COORDINATOR_NOT_AVAILABLE
        assert committed(topic, group_of[2])[0] == 1
    durable.terminate()
    for directory in ("t-1", "__consumer_offsets-1"):
        (tmp_path / "broker" / directory / "partition.metadata").unlink()
    durable.start()
    with Wire(durable) as wire:
        topic = Topic(wire, "t")
        assert values(topic.fetch(0, partition=1).records) == [(0, "kept")]
        assert committed(topic, group_of[1])[0] == 1


def test_crash__between_deletion_of_a_topic_and_of_its_commits__recreated_topic_has_no_commits(
    durable: Serving, tmp_path: Path
) -> None:
    with Wire(durable) as wire:
        assert commit(Topic(wire, "t"), "g", 7) == ErrorCode.NONE
    durable.terminate()
    (log,) = [log for log in (tmp_path / "broker").glob("__consumer_offsets-*/*.log") if log.stat().st_size]
    before = log.read_bytes()
    durable.start()
    with Wire(durable) as wire:
        assert wire.ask(DeleteTopicsRequest([DeleteTopicState(TopicName("t"))])).responses[0].error_code == 0
    durable.kill()
    log.write_bytes(before)
    durable.restart()
    with Wire(durable) as wire:
        topic = Topic(wire, "t")
        everything = OffsetFetchRequest(groups=[OffsetFetchRequestGroup(GroupId("g"), topics=None)])
        assert wire.ask(everything).groups[0].topics == []
        assert topic.produce(batch("a"), partition=1).base_offset == 0


def test_disk__full__writes_refused_and_reads_served_until_it_has_space(durable: Serving) -> None:
    with Wire(durable) as wire:
        topic = Topic(wire, "t")
        assert topic.produce(batch("a")).error_code == ErrorCode.NONE
        assert commit(topic, "g", 1) == ErrorCode.NONE
        resource.prlimit(durable.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
        assert topic.produce(batch("b")).error_code == ErrorCode.KAFKA_STORAGE_ERROR
        assert topic.produce(batch("b"), partition=1).error_code == ErrorCode.KAFKA_STORAGE_ERROR
        assert commit(topic, "g", 2) == ErrorCode.NOT_COORDINATOR
        assert commit(topic, "a group of another shard", 2) == ErrorCode.COORDINATOR_NOT_AVAILABLE
        assert values(topic.fetch(0).records) == [(0, "a")]
        assert committed(topic, "g") == (1, "at 1")
        resource.prlimit(durable.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        for partition in (0, 1):
            assert topic.produce(batch("b"), partition=partition).base_offset == 1 - partition
        for group_id in ("g", "a group of another shard"):
            assert commit(topic, group_id, 2) == ErrorCode.NONE
    durable.kill()
    durable.restart()
    with Wire(durable) as wire:
        topic = Topic(wire, "t")
        assert values(topic.fetch(0).records) == [(0, "a"), (1, "b")]
        assert committed(topic, "g") == (2, "at 2")


def test_unclean_stop__last_batch_incomplete__truncated_and_logged(durable: Serving, tmp_path: Path) -> None:
    with Wire(durable) as wire:
        Topic(wire, "t").produce(batch("whole"))
    durable.kill()
    with (tmp_path / "broker" / "t-0" / f"{0:020}.log").open("ab") as log:
        log.write(batch("torn")[:-3])
    durable.restart()
    assert "t-0" in durable.log
    with Wire(durable) as wire:
        topic = Topic(wire, "t")
        assert values(topic.fetch(0).records) == [(0, "whole")]
        assert topic.produce(batch("next")).base_offset == 1


def test_partition_directory__topic_is_unknown_at_the_start__renamed_and_not_deleted(
    durable: Serving, tmp_path: Path
) -> None:
    durable.kill()
    stray = tmp_path / "broker" / "unknown-0"
    stray.mkdir()
    (stray / "precious").write_text("records")
    durable.restart()
    assert not stray.exists()
    (aside,) = (tmp_path / "broker").glob("unknown-0.*-stray")
    assert (aside / "precious").read_text() == "records"
    assert "unknown-0 belongs to no topic" in durable.log


def test_metadata_log__unreadable_record__start_refused(durable: Serving, tmp_path: Path) -> None:
    """Refuse to start, because all partitions would count as strays without the records of their topics."""
    durable.terminate()
    (log,) = (tmp_path / "broker" / "__cluster_metadata-0").glob("*.log")
    content = bytearray(log.read_bytes())
    record = [Record(0, 0, None, b"\x7f\x7f\x7f")]
    log.write_bytes(content + encode_batch(record, base_offset=read_end(bytes(content))))
    with pytest.raises(AssertionError, match="the metadata log cannot be read"):
        durable.start()


def read_end(log: bytes) -> int:
    return max(found.last_offset for found in read_batches(log)) + 1


@pytest.mark.parametrize("how", ["stop", "kill -9"])
def test_metadata_log__damaged_batch__start_refused_and_nothing_changed(
    durable: Serving, tmp_path: Path, how: str
) -> None:
    with Wire(durable) as wire:
        for name in ("first", "second"):
            Topic(wire, name).produce(batch("a"))
    if how == "stop":
        durable.terminate()
    durable.kill()
    (log,) = (tmp_path / "broker" / "__cluster_metadata-0").glob("*.log")
    content = bytearray(log.read_bytes())
    victim = list(read_batches(bytes(content)))[1]
    content[victim.position + 70] ^= 1
    log.write_bytes(content)
    before = sorted((tmp_path / "broker").rglob("*.log*"))
    for _ in range(2):
        refused = f"{log} is damaged at byte {victim.position}: .*tenure storage repair"
        with pytest.raises(AssertionError, match=refused):
            durable.start()
    assert log.read_bytes() == content
    assert sorted((tmp_path / "broker").rglob("*.log*")) == before


def test_unclean_stop__batch_in_the_middle_damaged__later_records_readable_and_loss_logged_once(
    durable: Serving, tmp_path: Path
) -> None:
    with Wire(durable) as wire:
        topic = Topic(wire, "t")
        for value in "abc":
            topic.produce(batch(value))
    durable.kill()
    log = tmp_path / "broker" / "t-0" / f"{0:020}.log"
    content = bytearray(log.read_bytes())
    _, victim, _ = read_batches(bytes(content))
    content[victim.position + 65] ^= 1
    log.write_bytes(content)
    durable.restart()
    said = f"t-0: {log} is damaged at byte {victim.position}: "
    assert durable.log.count(said) == 1
    assert "offset 1 is missing; the damaged bytes are in" in durable.log
    for _ in range(2):
        with Wire(durable) as wire:
            topic = Topic(wire, "t")
            assert values(whole_log(topic)) == [(0, "a"), (2, "c")]
            assert values(topic.fetch(1).records) == [(2, "c")]
        durable.kill()
        durable.restart()
    assert durable.log.count(said) == 1


def until_no_storage_error(ask: Callable[[], Any]) -> Any:
    """Retry until the error is not KAFKA_STORAGE_ERROR, as every client does."""
    deadline_s = time.monotonic() + PATIENCE_S
    while (answer := ask()).error_code == ErrorCode.KAFKA_STORAGE_ERROR and time.monotonic() < deadline_s:
        pass
    return answer


def test_fetch__batch_damaged_after_a_clean_stop__storage_error_and_later_records_readable(
    durable: Serving, tmp_path: Path
) -> None:
    """Find damage in a batch that the start does not check, because an index shows that it was intact."""
    sent = [name * 5_000 for name in "abcd"]
    with Wire(durable) as wire:
        topic = Topic(wire, "t")
        for value in sent:
            topic.produce(batch(value))
    durable.terminate()
    log = tmp_path / "broker" / "t-0" / f"{0:020}.log"
    content = bytearray(log.read_bytes())
    _, victim, *_ = read_batches(bytes(content))
    content[victim.position + 65] ^= 1
    log.write_bytes(content)
    durable.start()
    with Wire(durable) as wire:
        topic = Topic(wire, "t")
        assert values(topic.fetch(0).records) == [(0, sent[0])]
        assert "is damaged" not in durable.log
        assert topic.fetch(1).error_code == ErrorCode.KAFKA_STORAGE_ERROR
        behind = until_no_storage_error(lambda: topic.fetch(1))
        assert values(behind.records) == [(2, sent[2]), (3, sent[3])]
        assert until_no_storage_error(lambda: topic.produce(batch("e"))).base_offset == 4
    assert durable.log.count("offset 1 is missing; the damaged bytes are in") == 1


def test_crash__incomplete_append_at_the_end_of_the_groups_log__earlier_commits_kept(
    durable: Serving, tmp_path: Path
) -> None:
    with Wire(durable) as wire:
        assert commit(Topic(wire, "t"), "g", 3) == ErrorCode.NONE
    durable.kill()
    (log,) = (tmp_path / "broker").glob("__consumer_offsets-*/*.log")
    with log.open("ab") as file:
        file.write(bytes(100))
    durable.restart()
    with Wire(durable) as wire:
        assert committed(Topic(wire, "t"), "g") == (3, "at 3")
