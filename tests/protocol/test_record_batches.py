"""Record batches, encoded and decoded, and compared with kafka-python's code for the same format."""

import struct
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenure.protocol.batches import (
    Batch,
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
from tenure.protocol.records import Record, varint
from tests.protocol.batches import NOW_MS, batches, records, rows

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # kafka-python reads its schemas in an old way
    from kafka.record.default_records import DefaultRecordBatch, DefaultRecordBatchBuilder

THEIR_CODECS = [Codec.NONE, Codec.GZIP, Codec.LZ4, Codec.ZSTD]  # kafka-python has no snappy without a C library


@pytest.mark.long
@given(batches())
def test_decode_records__batches_written_by_encode_batch__same_records(made: tuple[bytes, list[Record]]) -> None:
    data, expected = made
    found = []
    for batch in read_batches(data):
        verify_crc(batch)
        found += decode_records(batch)
    assert found == expected


@given(st.lists(records, min_size=1, max_size=10), st.integers(0, 2**40))
def test_encode_batch__uncompressed__same_bytes_as_kafka_python(made: list[Record], base: int) -> None:
    theirs = DefaultRecordBatchBuilder(
        magic=2,
        compression_type=0,
        is_transactional=True,
        producer_id=77,
        producer_epoch=3,
        base_sequence=9,
        batch_size=1 << 30,
    )
    for i, record in enumerate(made):
        theirs.append(i, record.timestamp_ms, record.key, record.value, list(record.headers))
    ours = encode_batch(
        made,
        base_offset=0,
        producer_id=77,
        producer_epoch=3,
        base_sequence=9,
        is_transactional=True,
        partition_leader_epoch=0,
    )
    expected = bytes(theirs.build())
    assert ours[:12] + ours[16:] == expected[:12] + expected[16:]  # only the broker writes the leader epoch
    assert encode_batch(made, base_offset=base)[8:12] == ours[8:12]


@pytest.mark.parametrize("codec", THEIR_CODECS)
@given(made=st.lists(records, min_size=1, max_size=8))
def test_decode_records__batch_of_kafka_python__same_records(codec: Codec, made: list[Record]) -> None:
    theirs = DefaultRecordBatchBuilder(
        magic=2,
        compression_type=codec,
        is_transactional=False,
        producer_id=-1,
        producer_epoch=-1,
        base_sequence=-1,
        batch_size=1 << 30,
    )
    for i, record in enumerate(made):
        theirs.append(i, record.timestamp_ms, record.key, record.value, list(record.headers))
    (batch,) = read_batches(bytes(theirs.build()))
    verify_crc(batch)
    expected = [Record(i, row.timestamp_ms, row.key, row.value, row.headers) for i, row in enumerate(made)]
    assert decode_records(batch) == expected


@pytest.mark.parametrize("codec", THEIR_CODECS)
@given(made=st.lists(records, min_size=1, max_size=8))
def test_encode_batch__read_by_kafka_python__same_records(codec: Codec, made: list[Record]) -> None:
    theirs = DefaultRecordBatch(encode_batch(made, base_offset=5, codec=codec))
    assert theirs.validate_crc()
    found = [Record(r.offset, r.timestamp, r.key, r.value, tuple(r.headers)) for r in theirs]
    assert found == [Record(5 + i, r.timestamp_ms, r.key, r.value, tuple(r.headers)) for i, r in enumerate(made)]


@given(st.integers(-(2**63), 2**63 - 1))
def test_varint__any_64_bit_integer_as_a_timestamp__same_value_decoded(number: int) -> None:
    assert len(varint(number)) <= 10
    if abs(number) < 2**62:
        (batch,) = read_batches(encode_batch([Record(0, 0, None, None), Record(1, number, None, None)]))
        assert decode_records(batch)[1].timestamp_ms == number


def test_read_batches__last_batch_incomplete__left_out() -> None:
    whole, cut = encode_batch(rows(3)), encode_batch(rows(2, first=3), base_offset=3)
    for missing in range(1, len(cut) + 1):
        assert [batch.base_offset for batch in read_batches(whole + cut[:-missing])] == [0]


@pytest.mark.parametrize("magic", [0, 1])
def test_read_batches__message_set_of_an_old_client__refused_with_the_remedy(magic: int) -> None:
    message_set = struct.pack(">qiIbb", 0, 30, 0, magic, 0) + bytes(24)
    for data in (message_set, message_set * 3):
        with pytest.raises(UnsupportedMagic, match=rf"message set v{magic} at byte 0.*Produce v3 or newer"):
            list(read_batches(data))


def test_read_batches__unknown_magic__refused() -> None:
    batch = bytearray(encode_batch(rows(1)))
    batch[16] = 3
    with pytest.raises(UnsupportedMagic, match="record format 3"):
        list(read_batches(bytes(batch)))


@pytest.mark.parametrize("length", [-1, 0, 48])
def test_read_batches__length_field_shorter_than_a_header__corrupt_batch_error(length: int) -> None:
    batch = bytearray(encode_batch(rows(1)))
    struct.pack_into(">i", batch, 8, length)
    with pytest.raises(CorruptBatch, match=f"at byte 0 announces {length} bytes"):
        list(read_batches(bytes(batch)))


@given(st.data())
def test_verify_crc__any_bit_flipped_that_the_checksum_covers__corrupt_batch_error(data: st.DataObject) -> None:
    batch = bytearray(encode_batch(rows(3)))
    at = data.draw(st.integers(17, len(batch) - 1))
    batch[at] ^= 1 << data.draw(st.integers(0, 7))
    with pytest.raises(CorruptBatch):
        verify_crc(next(read_batches(bytes(batch))))


def test_verify_crc__checksum_differs__error_names_both_checksums_and_the_position() -> None:
    data = bytearray(encode_batch(rows(1), base_offset=42))
    data[-1] ^= 1
    with pytest.raises(CorruptBatch, match=r"base offset 42 at byte 0 fails its checksum: [0-9a-f]{8} is stored"):
        verify_crc(next(read_batches(bytes(data))))


@given(st.data())
def test_decode_records__record_bytes_changed_and_checksum_recomputed__corrupt_batch_error_or_records(
    data: st.DataObject,
) -> None:
    batch = bytearray(encode_batch(rows(4), codec=data.draw(st.sampled_from(Codec))))
    for _ in range(data.draw(st.integers(1, 4))):
        batch[data.draw(st.integers(61, len(batch) - 1))] = data.draw(st.integers(0, 255))
    (found,) = read_batches(with_checksum(batch))
    try:
        assert len(decode_records(found)) == 4
    except CorruptBatch as error:
        assert "base offset 0" in str(error)  # noqa: PT017


def test_decode_records__record_count_too_small__error_names_the_bytes_that_remain() -> None:
    batch = bytearray(encode_batch(rows(3)))
    struct.pack_into(">i", batch, 57, 2)
    (found,) = read_batches(with_checksum(batch))
    with pytest.raises(CorruptBatch, match=r"has .* bytes too many after its 2 records"):
        decode_records(found)


def test_decode_records__record_count_too_large__error_names_the_missing_record() -> None:
    batch = bytearray(encode_batch(rows(3)))
    struct.pack_into(">i", batch, 57, 4)
    (found,) = read_batches(with_checksum(batch))
    with pytest.raises(CorruptBatch, match="record 3 of the batch with base offset 0"):
        decode_records(found)


def test_decode_records__unknown_compression_codec__error_names_it() -> None:
    batch = bytearray(encode_batch(rows(1)))
    batch[22] = 5
    (found,) = read_batches(with_checksum(batch))
    with pytest.raises(CorruptBatch, match="has the unknown compression codec 5"):
        decode_records(found)


def test_decode_records__batch_with_log_append_time__every_record_has_this_time() -> None:
    batch = bytearray(encode_batch(rows(3)))
    batch[22] |= 0x08
    struct.pack_into(">q", batch, 35, NOW_MS + 99)
    (found,) = read_batches(with_checksum(batch))
    assert found.timestamp_type is TimestampType.LOG_APPEND_TIME
    assert {record.timestamp_ms for record in decode_records(found)} == {NOW_MS + 99}


def test_decode_records__header_key_is_not_utf_8__decoded_with_replacement_characters() -> None:
    """Decode the key with replacement characters: a broker stores it, and a reader must get beyond it."""
    sent = bytearray(encode_batch([Record(0, NOW_MS, b"k", b"v", [("name", b"x")])]))
    at = sent.index(b"name")
    sent[at : at + 4] = "näme".encode("latin-1")
    (read,) = decode_records(Batch(with_checksum(sent), 0))
    assert read.headers == [("n\ufffdme", b"x")]


def test_last_sequence__exceeds_the_largest_int32__continues_at_0() -> None:
    (batch,) = read_batches(encode_batch(rows(3), producer_id=1, producer_epoch=0, base_sequence=2**31 - 2))
    assert batch.last_sequence == 0


def test_encode_batch__no_records__refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        encode_batch([])
