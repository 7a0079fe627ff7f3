"""Is the pipeline's key the topic's partitioning key?"""

import pyarrow as pa
import pytest

from tenure.client.partitioner import partition_for_key
from tenure.spark.keys import misplaced

PARTITIONS = 8


def lane_of(keys: list[object], serialise: object, partition: int) -> pa.Table:
    """The keys that a producer would put into `partition`."""
    assert callable(serialise)
    return pa.table({"k": [key for key in keys if partition_for_key(serialise(key), PARTITIONS) == partition]})


def test_misplaced__strings_that_their_producer_hashed__fine() -> None:
    rows = lane_of([f"N{number}" for number in range(200)], str.encode, 3)
    assert len(rows) > 10
    assert misplaced(rows, "k", "flights", 3, PARTITIONS) is None


@pytest.mark.parametrize("width", [4, 8])
def test_misplaced__integers_as_java_serialises_them__fine(width: int) -> None:
    rows = lane_of(list(range(-100, 100)), lambda key: key.to_bytes(width, "big", signed=True), 5)
    assert misplaced(rows, "k", "flights", 5, PARTITIONS) is None


def test_misplaced__integers_as_text__fine() -> None:
    rows = lane_of(list(range(200)), lambda key: str(key).encode(), 5)
    assert misplaced(rows, "k", "flights", 5, PARTITIONS) is None


def test_misplaced__one_key_of_another_partition__named_with_what_to_do() -> None:
    rows = lane_of([f"N{number}" for number in range(200)], str.encode, 3)
    stray = next(key for key in ("A", "B", "C") if partition_for_key(key.encode(), PARTITIONS) != 3)
    with_stray = pa.concat_tables([rows, pa.table({"k": [stray]})])
    sentence = misplaced(with_stray, "k", "flights", 3, PARTITIONS)
    assert sentence is not None
    assert f"key '{stray}' is in partition 3 of 8" in sentence
    assert "produce the topic keyed by 'k'" in sentence


@pytest.mark.parametrize("keys", [[], [None, None]])
def test_misplaced__no_keys__nothing_to_say(keys: list[None]) -> None:
    assert misplaced(pa.table({"k": pa.array(keys, pa.string())}), "k", "flights", 3, PARTITIONS) is None
