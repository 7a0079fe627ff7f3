"""Reading a log: the newest record per key, transactions, and records that may or may not be skipped."""

import pytest

from tenure.coordinator.shard import LogRecord, TransactionalRecord
from tenure.protocol.batches import encode_batch
from tenure.protocol.coordinator_logs.cluster_metadata import encode_record
from tenure.protocol.coordinator_logs.consumer_offsets import (
    GroupMetadataKey,
    GroupMetadataValue,
    OffsetCommitKey,
    OffsetCommitValue,
    encode_key,
    encode_value,
)
from tenure.protocol.generated.cluster_metadata import TopicRecord
from tenure.protocol.records import Record
from tenure.runtime.codecs import GroupsCodec, MetadataCodec
from tenure.runtime.replay import UnreadableRecord, newest_records

KEY = OffsetCommitKey("g", "t", 0)


def entry(offset: int | None, key: OffsetCommitKey = KEY) -> Record:
    value = None if offset is None else encode_value(OffsetCommitValue(offset), 4)
    return Record(0, 0, encode_key(key), value)


def marker(commit: bool) -> Record:
    return Record(0, 0, b"\0\0\0\1" if commit else b"\0\0\0\0", b"\0\0\0\0\0\0")


def offsets(*batches: bytes) -> list[int | None]:
    found = []
    for _, record in newest_records(batches, GroupsCodec()):
        assert record.key == KEY
        assert record.value is None or isinstance(record.value, OffsetCommitValue)
        found.append(record.value.offset if record.value else None)
    return found


def test_newest_records__one_key_many_times__only_the_last_record() -> None:
    assert offsets(encode_batch([entry(1), entry(2)]), encode_batch([entry(3)], base_offset=2)) == [3]


def test_newest_records__last_record_is_a_tombstone__tombstone() -> None:
    assert offsets(encode_batch([entry(1), entry(None)])) == [None]


def test_newest_records__commit_keys_of_type_0_and_1__same_key() -> None:
    old = Record(0, 0, b"\0\0" + encode_key(KEY)[2:], encode_value(OffsetCommitValue(1), 1))
    assert offsets(encode_batch([old, entry(2)])) == [2]


def test_newest_records__several_batches_in_one_chunk__all_read() -> None:
    assert offsets(encode_batch([entry(1)]) + encode_batch([entry(2)], base_offset=1)) == [2]


def test_replayed_transaction__committed__its_records_are_replayed() -> None:
    pending = encode_batch([entry(5)], producer_id=7, is_transactional=True)
    end = encode_batch([marker(True)], base_offset=1, producer_id=7, is_transactional=True, is_control=True)
    assert offsets(pending, end) == [5]


def test_replayed_transaction__aborted__its_records_are_not_replayed() -> None:
    first = encode_batch([entry(5)], producer_id=7, is_transactional=True)
    abort = encode_batch([marker(False)], base_offset=1, producer_id=7, is_transactional=True, is_control=True)
    assert offsets(first, abort) == []


def test_replayed_transaction__not_ended__its_records_are_pending() -> None:
    pending = encode_batch([entry(5)], producer_id=7, producer_epoch=3, is_transactional=True)
    plain = encode_batch([entry(6)], base_offset=1)
    records = [record for _, record in newest_records([pending, plain], GroupsCodec())]
    assert isinstance(records[0], TransactionalRecord)
    assert (records[0].producer_id, records[0].producer_epoch) == (7, 3)
    assert isinstance(records[1], LogRecord)


def test_replayed_transaction__plain_commit_before_the_commit_marker__only_the_plain_commit_is_replayed() -> None:
    pending = encode_batch([entry(5)], producer_id=7, is_transactional=True)
    plain = encode_batch([entry(6)], base_offset=1)
    end = encode_batch([marker(True)], base_offset=2, producer_id=7, is_transactional=True, is_control=True)
    assert offsets(pending, plain, end) == [6]


def test_groups_log__unknown_key_type__skipped() -> None:
    assert offsets(encode_batch([Record(0, 0, b"\0\x63g", b"?"), entry(1)])) == [1]


def test_groups_log__unknown_value_version__error() -> None:
    with pytest.raises(UnreadableRecord, match="offset 0"):
        offsets(encode_batch([Record(0, 0, encode_key(KEY), b"\0\x63")]))


def test_groups_codec__records_encoded__value_versions_as_kafka_uses_them() -> None:
    codec = GroupsCodec()
    group = LogRecord(GroupMetadataKey("g"), GroupMetadataValue("consumer", 1, None, None, 5, []))
    versions = [
        codec.encode(record)[1]
        for record in (
            group,
            LogRecord(KEY, OffsetCommitValue(1)),
            LogRecord(KEY, OffsetCommitValue(1, expire_timestamp=9)),
            LogRecord(KEY, None),
        )
    ]
    assert [value and value[:2] for value in versions] == [b"\0\3", b"\0\4", b"\0\1", None]


def test_metadata_log__records_without_keys__all_in_order() -> None:
    topics = [TopicRecord(name, bytes(16)) for name in ("a", "b", "a")]
    batch = encode_batch([Record(0, 0, None, encode_record(topic)) for topic in topics])
    assert [record.value for _, record in newest_records([batch], MetadataCodec())] == topics


def test_metadata_log__unknown_record_type__skipped() -> None:
    batch = encode_batch([Record(0, 0, None, b"\x01\x7f\x00")])
    assert list(newest_records([batch], MetadataCodec())) == []
