"""A partition without failures, and the appends that it refuses."""

import os
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenure.protocol.batches import (
    CorruptBatch,
    TimestampType,
    UnsupportedMagic,
    decode_records,
    encode_batch,
    read_batches,
    verify_crc,
    with_checksum,
)
from tenure.protocol.compression import Codec
from tenure.protocol.records import Record
from tenure.protocol.types import TopicId
from tenure.storage.data_directory import DataDirectory
from tenure.storage.errors import (
    InvalidRecord,
    InvalidTimestamp,
    OffsetOutOfRange,
    PartitionClosed,
    PartitionUnusable,
    ReadFailed,
    RecordBatchTooLarge,
    RecordTooLarge,
    UnreadableBatch,
)
from tenure.storage.log.leader_epochs import EpochEnd
from tenure.storage.log.partition import Partition
from tenure.storage.log.settings import Durability, LogSettings
from tests.protocol.batches import NOW_MS, batches, rows
from tests.storage.logs import BATCH_BYTES, NAME, SMALL, fill, in_memory, offsets_of, opened, records_of

ONE_SEGMENT = LogSettings()
A_DAY_MS = 86_400_000
LENGTH_AT = 8


# --- appending


def test_append__valid_batch__stored_unchanged_except_base_offset_and_leader_epoch() -> None:
    partition = in_memory()
    sent = encode_batch(rows(3), base_offset=77)
    assert partition.append(sent, now_ms=NOW_MS)[:2] == (0, 2)
    stored = partition.read(0, 1 << 20)
    assert stored[8:12] + stored[16:] == sent[8:12] + sent[16:]
    assert struct.unpack_from(">q", stored) == (0,)
    assert struct.unpack_from(">i", stored, 12) == (partition.leader_epoch,)


def test_append__many_batches_at_once__contiguous_offsets() -> None:
    partition = in_memory(ONE_SEGMENT)
    sent = b"".join(encode_batch(rows(n, first=n)) for n in (2, 1, 4))
    assert partition.append(sent, now_ms=NOW_MS)[:2] == (0, 6)
    assert [(b.base_offset, b.last_offset) for b in read_batches(partition.read(0, 1 << 20))] == [
        (0, 1),
        (2, 2),
        (3, 6),
    ]


def test_append__topic_with_log_append_time__time_of_the_broker_and_valid_checksum() -> None:
    partition = in_memory(SMALL._replace(message_timestamp_type=TimestampType.LOG_APPEND_TIME))
    sent = encode_batch(rows(2)) + encode_batch(rows(1, first=2))
    assert partition.append(sent, now_ms=NOW_MS + 500).log_append_time_ms == NOW_MS + 500
    for batch in read_batches(partition.read(0, 1 << 20)):
        verify_crc(batch)
        assert {record.timestamp_ms for record in decode_records(batch)} == {NOW_MS + 500}


def test_append__batch_header_says_log_append_time__timestamps_of_the_producer_stay() -> None:
    partition = in_memory(ONE_SEGMENT)
    partition.append(damaged(21, b"\x00\x08"), now_ms=NOW_MS)
    (batch,) = read_batches(partition.read(0, 1 << 20))
    verify_crc(batch)
    assert batch.timestamp_type is TimestampType.CREATE_TIME
    assert [record.timestamp_ms for record in decode_records(batch)] == [record.timestamp_ms for record in rows(2)]


def test_append__maximum_timestamp_of_the_header_too_new__corrected_to_that_of_the_records() -> None:
    partition = in_memory(ONE_SEGMENT)
    partition.append(damaged(35, struct.pack(">q", NOW_MS + A_DAY_MS)), now_ms=NOW_MS)
    (batch,) = read_batches(partition.read(0, 1 << 20))
    assert batch.max_timestamp_ms == max(record.timestamp_ms for record in rows(2))


@pytest.mark.parametrize(("codec", "levels"), [(Codec.GZIP, (1, 9)), (Codec.LZ4, (1, 16)), (Codec.ZSTD, (1, 19))])
def test_append__topic_with_compression_level__batch_compressed_with_it(codec: Codec, levels: tuple[int, int]) -> None:
    sizes = []
    for level in levels:
        partition = in_memory(ONE_SEGMENT._replace(compression=codec, compression_level=level))
        sent = [Record(0, NOW_MS, None, b"%d" % (n * n * 7919)) for n in range(500)]
        partition.append(encode_batch(sent), now_ms=NOW_MS)
        (batch,) = read_batches(partition.read(0, 1 << 20))
        assert [record.value for record in decode_records(batch)] == [record.value for record in sent]
        sizes.append(batch.size)
    assert sizes[0] > sizes[1]


def test_append__largest_timestamp_exceeds_an_int64__refused() -> None:
    batch = damaged(27, struct.pack(">q", 2**63 - 1))  # the second record is a millisecond later
    partition = in_memory(ONE_SEGMENT._replace(compacts=True, message_timestamp_after_max_ms=2**63 - 1))
    with pytest.raises(InvalidTimestamp, match="has 1 record with"):
        partition.append(batch, now_ms=NOW_MS)


def damaged(at: int, value: bytes, *, sealed: bool = True) -> bytes:
    batch = bytearray(encode_batch(rows(2)))
    batch[at : at + len(value)] = value
    return with_checksum(batch) if sealed else bytes(batch)


@pytest.mark.parametrize(
    ("data", "error", "says"),
    [
        (b"", CorruptBatch, "incomplete"),
        (encode_batch(rows(2))[:-1], CorruptBatch, "incomplete"),
        (encode_batch(rows(2)) + b"x", CorruptBatch, "incomplete"),
        (damaged(70, b"\xff", sealed=False), CorruptBatch, "fails its checksum"),
        (damaged(16, b"\x01"), UnsupportedMagic, "Produce v3 or newer"),
        (damaged(57, struct.pack(">i", 3)), InvalidRecord, "counts 3 records"),
        (damaged(57, struct.pack(">i", 0)), InvalidRecord, "counts 0 records"),
        (damaged(21, b"\x00\x07"), UnreadableBatch, "codec 7"),
        (encode_batch(rows(1), is_control=True), InvalidRecord, "control batch"),
        (encode_batch(rows(1), is_transactional=True), InvalidRecord, "transactional, but has no producer id"),
        (encode_batch(rows(1), producer_id=4), InvalidRecord, "no sequence"),
        (encode_batch([Record(0, NOW_MS + A_DAY_MS, None, b"")]), InvalidTimestamp, "after.max.ms"),
        (encode_batch(rows(1, size=2_000)), RecordTooLarge, "max.message.bytes"),
        (b"".join(encode_batch(rows(1, size=300)) for _ in range(4)), RecordBatchTooLarge, "segment.bytes"),
    ],
)
def test_append__invalid_batch__refused_and_log_unchanged(data: bytes, error: type[Exception], says: str) -> None:
    partition = in_memory(SMALL._replace(max_message_bytes=900))
    fill(partition, 3)
    before = records_of(partition)
    with pytest.raises(error, match=says):
        partition.append(data, now_ms=NOW_MS)
    assert records_of(partition) == before
    fill(partition, 1)
    assert offsets_of(partition) == [0, 1, 2, 3]


# --- reading


@given(per_batch=st.lists(st.integers(1, 6), min_size=1, max_size=40), max_bytes=st.integers(0, 2_000), data=st.data())
def test_read__any_offset_and_size__whole_batches_from_the_one_with_the_offset(
    per_batch: list[int], max_bytes: int, data: st.DataObject
) -> None:
    partition = in_memory()
    for count in per_batch:
        fill(partition, count, per_batch=count)
    for _ in range(5):
        offset = data.draw(st.integers(0, partition.log_end_offset - 1))
        found = partition.read(offset, max_bytes)
        headers = list(read_batches(found))
        assert headers[0].base_offset <= offset <= headers[0].last_offset
        assert sum(header.size for header in headers) == len(found)
        assert len(found) <= max_bytes or len(headers) == 1
    assert offsets_of(partition) == list(range(sum(per_batch)))


@pytest.mark.parametrize("below", [20, 19], ids=["to the end", "not to the end"])
def test_read__batch_larger_than_max_bytes__returned_only_with_at_least_one(below: int) -> None:
    partition = in_memory()
    fill(partition, 20)
    end = partition.log_end_offset
    for offset in range(below):
        assert partition.read(offset, BATCH_BYTES - 1, below, at_least_one=False) == b""
        assert len(partition.read(offset, BATCH_BYTES, below, at_least_one=False)) == BATCH_BYTES
        assert len(partition.read(offset, BATCH_BYTES - 1, below)) == BATCH_BYTES
    assert partition.read(end, BATCH_BYTES, at_least_one=False) == b""


def test_read__offset_in_a_gap_between_segments__continues_after_the_gap() -> None:
    partition = in_memory()
    fill(partition, 3)
    partition.begin_leader_epoch(start_offset=10)
    fill(partition, 1)
    for at_least_one in (True, False):
        (found,) = read_batches(partition.read(5, 1_000, at_least_one=at_least_one))
        assert found.base_offset == 10


def test_read__any_fetch_size__every_record_once() -> None:
    partition = in_memory()
    fill(partition, 200, per_batch=2)
    for max_bytes in (1, 150, 333, 1_000, 10_000):
        assert [record.offset for record in records_of(partition, max_bytes)] == list(range(200))


def test_read__two_interleaved_readers__each_gets_its_own_batches() -> None:
    partition = in_memory()
    fill(partition, 60)
    at = [0, 31]
    while max(at) < 60:
        for i in (0, 1):
            batches_read = list(read_batches(partition.read(at[i], 300)))
            assert batches_read[0].base_offset == at[i]
            at[i] = batches_read[-1].last_offset + 1


@pytest.mark.parametrize("offset", [-1, 9, 21])
def test_read__offset_out_of_range__error_names_the_valid_range(offset: int) -> None:
    partition = in_memory()
    fill(partition, 20)
    partition.settings = SMALL._replace(retention_bytes=1)
    partition.enforce_retention(NOW_MS)
    start = partition.log_start_offset
    assert start > 9
    with pytest.raises(
        OffsetOutOfRange, match=f"offset {offset} lies outside of the log, which reaches from {start} to 20"
    ):
        partition.read(offset, 100)


def test_read__offset_at_the_log_end__no_bytes() -> None:
    partition = in_memory()
    assert partition.read(0, 100) == b""
    fill(partition, 1)
    assert partition.read(1, 100) == b""


# --- timestamps


@given(steps=st.lists(st.integers(-50, 100), min_size=1, max_size=60), wanted=st.integers(-3_000, 6_000))
def test_offset_for_timestamp__unordered_timestamps__first_record_with_that_timestamp_or_later(
    steps: list[int], wanted: int
) -> None:
    partition, times, time_ms = in_memory(), [], NOW_MS
    for offset, step in enumerate(steps):
        time_ms += step
        times.append(time_ms)
        partition.append(encode_batch([Record(0, time_ms, None, b"%20d" % offset)]), now_ms=NOW_MS)
    expected = next(((i, t) for i, t in enumerate(times) if t >= NOW_MS + wanted), None)
    assert partition.offset_for_timestamp(NOW_MS + wanted) == expected
    newest = max(times)
    assert partition.offset_of_max_timestamp() == (times.index(newest), newest)


def test_offset_of_max_timestamp__empty_log__none() -> None:
    assert in_memory().offset_of_max_timestamp() is None


@pytest.mark.parametrize("length", [-(2**31), -12, 0, 48, 2**31 - 1])
def test_read__length_field_of_a_batch_changed__earlier_records_and_then_an_error(tmp_path: Path, length: int) -> None:
    directory = DataDirectory.open(str(tmp_path))
    partition = opened(directory, Durability.OS, ONE_SEGMENT)
    fill(partition, 30)
    with (tmp_path / NAME / f"{0:020d}.log").open("r+b") as file:
        file.seek(10 * BATCH_BYTES + LENGTH_AT)
        file.write(struct.pack(">i", length))
    assert [batch.base_offset for batch in read_batches(partition.read(4, 8 * BATCH_BYTES))] == [4, 5, 6, 7, 8, 9]
    for offset in (10, 15):
        with pytest.raises(CorruptBatch, match="restore the file"):
            partition.read(offset, 8 * BATCH_BYTES)
    partition.close()
    directory.close()


def test_read__end_of_the_log_file_lost__error(tmp_path: Path) -> None:
    directory = DataDirectory.open(str(tmp_path))
    partition = opened(directory, Durability.OS, ONE_SEGMENT)
    fill(partition, 30)
    os.truncate(tmp_path / NAME / f"{0:020d}.log", 10 * BATCH_BYTES)
    with pytest.raises(CorruptBatch, match="restore the file"):
        partition.read(15, BATCH_BYTES)
    partition.close()
    directory.close()


# --- segments and retention


def test_segment__record_later_than_segment_ms_after_its_first_one__new_segment_begins() -> None:
    partition = in_memory(LogSettings(segment_ms=1_000))
    for time_ms in (0, 1_000, 1_001):
        partition.append(encode_batch([Record(0, NOW_MS + time_ms, None, b"")]), now_ms=NOW_MS)
    partition.settings = LogSettings(retention_bytes=1)
    partition.enforce_retention(NOW_MS)
    assert partition.log_start_offset == 2


def test_retention__retention_bytes_exceeded__oldest_segments_removed() -> None:
    partition = in_memory()
    fill(partition, 100)
    size = partition.size_bytes
    partition.settings = SMALL._replace(retention_bytes=3_000)
    assert partition.enforce_retention(NOW_MS) > 3
    assert 3_000 <= partition.size_bytes < 4_000 < size
    assert offsets_of(partition) == list(range(partition.log_start_offset, 100))


def test_retention__all_records_too_old__empty_log_continues_at_its_end() -> None:
    partition = in_memory()
    fill(partition, 30)
    assert partition.enforce_retention(NOW_MS + 8 * A_DAY_MS) > 0
    assert (partition.log_start_offset, partition.log_end_offset) == (30, 30)
    assert partition.enforce_retention(NOW_MS + 8 * A_DAY_MS) == 0
    fill(partition, 1)
    assert offsets_of(partition) == [30]


def test_retention__records_without_timestamps__not_removed() -> None:
    partition = in_memory()
    partition.append(encode_batch([Record(0, -1, None, b"ageless")]), now_ms=NOW_MS)
    assert partition.enforce_retention(NOW_MS + 800 * A_DAY_MS) == 0
    assert offsets_of(partition) == [0]


@pytest.mark.parametrize("settings", [SMALL._replace(retention_ms=-1), SMALL._replace(deletes=False)])
def test_retention__unlimited_or_compacted__nothing_removed(settings: LogSettings) -> None:
    partition = in_memory(settings)
    fill(partition, 30)
    assert partition.enforce_retention(NOW_MS + 800 * A_DAY_MS) == 0


# --- leader epochs


def test_begin_leader_epoch__start_offset_beyond_the_log_end__offsets_in_between_stay_empty() -> None:
    partition = in_memory()
    fill(partition, 5)
    assert partition.begin_leader_epoch(start_offset=12) == 1
    fill(partition, 2)
    assert offsets_of(partition) == [0, 1, 2, 3, 4, 12, 13]
    assert [b.partition_leader_epoch for b in read_batches(partition.read(7, 1_000))] == [1, 1]
    assert partition.end_offset_for_epoch(0) == EpochEnd(0, 12)
    assert partition.end_offset_for_epoch(1) == EpochEnd(1, 14)
    assert partition.end_offset_for_epoch(2) == EpochEnd(-1, -1)


def test_begin_leader_epoch__lower_than_the_present_epoch__present_epoch_stays() -> None:
    partition = in_memory()
    fill(partition, 2)
    partition.begin_leader_epoch(4)
    assert partition.begin_leader_epoch(3) == 4


# --- the stop and the start


@pytest.mark.long
@given(made=batches(), more=batches())
def test_open_log__previous_stop_was_clean__all_records_there_and_appends_continue(
    made: tuple[bytes, list[Record]], more: tuple[bytes, list[Record]]
) -> None:
    directory = DataDirectory.in_memory()
    settings = LogSettings(message_timestamp_after_max_ms=10**12)
    partition = opened(directory, Durability.OS, settings)
    partition.append(made[0], now_ms=NOW_MS)
    partition.close()
    again = opened(directory, Durability.OS, settings)
    again.append(more[0], now_ms=NOW_MS)
    found = records_of(again, 1 << 20)
    assert [(r.key, r.value, r.headers) for r in found] == [(r.key, r.value, r.headers) for r in made[1] + more[1]]
    assert [r.offset for r in found] == list(range(len(found)))
    assert again.truncation is None


def test_open_log__directory_has_the_id_of_an_earlier_topic_with_this_name__refused() -> None:
    directory = DataDirectory.in_memory()
    first, second = TopicId(b"1" * 16), TopicId(b"2" * 16)
    Partition.open(directory, "t-0", SMALL, durability=Durability.OS, topic_id=first).close()
    assert Partition.open(directory, "t-0", SMALL, durability=Durability.OS).topic_id == first
    with pytest.raises(PartitionUnusable, match="belongs to an earlier topic of this name"):
        Partition.open(directory, "t-0", SMALL, durability=Durability.OS, topic_id=second)


def test_deleted_partition__created_again__empty() -> None:
    directory = DataDirectory.in_memory()
    partition = opened(directory, Durability.OS)
    fill(partition, 30)
    partition.delete()
    assert directory.partition_directories() == []
    assert opened(directory, Durability.OS).log_end_offset == 0


def test_closed_partition__closed_again_and_used__only_the_use_raises_errors(tmp_path: Path) -> None:
    directory = DataDirectory.open(str(tmp_path))
    partition = opened(directory)
    fill(partition, 3)
    partition.close()
    partition.close()
    for use in (partition.sync, lambda: fill(partition, 1)):
        with pytest.raises(PartitionClosed, match="flights-0 is closed"):
            use()
    for read in (lambda: partition.read(0, 100), lambda: partition.offset_for_timestamp(0)):
        with pytest.raises(ReadFailed):
            read()
    directory.close()


def test_partition_on_a_real_disk__filled_closed_and_opened_again__same_records_and_kafkas_file_names(
    tmp_path: Path,
) -> None:
    directory = DataDirectory.open(str(tmp_path))
    partition = Partition.open(
        directory, "flights-0", SMALL, durability=Durability.FSYNC, topic_id=TopicId(bytes(range(16)))
    )
    fill(partition, 40)
    assert partition.sync() == 40
    before = records_of(partition)
    partition.close()
    directory.close()
    names = {path.name for path in (tmp_path / "flights-0").iterdir()}
    assert {"leader-epoch-checkpoint", "partition.metadata", f"{40:020d}.snapshot"} <= names
    assert {f"{0:020d}.log", f"{0:020d}.index", f"{0:020d}.timeindex"} <= names
    directory = DataDirectory.open(str(tmp_path))
    again = opened(directory)
    assert directory.was_clean
    assert records_of(again) == before
    again.close()
    directory.close()


@pytest.mark.parametrize(
    ("epoch", "end"), [(0, (0, 10)), (1, (0, 10)), (2, (2, 15)), (4, (2, 15)), (5, (5, 20)), (6, (-1, -1))]
)
def test_end_offset_for_epoch__epoch_without_records__end_of_the_next_lower_epoch(
    epoch: int, end: tuple[int, int]
) -> None:
    partition = in_memory()
    for number, count in ((0, 10), (2, 5), (5, 5)):
        partition.begin_leader_epoch(number)
        fill(partition, count)
    assert partition.end_offset_for_epoch(epoch) == end
