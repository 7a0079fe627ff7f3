"""Partitions that producers choose for keys."""

import pyarrow as pa
import pytest

from tenure.client.producer.partitioner import partition_for_key
from tenure.spark.formats.keys import key_partitions

PARTITIONS = 8


@pytest.mark.parametrize(
    ("keys", "as_bytes"),
    [
        (pa.array(["N14228", "", "Ærø"]), [b"N14228", b"", "Ærø".encode()]),
        (pa.array([b"N14228", b"\xff\x00"], pa.binary()), [b"N14228", b"\xff\x00"]),
        (pa.array([0, -17, 2**40], pa.int64()), [b"0", b"-17", b"1099511627776"]),
    ],
)
def test_key_partitions__keys_as_strings_bytes_or_integers__same_as_the_producers(
    keys: pa.Array, as_bytes: list[bytes]
) -> None:
    expected = [partition_for_key(key, PARTITIONS) for key in as_bytes]
    assert key_partitions(keys, PARTITIONS).to_pylist() == expected


def test_key_partitions__null_key__no_partition() -> None:
    assert key_partitions(pa.array([None, "a"]), PARTITIONS).to_pylist() == [None, partition_for_key(b"a", PARTITIONS)]
