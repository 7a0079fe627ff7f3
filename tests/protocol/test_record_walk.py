"""Readers of the records of a batch (one by one, by runs, with numpy) have the same results."""

from collections.abc import Callable
from itertools import cycle, islice
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenure.limits.protocol import BATCH_HEADERS_MAX, RECORD_HEADERS_MAX
from tenure.protocol.batches import HEADER, encode_batch
from tenure.protocol.columnar import check as columnar_check
from tenure.protocol.columnar.check import walk_columns
from tenure.protocol.columnar.walk import follow
from tenure.protocol.record_runs import COLUMNS_FROM, walk, walk_in_steps, walk_run
from tenure.protocol.record_walk import CheckedRecords, walk_records
from tenure.protocol.records import MalformedRecord, Record, TooManyHeaders, encode_record, varint
from tests.steps import returned

BASE_MS = 1_700_000_000_000

Walk = Callable[[bytes, int, int, int], CheckedRecords | None]

values = st.none() | st.binary(max_size=100) | st.binary(min_size=9_000, max_size=9_000)
headers = st.lists(st.tuples(st.text(max_size=4), st.none() | st.binary(max_size=70)), max_size=3)
times = st.integers(-(2**62), 2**62 - 1)
"""Timestamps in ms whose differences fit into the 64 bits of a batch."""
records = st.builds(Record, st.just(0), times, values, values, headers)


def by_row(data: bytes, position: int, end: int, count: int) -> CheckedRecords | None:
    return result_or_none(walk_records, data, position, end, count)


def result_or_none(walk: Walk, data: bytes, position: int, end: int, count: int) -> CheckedRecords | None:
    try:
        return walk(data, position, end, count)
    except MalformedRecord:
        return None


def walk_all_steps(data: bytes, position: int, end: int, count: int) -> CheckedRecords:
    return returned(walk_in_steps(data, position, end, count))


@given(st.lists(records, min_size=1, max_size=80))
def test_walk_of_records__records_of_all_shapes__same_summary_from_each_reader(rows: list[Record]) -> None:
    batch = encode_batch(rows)
    deltas = [row.timestamp_ms - rows[0].timestamp_ms for row in rows]
    has_keyless = any(row.key is None for row in rows)
    expected = CheckedRecords(
        min(deltas), max(deltas), has_keyless, counts_up=True, headers=sum(len(row.headers) for row in rows)
    )
    for one in (walk_records, walk_columns, walk, walk_all_steps):
        assert one(batch, HEADER.size, len(batch), len(rows)) == expected


@given(rows=st.lists(records, min_size=1, max_size=5), data=st.data())
def test_walk_of_records__any_bytes_changed__same_result_as_the_decoder(
    rows: list[Record], data: st.DataObject
) -> None:
    body = bytearray(encode_batch(rows)[HEADER.size :])
    for _ in range(data.draw(st.integers(0, 3))):
        body[data.draw(st.integers(0, len(body) - 1))] = data.draw(st.integers(0, 255))
    count = data.draw(st.just(len(rows)) | st.integers(1, 7))
    trailing = data.draw(st.binary(max_size=3))
    arguments = (bytes(body) + trailing, 0, len(body), count)
    assert walk_columns(*arguments) == by_row(*arguments)


def of_one_shape(size: int, key: bytes | None, times: list[int], count: int) -> list[Record]:
    return [Record(0, BASE_MS + time, key, bytes(size)) for time in islice(cycle(times), count)]


similar_records = st.builds(
    of_one_shape,
    st.sampled_from([0, 5, 60, 9_000]),
    st.none() | st.binary(max_size=70),
    st.lists(st.integers(-70, 70) | st.integers(-9_000, 9_000), min_size=1, max_size=40),
    st.sampled_from([17, 63, 64, 65, 66, 90, 200]),
)


@given(st.lists(similar_records, min_size=1, max_size=3), st.data())
def test_walk_of_records__runs_of_similar_records_with_any_byte_changed__same_result_as_one_by_one(
    runs: list[list[Record]], data: st.DataObject
) -> None:
    rows = [row for run in runs for row in run]
    batch = bytearray(encode_batch(rows))
    assert walk(bytes(batch), HEADER.size, len(batch), len(rows)) == by_row(
        bytes(batch), HEADER.size, len(batch), len(rows)
    )
    for _ in range(data.draw(st.integers(1, 2))):
        batch[data.draw(st.integers(HEADER.size, len(batch) - 1))] = data.draw(st.integers(0, 255))
    arguments = (bytes(batch), HEADER.size, len(batch), len(rows) + data.draw(st.integers(-1, 1)))
    assert result_or_none(walk, *arguments) == result_or_none(walk_all_steps, *arguments) == by_row(*arguments)


@pytest.mark.parametrize("size", [0, 100, 9_000])
def test_walk_of_records__each_byte_of_lengths_and_deltas_changed__same_result_as_one_by_one(size: int) -> None:
    rows = [Record(0, BASE_MS + n, b"key", bytes(size)) for n in range(20)]
    whole = encode_batch(rows)[HEADER.size :]
    assert walk_run(whole, 0, len(whole), 20, 0) is not None
    start = whole.index(b"\x06key", len(whole) // 2) - 6
    for at in (*range(start, start + 14), *range(len(whole) - 3, len(whole))):
        for value in (0, 1, 2, 3, 0x7F, 0x80, 0xFF):
            changed = whole[:at] + bytes([value]) + whole[at + 1 :]
            arguments = (changed, 0, len(changed), 20)
            assert result_or_none(walk, *arguments) == by_row(*arguments), (at, value)


def test_walk_run__offset_deltas_of_one_two_and_three_bytes__one_run_for_each_size() -> None:
    count = (1 << 14) + 200
    batch = encode_batch([Record(0, BASE_MS + n // 300, None, b"v") for n in range(count)])
    position, first, runs = HEADER.size, 0, []
    while run := walk_run(batch, position, len(batch), count, first):
        _, position, records = run
        first += records
        runs.append(records)
    assert runs == [64, (1 << 13) - 64, 1 << 13]
    assert walk(batch, HEADER.size, len(batch), count) == by_row(batch, HEADER.size, len(batch), count)


RECORD = encode_record(Record(0, BASE_MS, b"k", b"v", [("h", None)]), 0, BASE_MS)


def of(*fields: bytes) -> bytes:
    body = b"".join(fields)
    return varint(len(body)) + body


@pytest.mark.parametrize(
    "malformed",
    [
        b"",
        RECORD[:-1],
        RECORD + b"\0",
        RECORD + RECORD,
        varint(-1) + RECORD[1:],
        b"\x80\x80\x80\x80\x80\x00" + RECORD[1:],
        b"\x80" * 9,
        of(b"\0\0\0", varint(-2), b"\x01\0"),
        of(b"\0\0\0\x01", varint(-2), b"\0"),
        of(b"\0\0\0", varint(2**31 - 1), b"\x01\0"),
        of(b"\0\0\0\x01\x01", varint(-1)),
        of(b"\0\0\0\x01\x01", varint(1)),
        of(b"\0\0\0\x01\x01", varint(2**31 - 1)),
        of(b"\0\0\0\x01\x01", varint(1), b"\x01\x01"),
        of(b"\0\0\0\x01\x01", varint(1), b"\x02h", varint(-2)),
        of(b"\0\0\0\x01\x01", varint(1), b"\x02h", varint(5)),
        of(b"\0\0", b"\x80\x80\x80\x80\x80\x00", b"\x01\x01\0"),
        of(b"\0", b"\x80" * 10 + b"\0", b"\0\x01\x01\0"),
        of(b"\0", b"\x80" * 1_000_000),
        b"\xff" * 1_000_000,
        of(b"\0", b"\xff" * 9 + b"\x02", b"\0\x01\x01\0"),
    ],
)
def test_walk_of_records__malformed_record__refused(malformed: bytes) -> None:
    assert (
        by_row(RECORD, 0, len(RECORD), 1)
        == walk_columns(RECORD, 0, len(RECORD), 1)
        == CheckedRecords(0, 0, False, True, 1)
    )
    for before, trailing in ((b"", b""), (RECORD, b""), (RECORD * 3, RECORD * 3)):
        data = before + malformed
        count = len(before) // len(RECORD) + 1
        assert by_row(data + trailing, 0, len(data), count) is None
        assert walk_columns(data + trailing, 0, len(data), count) is None
        assert result_or_none(walk, data + trailing, 0, len(data), count) is None
        assert result_or_none(walk_all_steps, data + trailing, 0, len(data), count) is None


@pytest.mark.parametrize(
    ("odd", "expected"),
    [
        (of(b"\0\0\0", b"\x81\0", b"\x01\0"), CheckedRecords(0, 0, has_keyless=True, counts_up=False, headers=200)),
        (of(b"\0\0\0\x01\x01", varint(1), b"\x81\0\x01"), None),
        (of(b"\0\0", b"\x80\x80\x80\x80\x7f", b"\x01\x01\0"), None),
        (b"\xff" * 9 + b"\x7f", None),
    ],
    ids=["no key", "header without key", "offset delta of 35 bits", "length of 70 bits"],
)
def test_walk_of_records__non_minimal_varint_among_many_records__same_result_as_one_by_one(
    odd: bytes, expected: CheckedRecords | None
) -> None:
    data = RECORD * 100 + odd + RECORD * 100
    assert by_row(data, 0, len(data), 201) == expected
    assert walk_columns(data, 0, len(data), 201) == expected
    assert (
        result_or_none(walk, data, 0, len(data), 201)
        == result_or_none(walk_all_steps, data, 0, len(data), 201)
        == expected
    )


def test_walk_columns__more_records_announced_than_bytes_can_hold__refused_before_the_walk() -> None:
    data = RECORD * 1_000
    with patch.object(columnar_check, "follow", wraps=follow) as followed:
        assert walk_columns(data, 0, len(RECORD) * 100, 1_000) is None
        assert not followed.called
        assert walk_columns(data, 0, len(data), 1_000) is not None
        assert followed.called


def test_walk_columns__record_with_many_headers__none_so_that_walk_records_checks_it() -> None:
    batch = encode_batch([Record(0, BASE_MS, b"k", b"v", [("h", b"x")] * 65)])
    assert walk_columns(batch, HEADER.size, len(batch), 1) is None
    assert walk_records(batch, HEADER.size, len(batch), 1) == CheckedRecords(0, 0, False, True, 65)


def test_walk_of_records__offset_deltas_not_consecutive__reported_in_the_summary() -> None:
    data = encode_record(Record(0, BASE_MS, b"k", b"v"), 0, BASE_MS) * 2
    assert (
        walk_records(data, 0, len(data), 2) == walk_columns(data, 0, len(data), 2) == CheckedRecords(0, 0, False, False)
    )


def test_walk_in_steps__many_records_or_headers__steps_of_bounded_size() -> None:
    plain = RECORD * 50_000
    assert len(list(walk_in_steps(plain, 0, len(plain), 50_000))) >= 50_000 // 16_384
    one = encode_record(Record(0, BASE_MS, b"k", b"v", [("", None)] * RECORD_HEADERS_MAX), 0, BASE_MS)
    assert len(list(walk_in_steps(one * 20, 0, len(one) * 20, 20))) == 20 - 1  # pauses are between two steps


def test_walk_of_records__more_headers_than_a_record_may_have__refused() -> None:
    record = encode_record(Record(0, BASE_MS, None, None, [("", None)] * (RECORD_HEADERS_MAX + 1)), 0, BASE_MS)
    with pytest.raises(MalformedRecord, match="headers"):
        walk(record, 0, len(record), 1)


def test_walk_in_steps__too_many_headers_in_a_batch__refused_before_its_end() -> None:
    record = encode_record(Record(0, BASE_MS, None, None, [("", None)] * RECORD_HEADERS_MAX), 0, BASE_MS)
    count = 2 * BATCH_HEADERS_MAX // RECORD_HEADERS_MAX
    steps: list[None] = []
    with pytest.raises(TooManyHeaders):
        steps.extend(walk_in_steps(record * count, 0, len(record) * count, count))
    assert len(steps) == BATCH_HEADERS_MAX // RECORD_HEADERS_MAX


def test_walk_in_steps__columnar_walk_not_possible__tried_only_once() -> None:
    count = 1_000
    data = encode_record(Record(0, BASE_MS, b"k", b"v", [("h", b"x")] * 65), 0, BASE_MS) * count
    with patch.object(columnar_check, "follow", wraps=follow) as followed:
        assert returned(walk_in_steps(data, 0, len(data), count)).headers == 65 * count
        assert followed.call_count == int(count >= COLUMNS_FROM)  # the compiled build never tries it
