import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tenure.client.producer.partitioner import murmur2, murmur2_arrow, partition_for_key, partitions_for_keys

JAVA = {  # asserted by Java's own UtilsTest
    b"21": -973932308,
    b"foobar": -790332482,
    b"a-little-bit-long-string": -985981536,
    b"a-little-bit-longer-string": -1486304829,
    b"lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8": -58897971,
    b"abc": 479470107,
}
TYPES = [pa.binary(), pa.large_binary(), pa.binary_view()]


@pytest.mark.parametrize("key", JAVA)
def test_murmur2__keys_of_kafkas_java_tests__same_hashes(key: bytes) -> None:
    assert murmur2(key) == JAVA[key] & 0xFFFF_FFFF


@given(st.lists(st.binary(max_size=40)), st.sampled_from(TYPES))
def test_murmur2__over_an_arrow_column__same_as_for_single_keys(keys: list[bytes], kind: pa.DataType) -> None:
    assert murmur2_arrow(pa.array(keys, kind)).tolist() == [murmur2(key) for key in keys]


@given(st.lists(st.binary(max_size=20), min_size=3), st.sampled_from(TYPES))
def test_murmur2__over_a_slice_of_a_column__same_as_for_single_keys(keys: list[bytes], kind: pa.DataType) -> None:
    assert murmur2_arrow(pa.array(keys, kind)[1:-1]).tolist() == [murmur2(key) for key in keys[1:-1]]


def test_murmur2__chunks_and_nulls__a_null_hashes_as_an_empty_key() -> None:
    keys = pa.chunked_array([pa.array([b"a", None], pa.binary_view()), pa.array([b"bcdef"], pa.binary_view())])
    assert murmur2_arrow(keys).tolist() == [murmur2(b"a"), murmur2(b""), murmur2(b"bcdef")]


def test_partition_for_key__negative_hash__sign_bit_cleared() -> None:
    assert partition_for_key(b"21", 8) == (-973932308 & 0x7FFF_FFFF) % 8


@given(st.lists(st.binary(max_size=20)), st.integers(1, 1_000))
def test_partition_for_key__over_an_arrow_column__same_as_for_single_keys(keys: list[bytes], partitions: int) -> None:
    expected = [partition_for_key(key, partitions) for key in keys]
    assert partitions_for_keys(pa.array(keys, pa.binary()), partitions).tolist() == expected
