"""Partitioned output: directories of rows, and names that any reader can decode."""

from datetime import date
from pathlib import Path

import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet
import pytest

from tenure.limits.pipeline import OUTPUT_PARTITIONS_PER_BATCH_MAX
from tenure.pipeline.errors import BadFunction
from tenure.pipeline.output.partitioning import directory_of, partitions, values_of, whole_schema

ODD = ["plain", "a/b=c", "50%", "ü", " ", "..", 'quo"te', "a:b", "x\ny", "{}", None, ""]


def test_output_partitions__values_with_special_characters__read_back_unchanged(tmp_path: Path) -> None:
    rows = pa.table({"word": ODD * 2, "n": list(range(2 * len(ODD)))})
    seen = []
    for number, (values, part) in enumerate(partitions(rows, ["word"])):
        directory = directory_of(values)
        seen.append(directory)
        assert values_of(f"{directory}file") == dict(values)
        assert whole_schema(part.schema) == pa.schema([("n", pa.int64()), ("word", pa.string())])
        (tmp_path / directory).mkdir(parents=True, exist_ok=True)
        pyarrow.parquet.write_table(part, tmp_path / directory / f"{number}.parquet")
    assert len(seen) == len(ODD)
    hive = pyarrow.dataset.partitioning(pa.schema([("word", pa.string())]), flavor="hive")
    read = pyarrow.dataset.dataset(tmp_path, format="parquet", partitioning=hive).to_table().sort_by("n")
    assert read["word"].to_pylist() == [word or None for word in ODD * 2]


def test_output_partitions__two_partition_columns__rows_of_each_pair_of_values_in_order() -> None:
    days = [date(2026, 11, 21), date(2026, 11, 22)]
    rows = pa.table(
        {"day": [days[n % 2] for n in range(12)], "even": [n % 3 == 0 for n in range(12)], "n": list(range(12))}
    )
    found = {directory_of(values): part["n"].to_pylist() for values, part in partitions(rows, ["day", "even"])}
    assert found == {
        "day=2026-11-21/even=true/": [0, 6],
        "day=2026-11-21/even=false/": [2, 4, 8, 10],
        "day=2026-11-22/even=true/": [3, 9],
        "day=2026-11-22/even=false/": [1, 5, 7, 11],
    }


@pytest.mark.parametrize("kind", [pa.dictionary(pa.int8(), pa.string()), pa.large_string(), pa.string_view()])
def test_output_partitions__string_column_of_any_arrow_type__rows_grouped_by_value(kind: pa.DataType) -> None:
    rows = pa.table({"word": pa.array(["a", "b", None, "a"]).cast(kind), "n": [1, 2, 3, 4]})
    found = {directory_of(values): part["n"].to_pylist() for values, part in partitions(rows, ["word"])}
    assert found == {"word=a/": [1, 4], "word=b/": [2], "word=__HIVE_DEFAULT_PARTITION__/": [3]}


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        (["nothing"], "partitioned by 'nothing', but the function's rows have only word, share, n"),
        (["share"], "partitioned by 'share', a double: use a string, an integer, a boolean or a date"),
        (["word", "n", "share"], "use a string, an integer"),
    ],
)
def test_output_partitions__unsupported_column_type__error(columns: list[str], sentence: str) -> None:
    rows = pa.table({"word": ["a"], "share": [0.5], "n": [1]})
    with pytest.raises(BadFunction, match=sentence):
        list(partitions(rows, columns))


def test_output_partitions__all_columns_are_partition_columns__refused() -> None:
    with pytest.raises(BadFunction, match="leave at least one out of partition_by"):
        list(partitions(pa.table({"a": [1], "b": [2]}), ["a", "b"]))


def test_output_partitions__too_many_different_values__refused() -> None:
    rows = pa.table(
        {"n": list(range(OUTPUT_PARTITIONS_PER_BATCH_MAX + 1)), "m": [0] * (OUTPUT_PARTITIONS_PER_BATCH_MAX + 1)}
    )
    with pytest.raises(BadFunction, match=r"has 1001 values of n.*column with fewer values"):
        list(partitions(rows, ["n"]))
