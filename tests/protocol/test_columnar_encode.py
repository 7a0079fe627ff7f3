"""The columnar encoder compared with the row encoder, which is the reference: the bytes are equal."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenure.protocol.batches import decode_records, encode_batch, encode_packed, read_batches
from tenure.protocol.columnar.decode import HEADERS_TYPE
from tenure.protocol.columnar.encode import RecordColumns, encoded_headers, pack_columns
from tenure.protocol.compression import Codec
from tenure.protocol.records import Record
from tests.protocol.batches import NOW_MS, records, rows


def columns_of(made: list[Record], *, headers: bool = True) -> RecordColumns:
    pairs = [[{"key": key, "value": value} for key, value in record.headers] for record in made]
    return RecordColumns(
        pa.array([record.key for record in made], pa.binary()),
        pa.array([record.value for record in made], pa.binary()),
        np.array([record.timestamp_ms for record in made], np.int64),
        encoded_headers(pa.array(pairs, HEADERS_TYPE)) if headers else None,
    )


@given(made=st.lists(st.lists(records, min_size=1, max_size=12), min_size=1, max_size=5), codec=st.sampled_from(Codec))
def test_pack_columns__random_records__same_bytes_as_the_row_encoder(made: list[list[Record]], codec: Codec) -> None:
    starts = np.cumsum([0, *(len(batch) for batch in made[:-1])])
    packed = pack_columns(columns_of([record for batch in made for record in batch]), starts, codec)
    assert [encode_packed(batch) for batch in packed] == [encode_batch(batch, codec=codec) for batch in made]


@pytest.mark.parametrize("size", [1, 63, 64, 8_191, 8_192, 1_100_000])
def test_pack_columns__value_lengths_at_varint_boundaries__same_bytes_as_the_row_encoder(size: int) -> None:
    made = rows(3, size=size)
    (packed,) = pack_columns(columns_of(made, headers=False), np.array([0]), Codec.NONE)
    assert encode_packed(packed) == encode_batch(made)


def test_pack_columns__offset_deltas_longer_than_two_bytes__same_bytes_as_the_row_encoder() -> None:
    made = rows(9_000)
    (packed,) = pack_columns(columns_of(made, headers=False), np.array([0]), Codec.NONE)
    assert encode_packed(packed) == encode_batch(made)


def test_pack_columns__descending_and_distant_timestamps__same_records_read_back() -> None:
    made = [Record(n, NOW_MS - n * 10**12, None, b"v") for n in range(4)]
    (packed,) = pack_columns(columns_of(made), np.array([0]), Codec.NONE)
    (batch,) = read_batches(encode_packed(packed))
    assert decode_records(batch) == made
    assert batch.max_timestamp_ms == NOW_MS


def test_pack_columns__slices_of_longer_columns__only_the_rows_of_the_slices() -> None:
    made = rows(10)
    whole = columns_of(made)
    part = RecordColumns(
        whole.key.slice(3, 4), whole.value.slice(3, 4), whole.timestamp_ms[3:7], whole.headers.slice(3, 4)
    )
    (packed,) = pack_columns(part, np.array([0]), Codec.NONE)
    assert encode_packed(packed) == encode_batch(made[3:7])


def test_record_columns_take__rows_in_another_order__all_columns_reordered() -> None:
    made = rows(4)
    taken = columns_of(made).take(np.array([2, 0]))
    (packed,) = pack_columns(taken, np.array([0]), Codec.NONE)
    assert encode_packed(packed) == encode_batch([made[2], made[0]])
    assert taken.content_bytes().tolist() == [31, 31]
