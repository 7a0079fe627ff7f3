"""The columnar decoder compared with the row decoder, which is the reference."""

import random
import struct
from functools import cache
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenure.protocol.batches import HEADER, CorruptBatch, UnsupportedMagic, encode_batch, with_checksum
from tenure.protocol.columnar import decode as columnar
from tenure.protocol.columnar import table as columnar_table
from tenure.protocol.columnar import walk as columnar_walk
from tenure.protocol.columnar.decode import SCHEMA, SCHEMA_WITH_HEADERS, to_arrow
from tenure.protocol.compression import Codec
from tenure.protocol.records import Record, varint
from tests.protocol.batches import NOW_MS, batches, rows

Sample = tuple[bytes, list[Record]]


def as_rows(batch: pa.RecordBatch) -> list[Record]:
    """Return Arrow's columns as records; without a headers column, records have no headers."""
    batch.validate(full=True)
    columns: dict[str, list[Any]] = batch.cast(
        pa.schema([field.with_type(pa.int64()) if field.name == "timestamp" else field for field in batch.schema])
    ).to_pydict()
    headers = columns.get("headers") or [[]] * batch.num_rows
    return [
        Record(offset, timestamp, key, value, tuple((h["key"], h["value"]) for h in found))
        for offset, timestamp, key, value, found in zip(
            columns["offset"], columns["timestamp"], columns["key"], columns["value"], headers, strict=True
        )
    ]


def without_headers(records: list[Record]) -> list[Record]:
    return [Record(r.offset, r.timestamp_ms, r.key, r.value) for r in records]


@pytest.fixture
def no_fallback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail if the row decoder is used, because valid data does not need it."""
    monkeypatch.setattr(columnar, "_rows", lambda *_: pytest.fail("the row decoder was asked"))


@pytest.fixture
def one_batch_per_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Decode each batch on its own if one of them is compressed, as it happens to large ones."""
    monkeypatch.setattr(columnar_table, "UNPACKED_TOGETHER_BYTES", 1)


@pytest.mark.usefixtures("no_fallback", "one_batch_per_table")
@given(made=batches(), bounds=st.tuples(st.integers(-3, 80), st.integers(-3, 80)))
def test_to_arrow__batches_in_several_tables__same_records_as_the_row_decoder(
    made: Sample, bounds: tuple[int, int]
) -> None:
    data, expected = made
    first, last = (expected[0].offset + bound for bound in bounds)
    assert as_rows(to_arrow(data)) == without_headers(expected)
    found = to_arrow(data, from_offset=first, to_offset=last, headers=True)
    assert as_rows(found) == [record for record in expected if first <= record.offset < last]


@pytest.mark.usefixtures("no_fallback")
@pytest.mark.parametrize("codec", [codec for codec in Codec if codec])
def test_to_arrow__more_bytes_than_are_unpacked_together__all_records_as_rows(codec: Codec) -> None:
    values = [None, b"short", b"a value of more than twelve bytes, " * 120]
    records = [Record(n, NOW_MS, b"key" * (n % 7), values[n % 3]) for n in range(7_500)]
    firsts = range(0, len(records), 1_500)
    data = b"".join([encode_batch(records[n : n + 1_500], base_offset=n, codec=codec) for n in firsts])
    assert as_rows(to_arrow(data)) == records


@pytest.mark.usefixtures("no_fallback")
class TestWellFormed:
    @given(made=batches())
    def test_to_arrow__random_batches__same_records_as_the_row_decoder(self, made: Sample) -> None:
        data, expected = made
        assert as_rows(to_arrow(data, headers=True)) == expected
        assert as_rows(to_arrow(data)) == without_headers(expected)

    @given(made=batches(), bounds=st.tuples(st.integers(-3, 80), st.integers(-3, 80)))
    def test_to_arrow__from_and_to_offset_given__only_rows_in_between(
        self, made: Sample, bounds: tuple[int, int]
    ) -> None:
        data, expected = made
        first, last = (expected[0].offset + bound for bound in bounds)
        found = to_arrow(data, from_offset=first, to_offset=last, headers=True)
        assert as_rows(found) == [record for record in expected if first <= record.offset < last]

    @given(made=batches(max_batches=2), missing=st.integers(1, 60))
    def test_to_arrow__last_batch_incomplete__left_out(self, made: Sample, missing: int) -> None:
        data, expected = made
        tail = encode_batch(rows(2), base_offset=expected[-1].offset + 1)
        assert as_rows(to_arrow(data + tail[:-missing])) == without_headers(expected)

    @pytest.mark.long
    @given(sizes=st.lists(st.integers(1, 9), min_size=360, max_size=400), codec=st.sampled_from(Codec))
    def test_to_arrow__hundreds_of_small_batches__all_records_as_rows(self, sizes: list[int], codec: Codec) -> None:
        parts, expected = [], []
        for size in sizes:
            made = rows(size, size=1 + size * 25, first=len(expected))
            parts.append(encode_batch(made, base_offset=len(expected), codec=codec))
            expected += made
        assert as_rows(to_arrow(b"".join(parts))) == expected

    def test_to_arrow__more_records_than_are_decoded_at_once__all_records_as_rows(self) -> None:
        expected = rows(40_000)
        data = b"".join(encode_batch(expected[i : i + 7_000], base_offset=i) for i in range(0, 40_000, 7_000))
        assert as_rows(to_arrow(data)) == expected

    @pytest.mark.parametrize("length", [0, 1, 11, 12, 13, 63, 64, 8_191, 8_192, 16_384, 2_000_000])
    def test_to_arrow__value_length_at_a_varint_boundary__value_unchanged(self, length: int) -> None:
        expected = [Record(i, NOW_MS - i * 10**9, b"", bytes([i]) * length) for i in range(3)]
        assert as_rows(to_arrow(encode_batch(expected))) == expected

    @given(step=st.integers(-(2**55), 2**55))
    def test_to_arrow__timestamps_far_apart__exact_timestamps(self, step: int) -> None:
        expected = [Record(0, 0, None, b"a"), Record(1, step, None, b"b"), Record(2, -1, None, None)]
        found = to_arrow(encode_batch(expected))
        assert found["timestamp"].cast(pa.int64()).to_pylist() == [0, step, -1]

    def test_to_arrow__one_of_two_batches_has_log_append_time__only_its_rows_have_that_time(self) -> None:
        stamped = bytearray(encode_batch(rows(2, first=1), base_offset=1))
        stamped[22] |= 0x08
        struct.pack_into(">q", stamped, 35, NOW_MS + 99)
        found = to_arrow(encode_batch(rows(1)) + with_checksum(stamped))
        assert found["timestamp"].cast(pa.int64()).to_pylist() == [NOW_MS, NOW_MS + 99, NOW_MS + 99]

    def test_to_arrow__control_batch_between_other_batches__left_out(self) -> None:
        marker = encode_batch([Record(0, NOW_MS, b"\x00\x00\x00\x01", b"\x00" * 6)], base_offset=1, is_control=True)
        data = encode_batch(rows(1)) + marker + encode_batch(rows(1, first=2), base_offset=2)
        assert to_arrow(data)["offset"].to_pylist() == [0, 2]

    @pytest.mark.parametrize("data", [b"", encode_batch(rows(2))[:-1]])
    def test_to_arrow__no_complete_batch__empty_table_with_schema(self, data: bytes) -> None:
        assert to_arrow(data).num_rows == 0
        assert to_arrow(data).schema == SCHEMA
        assert to_arrow(data, headers=True).schema == SCHEMA_WITH_HEADERS


LARGE = 6_000
"""Number of records for which a batch is divided into pieces."""


@pytest.fixture
def walked_serially(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the records of each batch that is decoded one by one because its pieces are uncertain."""
    found: list[int] = []
    serial = columnar_walk.follow

    def follow(buffer: bytes, position: int, count: int) -> tuple[columnar_walk.Ints, int]:
        found.append(count)
        return serial(buffer, position, count)

    monkeypatch.setattr(columnar_walk, "follow", follow)
    return found


def varied_records(seed: int, count: int = LARGE) -> list[Record]:
    """Draw records of all shapes: nulls, headers, timestamps in both directions, values over 8 KB."""
    rng = random.Random(seed)

    def content() -> bytes | None:
        size = 20_000 if rng.random() < 0.001 else rng.choice([0, 5, 60, 180])
        return rng.randbytes(rng.randint(size // 2, size)) if rng.random() < 0.95 else None

    def headers() -> tuple[tuple[str, bytes | None], ...]:
        return (("trace", content()),) if rng.random() < 0.1 else ()

    times = [NOW_MS + rng.randint(-(10 ** rng.randint(1, 11)), 1_000) for _ in range(count)]
    return [Record(i, time, content(), content(), headers()) for i, time in enumerate(times)]


def record_bytes(offset_delta: int) -> bytes:
    """Return the bytes of a record, to be hidden in a value."""
    body = bytes(2) + varint(offset_delta) + varint(-1) + varint(1) + b"x" + bytes(1)
    return varint(len(body)) + body


@pytest.mark.usefixtures("no_fallback")
class TestLargeBatchesCutIntoPieces:
    @pytest.mark.parametrize("seed", range(6))
    @pytest.mark.parametrize("codec", [Codec.NONE, Codec.LZ4])
    def test_to_arrow__records_of_all_shapes__same_rows_without_decoding_one_by_one(
        self, seed: int, codec: Codec, walked_serially: list[int]
    ) -> None:
        expected = varied_records(seed)
        tail = encode_batch(rows(3), base_offset=LARGE)[: -1 - seed]
        found = to_arrow(encode_batch(expected, codec=codec) + tail, headers=True)
        assert as_rows(found) == expected
        assert walked_serially == []

    @pytest.mark.parametrize("then", [b"", b"\xfe\xff\x7f", b"\xff" * 12, b"\x01" * 12])
    def test_to_arrow__values_that_look_like_encoded_records__only_their_batch_is_decoded_one_by_one(
        self, then: bytes, walked_serially: list[int]
    ) -> None:
        """Decode one by one only batches with hidden records, from which a chain continues wrongly in several ways."""
        baited = [
            Record(i, NOW_MS, b"k" * (i * i % 17), record_bytes(i + 5) + record_bytes(i + 6) + then)
            for i in range(LARGE)
        ]
        plain = rows(LARGE + 7, first=LARGE)
        for expected in (baited, baited + plain):
            data = encode_batch(baited) + encode_batch(plain, base_offset=LARGE) * (len(expected) > LARGE)
            assert as_rows(to_arrow(data)) == expected
        assert walked_serially == [LARGE, LARGE]

    def test_to_arrow__batch_with_offset_gap_after_compaction__all_records_as_rows(
        self, walked_serially: list[int]
    ) -> None:
        """Keep offset gaps: compaction leaves the last offset delta as it was."""
        compacted = bytearray(encode_batch(rows(LARGE)))
        struct.pack_into(">i", compacted, 23, LARGE + 10)
        assert as_rows(to_arrow(with_checksum(compacted))) == rows(LARGE)
        assert walked_serially == [LARGE]


@cache
def large_batch() -> bytes:
    return encode_batch(rows(LARGE))


@pytest.mark.long
@given(seed=st.integers(0, 2**32))
def test_to_arrow__large_batch_with_changed_bytes_and_valid_checksum__rows_or_error_of_row_decoder(seed: int) -> None:
    rng = random.Random(seed)
    batch = bytearray(large_batch())
    for _ in range(rng.randint(1, 30)):
        batch[rng.randrange(HEADER.size, len(batch))] = rng.choice([0, 1, 2, 0x7F, 0x80, 0xFF])
    assert_same_verdict(with_checksum(batch))


@given(st.data())
def test_to_arrow__record_bytes_changed_and_checksum_recomputed__same_rows_or_error_as_the_row_decoder(
    data: st.DataObject,
) -> None:
    batch = bytearray(encode_batch(rows(5)))
    for _ in range(data.draw(st.integers(1, 3))):
        batch[data.draw(st.integers(61, len(batch) - 1))] = data.draw(st.sampled_from([0, 1, 2, 0x7F, 0x80, 0xFF]))
    assert_same_verdict(with_checksum(batch))


def assert_same_verdict(damaged: bytes) -> None:
    try:
        expected: object = columnar._rows(damaged, 0, 2**63 - 1)
    except CorruptBatch as error:
        with pytest.raises(CorruptBatch) as raised:
            to_arrow(damaged, headers=True)
        assert str(raised.value) == str(error)  # noqa: PT017
    else:
        assert as_rows(to_arrow(damaged, headers=True)) == expected


def test_to_arrow__checksum_wrong__error_names_the_batch() -> None:
    good, bad = encode_batch(rows(2)), bytearray(encode_batch(rows(2, first=2), base_offset=2))
    bad[-1] ^= 1
    with pytest.raises(CorruptBatch, match=r"base offset 2 .* fails its checksum"):
        to_arrow(good + bytes(bad))


@pytest.mark.parametrize("size", [10, 60, 200])
def test_to_arrow__message_set_of_an_old_format_complete_or_truncated__refused(size: int) -> None:
    with pytest.raises(UnsupportedMagic):
        to_arrow(struct.pack(">qiIbb", 0, 60, 0, 1, 0) + bytes(size))


def test_to_arrow__values_longer_than_an_inline_view__refer_to_the_fetched_bytes_without_a_copy() -> None:
    data = encode_batch([Record(0, NOW_MS, b"k", b"v" * 100)])
    buffers = to_arrow(data)["value"].buffers()
    assert buffers[2].address == pa.py_buffer(data).address
